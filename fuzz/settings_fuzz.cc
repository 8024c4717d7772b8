// Any bytes as a settings file and as a dimensions file: refused or read, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "config/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  seedance::ignore(seedance::parse_settings(text, "fuzzed.yaml"), "only crashes matter here");
  seedance::ignore(seedance::parse_dimension_rules(text, "fuzzed.yaml"), "only crashes matter here");
  return 0;
}
