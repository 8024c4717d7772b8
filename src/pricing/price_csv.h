// Reads price lists in CSV: our own table, the public catalogues' shape, and what users write by hand.
//
// Columns are known by name; order and unknown columns do not matter. One line may give several entries (on-demand and spot).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/price.h"

namespace seedance {

struct PriceCsvEntry {
  PriceEntry entry;
  std::size_t line = 0;
};

struct PriceCsv {
  std::vector<PriceCsvEntry> entries;
  std::vector<std::string> refused;  // "file:line: reason"
};

inline constexpr std::size_t kPriceCsvBytesMax = std::size_t{64} << 20;

Result<PriceCsv> read_price_csv(std::string_view text, std::string_view file_name);

}  // namespace seedance
