// How much one tenant may bring: samples a second, series, labels, bytes.
//
// A tenant is who a token belongs to, or what a gateway says in X-Scope-OrgID; the empty name stands for everybody else. At a limit nothing
// that is alive is lost: samples of known series go on, new series are refused by name, and too many samples a second are answered with
// 503 and come again. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"

namespace seedance {

// 0: no limit but that of the whole server.
struct TenantLimit {
  std::size_t samples_per_second_max = 0;  // over ten seconds
  std::size_t series_max = 0;
  std::size_t labels_max = 0;              // of one series
  std::size_t body_bytes_max = 0;          // after decompression
};

struct TenantLimitOptions {
  TenantLimit standard;
  std::vector<std::pair<std::string, TenantLimit>> named;  // names differ
};

class TenantLimits {
 public:
  explicit TenantLimits(const TenantLimitOptions& options) : standard_(options.standard), named_(options.named.begin(), options.named.end()) {}

  const TenantLimit& of(std::string_view tenant) const;

  // Whether so many samples may come now; then they are counted. A request larger than ten seconds' worth passes when nothing came before it:
  // it could never pass otherwise.
  bool admit(std::string_view tenant, std::size_t samples, TimePoint now);

 private:
  struct Bucket {
    double left = 0;
    TimePoint filled{};
  };

  const TenantLimit standard_;
  const std::map<std::string, TenantLimit, std::less<>> named_;
  std::mutex mutex_;  // guards buckets_
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace seedance
