// Everything that a running server is, but for the network: settings in, a ledger that keeps itself up to date out.
//
// Parts are created in the order in which they need each other and destroyed in the reverse. One governor thread settles the hours
// that changed and makes old ones final; requests come from the HTTP threads and meet it only in the intake's lock.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "app/books.h"
#include "app/intake/telemetry_quality.h"
#include "app/intake/window_feed.h"
#include "app/price_service.h"
#include "app/report_service.h"
#include "config/settings.h"

namespace seedance {

class DuckdbLedger;

// What settings mean for the parts; also for the offline command line.
IntakeOptions intake_options_of(const Settings& settings);
Result<BooksOptions> books_options_of(const Settings& settings);
Result<Catalogue> catalogue_of(const Settings& settings);
PriceBookOptions price_options_of(const Settings& settings);

class Service {
 public:
  // `clock` and `counters` outlive the service; `programs/` owns them.
  static Result<std::unique_ptr<Service>> open(const Settings& settings, const Clock& clock, Counters& counters);
  ~Service();

  SampleIntake& intake() { return *intake_; }
  Ledger& ledger() { return *ledger_; }
  const ReportService& reports() const { return *reports_; }
  PriceService& prices() { return *prices_; }
  WindowFeed& windows() { return *windows_; }
  TelemetryQuality& telemetry() { return *telemetry_; }
  // How the samples of a sender are to be taken.
  SampleSource source_of(std::string_view sender, std::string_view tenant) const { return {tenant, telemetry_->is_light(sender)}; }
  DimensionRules dimension_rules() const;
  const Settings& settings() const { return settings_; }
  const Clock& clock() const { return clock_; }
  Counters& counters() { return counters_; }

  // Writes the rows of a window as a Parquet file, settled hours only.
  Result<void> export_parquet(Interval window, const std::string& path);

  // Recomputes what is dirty now, on the caller's thread. The governor does the same on its own.
  Result<void> settle_now();

  // Prices changed: every hour that can still change is recomputed.
  void recompute_everything();

  // Puts the settings in force that need no restart, and recomputes what they change; the others are named in the log and wait.
  Result<void> reload(const Settings& settings);

  // Whether the sample log takes records and the last settling succeeded; the text says what does not work.
  struct Readiness {
    bool is_ready = true;
    std::string reason;
  };
  Readiness readiness() const;

 private:
  Service(const Settings& settings, const Clock& clock, Counters& counters);
  Result<void> open_parts();
  void govern(const std::stop_token& stop);
  void write_checkpoint();
  void publish_state();

  const Settings settings_;  // as at the start; what a reload changed is in the parts
  const Clock& clock_;
  Counters& counters_;
  DuckdbLedger* store_ = nullptr;  // owned by ledger_
  std::unique_ptr<PriceService> prices_;
  std::unique_ptr<WindowFeed> windows_;
  std::unique_ptr<TelemetryQuality> telemetry_;
  std::unique_ptr<SampleIntake> intake_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<Books> books_;
  std::unique_ptr<ReportService> reports_;

  mutable std::mutex settle_mutex_;  // guards books_' options, one settling at a time; taken before the intake's lock
  mutable std::mutex state_mutex_;  // guards last_failure_
  std::string last_failure_;
  std::chrono::steady_clock::time_point checkpoint_after_{};  // the governor's: not before this, after one failed
  std::jthread governor_;
};

}  // namespace seedance
