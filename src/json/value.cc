#include "json/value.h"

#include <cmath>
#include <cstdio>

namespace seedance {
namespace {

void print_text(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (byte < 0x20 || byte == 0x7f) {
          out += "\\u00";
          out.push_back(kHex[byte >> 4]);
          out.push_back(kHex[byte & 15]);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

void print_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";  // JSON has no NaN: missing is null
    return;
  }
  char buffer[32];
  const int length = std::snprintf(buffer, sizeof buffer, "%.17g", value);
  out.append(buffer, static_cast<std::size_t>(length));
}

void new_line(std::string& out, int indent, int level) {
  if (indent == 0) return;
  out.push_back('\n');
  out.append(static_cast<std::size_t>(indent * level), ' ');
}

const Json kNull;
const Json::Array kNoElements;
const Json::Members kNoMembers;

}  // namespace

Json& Json::add(Json element) {
  if (!is_array()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(element));
  return *this;
}

Json& Json::set(std::string_view name, Json value) {
  if (!is_object()) value_ = Members{};
  std::get<Members>(value_).emplace_back(std::string(name), std::move(value));
  return *this;
}

const Json& Json::at(std::string_view name) const {
  for (const auto& [key, value] : members()) {
    if (key == name) return value;
  }
  return kNull;
}

const Json::Array& Json::elements() const {
  const auto* array = std::get_if<Array>(&value_);
  return array != nullptr ? *array : kNoElements;
}

const Json::Members& Json::members() const {
  const auto* members = std::get_if<Members>(&value_);
  return members != nullptr ? *members : kNoMembers;
}

std::string_view Json::text() const {
  const auto* text = std::get_if<std::string>(&value_);
  return text != nullptr ? std::string_view(*text) : std::string_view{};
}

std::int64_t Json::integer() const {
  if (const auto* i = std::get_if<std::int64_t>(&value_)) return *i;
  if (const auto* d = std::get_if<double>(&value_)) return static_cast<std::int64_t>(*d);
  return 0;
}

double Json::number() const {
  if (const auto* i = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value_)) return *d;
  return std::nan("");
}

bool Json::boolean() const {
  const auto* b = std::get_if<bool>(&value_);
  return b != nullptr && *b;
}

void Json::print_to(std::string& out, int indent, int level) const {
  if (const auto* b = std::get_if<bool>(&value_)) {
    out += *b ? "true" : "false";
  } else if (const auto* i = std::get_if<std::int64_t>(&value_)) {
    out += std::to_string(*i);
  } else if (const auto* d = std::get_if<double>(&value_)) {
    print_number(out, *d);
  } else if (const auto* t = std::get_if<std::string>(&value_)) {
    print_text(out, *t);
  } else if (is_array()) {
    out.push_back('[');
    bool first = true;
    for (const Json& element : elements()) {
      if (!first) out.push_back(',');
      first = false;
      new_line(out, indent, level + 1);
      element.print_to(out, indent, level + 1);
    }
    if (!first) new_line(out, indent, level);
    out.push_back(']');
  } else if (is_object()) {
    out.push_back('{');
    bool first = true;
    for (const auto& [name, value] : members()) {
      if (!first) out.push_back(',');
      first = false;
      new_line(out, indent, level + 1);
      print_text(out, name);
      out += indent == 0 ? ":" : ": ";
      value.print_to(out, indent, level + 1);
    }
    if (!first) new_line(out, indent, level);
    out.push_back('}');
  } else {
    out += "null";
  }
}

std::string Json::print() const {
  std::string out;
  print_to(out, 0, 0);
  return out;
}

std::string Json::print_pretty() const {
  std::string out;
  print_to(out, 2, 0);
  return out + "\n";
}

}  // namespace seedance
