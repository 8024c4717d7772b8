#include "report/sums_json.h"

namespace seedance {
namespace {

constexpr std::int64_t kSecondsPerHour = 3'600;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

struct MoneyMember {
  std::string_view name;
  MoneySum LedgerSums::*field;
};
constexpr MoneyMember kMoney[] = {{"cpu_cost", &LedgerSums::cpu_cost},         {"memory_cost", &LedgerSums::memory_cost},
                                  {"gpu_cost", &LedgerSums::gpu_cost},         {"storage_cost", &LedgerSums::storage_cost},
                                  {"network_cost", &LedgerSums::network_cost}, {"shared_cost", &LedgerSums::shared_cost},
                                  {"wasted_cost", &LedgerSums::wasted}};

struct HoursMember {
  std::string_view name;
  Int128 LedgerSums::*field;
};
constexpr HoursMember kHours[] = {{"gpu_hours", &LedgerSums::gpu_allocated},
                                  {"gpu_hours_measured", &LedgerSums::gpu_measured},
                                  {"gpu_hours_active", &LedgerSums::gpu_active},
                                  {"cpu_core_hours_requested", &LedgerSums::cpu_requested},
                                  {"cpu_core_hours_used", &LedgerSums::cpu_used},
                                  {"cpu_core_hours", &LedgerSums::cpu_allocated}};
constexpr HoursMember kGibHours[] = {{"memory_gib_hours_requested", &LedgerSums::memory_requested},
                                     {"memory_gib_hours_used", &LedgerSums::memory_used},
                                     {"memory_gib_hours", &LedgerSums::memory_allocated}};

// What the counters of devices say.
constexpr HoursMember kDeviceHours[] = {{"gpu_hours_sm_measured", &LedgerSums::sm_measured},
                                        {"gpu_hours_sm_active", &LedgerSums::sm_active},
                                        {"gpu_hours_tensor_measured", &LedgerSums::tensor_measured},
                                        {"gpu_hours_tensor_active", &LedgerSums::tensor_active},
                                        {"gpu_memory_hours_measured", &LedgerSums::gpu_memory_nanos}};
constexpr HoursMember kDeviceGibHours[] = {{"gpu_memory_gib_hours_used", &LedgerSums::gpu_memory_used},
                                           {"gpu_memory_gib_hours_size", &LedgerSums::gpu_memory_size}};

// byte-seconds x 10^9 / (GiB x 3600): printed like money, with nine decimals.
Int128 gib_hours_nanos(Int128 byte_seconds) { return byte_seconds * 1'000'000'000 / kGiB / kSecondsPerHour; }

}  // namespace

std::string print_hours(Int128 unit_nanos) { return print_exact(unit_nanos / kSecondsPerHour); }

void set_sums(Json& out, const LedgerSums& sums) {
  for (const MoneyMember& m : kMoney) out.set(m.name, print_exact(sums.*m.field));
  out.set("total_cost", print_exact(sums.total_cost()));
  for (const HoursMember& m : kHours) out.set(m.name, print_hours(sums.*m.field));
  for (const HoursMember& m : kGibHours) out.set(m.name, print_exact(gib_hours_nanos(sums.*m.field)));
  Json parts = Json::object();
  for (std::size_t i = 0; i < kWaterfallPartCount; ++i) {
    parts.set(waterfall_part_name(static_cast<WaterfallPart>(i)), print_exact(sums.waterfall[i]));
  }
  out.set("waterfall", std::move(parts));
}

void set_device_sums(Json& out, const LedgerSums& sums) {
  for (const HoursMember& m : kDeviceHours) out.set(m.name, print_hours(sums.*m.field));
  for (const HoursMember& m : kDeviceGibHours) out.set(m.name, print_exact(gib_hours_nanos(sums.*m.field)));
}

void read_device_sums(const Json& json, LedgerSums& sums) {
  for (const HoursMember& m : kDeviceHours) sums.*m.field = parse_sum(json.at(m.name).text()).value_or(MoneySum{0}) * kSecondsPerHour;
  for (const HoursMember& m : kDeviceGibHours) sums.*m.field = parse_sum(json.at(m.name).text()).value_or(MoneySum{0}) * kSecondsPerHour * kGiB / 1'000'000'000;
}

Result<MoneySum> parse_sum(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  const std::size_t dot = digits.find('.');
  if (dot == std::string_view::npos || digits.size() - dot - 1 != 9 || digits.size() > 40) {
    return fail(Code::kInvalid, "not a sum with nine decimals: " + std::string(text.substr(0, 40)));
  }
  MoneySum nanos = 0;
  for (const char c : digits) {
    if (c == '.') continue;
    if (c < '0' || c > '9') return fail(Code::kInvalid, "not a sum with nine decimals: " + std::string(text));
    nanos = nanos * 10 + (c - '0');
  }
  return negative ? -nanos : nanos;
}

LedgerSums sums_from(const Json& json) {
  LedgerSums sums;
  const auto read = [](const Json& member) { return parse_sum(member.text()).value_or(MoneySum{0}); };
  for (const MoneyMember& m : kMoney) sums.*m.field = read(json.at(m.name));
  for (const HoursMember& m : kHours) sums.*m.field = read(json.at(m.name)) * kSecondsPerHour;
  for (const HoursMember& m : kGibHours) sums.*m.field = read(json.at(m.name)) * kSecondsPerHour * kGiB / 1'000'000'000;
  for (std::size_t i = 0; i < kWaterfallPartCount; ++i) {
    sums.waterfall[i] = read(json.at("waterfall").at(waterfall_part_name(static_cast<WaterfallPart>(i))));
  }
  return sums;
}

}  // namespace seedance
