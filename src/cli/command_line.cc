// The only file that knows CLI11. It splits words into commands, options and arguments; what they mean, the help and the messages are ours,
// because they exist in two languages.
#include "cli/command_line.h"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>

#include "config/nearest.h"

namespace seedance {
namespace {

tl::unexpected<Error> wrong_use(TextId id, Language language, std::initializer_list<std::string_view> parts, std::string_view command) {
  return fail(Code::kInvalid, filled(id, language, parts), filled(TextId::kSeeHelp, language, {command}));
}

// The options a command knows, its own and the global ones.
std::vector<OptionSpec> options_of(const CommandSpec* command) {
  std::vector<OptionSpec> out;
  if (command != nullptr) out.assign(command->options.begin(), command->options.end());
  out.insert(out.end(), global_options().begin(), global_options().end());
  return out;
}

// The command that the leading words name. Options may stand anywhere, so words are taken from among them.
struct NamedCommand {
  const CommandSpec* command = nullptr;
  std::size_t words = 0;
};
NamedCommand named_command(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  if (words.size() > 1) {
    if (const CommandSpec* two = find_command(words[0] + " " + words[1])) return {two, 2};
  }
  return {find_command(words[0]), 1};
}

std::string nearest_command(const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const CommandSpec& c : command_specs()) names.push_back(c.name);
  const std::string two = words.size() > 1 ? words[0] + " " + words[1] : words[0];
  const std::string_view found = nearest_name(two, names);
  return std::string(found.empty() ? nearest_name(words[0], names) : found);
}

tl::unexpected<Error> unknown_command(const std::vector<std::string>& words, Language language) {
  const std::string near = nearest_command(words);
  const std::string typed = words[0];
  if (near.empty()) return wrong_use(TextId::kUnknownCommand, language, {typed}, "");
  return fail(Code::kInvalid, filled(TextId::kUnknownCommand, language, {typed}), filled(TextId::kDidYouMean, language, {near}));
}

tl::unexpected<Error> unknown_option(std::string_view typed, const CommandSpec* command, Language language) {
  const std::string_view name = typed.substr(0, typed.find('='));
  std::vector<std::string_view> names;
  const std::vector<OptionSpec> options = options_of(command);
  for (const OptionSpec& o : options) names.push_back(o.key());
  const std::string_view near = nearest_name(name, names);
  if (near.empty()) return wrong_use(TextId::kUnknownOption, language, {name}, command != nullptr ? command->name : "");
  return fail(Code::kInvalid, filled(TextId::kUnknownOption, language, {name}), filled(TextId::kDidYouMean, language, {near}));
}

// All options of all commands: the first pass looks only for the words that are none.
class Parser {
 public:
  explicit Parser(const std::vector<OptionSpec>& options) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const OptionSpec& spec : options) {
      std::vector<std::string>& values = values_[std::string(spec.key())];
      if (spec.value.empty()) {
        app_.add_flag(std::string(spec.names), values);
      } else {
        app_.add_option(std::string(spec.names), values)->type_size(1)->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
    }
  }

  // Words that are no option; `unknown` gets those that look like one.
  Result<std::vector<std::string>> parse(int argc, const char* const* argv, Language language, std::string& unknown) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string what = error.what();
      return wrong_use(TextId::kNeedsValue, language, {what.substr(0, what.find(':'))}, "");
    } catch (const CLI::Error& error) {
      return wrong_use(TextId::kBadOptionUse, language, {error.what()}, "");
    }
    std::vector<std::string> words;
    for (const std::string& word : app_.remaining()) {
      if (word.size() > 1 && word.front() == '-' && unknown.empty()) {
        unknown = word;
      } else {
        words.push_back(word);
      }
    }
    return words;
  }

  std::map<std::string, std::vector<std::string>, std::less<>> given() const {
    std::map<std::string, std::vector<std::string>, std::less<>> out;
    for (const auto& [key, values] : values_) {
      if (app_.get_option(key)->count() > 0) out[key] = values;
    }
    return out;
  }

 private:
  CLI::App app_;
  std::map<std::string, std::vector<std::string>> values_;  // nodes do not move
};

std::vector<OptionSpec> every_option() {
  std::vector<OptionSpec> out(global_options().begin(), global_options().end());
  for (const CommandSpec& command : command_specs()) {
    for (const OptionSpec& o : command.options) {
      if (std::none_of(out.begin(), out.end(), [&](const OptionSpec& known) { return known.key() == o.key(); })) out.push_back(o);
    }
  }
  return out;
}

Result<void> check_options(const CommandLine& line, Language language) {
  const std::vector<OptionSpec> known = options_of(line.command);
  for (const auto& [key, values] : line.options) {
    const auto spec = std::find_if(known.begin(), known.end(), [&, name = std::string_view(key)](const OptionSpec& o) { return o.key() == name; });
    if (spec == known.end()) return unknown_option(key, line.command, language);
    if (spec->choices.empty()) continue;
    for (const std::string& value : values) {
      if (is_choice(spec->choices, value)) continue;
      return fail(Code::kInvalid, filled(TextId::kNotOneOf, language, {key, value}), std::string(spec->choices));
    }
  }
  return {};
}

Result<void> check_arguments(const CommandLine& line, Language language) {
  const CommandSpec& command = *line.command;
  const bool is_optional = command.arguments.starts_with('[');
  if (command.name == "help") return {};
  const std::size_t wanted = command.arguments.empty() ? 0 : 1;
  if (line.arguments.size() > wanted) return wrong_use(TextId::kTooManyArguments, language, {line.arguments[wanted]}, command.name);
  if (line.arguments.size() < wanted && !is_optional) {
    return wrong_use(TextId::kMissingArgument, language, {command.choices.empty() ? command.arguments : command.choices}, command.name);
  }
  if (command.choices.empty() || is_choice(command.choices, line.arguments[0])) return {};
  return fail(Code::kInvalid, filled(TextId::kNotOneOf, language, {command.arguments, line.arguments[0]}), std::string(command.choices));
}

}  // namespace

std::string_view CommandLine::value(std::string_view key, std::string_view standard) const {
  const auto at = options.find(key);
  return at == options.end() || at->second.empty() ? standard : std::string_view(at->second.back());
}

const std::vector<std::string>& CommandLine::values(std::string_view key) const {
  static const std::vector<std::string> kNone;
  const auto at = options.find(key);
  return at == options.end() ? kNone : at->second;
}

std::string_view raw_option(int argc, const char* const* argv, std::string_view name) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == name && i + 1 < argc) return argv[i + 1];
    if (word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=') return word.substr(name.size() + 1);
  }
  return {};
}

Result<CommandLine> parse_command_line(int argc, const char* const* argv, Language language) {
  Parser parser(every_option());
  std::string unknown;
  TRY_ASSIGN(const std::vector<std::string> words, parser.parse(argc, argv, language, unknown));
  CommandLine line;
  line.options = parser.given();
  const NamedCommand named = named_command(words);
  if (named.command == nullptr && !words.empty()) return unknown_command(words, language);
  line.command = named.command;
  line.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(named.words), words.end());
  if (!unknown.empty()) return unknown_option(unknown, line.command, language);
  if (line.has("--help")) return line;
  TRY(check_options(line, language));
  if (line.command == nullptr) return line;
  const bool is_group = is_command_group(*line.command);
  if (is_group && !line.arguments.empty()) return unknown_command({std::string(line.command->name), line.arguments[0]}, language);
  TRY(check_arguments(line, language));
  return line;
}

}  // namespace seedance
