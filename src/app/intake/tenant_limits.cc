#include "app/intake/tenant_limits.h"

#include <algorithm>

namespace seedance {
namespace {

constexpr double kBurstSeconds = 10;
constexpr std::size_t kBucketsMax = 10'000;

}  // namespace

const TenantLimit& TenantLimits::of(std::string_view tenant) const {
  const auto named = named_.find(tenant);
  return named == named_.end() ? standard_ : named->second;
}

bool TenantLimits::admit(std::string_view tenant, std::size_t samples, TimePoint now) {
  const auto rate = static_cast<double>(of(tenant).samples_per_second_max);
  if (rate == 0) return true;
  const double full = rate * kBurstSeconds;
  const std::lock_guard lock(mutex_);
  if (buckets_.size() > kBucketsMax) {
    // Names may be made up; one that was not heard for ten seconds has a full bucket anyway.
    std::erase_if(buckets_, [&](const auto& entry) { return now - entry.second.filled > std::chrono::seconds(10); });
    if (buckets_.size() > kBucketsMax && !buckets_.contains(tenant)) return false;
  }
  const auto [at, is_first] = buckets_.try_emplace(std::string(tenant), Bucket{full, now});
  Bucket& bucket = at->second;
  const double passed = static_cast<double>(std::max(Nanos{0}, now - bucket.filled).count()) / 1e9;
  bucket.left = std::min(full, bucket.left + passed * rate);
  bucket.filled = std::max(bucket.filled, now);
  const auto asked = static_cast<double>(samples);
  if (asked > bucket.left && bucket.left < full) return false;
  bucket.left -= asked;
  return true;
}

}  // namespace seedance
