// prices list, prices import, prices explain; import openmetrics.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/print/cost_table.h"
#include "cli/print/numbers.h"
#include "cli/print/price_table.h"
#include "cli/print/progress.h"
#include "cli/print/report_csv.h"
#include "cli/print/terminal_text.h"
#include "model/message_texts.h"

namespace seedance {
namespace {

Result<int> list_price_book(const CommandContext& context) {
  const CommandLine& line = context.line;
  const PriceListQuestion question{std::string(line.value("--provider")), std::string(line.value("--region")), std::string(line.value("--type"))};
  TRY_ASSIGN(const PriceList prices, context.source.prices(question));
  const std::string_view format = line.value("--format", "table");
  if (format == "json") {
    TRY(write_output(context, price_list_json(prices).print_pretty()));
  } else if (format == "csv") {
    TRY(write_output(context, price_csv(prices, context.look.headers)));
  } else {
    TRY(write_output(context, print_price_table(prices, context.look)));
  }
  return kExitFine;
}

// The whole list is in force or none of it; refused lines are named and make the status 1.
Result<int> import_price_file(const CommandContext& context, const std::string& path) {
  const Language language = context.look.language;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) return fail(Code::kNotFound, filled(TextId::kFileUnreadable, language, {path}));
  std::ostringstream csv;
  csv << in.rdbuf();
  TRY_ASSIGN(const PriceImport report, context.source.import_prices(csv.str(), std::filesystem::path(path).filename().string()));
  if (!context.look.quiet) {
    context.err << filled(TextId::kPricesKept, language, {std::to_string(report.accepted), visible(path)}) << "\n";
    if (!report.refused.empty()) context.err << filled(TextId::kPricesRefused, language, {std::to_string(report.refused.size())}) << "\n";
  }
  for (const std::string& refused : report.refused) context.err << "  " << visible(message_in(language, refused)) << "\n";
  return report.refused.empty() ? kExitFine : kExitFindings;
}

Result<int> explain_node(const CommandContext& context) {
  TRY_ASSIGN(const PriceExplanation explanation, context.source.explain_price(context.line.arguments[0]));
  const bool as_json = context.line.value("--format", "table") == "json";
  TRY(write_output(context, as_json ? price_explanation_json(explanation).print_pretty() : print_price_explanation(explanation, context.look)));
  return explanation.is_priced ? kExitFine : kExitFindings;
}

}  // namespace

int say_summary(const CommandContext& context, const std::string& name, const ImportSummary& summary) {
  const Language language = context.look.language;
  std::ostream& err = context.err;
  const bool books_open = std::any_of(summary.totals.begin(), summary.totals.end(), [](const CurrencyTotal& t) { return t.left() != 0; });
  const int status = summary.samples_refused > 0 || books_open ? kExitFindings : kExitFine;
  if (context.look.quiet) return status;
  err << filled(TextId::kImported, language, {visible(name), std::to_string(summary.samples_kept), std::to_string(summary.samples_ignored), std::to_string(summary.samples_refused)})
      << "\n";
  if (!summary.first_reason.empty()) err << filled(TextId::kImportedRefused, language, {visible(message_in(language, summary.first_reason))}) << "\n";
  if (!summary.ledger_hours) return status;
  err << filled(TextId::kHoursWritten, language, {std::to_string(*summary.ledger_hours)});
  const std::string_view semicolon = text(TextId::kSemicolon, language);
  for (const CurrencyTotal& total : summary.totals) err << semicolon << money_text(total.sums.total_cost()) << " " << visible(total.currency);
  err << semicolon << books_text(summary.totals, language) << "\n";
  err << filled(TextId::kImportNext, language, {visible(context.store)}) << "\n";
  return status;
}

Result<int> run_prices(const CommandContext& context) {
  if (context.line.command->name == "prices list") return list_price_book(context);
  if (context.line.command->name == "prices import") return import_price_file(context, context.line.arguments[0]);
  return explain_node(context);
}

Result<int> import_price_lists(const CommandContext& context) {
  int status = kExitFine;
  for (const std::string& prices : context.line.values("--prices")) {
    TRY_ASSIGN(const int one, import_price_file(context, prices));
    status = std::max(status, one);
  }
  return status;
}

Result<int> run_import(const CommandContext& context) {
  TRY_ASSIGN(const int status, import_price_lists(context));
  const std::string& path = context.line.arguments[0];
  const SystemClock clock;
  ProgressLine progress(context.err, context.err_is_terminal, context.look, clock.now());
  const Result<ImportSummary> summary =
      context.source.import_open_metrics(path, [&](std::uint64_t done, std::uint64_t all) { progress.update(done, all, clock.now()); });
  progress.end();
  if (!summary) return tl::unexpected<Error>(summary.error());
  return std::max(status, say_summary(context, path, *summary));
}

}  // namespace seedance
