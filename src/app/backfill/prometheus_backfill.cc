#include "app/backfill/prometheus_backfill.h"

#include <algorithm>

namespace seedance {
namespace {

constexpr Nanos kStretch = std::chrono::hours(1);
constexpr std::size_t kBatchBytesMax = std::size_t{4} << 20;  // of labels and samples, below every receiver's limit of a body

TimePoint stretch_end(TimePoint from, TimePoint to) { return std::min(to, hour_of(from) + kStretch); }

std::uint64_t stretches(TimePoint from, TimePoint to) {
  if (to <= from) return 0;
  return static_cast<std::uint64_t>((nanos_of(to) - nanos_of(hour_of(from)) + kNanosPerHour - 1) / kNanosPerHour);
}

// Collects series until they are worth a body.
class Batch {
 public:
  Batch(BackfillTarget& target, BackfillReport& report, const BackfillJob& job) : target_(target), report_(report), job_(job) {}

  Result<void> add(std::vector<SeriesSamples> series) {
    for (SeriesSamples& one : series) {
      add_external_labels(one.labels, job_.labels);
      samples_ += one.samples.size();
      bytes_ += one.samples.size() * sizeof(Sample);
      for (const Label& label : one.labels) bytes_ += label.name.size() + label.value.size();
      series_.push_back(std::move(one));
      if (samples_ >= target_.batch_samples_max() || bytes_ >= kBatchBytesMax) TRY(flush());
    }
    return {};
  }

  Result<void> flush() {
    if (series_.empty()) return {};
    TRY_ASSIGN(const IntakeAnswer answer, target_.take(series_));
    report_.samples_fetched += samples_;
    IntakeAnswer& sum = report_.answer;
    sum.samples_kept += answer.samples_kept;
    sum.samples_ignored += answer.samples_ignored;
    sum.samples_refused += answer.samples_refused;
    if (sum.first_reason.empty() && !answer.first_reason.empty()) {
      sum.first_reason = answer.first_reason;
      if (job_.on_refused) job_.on_refused(sum.first_reason);
    }
    series_.clear();
    samples_ = 0;
    bytes_ = 0;
    return {};
  }

 private:
  BackfillTarget& target_;
  BackfillReport& report_;
  const BackfillJob& job_;
  std::vector<SeriesSamples> series_;
  std::size_t samples_ = 0;
  std::size_t bytes_ = 0;
};

// Where to go on. The last hour of an earlier run is fetched again unless it was whole: its last scrapes may have come since.
TimePoint resume_at(const BackfillJob& job, const std::optional<Interval>& done) {
  if (!done || done->from > job.window.from || done->to <= job.window.from) return job.window.from;
  return done->to >= job.window.to ? job.window.to : std::max(job.window.from, hour_of(done->to));
}

}  // namespace

void add_external_labels(Labels& labels, const Labels& external) {
  const std::size_t own = labels.size();
  for (const Label& label : external) {
    const auto end = labels.begin() + static_cast<std::ptrdiff_t>(own);
    if (std::none_of(labels.begin(), end, [&](const Label& l) { return l.name == label.name; })) labels.push_back(label);
  }
  if (labels.size() > own) std::sort(labels.begin(), labels.end());
}

Result<BackfillReport> backfill(PrometheusReader& reader, const Catalogue& catalogue, const BackfillJob& job, BackfillTarget& target, BackfillProgress& progress) {
  BackfillReport report;
  const TimePoint begin = resume_at(job, progress.done());
  const TimePoint done_from = progress.done() && begin > job.window.from ? progress.done()->from : job.window.from;
  if (begin > job.window.from && job.on_resumed) job.on_resumed(begin);
  if (begin >= job.window.to) return report;
  TRY(target.begin(begin));
  TRY_ASSIGN(const std::vector<std::string> metrics, reader.metric_names({begin, job.window.to}, catalogue));
  const std::uint64_t all = stretches(job.window.from, job.window.to);
  for (TimePoint from = begin; from < job.window.to;) {
    const Interval stretch{from, stretch_end(from, job.window.to)};
    Batch batch(target, report, job);
    for (const std::string& metric : metrics) {
      TRY(reader.read(metric, stretch, [&](std::vector<SeriesSamples> series) { return batch.add(std::move(series)); }));
      if (job.on_progress) job.on_progress(stretches(job.window.from, from), all, report.samples_fetched);
    }
    TRY(batch.flush());
    TRY(target.reached(stretch.to));
    TRY(progress.save({done_from, stretch.to}));
    from = stretch.to;
    if (job.on_progress) job.on_progress(stretches(job.window.from, from), all, report.samples_fetched);
  }
  return report;
}

}  // namespace seedance
