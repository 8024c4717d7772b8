// JSON read as events, for answers whose values would take many times the memory of their text.
//
// The same limits as parse_json: 64 MiB of text, 64 levels.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace seedance {

// What comes, in order. Each function returns false to stop the reading. Views live until the function returns.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;

  virtual bool on_other() = 0;  // null, true or false
  virtual bool on_integer(std::int64_t value) = 0;
  virtual bool on_number(double value, std::string_view text) = 0;  // with a fraction or an exponent, or beyond int64
  virtual bool on_text(std::string_view text) = 0;
  virtual bool on_object() = 0;
  virtual bool on_key(std::string_view name) = 0;
  virtual bool on_object_end() = 0;
  virtual bool on_array() = 0;
  virtual bool on_array_end() = 0;
};

// False: one of the functions stopped the reading.
Result<bool> read_json(std::string_view text, JsonEvents& events);

}  // namespace seedance
