// The commands and their options as one table: the parser, the help in both languages and the nearest-name hints are made from it.
#pragma once

#include <span>
#include <string_view>

#include "cli/texts.h"

namespace seedance {

struct OptionSpec {
  std::string_view names;          // "-l,--filter": the last one is the key under which values are found
  std::string_view value;          // "KEY=VALUE" in the help; empty: a switch
  TextId about;
  std::string_view choices = {};   // "separate|share|hide": anything else is refused
  std::string_view standard = {};  // said in the help
  bool repeats = false;

  std::string_view key() const;    // "--filter"
};

struct CommandSpec {
  std::string_view name;       // "prices import"; a name that others start with is a group
  std::string_view arguments;  // "FILE"; empty: none; "[...]" may be left out
  TextId about;
  std::span<const OptionSpec> options;
  std::string_view examples;   // lines
  std::string_view choices = {};  // of the argument
};

std::span<const CommandSpec> command_specs();
std::span<const OptionSpec> global_options();

// nullptr when there is none.
const CommandSpec* find_command(std::string_view name);

// "prices", "import": named alone it only lists its commands.
bool is_command_group(const CommandSpec& command);

// Whether "a|b|c" has it.
bool is_choice(std::string_view choices, std::string_view value);

}  // namespace seedance
