#include "app/intake/otlp_import.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ingest/otlp/otlp_json.h"
#include "ingest/otlp/otlp_metrics.h"
#include "ingest/otlp/otlp_series.h"
#include "ingest/write_encoder.h"

namespace seedance {
namespace {

constexpr std::size_t kOtlpBatchSamples = 50'000;

Result<void> walk(std::string_view body, OtlpEncoding encoding, const OnOtlpPoint& on_point) {
  return encoding == OtlpEncoding::kJson ? decode_otlp_json(body, on_point) : decode_otlp_metrics(body, on_point);
}

// Series of one kind on their way to the intake: those whose points make one sample each, or those of deltas.
class OtlpBatch {
 public:
  OtlpBatch(SampleIntake& intake, const SampleSource& source, std::size_t samples_a_point) : intake_(intake), source_(source), samples_a_point_(samples_a_point) {}

  void add(const OtlpTranslator::Series& series) {
    append_series(message_, series.label_block, series.samples);
    samples_ += series.samples.size();
  }
  std::size_t samples() const { return samples_; }

  Result<void> flush(OtlpReport& report) {
    if (samples_ == 0) return {};
    const std::string body = compress_snappy(message_);
    message_.clear();
    samples_ = 0;
    TRY_ASSIGN(const IntakeAnswer answer, intake_.take(body, LogRecordKind::kSeriesBatch, source_));
    report.samples_ignored += answer.samples_ignored;
    report.points_rejected += (answer.samples_refused + samples_a_point_ - 1) / samples_a_point_;
    if (report.first_reason.empty()) report.first_reason = answer.first_reason;
    report.taken += answer;
    return {};
  }

 private:
  SampleIntake& intake_;
  const SampleSource& source_;
  std::size_t samples_a_point_;
  std::string message_;  // a remote write request; in the order of the points, a series may come more than once
  std::size_t samples_ = 0;
};

class OtlpImport {
 public:
  OtlpImport(SampleIntake& intake, const SampleSource& source, std::string_view body, OtlpEncoding encoding)
      : body_(body),
        encoding_(encoding),
        plain_(intake, source, 1),
        deltas_(intake, source, 3),
        translator_([&intake](std::string_view metric) { return intake.catalogue().find(metric) != nullptr; },
                    [this](const OtlpTranslator::Series& series) { (series.samples_a_point == 1 ? plain_ : deltas_).add(series); }) {}

  Result<OtlpReport> run() {
    TRY(walk(body_, encoding_, [this](const OtlpPointRef& ref) { return add(ref); }));
    translator_.finish();
    TRY(flush());
    const OtlpCounts& counts = translator_.counts();
    report_.points = counts.points;
    // A histogram is many samples; and target_info is nobody's point.
    report_.points_rejected = std::min(counts.points, report_.points_rejected + counts.points_rejected);
    if (!counts.first_reason.empty()) report_.first_reason = counts.first_reason;
    return report_;
  }

  std::uint64_t samples_unread() const { return translator_.counts().samples_ignored; }

 private:
  Result<void> add(const OtlpPointRef& ref) {
    translator_.add(ref);
    if (plain_.samples() + deltas_.samples() < kOtlpBatchSamples) return {};
    if (!std::exchange(readable_, true)) TRY(walk(body_, encoding_, [](const OtlpPointRef&) -> Result<void> { return {}; }));
    return flush();
  }

  Result<void> flush() {
    TRY(plain_.flush(report_));
    return deltas_.flush(report_);
  }

  std::string_view body_;
  OtlpEncoding encoding_;
  bool readable_ = false;  // to its end
  OtlpReport report_;
  OtlpBatch plain_;
  OtlpBatch deltas_;
  OtlpTranslator translator_;
};

}  // namespace

Result<OtlpReport> import_otlp(SampleIntake& intake, Counters& counters, std::string_view body, OtlpEncoding encoding, const SampleSource& source) {
  OtlpImport import(intake, source, body, encoding);
  TRY_ASSIGN(OtlpReport report, import.run());
  report.samples_ignored += import.samples_unread();
  // What the translation leaves out never reaches the intake, which counts the others.
  counters.counter("ingest_samples", "Samples received, by outcome", "outcome=\"ignored\"").add(static_cast<std::int64_t>(import.samples_unread()));
  const auto count = [&](const char* label, std::uint64_t points) {
    counters.counter("ingest_otlp_points", "OTLP data points received, by outcome", label).add(static_cast<std::int64_t>(points));
  };
  count("outcome=\"taken\"", report.points - report.points_rejected);
  count("outcome=\"rejected\"", report.points_rejected);
  return report;
}

std::string rejection_message(const OtlpReport& report) {
  if (report.points_rejected == 0) return {};
  return std::to_string(report.points_rejected) + " of " + std::to_string(report.points) + " data points were rejected: " + report.first_reason;
}

}  // namespace seedance
