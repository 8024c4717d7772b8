// The price book: entries by (provider, zone, type, capacity kind, time), history kept, nothing overwritten.
//
// Order of preference: a price for this very node, then the zone, then the region; among equals the newest that was valid at the
// time asked, and when all are younger, the oldest (said in `source`). Imported entries win over built-in ones of equal rank.
// An import that is `outlier_factor` times off the book (either way) for the same type and kind is refused and listed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/price.h"

namespace seedance {

struct PriceImport {
  std::size_t accepted = 0;
  std::vector<std::string> refused;  // one line each: "prices.csv:14: ..."
};

struct PriceBookOptions {
  std::int64_t outlier_factor = 30;
};

class PriceBook {
 public:
  explicit PriceBook(PriceBookOptions options = {}) : options_(options) {}

  // Our own compiled list prices (AWS, GCP, Azure), with dates and sources: pricing/list_prices.csv.
  static PriceBook built_in(PriceBookOptions options = {});

  // Any CSV with a header row; columns are known by name (docs/prices.md). Lines that cannot be read or believed are refused
  // one by one; a file without a price column, over 64 MiB or without a header is an error as a whole.
  Result<PriceImport> import_csv(std::string_view text, std::string_view file_name);

  // kNotFound when nothing matches, with a hint that names what is missing.
  Result<PriceAnswer> price_of(const PriceQuestion& question, TimePoint at) const;

  // The instants inside `window`, ascending, at which a new price that fits the question becomes valid.
  std::vector<TimePoint> steps_of(const PriceQuestion& question, Interval window) const;

  // Unit rates of plain instances: from the general-purpose and the memory-optimised four-core type of the same region, else of the
  // provider's first region in the book, else AWS us-east-1.
  UnitRates unit_rates(std::string_view provider, std::string_view region) const;

  // Whether a price that somebody states for this node can be believed against the book; true when the book knows nothing.
  bool is_believable(const PriceQuestion& question, HourlyRate stated, TimePoint at) const;

  std::span<const PriceEntry> entries() const { return entries_; }

 private:
  const PriceEntry* find(const PriceQuestion& question, std::string_view kind, TimePoint at) const;
  const PriceEntry* find_anywhere(std::string_view type) const;
  const PriceEntry* find_plain(std::string_view provider, std::string_view region, std::string_view type) const;

  PriceBookOptions options_;
  std::vector<PriceEntry> entries_;
  std::size_t built_in_count_ = 0;
};

// The built-in table as CSV text.
std::string_view list_prices_csv();

}  // namespace seedance
