#include "base/time_zone.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>

#include <absl/time/time.h>

namespace seedance {
namespace {

constexpr std::size_t kZoneNameBytesMax = 64;
constexpr std::string_view kNamesOfUtc[] = {"UTC", "Etc/UTC", "UCT", "Etc/UCT", "Universal", "Etc/Universal", "Zulu", "Etc/Zulu"};

const absl::TimeZone& zone_rules(const void* rules) { return *static_cast<const absl::TimeZone*>(rules); }

std::string zone_data_folder() {
  const char* const folder = std::getenv("TZDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo";
}

// "Area/Place", parts of letters, digits, '_', '+' and '-': no path out of the folder can be written so.
bool looks_like_zone(std::string_view name) {
  if (name.empty() || name.size() > kZoneNameBytesMax || name.front() == '/' || name.back() == '/') return false;
  if (name.starts_with("posix/") || name.starts_with("right/") || name == "localtime" || name == "posixrules") return false;
  for (const char c : name) {
    const bool is_fine = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '+' || c == '-' || c == '/';
    if (!is_fine) return false;
  }
  return true;
}

// Abseil remembers every name it was ever asked for, also wrong ones; only names of files come that far.
const absl::TimeZone* load_zone(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, absl::TimeZone>& loaded = *new std::map<std::string, absl::TimeZone>;  // nodes do not move
  const std::lock_guard lock(mutex);
  if (const auto at = loaded.find(name); at != loaded.end()) return &at->second;
  std::error_code error;
  if (!std::filesystem::is_regular_file(zone_data_folder() + "/" + name, error)) return nullptr;
  absl::TimeZone zone;
  if (!absl::LoadTimeZone(name, &zone)) return nullptr;
  return &loaded.emplace(name, zone).first->second;
}

}  // namespace

Result<TimeZone> TimeZone::named(std::string_view name) {
  TimeZone out;
  if (std::find(std::begin(kNamesOfUtc), std::end(kNamesOfUtc), name) != std::end(kNamesOfUtc)) return out;
  out.name_ = name;
  if (looks_like_zone(name)) out.rules_ = load_zone(out.name_);
  if (out.rules_ == nullptr) {
    return fail(Code::kInvalid, "unknown time zone: " + std::string(name.substr(0, kZoneNameBytesMax)), "write an IANA name such as Asia/Shanghai, or UTC");
  }
  return out;
}

std::int64_t TimeZone::offset_seconds(TimePoint t) const {
  if (is_utc()) return 0;
  const std::int64_t offset = zone_rules(rules_).At(absl::FromUnixNanos(nanos_of(t))).offset;
  return offset - offset % 60;
}

TimePoint TimeZone::at_wall_clock(std::int64_t wall_seconds) const {
  if (is_utc()) return time_from_seconds(wall_seconds);
  const absl::CivilSecond shown = absl::CivilSecond(1970, 1, 1, 0, 0, 0) + wall_seconds;
  const absl::TimeZone::TimeInfo info = zone_rules(rules_).At(shown);
  return time_from_seconds(absl::ToUnixSeconds(info.kind == absl::TimeZone::TimeInfo::SKIPPED ? info.trans : info.pre));
}

}  // namespace seedance
