// The two languages that people read: reports, the configuration reference, messages on pages.
#pragma once

#include <cstdint>

namespace seedance {

enum class Language : std::uint8_t { kEnglish, kChinese };

}  // namespace seedance
