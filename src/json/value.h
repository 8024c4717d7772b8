// JSON as a plain value: what the API speaks and the command line reads.
//
// Objects keep the order in which members were added, so answers read the same every time. Numbers are int64 or double; money is
// never a number here but a decimal string. Reading has limits: 64 MiB of text, 64 levels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace seedance {

class Json {
 public:
  using Array = std::vector<Json>;
  using Members = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  Json(bool value) : value_(value) {}
  Json(int value) : value_(std::int64_t{value}) {}
  Json(std::int64_t value) : value_(value) {}
  Json(std::uint64_t value) : value_(static_cast<std::int64_t>(value)) {}
  Json(double value) : value_(value) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  static Json array() { Json j; j.value_ = Array{}; return j; }
  static Json object() { Json j; j.value_ = Members{}; return j; }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Members>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }

  // Building. `add` on an array, `set` on an object; anything else becomes one.
  Json& add(Json element);
  Json& set(std::string_view name, Json value);

  // Reading never fails: a wrong kind or a missing member gives an empty value.
  const Json& at(std::string_view name) const;
  const Array& elements() const;
  const Members& members() const;
  std::string_view text() const;
  std::int64_t integer() const;
  double number() const;
  bool boolean() const;

  std::string print() const;         // one line
  std::string print_pretty() const;  // two blanks a level, a line feed at the end

 private:
  void print_to(std::string& out, int indent, int level) const;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Members> value_;
};

Result<Json> parse_json(std::string_view text);

}  // namespace seedance
