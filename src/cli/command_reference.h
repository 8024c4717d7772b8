// The reference of the command line as Markdown, made from the table of commands; docs/cli*.md hold it.
#pragma once

#include <string>

#include "model/language.h"

namespace seedance {

std::string command_reference(Language language);

}  // namespace seedance
