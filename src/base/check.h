// Stops the program when we broke our own promise. Never for anything that the outside can cause: that is a Result.
#pragma once

#include <string_view>

namespace seedance {

[[noreturn]] void check_failed(const char* file, int line, std::string_view condition, std::string_view values);

}  // namespace seedance

// `values` is any expression that gives a string; it is evaluated only when the check fails.
#define SEEDANCE_CHECK(condition, values)                                            \
  do {                                                                               \
    if (!(condition)) ::seedance::check_failed(__FILE__, __LINE__, #condition, values); \
  } while (false)
