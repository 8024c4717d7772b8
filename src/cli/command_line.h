// What the user typed, taken apart by the table of commands; values are still texts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_specs.h"

namespace seedance {

struct CommandLine {
  const CommandSpec* command = nullptr;  // nullptr: none was named
  std::vector<std::string> arguments;
  std::map<std::string, std::vector<std::string>, std::less<>> options;  // by OptionSpec::key; only what was given

  bool has(std::string_view key) const { return options.find(key) != options.end(); }
  // The last value given, or `standard`.
  std::string_view value(std::string_view key, std::string_view standard = {}) const;
  const std::vector<std::string>& values(std::string_view key) const;
};

// The value of an option that decides how errors look, found without parsing: the line may be one that cannot be parsed.
std::string_view raw_option(int argc, const char* const* argv, std::string_view name);

// kInvalid with a hint that names the nearest option or command.
Result<CommandLine> parse_command_line(int argc, const char* const* argv, Language language);

}  // namespace seedance
