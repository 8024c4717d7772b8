// Any bytes as a price list: refused or read, line by line, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pricing/price_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  seedance::ignore(seedance::read_price_csv(text, "fuzzed.csv"), "only crashes matter here");
  return 0;
}
