// Where the command line gets its answers: a server, or a store on this machine. The commands do not know which.
//
// Windows travel as text, because a relative one ("7d") ends at the server's now, or at the end of the data in a store. The zone is a
// matter of the source: what the user asked for, else the reporting zone of the server or of the settings.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/price_service.h"
#include "net/http_client.h"
#include "report/cold_start_report.h"
#include "report/cost_report.h"
#include "report/top_report.h"
#include "report/waterfall_report.h"

namespace seedance {

struct ImportSummary {
  std::uint64_t samples_kept = 0;
  std::uint64_t samples_ignored = 0;
  std::uint64_t samples_refused = 0;
  std::string first_reason;
  // Only of a store: a server settles its hours by itself.
  std::optional<std::size_t> ledger_hours;
  std::vector<CurrencyTotal> totals;
};

using OnImportProgress = std::function<void(std::uint64_t done_bytes, std::uint64_t all_bytes)>;

// What of a Prometheus to bring, and how to reach it.
struct PrometheusImport {
  HttpClientOptions server;  // that Prometheus
  std::string window;
  Labels labels = {};        // beside or instead of its external labels; an empty value leaves one out
  bool restart = false;
  std::string state_folder = {};  // for the progress of what goes to a server
};

// What to say while it goes on.
struct PrometheusImportEvents {
  // The labels that every series gets, and why the server's own are not among them (empty: they are).
  std::function<void(const Labels&, const std::string& unknown_because)> on_labels;
  std::function<void(TimePoint)> on_resumed;
  std::function<void(const std::string& reason)> on_refused;
  std::function<void(std::uint64_t done_hours, std::uint64_t all_hours, std::uint64_t samples)> on_progress;
};

class ReportSource {
 public:
  virtual ~ReportSource() = default;

  virtual Result<CostReport> cost(CostQuestion question, const std::string& window) = 0;
  virtual Result<WaterfallReport> waterfall(WaterfallQuestion question, const std::string& window) = 0;
  virtual Result<TopReport> top(TopQuestion question, const std::string& window) = 0;
  virtual Result<ColdStartReport> cold_starts(const std::string& window) = 0;

  // Of a store without a server only the notes.
  virtual Result<TelemetryReport> telemetry() = 0;

  // The rows of the ledger as a Parquet file at `path`.
  virtual Result<void> export_parquet(const std::string& window, const std::string& path) = 0;

  virtual Result<PriceList> prices(const PriceListQuestion& question) = 0;
  virtual Result<PriceImport> import_prices(const std::string& csv, const std::string& file_name) = 0;
  virtual Result<PriceExplanation> explain_price(const std::string& node) = 0;

  virtual Result<ImportSummary> import_open_metrics(const std::string& path, const OnImportProgress& on_progress) = 0;
  // Goes on behind what the same import brought before.
  virtual Result<ImportSummary> import_prometheus(const PrometheusImport& import, const PrometheusImportEvents& events) = 0;
};

}  // namespace seedance
