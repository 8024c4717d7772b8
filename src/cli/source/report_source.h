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
};

}  // namespace seedance
