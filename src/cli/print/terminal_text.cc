#include "cli/print/terminal_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace seedance {
namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};

bool is_in(std::uint32_t c, const CodeRange* ranges, std::size_t count) {
  return std::any_of(ranges, ranges + count, [&](const CodeRange& r) { return r.first <= c && c <= r.last; });
}

// Arabic letter mark, zero-width and direction marks, separators, overrides, isolates, byte-order mark, tags.
constexpr std::array<CodeRange, 9> kSteering{{{0x00, 0x1f}, {0x7f, 0x9f}, {0x061c, 0x061c}, {0x200b, 0x200f}, {0x2028, 0x202e},
                                              {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe007f}}};
// East Asian wide and full-width blocks (UAX 11), coarse.
constexpr std::array<CodeRange, 11> kWide{{{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff},
                                           {0xa000, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60},
                                           {0x1f300, 0x1faff}}};
constexpr std::array<CodeRange, 5> kCombining{{{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20, 0xfe2f}}};

CodePoint next_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {lead, 1, false};
  std::uint32_t value = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {lead, 1, false};
    value = (value << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool valid = value >= kSmallest[length] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  return valid ? CodePoint{value, length, true} : CodePoint{lead, 1, false};
}

std::size_t width_of(const CodePoint& c) {
  if (is_in(c.value, kCombining.data(), kCombining.size())) return 0;
  return is_in(c.value, kWide.data(), kWide.size()) ? 2 : 1;
}

std::string escaped(const CodePoint& c) {
  std::array<char, 16> out{};
  std::snprintf(out.data(), out.size(), c.value <= 0xff ? "\\x%02x" : "\\u%04x", c.value);
  return out.data();
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint c = next_code_point(text);
    if (!c.valid || is_in(c.value, kSteering.data(), kSteering.size())) {
      out += escaped(c);
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = next_code_point(text);
    width += width_of(c);
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  constexpr std::string_view kGap = "..";
  if (display_width(text) <= width) return std::string(text);
  if (width <= kGap.size()) return std::string(kGap.substr(0, width));
  std::vector<std::string_view> points;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint c = next_code_point(rest);
    points.push_back(rest.substr(0, c.bytes));
    rest.remove_prefix(c.bytes);
  }
  std::size_t room = width - kGap.size();
  std::string head;
  std::string tail;
  std::size_t front = 0;
  std::size_t back = points.size();
  // One from the front, one from the back, until the next does not fit.
  for (bool at_front = true; front < back; at_front = !at_front) {
    const std::string_view point = at_front ? points[front] : points[back - 1];
    if (display_width(point) > room) break;
    room -= display_width(point);
    if (at_front) {
      head += point;
      ++front;
    } else {
      tail.insert(0, point);
      --back;
    }
  }
  return head + std::string(kGap) + tail;
}

std::string padded_right(std::string_view text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(text) + std::string(own < width ? width - own : 0, ' ');
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(own < width ? width - own : 0, ' ') + std::string(text);
}

}  // namespace seedance
