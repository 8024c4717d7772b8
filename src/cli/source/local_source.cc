#include "cli/source/local_source.h"

#include <algorithm>
#include <filesystem>

#include "app/books.h"
#include "app/intake/telemetry_quality.h"
#include "app/intake/text_import.h"
#include "app/node_questions.h"
#include "app/report_service.h"
#include "app/service.h"
#include "cli/source/prometheus_import.h"
#include "cli/texts.h"
#include "store/duckdb/duckdb_ledger.h"

namespace seedance {
namespace {

constexpr std::size_t kImportBytesMin = std::size_t{4} << 30;  // an import has the machine for itself

// Samples, prices and rules that make hours.
struct Workshop {
  SystemClock clock;
  Counters counters;
  std::unique_ptr<SampleIntake> intake;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Books> books;
};

class LocalSource final : public ReportSource {
 public:
  LocalSource(std::string directory, Settings settings, Language language, TimeZone zone)
      : directory_(std::move(directory)), settings_(std::move(settings)), language_(language), zone_(std::move(zone)) {}

  Result<CostReport> cost(CostQuestion question, const std::string& window) override {
    TRY(open_ledger());
    question.zone = zone_;
    TRY_ASSIGN(question.window, window_of(window));
    TRY_ASSIGN(CostReport report, reports().cost(std::move(question)));
    set_owners(report, settings_.dimensions);
    return report;
  }
  Result<WaterfallReport> waterfall(WaterfallQuestion question, const std::string& window) override {
    TRY(open_ledger());
    question.zone = zone_;
    TRY_ASSIGN(question.window, window_of(window));
    return reports().waterfall(std::move(question));
  }
  Result<TopReport> top(TopQuestion question, const std::string& window) override {
    TRY(open_ledger());
    question.zone = zone_;
    TRY_ASSIGN(question.window, window_of(window));
    return reports().top(std::move(question));
  }
  Result<ColdStartReport> cold_starts(const std::string& window) override {
    TRY(open_ledger());
    TRY_ASSIGN(const Interval asked, window_of(window));
    return reports().cold_starts(asked, zone_);
  }
  Result<TelemetryReport> telemetry() override {
    TRY(open_ledger());
    std::vector<TelemetryNote> notes = read_telemetry_notes(telemetry_file(directory_));
    std::reverse(notes.begin(), notes.end());
    return TelemetryReport{{}, std::move(notes), zone_};
  }
  Result<void> export_parquet(const std::string& window, const std::string& path) override {
    TRY(open_ledger());
    TRY_ASSIGN(const Interval hours, window_of(window));
    return ledger_->export_rows(whole_hours(hours), path);
  }

  Result<PriceList> prices(const PriceListQuestion& question) override {
    TRY(open_prices());
    return PriceList{list_prices(*prices_->book(), question), zone_};
  }
  Result<PriceImport> import_prices(const std::string& csv, const std::string& file_name) override {
    TRY(open_prices());
    return prices_->import_csv(csv, file_name);
  }
  Result<PriceExplanation> explain_price(const std::string& node) override;
  Result<ImportSummary> import_open_metrics(const std::string& path, const OnImportProgress& on_progress) override;
  Result<ImportSummary> import_prometheus(const PrometheusImport& import, const PrometheusImportEvents& events) override;

 private:
  ReportService reports() const {
    return ReportService(*ledger_, {}, [file = telemetry_file(directory_)](Interval window) {
      std::vector<TelemetryNote> notes = read_telemetry_notes(file);
      std::erase_if(notes, [&](const TelemetryNote& note) { return !note.touches(window); });
      return notes;
    });
  }
  std::string ledger_path() const { return directory_ + "/ledger.duckdb"; }
  Result<void> open_ledger();
  Result<void> open_prices();
  Result<std::unique_ptr<Workshop>> open_workshop();
  Result<Interval> window_of(const std::string& text) const;
  Result<ImportSummary> settle(Workshop& workshop, const IntakeAnswer& answer);

  std::string directory_;
  Settings settings_;
  Language language_;
  TimeZone zone_;
  std::unique_ptr<DuckdbLedger> ledger_;
  std::unique_ptr<PriceService> prices_;
};

Result<void> LocalSource::open_ledger() {
  if (ledger_) return {};
  if (!std::filesystem::exists(ledger_path())) {
    return fail(Code::kNotFound, filled(TextId::kNoLedger, language_, {directory_}), filled(TextId::kNoLedgerHint, language_, {directory_}));
  }
  Database::Options options;
  options.memory_bytes_max = settings_.store.memory_bytes_max;
  options.read_only = true;
  TRY_ASSIGN(ledger_, DuckdbLedger::open(ledger_path(), options));
  return {};
}

Result<void> LocalSource::open_prices() {
  if (prices_) return {};
  TRY_ASSIGN(prices_, PriceService::open(directory_ + "/prices", settings_.prices.files, price_options_of(settings_)));
  return {};
}

Result<Interval> LocalSource::window_of(const std::string& text) const {
  TRY_ASSIGN(const std::optional<TimePoint> end, ReportService(*ledger_).data_end());
  if (!end) {
    return fail(Code::kNotFound, filled(TextId::kEmptyLedger, language_, {directory_}), filled(TextId::kNoLedgerHint, language_, {directory_}));
  }
  return parse_window(text, *end, zone_);
}

Result<std::unique_ptr<Workshop>> LocalSource::open_workshop() {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) return fail(Code::kUnavailable, filled(TextId::kFileUnwritable, language_, {directory_}));
  ledger_.reset();  // a file is open for reading or for writing, not both
  TRY(open_prices());
  Database::Options database;
  database.memory_bytes_max = settings_.store.memory_bytes_max;
  TRY_ASSIGN(std::unique_ptr<DuckdbLedger> store, DuckdbLedger::open(ledger_path(), database));
  auto workshop = std::make_unique<Workshop>();
  IntakeOptions options = intake_options_of(settings_);
  options.accept_any_age = true;
  options.kept_bytes_max = std::max(options.kept_bytes_max, kImportBytesMin);
  TRY_ASSIGN(Catalogue catalogue, catalogue_of(settings_));
  TRY_ASSIGN(BooksOptions books_options, books_options_of(settings_));
  TRY_ASSIGN(workshop->intake, SampleIntake::open(directory_ + "/log", std::move(catalogue), std::move(options), workshop->clock, workshop->counters));
  workshop->ledger = std::make_unique<Ledger>(std::move(store));
  workshop->books = std::make_unique<Books>(*workshop->intake, *workshop->ledger, std::move(books_options));
  return workshop;
}

Result<ImportSummary> LocalSource::import_open_metrics(const std::string& path, const OnImportProgress& on_progress) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) || std::filesystem::is_directory(path, error)) {
    return fail(Code::kNotFound, filled(TextId::kFileUnreadable, language_, {path}));
  }
  TRY_ASSIGN(const std::unique_ptr<Workshop> workshop, open_workshop());
  TRY_ASSIGN(const TextImportReport report, import_text_file(*workshop->intake, path, on_progress));
  return settle(*workshop, report.answer);
}

Result<ImportSummary> LocalSource::import_prometheus(const PrometheusImport& import, const PrometheusImportEvents& events) {
  TRY_ASSIGN(const std::unique_ptr<Workshop> workshop, open_workshop());
  const std::shared_ptr<const PriceBook> prices = prices_->book();
  const std::unique_ptr<BackfillTarget> target = store_target(*workshop->intake, *workshop->books, *prices);
  const BackfillPlace place{*target, workshop->intake->catalogue(), directory_ + "/backfill", {}, zone_};
  TRY_ASSIGN(const BackfillReport report, fill_from_prometheus(import, events, place));
  TRY_ASSIGN(ImportSummary summary, settle(*workshop, report.answer));
  if (report.samples_fetched == 0) return summary;
  // A server that is started on this store judges the logged samples by its horizon, seen from now: an hour on that line would be made
  // anew from half of its samples.
  const TimePoint now = workshop->clock.now();
  TRY(workshop->intake->finalise_before(std::min(hour_of(now), hour_of(now - settings_.ingest.correction_horizon) + std::chrono::hours(1))));
  return summary;
}

Result<ImportSummary> LocalSource::settle(Workshop& workshop, const IntakeAnswer& answer) {
  ImportSummary summary;
  summary.samples_kept = answer.samples_kept;
  summary.samples_ignored = answer.samples_ignored;
  summary.samples_refused = answer.samples_refused;
  summary.first_reason = answer.first_reason;
  TRY(workshop.books->settle(*prices_->book(), true));
  TRY_ASSIGN(const std::vector<TimePoint> hours, workshop.ledger->hours());
  summary.ledger_hours = hours.size();
  if (hours.empty()) return summary;
  CostQuestion question;
  question.window = {hours.front(), hours.back() + std::chrono::hours(1)};
  question.compare_previous = false;
  TRY_ASSIGN(CostReport report, ReportService(*workshop.ledger).cost(std::move(question)));
  summary.totals = std::move(report.totals);
  return summary;
}

// The node as the ledger knows it; a name that it does not know may be an instance type, which is priced where the book has it first.
Result<PriceExplanation> LocalSource::explain_price(const std::string& node) {
  TRY(open_prices());
  const std::shared_ptr<const PriceBook> book = prices_->book();
  const TimePoint now = SystemClock().now();
  PriceQuestion question;
  if (std::filesystem::exists(ledger_path())) {
    TRY(open_ledger());
    TRY_ASSIGN(question, price_question_of_node(*ledger_, node));
  }
  const Result<PriceQuestion> complete = complete_question(*book, question, node);
  if (!complete) return fail(Code::kNotFound, filled(TextId::kNoNode, language_, {node}), std::string(text(TextId::kNoNodeHint, language_)));
  return seedance::explain_price(*book, *complete, now);
}

}  // namespace

std::unique_ptr<ReportSource> local_source(std::string directory, Settings settings, Language language, std::optional<TimeZone> zone) {
  if (!zone) zone = TimeZone::named(settings.ledger.reporting_zone).value_or(TimeZone{});  // settings are checked when they are read
  return std::make_unique<LocalSource>(std::move(directory), std::move(settings), language, *std::move(zone));
}

}  // namespace seedance
