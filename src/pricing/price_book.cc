#include "pricing/price_book.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/check.h"
#include "base/time_text.h"
#include "pricing/price_csv.h"

namespace seedance {
namespace {

struct PlainPair {
  std::string_view provider;
  std::string_view general;  // 4 cores, 16 GiB
  std::string_view memory;   // 4 cores, 32 GiB
};
constexpr std::array<PlainPair, 3> kPlainPairs{{
    {"aws", "m5.xlarge", "r5.xlarge"},
    {"gcp", "n2-standard-4", "n2-highmem-4"},
    {"azure", "Standard_D4s_v5", "Standard_E4s_v5"},
}};
constexpr std::int64_t kPairCores = 4;
constexpr std::int64_t kPairGiB = 16;

bool fits(const std::string& entry, std::string_view asked) { return entry.empty() || entry == asked; }

// A higher rank is a closer match. -1: no match.
int rank_of(const PriceEntry& e, const PriceQuestion& q, std::string_view kind) {
  if (e.capacity_kind != kind) return -1;
  if (!e.node.empty()) return e.node == q.node ? 4 : -1;
  if (!fits(e.instance_type, q.instance_type) || e.instance_type.empty()) return -1;
  if (!e.provider.empty() && !q.provider.empty() && e.provider != q.provider) return -1;
  if (!e.zone.empty()) return e.zone == q.zone || e.zone == q.zone_id ? 3 : -1;
  if (!e.region.empty()) return e.region == q.region ? 2 : -1;
  return 1;
}

std::string describe(const PriceEntry& e, TimePoint at) {
  std::string out = e.source.empty() ? "imported" : e.source;
  if (e.valid_from != TimePoint{}) out += " of " + print_time(e.valid_from).substr(0, 10);
  if (e.valid_from > at) out += " (first price known, used for earlier time)";
  return out;
}

}  // namespace

PriceBook PriceBook::built_in(PriceBookOptions options) {
  PriceBook book(options);
  const Result<PriceImport> imported = book.import_csv(list_prices_csv(), "list_prices.csv");
  SEEDANCE_CHECK(imported && imported->refused.empty(), imported ? imported->refused.front() : imported.error().message);
  book.built_in_count_ = book.entries_.size();
  return book;
}

Result<PriceImport> PriceBook::import_csv(std::string_view text, std::string_view file_name) {
  TRY_ASSIGN(const PriceCsv csv, read_price_csv(text, file_name));
  PriceImport out;
  out.refused = csv.refused;
  std::vector<PriceEntry> taken;  // added at the end: a file is judged against the book, not against itself
  for (const PriceCsvEntry& line : csv.entries) {
    const PriceEntry& e = line.entry;
    const PriceQuestion question{e.provider, e.region, e.zone, e.zone, e.instance_type, e.node, e.capacity_kind};
    if (is_believable(question, e.rate, e.valid_from)) {
      taken.push_back(e);
      continue;
    }
    out.refused.push_back(std::string(file_name) + ":" + std::to_string(line.line) + ": price is " +
                          std::to_string(options_.outlier_factor) + " times or more off the book: " + e.instance_type + " " +
                          print_exact(price(e.rate, kNanosPerHour)));
  }
  out.accepted = taken.size();
  entries_.insert(entries_.end(), taken.begin(), taken.end());
  return out;
}

const PriceEntry* PriceBook::find(const PriceQuestion& question, std::string_view kind, TimePoint at) const {
  // (rank, valid at the time, closeness in time, later in the book) decides; a young entry only when no old one fits.
  const PriceEntry* best = nullptr;
  std::tuple<int, bool, std::int64_t, std::size_t> best_key{-1, false, 0, 0};
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const PriceEntry& e = entries_[i];
    const int rank = rank_of(e, question, kind);
    if (rank < 0) continue;
    const bool valid = e.valid_from <= at;
    const std::int64_t closeness = valid ? nanos_of(e.valid_from) : -nanos_of(e.valid_from);
    const std::tuple<int, bool, std::int64_t, std::size_t> key{rank, valid, closeness, i};
    if (best == nullptr || key > best_key) {
      best = &e;
      best_key = key;
    }
  }
  return best;
}

Result<PriceAnswer> PriceBook::price_of(const PriceQuestion& question, TimePoint at) const {
  const PriceEntry* paid = find(question, question.capacity_kind, at);
  const PriceEntry* list = find(question, "on-demand", at);
  std::string note;
  if (paid == nullptr && question.capacity_kind == "reserved" && list != nullptr) {
    paid = list;  // a commitment changes who pays, not the list price; the bill corrects it later
    note = ", commitment not known";
  }
  if (paid == nullptr) {
    return fail(Code::kNotFound,
                "no price for " + question.provider + " " + question.region + " " + question.instance_type + " " + question.capacity_kind,
                "import one: seedancectl prices import FILE (columns provider,region,instance_type,on_demand_usd_hr,spot_usd_hr)");
  }
  PriceAnswer answer{*paid, std::nullopt, describe(*paid, at) + note};
  if (list != nullptr) answer.list = *list;
  return answer;
}

std::vector<TimePoint> PriceBook::steps_of(const PriceQuestion& question, Interval window) const {
  std::vector<TimePoint> out;
  for (const PriceEntry& e : entries_) {
    if (e.valid_from <= window.from || e.valid_from >= window.to) continue;
    if (rank_of(e, question, question.capacity_kind) >= 0 || rank_of(e, question, "on-demand") >= 0) out.push_back(e.valid_from);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const PriceEntry* PriceBook::find_plain(std::string_view provider, std::string_view region, std::string_view type) const {
  const PriceEntry* any = nullptr;
  for (const PriceEntry& e : entries_) {
    if (e.provider != provider || e.instance_type != type || e.capacity_kind != "on-demand") continue;
    if (e.region == region) return &e;
    if (any == nullptr) any = &e;
  }
  return any;
}

UnitRates PriceBook::unit_rates(std::string_view provider, std::string_view region) const {
  for (const std::string_view asked : {provider, std::string_view("aws")}) {
    for (const PlainPair& pair : kPlainPairs) {
      if (pair.provider != asked) continue;
      const PriceEntry* general = find_plain(asked, region, pair.general);
      const PriceEntry* memory = find_plain(asked, region, pair.memory);
      if (general == nullptr || memory == nullptr || general->region != memory->region) continue;
      const std::int64_t per_gib = (memory->rate.nanos_per_unit_hour - general->rate.nanos_per_unit_hour) / kPairGiB;
      const std::int64_t per_core = (general->rate.nanos_per_unit_hour - per_gib * kPairGiB) / kPairCores;
      return {{per_core}, {per_gib}, std::string(pair.general) + " and " + std::string(pair.memory) + " in " + general->region};
    }
  }
  return {{33'000'000}, {3'750'000}, "m5.xlarge and r5.xlarge in us-east-1"};
}

const PriceEntry* PriceBook::find_anywhere(std::string_view type) const {
  if (type.empty()) return nullptr;
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const PriceEntry& e) { return e.instance_type == type && e.capacity_kind == "on-demand"; });
  return at == entries_.end() ? nullptr : &*at;
}

bool PriceBook::is_believable(const PriceQuestion& question, HourlyRate stated, TimePoint at) const {
  PriceQuestion by_type = question;
  by_type.node.clear();
  const PriceEntry* known = find(by_type, "on-demand", at);
  if (known == nullptr) known = find(by_type, question.capacity_kind, at);
  // A list without places, or from a place the book does not know: the same type anywhere is near enough for a factor of 30.
  if (known == nullptr) known = find_anywhere(question.instance_type);
  if (known == nullptr || known->rate.nanos_per_unit_hour <= 0) return stated.nanos_per_unit_hour >= 0;
  const Int128 paid = stated.nanos_per_unit_hour;
  const Int128 book = known->rate.nanos_per_unit_hour;
  return paid > 0 && paid < book * options_.outlier_factor && paid * options_.outlier_factor > book;
}

}  // namespace seedance
