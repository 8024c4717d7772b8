// The help in both languages, made from the table of commands.
#pragma once

#include <string>

#include "cli/command_specs.h"

namespace seedance {

std::string general_help(Language language);

// Of a command, or the list of subcommands of a group.
std::string command_help(const CommandSpec& command, Language language);

}  // namespace seedance
