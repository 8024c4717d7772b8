// Any bytes as JSON: refused or read, and what was read prints and reads again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "json/value.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto read = seedance::parse_json({reinterpret_cast<const char*>(bytes), size});
  if (!read) return 0;
  SEEDANCE_CHECK(seedance::parse_json(read->print()).has_value(), "what was printed does not read");
  return 0;
}
