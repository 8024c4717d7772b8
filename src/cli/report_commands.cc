// cost, waterfall, top: ask, print in the form that was asked for.
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/report_service.h"
#include "base/time_text.h"
#include "cli/commands.h"
#include "cli/print/cold_start_table.h"
#include "cli/print/cost_table.h"
#include "cli/print/report_csv.h"
#include "cli/print/telemetry_table.h"
#include "cli/print/top_table.h"
#include "cli/print/waterfall_bars.h"

namespace seedance {
namespace {

constexpr std::string_view kWindowStandard = "24h";
constexpr std::string_view kTopWindowStandard = "1h";  // what is going on, not what was
constexpr std::size_t kLimitStandard = 20;
constexpr std::size_t kLimitMax = 1'000;

std::string window_given(const CommandLine& line) { return std::string(line.value("--window", kWindowStandard)); }

Result<std::vector<GroupKey>> keys_given(const CommandLine& line) {
  std::vector<GroupKey> out;
  std::string_view rest = line.value("--by", "tenant");
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    TRY_ASSIGN(const GroupKey key, parse_group_key(rest.substr(0, comma)));
    out.push_back(key);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return out;
}

Result<CostQuestion> cost_question_given(const CommandLine& line) {
  CostQuestion question;
  TRY_ASSIGN(question.by, keys_given(line));
  TRY_ASSIGN(question.filters, filters_given(line));
  if (line.has("--step")) {
    TRY_ASSIGN(question.step, parse_duration(line.value("--step")));
  }
  TRY_ASSIGN(question.idle, parse_idle_mode(line.value("--idle", "separate")));
  return question;
}

// A store writes Parquet itself, so the bytes take the way over a file.
Result<int> export_parquet_rows(const CommandContext& context) {
  const Language language = context.look.language;
  for (const std::string_view option : {"--by", "--step", "--idle", "--filter", "--namespace"}) {
    if (!context.line.has(option)) continue;
    return fail(Code::kInvalid, filled(TextId::kParquetWholeRows, language, {option}), std::string(text(TextId::kParquetWholeRowsHint, language)));
  }
  if (context.line.has("--output")) {
    TRY(context.source.export_parquet(window_given(context.line), std::string(context.line.value("--output"))));
    return kExitFine;
  }
  if (context.look.on_terminal) {
    return fail(Code::kInvalid, std::string(text(TextId::kParquetNeedsFile, language)), std::string(text(TextId::kParquetNeedsFileHint, language)));
  }
  // A folder of our own: a name that others can guess in a shared folder could be a link of theirs.
  std::string folder = (std::filesystem::temp_directory_path() / "seedancectl-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return fail(Code::kUnavailable, filled(TextId::kFileUnwritable, language, {folder}));
  const std::string file = folder + "/rows.parquet";
  const Result<void> exported = context.source.export_parquet(window_given(context.line), file);
  std::ifstream in(file, std::ios::binary);
  if (exported && in) context.out << in.rdbuf();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (!exported) return tl::unexpected<Error>(exported.error());
  return kExitFine;
}

void say_nothing_found(const CommandContext& context, bool has_filters) {
  if (context.look.quiet) return;
  context.err << text(has_filters ? TextId::kNothingMatches : TextId::kNoBooks, context.look.language) << "\n";
}

// Workloads are known as "Kind/name"; the user types NAMESPACE/NAME, so the kinds are looked up.
Result<void> add_workload_filter(const CommandContext& context, std::vector<LedgerFilter>& filters) {
  const std::string asked(context.line.value("--workload"));
  const Language language = context.look.language;
  const std::size_t slash = asked.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == asked.size()) {
    return fail(Code::kInvalid, filled(TextId::kOneWorkload, language, {asked}), "NAMESPACE/NAME");
  }
  CostQuestion question;
  question.by = {GroupKey::kWorkload};
  question.filters = {{GroupKey::kNamespace, {asked.substr(0, slash)}, false}};
  TRY_ASSIGN(const CostReport report, context.source.cost(question, window_given(context.line)));
  LedgerFilter workload{GroupKey::kWorkload, {}, false};
  for (const CostLine& line : report.lines) {
    const std::string& name = line.keys[0];
    if (name == asked.substr(slash + 1) || name.substr(name.find('/') + 1) == asked.substr(slash + 1)) workload.values.push_back(name);
  }
  if (workload.values.empty()) return fail(Code::kNotFound, filled(TextId::kNoWorkload, language, {asked}), std::string(text(TextId::kNoWorkloadHint, language)));
  filters.push_back(question.filters[0]);
  filters.push_back(std::move(workload));
  return {};
}

Result<std::size_t> limit_given(const CommandLine& line, Language language) {
  const std::string_view typed = line.value("--limit");
  if (typed.empty()) return kLimitStandard;
  std::size_t limit = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), limit);
  if (error != std::errc{} || end != typed.data() + typed.size() || limit == 0 || limit > kLimitMax) {
    return fail(Code::kInvalid, filled(TextId::kNotANumber, language, {"--limit", typed}));
  }
  return limit;
}

}  // namespace

Result<std::vector<LedgerFilter>> filters_given(const CommandLine& line) {
  std::vector<LedgerFilter> out;
  if (line.has("--namespace")) {
    TRY_ASSIGN(LedgerFilter filter, parse_filter("namespace=" + std::string(line.value("--namespace"))));
    out.push_back(std::move(filter));
  }
  for (const std::string& typed : line.values("--filter")) {
    TRY_ASSIGN(LedgerFilter filter, parse_filter(typed));
    out.push_back(std::move(filter));
  }
  return out;
}

Result<void> write_output(const CommandContext& context, std::string_view bytes) {
  if (!context.line.has("--output")) {
    context.out << bytes;
    return {};
  }
  const std::string path(context.line.value("--output"));
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) return fail(Code::kInvalid, filled(TextId::kFileUnwritable, context.look.language, {path}));
  return {};
}

Result<int> run_cost(const CommandContext& context) {
  const std::string_view format = context.line.value("--format", "table");
  if (format == "parquet") return export_parquet_rows(context);
  TRY_ASSIGN(CostQuestion question, cost_question_given(context.line));
  const bool has_filters = !question.filters.empty();
  TRY_ASSIGN(const CostReport report, context.source.cost(std::move(question), window_given(context.line)));
  if (format == "json") {
    TRY(write_output(context, cost_report_json(report).print_pretty()));
  } else if (format == "csv") {
    TRY(write_output(context, cost_csv(report, context.look.headers)));
  } else if (report.lines.empty()) {
    say_nothing_found(context, has_filters);
  } else {
    TRY(write_output(context, print_cost_table(report, context.look, format == "wide")));
  }
  return books_close(report) ? kExitFine : kExitFindings;
}

Result<int> run_waterfall(const CommandContext& context) {
  WaterfallQuestion question;
  TRY_ASSIGN(question.filters, filters_given(context.line));
  if (context.line.has("--workload")) TRY(add_workload_filter(context, question.filters));
  const bool has_filters = !question.filters.empty();
  TRY_ASSIGN(const WaterfallReport report, context.source.waterfall(std::move(question), window_given(context.line)));
  const std::string_view format = context.line.value("--format", "table");
  if (format == "json") {
    TRY(write_output(context, waterfall_report_json(report).print_pretty()));
  } else if (format == "csv") {
    TRY(write_output(context, waterfall_csv(report, context.look.headers)));
  } else if (report.totals.empty()) {
    say_nothing_found(context, has_filters);
  } else {
    TRY(write_output(context, print_waterfall(report, context.look)));
  }
  return kExitFine;
}

Result<int> run_cold_starts(const CommandContext& context) {
  TRY_ASSIGN(const ColdStartReport report, context.source.cold_starts(window_given(context.line)));
  if (context.line.value("--format", "table") == "json") {
    TRY(write_output(context, cold_start_report_json(report).print_pretty()));
  } else if (report.lines.empty()) {
    say_nothing_found(context, false);
  } else {
    TRY(write_output(context, print_cold_start_table(report, context.look)));
  }
  return kExitFine;
}

Result<int> run_telemetry(const CommandContext& context) {
  TRY_ASSIGN(const TelemetryReport report, context.source.telemetry());
  const bool is_json = context.line.value("--format", "table") == "json";
  TRY(write_output(context, is_json ? telemetry_report_json(report).print_pretty() : print_telemetry_table(report, context.look)));
  return kExitFine;
}

Result<int> run_top(const CommandContext& context) {
  TopQuestion question;
  TRY_ASSIGN(question.subject, parse_top_subject(context.line.arguments[0]));
  TRY_ASSIGN(question.sort, parse_top_sort(context.line.value("--sort", "wasted")));
  TRY_ASSIGN(question.limit, limit_given(context.line, context.look.language));
  TRY_ASSIGN(question.filters, filters_given(context.line));
  const bool has_filters = !question.filters.empty();
  TRY_ASSIGN(question.states, parse_top_states(context.line.value("--state")));
  TRY_ASSIGN(const TopReport report, context.source.top(std::move(question), std::string(context.line.value("--window", kTopWindowStandard))));
  const std::string_view format = context.line.value("--format", "table");
  if (format == "json") {
    TRY(write_output(context, top_report_json(report).print_pretty()));
  } else if (format == "csv") {
    TRY(write_output(context, top_csv(report, context.look.headers)));
  } else if (report.lines.empty()) {
    say_nothing_found(context, has_filters);
  } else {
    TRY(write_output(context, print_top_table(report, context.look, format == "wide")));
  }
  return kExitFine;
}

}  // namespace seedance
