// The reference of all settings as Markdown, made from the declarations; docs/configuration*.md hold it.
#pragma once

#include <string>
#include <string_view>

#include "model/language.h"

namespace seedance {

std::string settings_reference(Language language);

// The Chinese of a setting's English sentence, which errors quote as their hint; empty when it is none.
std::string_view chinese_of_setting(std::string_view english);

}  // namespace seedance
