#include "pricing/price_csv.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>

#include "base/csv.h"
#include "base/time_text.h"

namespace seedance {
namespace {

constexpr std::size_t kRefusedMax = 1'000;  // a file of nonsense is told about, not copied
constexpr std::int64_t kRateMax = std::int64_t{1'000'000} * 1'000'000'000;  // a million an hour is no node

using Columns = std::map<std::string, std::size_t, std::less<>>;

// One data row, by column name.
class PriceLine {
 public:
  PriceLine(const Columns& columns, const std::vector<std::string>& fields) : columns_(columns), fields_(fields) {}

  std::string text(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto at = columns_.find(name);
      if (at != columns_.end() && at->second < fields_.size() && !fields_[at->second].empty()) return fields_[at->second];
    }
    return {};
  }
  Result<std::optional<HourlyRate>> rate(std::initializer_list<std::string_view> names) const {
    const std::string value = text(names);
    if (value.empty()) return std::optional<HourlyRate>{};
    TRY_ASSIGN(const Money money, parse_money(value));
    if (money.nanos() < 0) return fail(Code::kInvalid, "price is negative: " + value);
    if (money.nanos() > kRateMax) return fail(Code::kInvalid, "price is absurd: " + value);
    return std::optional<HourlyRate>{HourlyRate{money.nanos()}};
  }
  // In units of 1 / `per_unit`, rounded half up: a third of a card is 333 thousandths. Large numbers are no shape of a node.
  Result<std::int64_t> amount(std::initializer_list<std::string_view> names, std::int64_t per_unit) const {
    const std::string value = text(names);
    if (value.empty()) return 0;
    TRY_ASSIGN(const Money number, parse_money(value));  // exact decimals; nano-units of a core, a GiB or a card
    if (number.nanos() < 0 || number.nanos() > kRateMax) return fail(Code::kInvalid, "amount is absurd: " + value);
    return static_cast<std::int64_t>((static_cast<Int128>(number.nanos()) * per_unit + 500'000'000) / 1'000'000'000);
  }

 private:
  const Columns& columns_;
  const std::vector<std::string>& fields_;
};

Result<PriceEntry> common_part(const PriceLine& line) {
  PriceEntry e;
  e.provider = line.text({"provider"});
  e.region = line.text({"region"});
  e.zone = line.text({"zone", "zone_id"});
  e.instance_type = line.text({"instance_type", "type"});
  e.node = line.text({"node"});
  e.accelerator = line.text({"accelerator"});
  e.source = line.text({"source"});
  if (const std::string currency = line.text({"currency"}); !currency.empty()) e.currency = currency;
  if (e.currency.size() != 3) return fail(Code::kInvalid, "currency is not a three-letter code: " + e.currency);
  if (e.instance_type.empty() && e.node.empty()) return fail(Code::kInvalid, "neither instance_type nor node is given");
  if (const std::string since = line.text({"valid_from", "as_of"}); !since.empty()) {
    TRY_ASSIGN(e.valid_from, parse_time(since));
  }
  TRY_ASSIGN(e.gpu_millis, line.amount({"accel_count", "gpus"}, 1'000));
  TRY_ASSIGN(e.cpu_millis, line.amount({"vcpu"}, 1'000));
  TRY_ASSIGN(e.memory_mib, line.amount({"mem_gib"}, 1'024));
  TRY_ASSIGN(e.cpu_rate, line.rate({"cpu_usd_core_hr", "cpu_core_hr"}));
  TRY_ASSIGN(e.memory_rate, line.rate({"ram_usd_gib_hr", "ram_gib_hr", "memory_gib_hr"}));
  TRY_ASSIGN(e.gpu_rate, line.rate({"gpu_usd_gpu_hr", "gpu_hr"}));
  return e;
}

// "Spot", "ON_DEMAND" and "ondemand" are what people write; anything else would never be asked for.
Result<std::string> capacity_kind_of(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == '_' || c == ' ' ? '-' : c;
  if (text == "ondemand") text = "on-demand";
  if (text.empty() || text == "on-demand" || text == "spot" || text == "reserved") return text;
  return fail(Code::kInvalid, "capacity kind is not on-demand, spot or reserved: " + text.substr(0, 40));
}

Result<void> read_line(const PriceLine& line, std::size_t number, std::vector<PriceCsvEntry>& out) {
  TRY_ASSIGN(PriceEntry e, common_part(line));
  TRY_ASSIGN(const std::optional<HourlyRate> on_demand,
             line.rate({"on_demand_usd_hr", "node_usd_hr", "price_usd_hr", "price_hr", "avg_price_usd_hr"}));
  TRY_ASSIGN(const std::optional<HourlyRate> spot, line.rate({"spot_usd_hr"}));
  TRY_ASSIGN(const std::optional<HourlyRate> reserved, line.rate({"reserved_usd_hr"}));
  if (!on_demand && !spot && !reserved) return fail(Code::kInvalid, "no price");
  const auto add = [&](std::string_view kind, const std::optional<HourlyRate>& rate) {
    if (!rate) return;
    e.capacity_kind = kind;
    e.rate = *rate;
    out.push_back({e, number});
  };
  TRY_ASSIGN(const std::string kind, capacity_kind_of(line.text({"capacity_kind", "capacity_type"})));
  // A price for one node stands for whatever kind that node is.
  if (kind.empty() && !e.node.empty()) {
    for (const std::string_view any : {"on-demand", "spot", "reserved"}) add(any, on_demand);
    return {};
  }
  add(kind.empty() ? std::string_view("on-demand") : std::string_view(kind), on_demand);
  add("spot", spot);
  add("reserved", reserved);
  return {};
}

Result<Columns> read_header(const std::vector<std::string>& fields, std::string_view file_name) {
  Columns columns;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string name = fields[i];
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    columns.emplace(std::move(name), i);
  }
  const auto has = [&](std::string_view name) { return columns.find(name) != columns.end(); };
  const bool priced = has("on_demand_usd_hr") || has("node_usd_hr") || has("price_usd_hr") || has("price_hr") || has("spot_usd_hr") || has("avg_price_usd_hr");
  if (!priced || !(has("instance_type") || has("type") || has("node"))) {
    return fail(Code::kInvalid, std::string(file_name) + ":1: not a price list",
                "the header needs instance_type (or node) and one of on_demand_usd_hr, price_usd_hr, spot_usd_hr");
  }
  return columns;
}

}  // namespace

Result<PriceCsv> read_price_csv(std::string_view text, std::string_view file_name) {
  if (text.size() > kPriceCsvBytesMax) return fail(Code::kTooLarge, std::string(file_name) + ": price list is over 64 MiB");
  PriceCsv out;
  Columns columns;
  const auto on_row = [&](std::size_t number, const std::vector<std::string>& fields) -> Result<void> {
    if (columns.empty()) {
      TRY_ASSIGN(columns, read_header(fields, file_name));
      return {};
    }
    const Result<void> read = read_line(PriceLine(columns, fields), number, out.entries);
    if (!read && out.refused.size() < kRefusedMax) {
      out.refused.push_back(std::string(file_name) + ":" + std::to_string(number) + ": " + read.error().message);
    }
    return {};
  };
  const Result<void> done = read_csv(text, on_row);
  if (!done) return fail_in(file_name, done.error());
  if (columns.empty()) return fail(Code::kInvalid, std::string(file_name) + ": price list is empty");
  return out;
}

}  // namespace seedance
