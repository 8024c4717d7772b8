// Everything an operator can set, with its defaults filled in.
//
// Each setting is declared once, in config/declarations*.cc: name, type with unit, default, bounds, whether a reload is
// enough, and one sentence in English and in Chinese. Parsing, defaults and the reference in docs/ are made from that
// table. A Settings is only had from the functions below; a default-constructed one holds zeros.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/money.h"
#include "base/result.h"
#include "base/units.h"
#include "model/dimension_rules.h"

namespace seedance {

struct ServerSettings {
  std::string address;
  std::int64_t port = 0;  // 0: any free port
  std::int64_t threads = 0;
  std::int64_t workers = 0;
  std::string tls_certificate;  // empty: plain HTTP
  std::string tls_key;
  std::string tokens_file;  // empty: no tokens are asked for
  std::string otlp_grpc_listen;  // "address:port", see listen_place_of; empty: no gRPC
  bool allow_anonymous = false;
  std::int64_t body_bytes_max = 0;
  std::int64_t connections_max = 0;
};

struct StoreSettings {
  std::string directory;
  std::int64_t memory_bytes_max = 0;
  Nanos feature_retention{};
};

struct IngestSettings {
  bool accept_any_age = false;
  Nanos future_limit{};
  Nanos correction_horizon{};
  Nanos provisional_lateness{};
  Nanos signal_lateness{};
  std::int64_t series_max = 0;
  std::int64_t series_per_metric_max = 0;
  std::int64_t labels_max = 0;
  std::int64_t label_value_bytes_max = 0;
  std::int64_t kept_bytes_max = 0;
  std::int64_t tenant_samples_per_second_max = 0;
  std::int64_t tenant_series_max = 0;
  std::string replica_labels;  // names, separated by commas
  std::int64_t checkpoint_log_bytes = 0;
};

struct LedgerSettings {
  std::string cluster;
  std::string currency;      // three capital letters
  std::string split_method;  // "residual", "aws" or "opencost"
  Nanos state_gap_max{};
  std::int64_t price_outlier_factor = 0;
  std::int64_t stranded_cpu_millis = 0;
  std::int64_t stranded_memory_bytes = 0;
  std::string reporting_zone;  // an IANA name that this machine knows
  std::string dimensions_file;  // empty: `dimensions` of the same file, or the default label keys
};

struct LogSettings {
  std::string level;   // "debug", "info", "warn" or "error"
  std::string format;  // "text" or "json"
};

// One exporter series that the built-in table does not know.
struct SignalSetting {
  std::string metric;
  std::string signal;
  double scale = 1;    // the exporter's value times this is the signal's value
};

struct SharedCostSetting {
  std::string name;
  Money per_hour;
  std::string mode;  // "even", "weighted" or "separate"
};

struct TenantSetting {
  std::string name;
  std::int64_t samples_per_second_max = 0;  // 0 in all of these: no limit but the server's
  std::int64_t series_max = 0;
  std::int64_t labels_max = 0;
  std::int64_t body_bytes_max = 0;
};

struct PriceSettings {
  std::vector<std::string> files;
  Money storage_gib_hour;  // 0: not charged
  Money zone_gib;
  Money region_gib;
  Money internet_gib;
};

struct Settings {
  ServerSettings server;
  StoreSettings store;
  IngestSettings ingest;
  LedgerSettings ledger;
  LogSettings log;
  PriceSettings prices;
  std::vector<SignalSetting> signals;
  std::vector<SharedCostSetting> shared_costs;
  std::vector<TenantSetting> tenants;
  DimensionRules dimensions;
};

Settings default_settings();

struct ListenPlace {
  std::string address;
  std::uint16_t port = 0;
};
// "127.0.0.1:4317", "localhost:0", "[::1]:4317". kInvalid for anything else.
Result<ListenPlace> listen_place_of(std::string_view text);

// Reads the file and the dimensions file that it names. Relative paths in a settings file count from its own folder.
Result<Settings> load_settings(const std::string& path);

// The same on text; opens no file, so `ledger.dimensions_file` is only remembered. `file_name` is for messages and as
// the base of relative paths.
Result<Settings> parse_settings(std::string_view text, std::string_view file_name);

// The dimension mapping alone, as it stands in its own file.
Result<DimensionRules> parse_dimension_rules(std::string_view text, std::string_view file_name);

// Names of settings that differ and take effect only after a restart: what a reload has to refuse or warn about.
std::vector<std::string> changes_that_need_a_restart(const Settings& before, const Settings& after);

LogLevel log_level_of(const LogSettings& log);
LogFormat log_format_of(const LogSettings& log);

}  // namespace seedance
