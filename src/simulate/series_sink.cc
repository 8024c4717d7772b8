#include "simulate/series_sink.h"

#include <array>
#include <charconv>
#include <cmath>

namespace seedance {
namespace {

void append_escaped(std::string_view value, std::string& out) {
  for (const char c : value) {
    if (c == '\\' || c == '"') out.push_back('\\');
    if (c == '\n') {
      out += "\\n";
    } else {
      out.push_back(c);
    }
  }
}

}  // namespace

LabelText& LabelText::add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_.push_back(',');
  text_ += name;
  text_ += "=\"";
  append_escaped(value, text_);
  text_.push_back('"');
  return *this;
}

std::string cleaned_name(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    const bool kept = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
    if (!kept) c = '_';
  }
  return out;
}

// Go turns to the exponent form below 1e-4 and from 1e6 on when it prints the shortest digits (strconv, format 'g').
std::string go_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  std::array<char, 64> buffer;
  const auto made = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(made.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  const std::size_t sign = text[mark + 1] == '+' ? 1 : 0;
  std::from_chars(text.data() + mark + 1 + sign, text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= 6) return std::string(text);
  const auto plain = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  return std::string(buffer.data(), plain.ptr);
}

std::string six_decimals(std::int64_t millionths) {
  const bool negative = millionths < 0;
  const std::int64_t size = negative ? -millionths : millionths;
  const std::string rest = std::to_string(size % 1'000'000);
  return (negative ? "-" : "") + std::to_string(size / 1'000'000) + "." + std::string(6 - rest.size(), '0') + rest;
}

void PageText::family(const MetricFamily& family) {
  name_ = family.name;
  out_ += "# HELP ";
  out_ += family.name;
  out_.push_back(' ');
  out_ += family.help;
  out_ += "\n# TYPE ";
  out_ += family.name;
  out_.push_back(' ');
  out_ += family.type;
  out_.push_back('\n');
}

void PageText::sample(std::string_view labels, std::string_view value, std::size_t /*node*/) {
  out_ += name_;
  if (!labels.empty()) {
    out_.push_back('{');
    out_ += labels;
    out_.push_back('}');
  }
  out_.push_back(' ');
  out_ += value;
  out_.push_back('\n');
}

}  // namespace seedance
