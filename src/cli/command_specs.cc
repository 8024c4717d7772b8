#include "cli/command_specs.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace seedance {
namespace {

using enum TextId;

constexpr OptionSpec kWindow{"--window", "24h|7d|FROM..TO", kOptWindow, {}, "24h"};
constexpr OptionSpec kFilter{"-l,--filter", "KEY=VALUE,...", kOptFilter, {}, {}, true};
constexpr OptionSpec kNamespaces{"-n,--namespace", "NAME,...", kOptNamespace};
constexpr OptionSpec kOutput{"--output", "FILE", kOptOutput};

constexpr OptionSpec kCostOptions[] = {
    {"--by", "KEY,...", kOptBy, {}, "tenant"},
    kWindow,
    {"--step", "1h", kOptStep},
    {"--idle", "separate|share|hide", kOptIdle, "separate|share|hide", "separate"},
    {"-o,--format", "table|wide|json|csv|parquet", kOptFormat, "table|wide|json|csv|parquet", "table"},
    kOutput,
    kFilter,
    kNamespaces,
};
constexpr OptionSpec kWaterfallOptions[] = {
    kWindow,
    {"--workload", "NAMESPACE/NAME", kOptWorkload},
    {"-o,--format", "table|json|csv", kOptFormat, "table|json|csv", "table"},
    kOutput,
    kFilter,
    kNamespaces,
};
constexpr OptionSpec kTopOptions[] = {
    {"--window", "1h|24h|FROM..TO", kOptWindow, {}, "1h"},
    {"--state", "free,idle,...", kOptState},
    {"--sort", "wasted|cost", kOptSort, "wasted|cost", "wasted"},
    {"--limit", "N", kOptLimit, {}, "20"},
    {"-o,--format", "table|wide|json|csv", kOptFormat, "table|wide|json|csv", "table"},
    kOutput,
    kFilter,
    kNamespaces,
};
constexpr OptionSpec kColdStartOptions[] = {
    kWindow,
    {"-o,--format", "table|json", kOptFormat, "table|json", "table"},
    kOutput,
};
constexpr OptionSpec kTelemetryOptions[] = {{"-o,--format", "table|json", kOptFormat, "table|json", "table"}, kOutput};
constexpr OptionSpec kPriceListOptions[] = {
    {"--provider", "aws|gcp|azure", kOptProvider},
    {"--region", "REGION", kOptRegion},
    {"--type", "PREFIX", kOptType},
    {"-o,--format", "table|json|csv", kOptFormat, "table|json|csv", "table"},
    kOutput,
};
constexpr OptionSpec kExplainOptions[] = {{"-o,--format", "table|json", kOptFormat, "table|json", "table"}, kOutput};
constexpr OptionSpec kImportOptions[] = {{"--prices", "FILE", kOptPrices, {}, {}, true}};

constexpr OptionSpec kPrometheusOptions[] = {
    {"--window", "7d|FROM..TO", kOptFillWindow, {}, "24h"},
    {"--label", "NAME=VALUE,...", kOptLabel, {}, {}, true},
    {"--prices", "FILE", kOptPrices, {}, {}, true},
    {"--prometheus-token-file", "FILE", kOptPrometheusToken},
    {"--prometheus-ca-file", "FILE", kOptPrometheusCa},
    {"--restart", {}, kOptRestart},
};

constexpr OptionSpec kGlobal[] = {
    {"--server", "URL", kOptServer, {}, "http://127.0.0.1:7117"},
    {"--token-file", "FILE", kOptTokenFile},
    {"--ca-file", "FILE", kOptCaFile},
    {"--store", "DIR", kOptStore},
    {"--config", "FILE", kOptConfig},
    {"--lang", "en|zh", kOptLang, "en|zh"},
    {"--tz", "ZONE", kOptZone},
    {"--color", "auto|always|never", kOptColor, "auto|always|never", "auto"},
    {"--no-headers", {}, kOptNoHeaders},
    {"-q,--quiet", {}, kOptQuiet},
    {"-h,--help", {}, kOptHelp},
};

constexpr CommandSpec kCommandSpecs[] = {
    {"cost", "", kCostAbout, kCostOptions,
     "seedancectl cost --by tenant --window 7d\n"
     "seedancectl cost --by team,namespace,workload -l environment=prod\n"
     "seedancectl cost --by team --window 2026-11-23..2026-11-30 --step 24h --tz Asia/Shanghai\n"
     "seedancectl cost --store DIR --by node,gpu -o csv --output costs.csv\n"},
    {"waterfall", "", kWaterfallAbout, kWaterfallOptions,
     "seedancectl waterfall --window 7d\n"
     "seedancectl waterfall --workload nlp/bert-ft\n"},
    {"top", "SUBJECT", kTopAbout, kTopOptions,
     "seedancectl top gpus --sort wasted -o wide\n"
     "seedancectl top gpus --state free,stranded\n"
     "seedancectl top workloads --sort cost --limit 5\n",
     "gpus|pods|workloads"},
    {"cold-starts", "", kColdStartsAbout, kColdStartOptions, "seedancectl cold-starts --window 7d\n"},
    {"telemetry", "", kTelemetryAbout, kTelemetryOptions, "seedancectl telemetry\n"},
    {"prices", "", kPricesAbout, {}, ""},
    {"prices list", "", kPricesListAbout, kPriceListOptions, "seedancectl prices list --provider aws --type p5\n"},
    {"prices import", "FILE", kPricesImportAbout, {}, "seedancectl prices import contract.csv\n"},
    {"prices explain", "NODE", kPricesExplainAbout, kExplainOptions, "seedancectl prices explain gpu-node-7\n"},
    {"import", "", kImportAbout, {}, ""},
    {"import openmetrics", "FILE", kImportTextAbout, kImportOptions,
     "seedancectl import openmetrics metrics.om.gz --store DIR --prices contract.csv\n"},
    {"import prometheus", "URL", kImportPrometheusAbout, kPrometheusOptions,
     "seedancectl import prometheus http://prometheus:9090 --window 7d --store DIR\n"
     "seedancectl import prometheus https://thanos.example.com --window 2026-11-23..2026-11-30 --store DIR --label cluster=prod\n"
     "seedancectl import prometheus http://prometheus:9090 --window 4h\n"},
    {"version", "", kVersionAbout, {}, "seedancectl version\n"},
    {"help", "[COMMAND]", kHelpAbout, {}, "seedancectl help prices import\n"},
};

}  // namespace

std::string_view OptionSpec::key() const {
  const std::size_t comma = names.rfind(',');
  return comma == std::string_view::npos ? names : names.substr(comma + 1);
}

std::span<const CommandSpec> command_specs() { return kCommandSpecs; }
std::span<const OptionSpec> global_options() { return kGlobal; }

const CommandSpec* find_command(std::string_view name) {
  for (const CommandSpec& command : kCommandSpecs) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

bool is_command_group(const CommandSpec& command) {
  const std::string start = std::string(command.name) + " ";
  return std::any_of(std::begin(kCommandSpecs), std::end(kCommandSpecs), [&](const CommandSpec& other) { return other.name.starts_with(start); });
}

bool is_choice(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    const std::size_t bar = choices.find('|');
    if (choices.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    choices.remove_prefix(bar + 1);
  }
  return false;
}

}  // namespace seedance
