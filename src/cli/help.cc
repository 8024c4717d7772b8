#include "cli/help.h"

#include <algorithm>
#include <vector>

#include "cli/print/terminal_text.h"

namespace seedance {
namespace {

constexpr std::size_t kAboutColumnMax = 34;
constexpr std::size_t kLineWidth = 100;

struct HelpLine {
  std::string left;
  std::string about;
};

// Breaks at blanks; Chinese text, which has few, also between any two wide characters.
std::vector<std::string> wrapped(std::string_view words, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t blank = std::string::npos;
  for (std::size_t i = 0; i < words.size();) {
    const std::size_t bytes = (words[i] & 0x80) == 0 ? 1 : (words[i] & 0xf0) == 0xf0 ? 4 : (words[i] & 0xe0) == 0xe0 ? 3 : 2;
    const std::string_view next = words.substr(i, bytes);
    std::string& line = lines.back();
    if (display_width(line) + display_width(next) > width) {
      std::string carried = blank == std::string::npos || bytes > 1 ? "" : line.substr(blank + 1);
      if (!carried.empty()) line.erase(blank);
      lines.push_back(std::move(carried));
      blank = std::string::npos;
    }
    if (next == " ") blank = lines.back().size();
    if (next != " " || !lines.back().empty()) lines.back() += next;
    i += bytes;
  }
  return lines;
}

std::string help_lines(const std::vector<HelpLine>& lines) {
  std::size_t column = 0;
  for (const HelpLine& line : lines) column = std::max(column, display_width(line.left) + 2);
  column = std::min(column, kAboutColumnMax);
  std::string out;
  for (const HelpLine& line : lines) {
    const bool is_long = display_width(line.left) + 2 > column;
    out += "  " + (is_long ? line.left + "\n  " + std::string(column, ' ') : padded_right(line.left, column));
    bool is_first = true;
    for (const std::string& part : wrapped(line.about, kLineWidth - column - 2)) {
      out += (is_first ? "" : "  " + std::string(column, ' ')) + part + "\n";
      is_first = false;
    }
  }
  return out;
}

std::string option_lines(std::span<const OptionSpec> options, Language language) {
  std::vector<HelpLine> lines;
  for (const OptionSpec& o : options) {
    std::string names(o.names);
    const std::size_t comma = names.find(',');
    names = comma == std::string::npos ? "    " + names : names.substr(0, comma) + ", " + names.substr(comma + 1);
    std::string about(text(o.about, language));
    if (!o.standard.empty()) about += filled(TextId::kDefault, language, {o.standard});
    lines.push_back({names + (o.value.empty() ? "" : " " + std::string(o.value)), about});
  }
  return help_lines(lines);
}

std::string command_lines(std::string_view group, Language language) {
  std::vector<HelpLine> lines;
  for (const CommandSpec& c : command_specs()) {
    if (is_command_group(c) || !c.name.starts_with(group)) continue;
    lines.push_back({std::string(c.name) + (c.arguments.empty() ? "" : " " + std::string(c.choices.empty() ? c.arguments : c.choices)),
                     std::string(text(c.about, language))});
  }
  return help_lines(lines);
}

std::string heading(TextId id, Language language) {
  return std::string(text(id, language)) + (language == Language::kChinese ? "：\n" : ":\n");
}

}  // namespace

std::string general_help(Language language) {
  return std::string(text(TextId::kAbout, language)) + "\n\n" + heading(TextId::kUsage, language) + "  seedancectl COMMAND [OPTIONS]\n\n" +
         heading(TextId::kCommands, language) + command_lines("", language) + "\n" + heading(TextId::kGlobalOptions, language) +
         option_lines(global_options(), language) + "\n" + std::string(text(TextId::kMoreHelp, language)) + "\n";
}

std::string command_help(const CommandSpec& command, Language language) {
  const bool is_group = is_command_group(command);
  std::string usage = "  seedancectl " + std::string(command.name);
  if (is_group) usage += " COMMAND";
  if (!command.arguments.empty()) usage += " " + std::string(command.choices.empty() ? command.arguments : command.choices);
  std::string out = std::string(text(command.about, language)) + "\n\n" + heading(TextId::kUsage, language) + usage + " [OPTIONS]\n\n";
  if (is_group) out += heading(TextId::kCommands, language) + command_lines(std::string(command.name) + " ", language) + "\n";
  if (!command.options.empty()) out += heading(TextId::kOptions, language) + option_lines(command.options, language) + "\n";
  out += heading(TextId::kGlobalOptions, language) + option_lines(global_options(), language);
  if (command.examples.empty()) return out;
  out += "\n" + heading(TextId::kExamples, language);
  for (std::string_view rest = command.examples; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    out += "  " + std::string(rest.substr(0, end)) + "\n";
    rest.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace seedance
