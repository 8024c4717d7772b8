#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace seedance {

void check_failed(const char* file, int line, std::string_view condition, std::string_view values) {
  std::fprintf(stderr, "%s:%d: broken promise: %.*s (%.*s)\n", file, line, static_cast<int>(condition.size()),
               condition.data(), static_cast<int>(values.size()), values.data());
  std::abort();
}

}  // namespace seedance
