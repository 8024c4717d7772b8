// Builds remote write bytes by hand for tests and fuzz seeds: every tag and length is visible, also the wrong ones.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace seedance {

inline std::string wire_varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7U) out.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
  out.push_back(static_cast<char>(value));
  return out;
}

// A length-delimited field.
inline std::string wire_bytes(std::uint32_t field, std::string_view content) {
  return wire_varint((field << 3U) | 2U) + wire_varint(content.size()) + std::string(content);
}

inline std::string wire_label(std::string_view name, std::string_view value) {
  return wire_bytes(1, wire_bytes(1, name) + wire_bytes(2, value));
}

inline std::string wire_labels(std::initializer_list<std::pair<std::string_view, std::string_view>> labels) {
  std::string out;
  for (const auto& [name, value] : labels) out += wire_label(name, value);
  return out;
}

inline std::string wire_sample(std::int64_t timestamp_ms, double value) {
  std::string message = wire_varint((1U << 3U) | 1U);
  auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i, bits >>= 8U) message.push_back(static_cast<char>(bits & 0xffU));
  message += wire_varint(2U << 3U) + wire_varint(static_cast<std::uint64_t>(timestamp_ms));
  return wire_bytes(2, message);
}

// A TimeSeries as a field of the request.
inline std::string wire_series(std::string_view content) { return wire_bytes(1, content); }

}  // namespace seedance
