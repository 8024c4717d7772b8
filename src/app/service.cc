#include "app/service.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/log.h"
#include "store/duckdb/duckdb_ledger.h"

namespace seedance {
namespace {

constexpr Nanos kGovernEvery = std::chrono::seconds(1);
constexpr Nanos kCheckpointRetry = std::chrono::minutes(1);
constexpr std::int64_t kRestPerWork = 9;  // settling takes at most a tenth of one core,
constexpr Nanos kRestMax = std::chrono::seconds(10);  // unless the running hour would then be older than this

Result<SharedCost::Mode> mode_of(std::string_view name) {
  if (name == "even") return SharedCost::Mode::kEven;
  if (name == "weighted") return SharedCost::Mode::kWeighted;
  if (name == "separate") return SharedCost::Mode::kSeparate;
  return fail(Code::kInvalid, "unknown mode of a shared cost: " + std::string(name));
}

// "a, b" -> {"a", "b"}
std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> out;
  std::string name;
  for (const char c : std::string(list) + ",") {
    if (c == ' ') continue;
    if (c != ',') {
      name.push_back(c);
    } else if (!name.empty()) {
      out.push_back(std::exchange(name, {}));
    }
  }
  return out;
}

std::size_t size_of(std::int64_t value) { return static_cast<std::size_t>(std::max<std::int64_t>(0, value)); }

}  // namespace

IntakeOptions intake_options_of(const Settings& s) {
  IntakeOptions out;
  out.accept_any_age = s.ingest.accept_any_age;
  out.future_limit = s.ingest.future_limit;
  out.correction_horizon = s.ingest.correction_horizon;
  out.body_bytes_max = size_of(s.server.body_bytes_max);
  out.kept_bytes_max = size_of(s.ingest.kept_bytes_max);
  out.tenants.standard = {size_of(s.ingest.tenant_samples_per_second_max), size_of(s.ingest.tenant_series_max), 0, 0};
  for (const TenantSetting& t : s.tenants) {
    const TenantLimit limit{size_of(t.samples_per_second_max), size_of(t.series_max), size_of(t.labels_max), size_of(t.body_bytes_max)};
    out.tenants.named.emplace_back(t.name, limit);
  }
  out.replica_labels = names_in(s.ingest.replica_labels);
  out.checkpoint_log_bytes = size_of(s.ingest.checkpoint_log_bytes);
  out.series.series_max = size_of(s.ingest.series_max);
  out.series.series_per_metric_max = size_of(s.ingest.series_per_metric_max);
  out.series.labels.labels_max = size_of(s.ingest.labels_max);
  out.series.labels.value_bytes_max = size_of(s.ingest.label_value_bytes_max);
  return out;
}

Result<BooksOptions> books_options_of(const Settings& s) {
  BooksOptions out;
  out.timelines.gap_max = s.ledger.state_gap_max;
  out.provisional_lateness = s.ingest.provisional_lateness;
  out.dimensions = s.dimensions;
  AllocationOptions& a = out.allocation;
  TRY_ASSIGN(a.method, parse_split_method(s.ledger.split_method));
  a.cluster_name = s.ledger.cluster;
  a.currency = s.ledger.currency;
  a.stranded_cpu_nanocores = s.ledger.stranded_cpu_millis * 1'000'000;
  a.stranded_memory_bytes = s.ledger.stranded_memory_bytes;
  a.service_prices.storage_gib = {s.prices.storage_gib_hour.nanos()};
  a.service_prices.zone_gib = s.prices.zone_gib;
  a.service_prices.region_gib = s.prices.region_gib;
  a.service_prices.internet_gib = s.prices.internet_gib;
  for (const SharedCostSetting& shared : s.shared_costs) {
    TRY_ASSIGN(const SharedCost::Mode mode, mode_of(shared.mode));
    a.shared_costs.push_back({shared.name, {shared.per_hour.nanos()}, mode});
  }
  return out;
}

Result<Catalogue> catalogue_of(const Settings& s) {
  std::vector<SignalBinding> extra;
  for (const SignalSetting& setting : s.signals) {
    TRY_ASSIGN(const SignalId id, parse_signal(setting.signal));
    extra.push_back({setting.metric, id, setting.scale, "configuration", false});
  }
  return Catalogue(extra);
}

PriceBookOptions price_options_of(const Settings& s) { return {s.ledger.price_outlier_factor}; }

Service::Service(const Settings& settings, const Clock& clock, Counters& counters) : settings_(settings), clock_(clock), counters_(counters) {}

Service::~Service() {
  governor_ = {};  // stops and joins before the parts go
  if (intake_ && intake_->is_last_checkpoint_due()) write_checkpoint();
}

Result<std::unique_ptr<Service>> Service::open(const Settings& settings, const Clock& clock, Counters& counters) {
  std::unique_ptr<Service> service(new Service(settings, clock, counters));
  TRY(service->open_parts());
  Service* self = service.get();
  service->governor_ = std::jthread([self](const std::stop_token& stop) { self->govern(stop); });
  return service;
}

Result<void> Service::open_parts() {
  const std::string directory = settings_.store.directory;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return fail(Code::kUnavailable, "store directory cannot be made: " + directory + ": " + error.message());
  TRY_ASSIGN(prices_, PriceService::open(directory + "/prices", settings_.prices.files, price_options_of(settings_)));
  Database::Options options;
  options.memory_bytes_max = settings_.store.memory_bytes_max;
  TRY_ASSIGN(std::unique_ptr<DuckdbLedger> store, DuckdbLedger::open(directory + "/ledger.duckdb", options));
  store_ = store.get();
  windows_ = std::make_unique<WindowFeed>(std::make_unique<FeatureStore>(directory + "/features", store_->database()), settings_.ingest.signal_lateness, settings_.store.feature_retention, counters_);
  telemetry_ = std::make_unique<TelemetryQuality>(telemetry_file(directory), counters_, !settings_.ingest.accept_any_age);
  ledger_ = std::make_unique<Ledger>(std::move(store));
  TRY_ASSIGN(Catalogue catalogue, catalogue_of(settings_));
  TRY_ASSIGN(intake_, SampleIntake::open(directory + "/log", std::move(catalogue), intake_options_of(settings_), clock_, counters_));
  intake_->on_kept([this](std::span<const KeptSample> samples, const SampleSource& source) { windows_->add(intake_->registry(), samples, source.is_light); });
  TRY_ASSIGN(BooksOptions books_options, books_options_of(settings_));
  books_ = std::make_unique<Books>(*intake_, *ledger_, std::move(books_options));
  reports_ = std::make_unique<ReportService>(*ledger_, [this] { return intake_->watermark(); }, [this](Interval window) { return telemetry_->notes_of(window); });
  return {};
}

Result<void> Service::settle_now() {
  const std::lock_guard lock(settle_mutex_);
  const Result<std::size_t> settled = books_->settle(*prices_->book());
  {
    const std::lock_guard state(state_mutex_);
    last_failure_ = settled ? std::string{} : settled.error().message;
  }
  if (!settled) return tl::unexpected<Error>(settled.error());
  counters_.counter("ledger_hours_recomputed", "Hours of the ledger recomputed from their samples").add(static_cast<std::int64_t>(*settled));
  return intake_->finalise();
}

DimensionRules Service::dimension_rules() const {
  const std::lock_guard lock(settle_mutex_);
  return books_->options().dimensions;
}

Result<void> Service::reload(const Settings& settings) {
  // What is written on rows and what intake was built with stays until a restart.
  Settings live = settings;
  live.ingest = settings_.ingest;
  live.ledger.cluster = settings_.ledger.cluster;
  live.ledger.currency = settings_.ledger.currency;
  live.ledger.split_method = settings_.ledger.split_method;
  live.ledger.state_gap_max = settings_.ledger.state_gap_max;
  TRY_ASSIGN(BooksOptions options, books_options_of(live));
  TRY(prices_->reload(settings.prices.files, price_options_of(settings)));
  {
    const std::lock_guard lock(settle_mutex_);
    books_->set_options(std::move(options));
  }
  log_set_level(log_level_of(settings.log));
  recompute_everything();
  for (const std::string& name : changes_that_need_a_restart(settings_, settings)) {
    log_warn("setting waits for a restart", {{"setting", name}});
  }
  return {};
}

void Service::recompute_everything() {
  for (const TimePoint hour : intake_->open_hours()) intake_->mark_dirty(hour);
}

Result<void> Service::export_parquet(Interval window, const std::string& path) { return store_->export_rows(window, path); }

void Service::write_checkpoint() {
  const auto begun = std::chrono::steady_clock::now();
  const Result<CheckpointReport> written = intake_->checkpoint();
  const auto millis = [](Nanos time) { return std::chrono::duration_cast<std::chrono::milliseconds>(time).count(); };
  if (!written) {
    checkpoint_after_ = begun + kCheckpointRetry;
    log_warn("checkpoint of the sample log cannot be written; it is tried again and the log grows meanwhile", {{"reason", written.error().message}});
    return;
  }
  counters_.counter("ingest_checkpoints", "Checkpoints of the sample log written").add();
  counters_.gauge("ingest_checkpoint_bytes", "Size of the last checkpoint").set(static_cast<std::int64_t>(written->bytes_total));
  log_info("checkpoint of the sample log written", {{"bytes_written", written->bytes_written},
                                                    {"bytes_total", written->bytes_total},
                                                    {"took_ms", millis(std::chrono::steady_clock::now() - begun)},
                                                    {"longest_pause_ms", millis(written->longest_pause)}});
}

void Service::publish_state() {
  counters_.gauge("ingest_log_bytes", "Log that the next start would replay").set(static_cast<std::int64_t>(intake_->log_bytes()));
  counters_.gauge("ingest_series", "Series kept").set(static_cast<std::int64_t>(intake_->series()));
  counters_.gauge("ingest_kept_bytes", "Memory of kept samples").set(static_cast<std::int64_t>(intake_->kept_bytes()));
  counters_.gauge("ingest_kept_samples", "Samples of hours that can still change").set(static_cast<std::int64_t>(intake_->kept_samples()));
  counters_.gauge("ingest_watermark_seconds", "Newest event time accepted, Unix seconds").set(millis_of(intake_->watermark()) / 1'000);
}

void Service::govern(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  Nanos rest = kGovernEvery;
  const auto on_vectors = [this](std::span<const NumberedFeature> vectors, const std::vector<std::string>& names) { telemetry_->add_vectors(vectors, names); };
  while (!stop.stop_requested()) {
    const auto begun = std::chrono::steady_clock::now();
    if (const Result<void> settled = settle_now(); !settled) {
      log_error("hours cannot be settled; they are tried again", {{"reason", settled.error().message}});
    }
    if (const Result<void> stored = windows_->store_closed(intake_->watermark(), on_vectors); !stored) {
      log_warn("feature vectors cannot be stored", {{"reason", stored.error().message}});
    }
    if (const Result<void> closed = telemetry_->close_period(clock_.now()); !closed) {
      log_warn("notes on the quality of metrics cannot be written", {{"reason", closed.error().message}});
    }
    if (begun >= checkpoint_after_ && intake_->is_checkpoint_due()) write_checkpoint();
    publish_state();
    const Nanos took = std::chrono::steady_clock::now() - begun;
    rest = std::clamp<Nanos>(took * kRestPerWork, kGovernEvery, std::max<Nanos>(kRestMax, took));
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, rest, [] { return false; });
  }
}

Service::Readiness Service::readiness() const {
  const std::lock_guard lock(state_mutex_);
  if (!last_failure_.empty()) return {false, "hours cannot be settled: " + last_failure_};
  if (!intake_->is_log_writable()) return {false, "sample log cannot be written; samples are refused with 503 and senders keep them"};
  return {};
}

}  // namespace seedance
