// Text on its way to a terminal: what strangers wrote made harmless, widths counted as a terminal counts them.
//
// Labels come from whoever may create a pod. An escape sequence in one could move the cursor, rewrite earlier lines or reverse the
// reading order, so nothing that steers a terminal passes `visible`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace seedance {

// Control characters (C0, DEL, C1), marks that change the reading order or show nothing, line separators and bytes that are not
// UTF-8 become visible: "\x1b", "\u202e". Everything else is kept.
std::string visible(std::string_view text);

// Columns that UTF-8 text takes: 2 for East Asian wide characters, 0 for combining marks.
std::size_t display_width(std::string_view text);

// At most `width` columns, cut in the middle: "llm-pre..main-0". Text that fits is kept.
std::string shortened(std::string_view text, std::size_t width);

std::string padded_right(std::string_view text, std::size_t width);
std::string padded_left(std::string_view text, std::size_t width);

}  // namespace seedance
