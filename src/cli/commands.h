// The commands, each a function of what was typed, where answers come from, and how they are to look.
#pragma once

#include <ostream>

#include "cli/command_line.h"
#include "cli/print/presentation.h"
#include "cli/source/report_source.h"

namespace seedance {

struct CommandContext {
  const CommandLine& line;
  ReportSource& source;
  const Presentation& look;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  std::string store;  // empty: a server answers
  std::string state_folder = {};  // for what a command remembers about a server; empty: the environment names none
};

inline constexpr int kExitFine = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitWrongUse = 2;
inline constexpr int kExitUnavailable = 3;

// The exit status, or the error to print.
Result<int> run_cost(const CommandContext& context);
Result<int> run_waterfall(const CommandContext& context);
Result<int> run_top(const CommandContext& context);
Result<int> run_cold_starts(const CommandContext& context);
Result<int> run_telemetry(const CommandContext& context);
Result<int> run_prices(const CommandContext& context);  // list, import, explain
Result<int> run_import(const CommandContext& context);
Result<int> run_prometheus_import(const CommandContext& context);

// The price lists of --prices, then the summary of what was imported from `name`: what both imports have in common.
Result<int> import_price_lists(const CommandContext& context);
int say_summary(const CommandContext& context, const std::string& name, const ImportSummary& summary);

// A token on the first line of a file.
Result<std::string> read_token(const std::string& path, Language language);

// The -l options.
Result<std::vector<LedgerFilter>> filters_given(const CommandLine& line);

// Writes bytes to --output, or to `context.out`.
Result<void> write_output(const CommandContext& context, std::string_view bytes);

}  // namespace seedance
