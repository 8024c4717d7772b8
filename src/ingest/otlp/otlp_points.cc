#include "ingest/otlp/otlp_points.h"

#include <array>
#include <charconv>
#include <cmath>

#include "json/value.h"

namespace seedance {

void OtlpPoint::clear() {
  attributes.clear();
  start_nanos = time_nanos = count = zero_count = 0;
  has_no_value = false;
  as_int.reset();
  as_double.reset();
  sum.reset();
  min.reset();
  max.reset();
  bucket_counts.clear();
  bounds.clear();
  scale = positive.offset = negative.offset = 0;
  zero_threshold = 0;
  positive.counts.clear();
  negative.counts.clear();
  quantiles.clear();
}

std::string otlp_number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), error == std::errc{} ? end : text.data()};
}

std::string otlp_bytes_text(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63U]);
  }
  return out;
}

std::string otlp_quoted_text(std::string_view text) { return Json(text).print(); }

Error otlp_limit_error(std::string_view what, std::size_t limit) {
  return {Code::kTooLarge, std::string(what) + " over the limit: " + std::to_string(limit), "send smaller batches, or fewer attributes"};
}

}  // namespace seedance
