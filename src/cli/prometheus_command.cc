// import prometheus.
#include <algorithm>

#include "app/backfill/backfill_progress.h"
#include "base/clock.h"
#include "base/time_text.h"
#include "cli/commands.h"
#include "cli/print/progress.h"
#include "cli/print/terminal_text.h"
#include "model/message_texts.h"

namespace seedance {
namespace {

constexpr std::string_view kTooOld = "older than the correction horizon";

// "NAME=VALUE,..." of every --label.
Result<Labels> labels_given(const CommandContext& context) {
  Labels out;
  for (const std::string& typed : context.line.values("--label")) {
    std::string_view rest = typed;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      const std::size_t equals = one.find('=');
      if (equals == 0 || equals == std::string_view::npos || one.substr(0, equals) == "__name__") {
        return fail(Code::kInvalid, filled(TextId::kNotALabel, context.look.language, {one}), std::string(text(TextId::kNotALabelHint, context.look.language)));
      }
      out.push_back({std::string(one.substr(0, equals)), std::string(one.substr(equals + 1))});
    }
  }
  return out;
}

Result<PrometheusImport> import_asked(const CommandContext& context) {
  const CommandLine& line = context.line;
  PrometheusImport out;
  out.server.base_url = line.arguments[0];
  out.server.ca_file = line.value("--prometheus-ca-file");
  if (line.has("--prometheus-token-file")) {
    TRY_ASSIGN(out.server.bearer_token, read_token(std::string(line.value("--prometheus-token-file")), context.look.language));
  }
  out.window = line.value("--window", "24h");
  TRY_ASSIGN(out.labels, labels_given(context));
  out.restart = line.has("--restart");
  out.state_folder = context.state_folder;
  if (context.store.empty() && out.state_folder.empty()) {
    return fail(Code::kInvalid, std::string(text(TextId::kNoStateFolder, context.look.language)), std::string(text(TextId::kNoStateFolderHint, context.look.language)));
  }
  return out;
}

void say_labels(const CommandContext& context, const Labels& labels, const std::string& unknown_because) {
  const Language language = context.look.language;
  std::string list;
  for (const Label& label : labels) list += (list.empty() ? "" : ",") + label.name + "=" + label.value;
  if (!list.empty()) context.err << filled(TextId::kLabelsAdded, language, {visible(list)}) << "\n";
  if (!unknown_because.empty()) context.err << filled(TextId::kLabelsUnknown, language, {visible(message_in(language, unknown_because))}) << "\n";
}

}  // namespace

Result<int> run_prometheus_import(const CommandContext& context) {
  const Language language = context.look.language;
  TRY_ASSIGN(const PrometheusImport import, import_asked(context));
  TRY_ASSIGN(const int status, import_price_lists(context));
  const SystemClock clock;
  ProgressLine progress(context.err, context.err_is_terminal, context.look, clock.now());
  const auto say = [&](const std::string& sentence) {
    progress.end();
    if (!context.look.quiet) context.err << sentence << "\n";
  };
  PrometheusImportEvents events;
  events.on_labels = [&](const Labels& labels, const std::string& unknown_because) {
    if (!context.look.quiet) say_labels(context, labels, unknown_because);
  };
  events.on_resumed = [&](TimePoint at) { say(filled(TextId::kGoingOn, language, {print_time(at)})); };
  events.on_refused = [&](const std::string& reason) {
    if (reason.find(kTooOld) != std::string::npos) say(std::string(text(TextId::kTooOldForServer, language)));
  };
  events.on_progress = [&](std::uint64_t done, std::uint64_t all, std::uint64_t samples) { progress.update_hours(done, all, samples, clock.now()); };
  const Result<ImportSummary> summary = context.source.import_prometheus(import, events);
  progress.end();
  if (!summary) return tl::unexpected<Error>(summary.error());
  return std::max(status, say_summary(context, address_to_show(import.server.base_url), *summary));
}

}  // namespace seedance
