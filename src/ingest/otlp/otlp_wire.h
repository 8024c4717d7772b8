// Builds OTLP requests by hand for tests: every field number is visible, also the wrong ones.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/wire_builder.h"

namespace seedance {

inline std::string otlp_field(std::uint32_t number, std::string_view content) { return wire_bytes(number, content); }

inline std::string otlp_fixed(std::uint32_t number, std::uint64_t value) {
  std::string out = wire_varint((number << 3U) | 1U);
  for (int i = 0; i < 8; ++i, value >>= 8U) out.push_back(static_cast<char>(value & 0xffU));
  return out;
}

// `any_value` is the content of an AnyValue message; for a string: otlp_field(1, text).
inline std::string otlp_attribute(std::uint32_t number, std::string_view key, std::string_view any_value) {
  return otlp_field(number, otlp_field(1, key) + otlp_field(2, any_value));
}
inline std::string otlp_text_attribute(std::uint32_t number, std::string_view key, std::string_view text) {
  return otlp_attribute(number, key, otlp_field(1, text));
}

struct OtlpNumber {
  std::string attributes = {};  // fields 7
  std::uint64_t start_nanos = 0;
  std::uint64_t time_nanos = 0;
  std::optional<double> value = {};
  std::optional<std::int64_t> as_int = {};
};

// The content of a NumberDataPoint.
inline std::string otlp_number_point(const OtlpNumber& n) {
  std::string out = n.attributes;
  if (n.start_nanos != 0) out += otlp_fixed(2, n.start_nanos);
  if (n.time_nanos != 0) out += otlp_fixed(3, n.time_nanos);
  if (n.value) out += otlp_fixed(4, std::bit_cast<std::uint64_t>(*n.value));
  if (n.as_int) out += otlp_fixed(6, static_cast<std::uint64_t>(*n.as_int));
  return out;
}

// A metric of one point; `type` is the field of its data: 5 gauge, 7 sum, 9 histogram, 10 exponential, 11 summary.
inline std::string otlp_metric(std::string_view name, std::uint32_t type, std::string_view point) {
  return otlp_field(1, name) + otlp_field(type, otlp_field(1, point));
}

// One resource (service.name "s" when nothing else is given), one scope, one metric.
inline std::string otlp_request(std::string_view metric, std::string_view resource = {}) {
  const std::string attributes = resource.empty() ? otlp_text_attribute(1, "service.name", "s") : std::string(resource);
  return otlp_field(1, otlp_field(1, attributes) + otlp_field(2, otlp_field(2, metric)));
}

}  // namespace seedance
