#include "cli/run_cli.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/print/terminal_text.h"
#include "cli/source/local_source.h"
#include "cli/source/remote_source.h"
#include "config/reference.h"
#include "model/message_texts.h"

namespace seedance {
namespace {

constexpr std::string_view kServerStandard = "http://127.0.0.1:7117";

// As POSIX orders them: the first that is set decides.
std::string locale_of(const CliStreams& streams, const std::string& category) {
  for (const std::string& name : {std::string("LC_ALL"), category, std::string("LANG")}) {
    const std::string value = streams.variable(name);
    if (!value.empty()) return value;
  }
  return {};
}

Language language_of(std::string_view asked, const CliStreams& streams) {
  if (asked == "zh") return Language::kChinese;
  if (asked == "en") return Language::kEnglish;
  return locale_of(streams, "LC_MESSAGES").starts_with("zh") ? Language::kChinese : Language::kEnglish;
}

bool is_utf8(const CliStreams& streams) {
  const std::string locale = locale_of(streams, "LC_CTYPE");
  for (const char* name : {"UTF-8", "utf-8", "UTF8", "utf8"}) {
    if (locale.find(name) != std::string::npos) return true;
  }
  return false;
}

Presentation presentation_of(const CommandLine& line, const CliStreams& streams, Language language) {
  Presentation look;
  look.language = language;
  look.on_terminal = streams.out_is_terminal && !line.has("--output");
  look.width = streams.columns;
  look.utf8 = is_utf8(streams);
  const std::string_view colour = line.value("--color", "auto");
  look.colour = colour == "always" || (colour == "auto" && look.on_terminal && streams.variable("NO_COLOR").empty());
  look.headers = !line.has("--no-headers");
  look.quiet = line.has("--quiet");
  return look;
}

int exit_status_of(Code code) {
  switch (code) {
    case Code::kInvalid:
    case Code::kNotFound:
    case Code::kTooLarge:
    case Code::kUnsupported: return kExitWrongUse;
    case Code::kUnavailable:
    case Code::kTimeout:
    case Code::kConflict:
    case Code::kDenied:
    case Code::kExhausted: break;
  }
  return kExitUnavailable;
}

// A line that is indented quotes the user's file below the message; any other line break is somebody's trick and is made visible.
std::string visible_message(std::string_view message) {
  constexpr std::string_view kQuotedLine = "\n  ";
  std::string out;
  for (std::size_t at = message.find(kQuotedLine); at != std::string_view::npos; at = message.find(kQuotedLine)) {
    out += visible(message.substr(0, at)) + std::string(kQuotedLine);
    message.remove_prefix(at + kQuotedLine.size());
  }
  return out + visible(message);
}

int exit_with_error(const Error& english, const CliStreams& streams, Language language) {
  Error error = error_in(language, english);
  const std::string_view setting = chinese_of_setting(english.hint);
  if (language == Language::kChinese && !setting.empty()) error.hint = setting;
  streams.err << text(TextId::kError, language) << visible_message(error.message) << "\n";
  if (!error.hint.empty()) streams.err << text(TextId::kHint, language) << visible(error.hint) << "\n";
  return exit_status_of(error.code);
}

// --tz, else TZ; nullopt leaves it to the server or the settings. A TZ that is no name (POSIX has other forms) is said and not used.
Result<std::optional<TimeZone>> zone_asked(const CommandLine& line, const CliStreams& streams, Language language) {
  if (line.has("--tz")) {
    TRY_ASSIGN(TimeZone zone, TimeZone::named(line.value("--tz")));
    return std::optional<TimeZone>(std::move(zone));
  }
  const std::string variable = streams.variable("TZ");
  if (variable.empty()) return std::optional<TimeZone>{};
  const Result<TimeZone> zone = TimeZone::named(variable.front() == ':' ? std::string_view(variable).substr(1) : std::string_view(variable));
  if (zone) return std::optional<TimeZone>(*zone);
  if (!line.has("--quiet")) streams.err << filled(TextId::kBadZone, language, {visible(variable)}) << "\n";
  return std::optional<TimeZone>{};
}

Result<std::unique_ptr<ReportSource>> source_of(const CommandLine& line, const CliStreams& streams, Language language) {
  TRY_ASSIGN(std::optional<TimeZone> zone, zone_asked(line, streams, language));
  if (line.has("--store")) {
    if (line.has("--server")) return fail(Code::kInvalid, std::string(text(TextId::kServerOrStore, language)));
    Settings settings = default_settings();
    if (line.has("--config")) {
      TRY_ASSIGN(settings, load_settings(std::string(line.value("--config"))));
    }
    return local_source(std::string(line.value("--store")), std::move(settings), language, std::move(zone));
  }
  if (line.has("--config")) return fail(Code::kInvalid, std::string(text(TextId::kNeedsStore, language)), std::string(text(TextId::kNeedsStoreHint, language)));
  HttpClientOptions options;
  const std::string from_environment = streams.variable("SEEDANCE_SERVER");
  options.base_url = line.value("--server", from_environment.empty() ? kServerStandard : std::string_view(from_environment));
  options.ca_file = line.value("--ca-file");
  if (line.has("--token-file")) {
    TRY_ASSIGN(options.bearer_token, read_token(std::string(line.value("--token-file")), language));
  }
  return remote_source(std::move(options), language, std::move(zone));
}

Result<int> run_reporting_command(const CommandContext& context) {
  const std::string_view name = context.line.command->name;
  if (name == "cost") return run_cost(context);
  if (name == "waterfall") return run_waterfall(context);
  if (name == "top") return run_top(context);
  if (name == "cold-starts") return run_cold_starts(context);
  if (name == "telemetry") return run_telemetry(context);
  if (name.starts_with("prices ")) return run_prices(context);
  if (name == "import prometheus") return run_prometheus_import(context);
  return run_import(context);
}

// The XDG base directory specification; empty when the environment names no home.
std::string state_folder_of(const CliStreams& streams) {
  const std::string state = streams.variable("XDG_STATE_HOME");
  if (!state.empty()) return state + "/seedance";
  const std::string home = streams.variable("HOME");
  return home.empty() ? std::string{} : home + "/.local/state/seedance";
}

Result<int> print_help(const CommandLine& line, const CliStreams& streams, Language language) {
  std::string name;
  if (line.command != nullptr && line.command->name != "help") name = line.command->name;
  for (const std::string& word : line.arguments) {
    if (line.command->name == "help") name += (name.empty() ? "" : " ") + word;
  }
  const CommandSpec* command = find_command(name);
  if (!name.empty() && command == nullptr) return fail(Code::kInvalid, filled(TextId::kUnknownCommand, language, {name}), filled(TextId::kSeeHelp, language, {""}));
  streams.out << (command != nullptr ? command_help(*command, language) : general_help(language));
  return kExitFine;
}

Result<int> run_line(const CommandLine& line, const CliStreams& streams, Language language) {
  const bool wants_help = line.has("--help") || line.command == nullptr || line.command->name == "help";
  const bool is_group = line.command != nullptr && is_command_group(*line.command);
  if (wants_help || is_group) {
    TRY_ASSIGN(const int printed, print_help(line, streams, language));
    return line.has("--help") || (line.command != nullptr && line.command->name == "help") ? printed : kExitWrongUse;
  }
  if (line.command->name == "version") {
    streams.out << "seedancectl " << streams.version << "\n";
    return kExitFine;
  }
  TRY_ASSIGN(const std::unique_ptr<ReportSource> source, source_of(line, streams, language));
  const Presentation look = presentation_of(line, streams, language);
  return run_reporting_command({line, *source, look, streams.out, streams.err, streams.err_is_terminal, std::string(line.value("--store")), state_folder_of(streams)});
}

std::size_t terminal_columns() {
  if (const char* columns = std::getenv("COLUMNS")) {
    const long typed = std::strtol(columns, nullptr, 10);
    if (typed > 0 && typed < 10'000) return static_cast<std::size_t>(typed);
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

Result<std::string> read_token(const std::string& path, Language language) {
  std::ifstream in(path);
  std::string token;
  std::getline(in, token);
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.empty()) return fail(Code::kInvalid, filled(TextId::kTokenMissing, language, {path}), std::string(text(TextId::kTokenMissingHint, language)));
  return token;
}

CliStreams process_streams(std::string version) {
  return {std::cout, std::cerr, ::isatty(STDOUT_FILENO) == 1, ::isatty(STDERR_FILENO) == 1, terminal_columns(), std::move(version),
          [](const std::string& name) {
            const char* value = std::getenv(name.c_str());
            return std::string(value != nullptr ? value : "");
          }};
}

int run_cli(int argc, char** argv, const CliStreams& streams) {
  const Language language = language_of(raw_option(argc, argv, "--lang"), streams);
  const Result<CommandLine> line = parse_command_line(argc, argv, language);
  if (!line) return exit_with_error(line.error(), streams, language);
  const Result<int> status = run_line(*line, streams, language);
  streams.out.flush();
  return status ? *status : exit_with_error(status.error(), streams, language);
}

}  // namespace seedance
