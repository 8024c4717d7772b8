// The known name that a mistyped one most likely meant.
#pragma once

#include <span>
#include <string_view>

namespace seedance {

// Levenshtein distance with swaps of neighbours counted once. Cost |a| x |b|; both are cut to 64 characters.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate with the smallest distance, if that is at most a third of the length (and at least 1); else empty. Ties
// go to the earlier candidate.
std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> candidates);

}  // namespace seedance
