// The reference of all settings as Markdown, made from the declarations; docs/configuration*.md hold it.
#pragma once

#include <string>

#include "model/language.h"

namespace seedance {

std::string settings_reference(Language language);

}  // namespace seedance
