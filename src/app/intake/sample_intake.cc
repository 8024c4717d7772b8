#include "app/intake/sample_intake.h"

#include <algorithm>
#include <thread>

#include "app/hour_input.h"
#include "base/time_text.h"
#include "ingest/remote_write_2.h"
#include "ingest/write_body.h"
#include "signal/replica_election.h"

namespace seedance {
namespace {

constexpr std::int64_t kYear2001Ms = 978'307'200'000;    // before: seconds sent as milliseconds, or nonsense
constexpr std::int64_t kYear2200Ms = 7'258'118'400'000;
constexpr std::int64_t kSilenceMs = 5 * 60'000;           // a node that says nothing for longer was silent
constexpr std::int64_t kSilenceMaxMs = 2 * 3'600'000;     // longer ones are not charged
constexpr std::size_t kLastCheckpointBytes = std::size_t{1} << 20;  // of log: replaying less takes no time
constexpr std::size_t kSeriesBatch = 512;                // read under one lock
constexpr auto kTurnOfOthers = std::chrono::microseconds(50);  // a mutex that is taken again at once starves those who wait for it
constexpr Nanos kOneHour = std::chrono::hours(1);

constexpr std::string_view kFinalFile = "final_before";

Result<TimePoint> read_final(FileLayer& files, const std::string& directory) {
  const Result<std::string> text = files.read(directory + "/" + std::string(kFinalFile));
  if (!text && text.error().code == Code::kNotFound) return TimePoint{};
  if (!text) return tl::unexpected<Error>(text.error());
  return parse_time(std::string_view(*text).substr(0, text->find('\n')));
}

}  // namespace

IntakeAnswer& IntakeAnswer::operator+=(const IntakeAnswer& part) {
  samples_kept += part.samples_kept;
  samples_ignored += part.samples_ignored;
  samples_refused += part.samples_refused;
  histograms_taken += part.histograms_taken;
  exemplars_taken += part.exemplars_taken;
  others_refused += part.others_refused;
  if (first_reason.empty()) first_reason = part.first_reason;
  samples_malformed += part.samples_malformed;
  gpu_samples += part.gpu_samples;
  gpu_samples_without_id += part.gpu_samples_without_id;
  newest_ms = std::max(newest_ms, part.newest_ms);
  sender_counters.insert(sender_counters.end(), part.sender_counters.begin(), part.sender_counters.end());
  return *this;
}

// What of a body is worth keeping.
struct SampleIntake::Judged {
  std::vector<KeptSample> samples;
  IntakeAnswer answer;
  std::map<std::string_view, std::size_t> refused;  // by kind

  void clear() {
    samples.clear();
    answer = {};
    refused.clear();
  }
  // `kind` is one of ours and becomes the label of a metric; `reason` names the sender's metric.
  void refuse(std::string_view kind, std::size_t count, std::string reason) {
    answer.samples_refused += count;
    refused[kind] += count;
    if (answer.first_reason.empty()) answer.first_reason = std::move(reason);
  }
};

// A thread's buffers: after a few requests nothing is allocated any more.
struct SampleIntake::Workspace {
  std::string buffer;
  std::string unpacked;
  DecodedWrite decoded;
  std::vector<std::uint32_t> known;
  Judged judged;

  // One huge body must not hold its memory for ever, also not when it was refused.
  struct Trimmed {
    Workspace& work;
    ~Trimmed() { work.trim(); }
  };
  void trim() {
    constexpr std::size_t kKeptBytes = std::size_t{8} << 20;
    if (buffer.size() > kKeptBytes) std::string().swap(buffer);
    if (unpacked.size() > kKeptBytes) std::string().swap(unpacked);
    if (decoded.samples.capacity() * sizeof(Sample) > kKeptBytes) decoded = DecodedWrite();
    if (judged.samples.capacity() * sizeof(KeptSample) > kKeptBytes) judged = Judged();
  }
};

// The times that are accepted without a second look.
struct SampleIntake::AgeLimits {
  std::int64_t from_ms = kYear2001Ms;
  std::int64_t to_ms = kYear2200Ms;
  std::int64_t final_ms = 0;   // before: the hour is final
  std::int64_t future_ms = 0;  // after: too far in the future

  AgeLimits(const IntakeOptions& options, std::int64_t now_ms, TimePoint oldest, bool accept_any_age) {
    final_ms = millis_of(oldest);
    from_ms = std::max(from_ms, final_ms);
    future_ms = to_ms;
    if (accept_any_age) return;
    const TimePoint now = time_from_millis(now_ms);
    from_ms = std::max(from_ms, millis_of(now - options.correction_horizon - kOneHour));
    future_ms = millis_of(now + options.future_limit);
    to_ms = std::min(to_ms, future_ms);
  }
  bool accepts(std::int64_t ms) const { return ms >= from_ms && ms <= to_ms; }
  const char* reason(std::int64_t ms) const {
    if (ms < kYear2001Ms || ms > kYear2200Ms) return "timestamp is not a time in milliseconds";
    if (ms < final_ms) return "sample is older than the correction horizon: its hour is final";
    return ms > future_ms ? "timestamp is too far in the future" : "sample is older than the correction horizon";
  }
};

SampleIntake::SampleIntake(Catalogue catalogue, IntakeOptions options, const Clock& clock, Counters& counters)
    : options_(std::move(options)),
      clock_(clock),
      counters_(counters),
      kept_counter_(counters.counter("ingest_samples", "Samples received, by outcome", "outcome=\"kept\"")),
      ignored_counter_(counters.counter("ingest_samples", "Samples received, by outcome", "outcome=\"ignored\"")),
      refused_counter_(counters.counter("ingest_samples", "Samples received, by outcome", "outcome=\"refused\"")),
      log_gauge_(counters.gauge("ingest_log_writable", "1 while the sample log takes records")),
      tenants_(options_.tenants),
      registry_(std::move(catalogue), options_.series, options_.replica_labels) {}

Result<std::unique_ptr<SampleIntake>> SampleIntake::open(const std::string& directory, Catalogue catalogue, IntakeOptions options,
                                                         const Clock& clock, Counters& counters) {
  std::unique_ptr<SampleIntake> intake(new SampleIntake(std::move(catalogue), std::move(options), clock, counters));
  if (!directory.empty()) TRY(intake->replay(directory));
  return intake;
}

Result<void> SampleIntake::replay(const std::string& directory) {
  directory_ = directory;
  TRY_ASSIGN(log_, WriteLog::open(directory, options_.log_segment_bytes, *options_.files));
  TRY_ASSIGN(final_before_, read_final(*options_.files, directory));
  TRY_ASSIGN(const std::uint64_t sequence, checkpoint_.load());
  if (sequence > 0) TRY(log_->start_at(sequence));
  Workspace work;
  // The first hour that can still change needs the last minutes of the one before it, as before the restart.
  const TimePoint oldest = final_before_ - kOneHour;
  return log_->replay([&](const LogRecord& record) -> Result<void> {
    TRY(decode(record.kind, record.payload, options_.body_bytes_max, work));
    // As the first time; an import may have been taken without regard to its age by another program.
    judge(work, AgeLimits(options_, record.received_ms, oldest, record.is_any_age || options_.accept_any_age), record.tenant, SIZE_MAX);
    keep(work.judged, {});
    return {};
  });
}

Result<void> SampleIntake::decode(LogRecordKind kind, std::string_view compressed_body, std::size_t bytes_max, Workspace& work) const {
  std::string_view raw;
  if (kind == LogRecordKind::kPrometheusWriteZstd) {
    TRY_ASSIGN(work.unpacked, decompress_zstd(compressed_body, bytes_max));
    raw = work.unpacked;
  } else {
    TRY_ASSIGN(raw, decompress_snappy(compressed_body, bytes_max, work.buffer));
  }
  return kind == LogRecordKind::kPrometheusWrite2 ? decode_write_request_2(raw, work.decoded) : decode_write_request(raw, work.decoded);
}

void SampleIntake::judge_series(const DecodedSeries& series, std::uint32_t known, const AgeLimits& limits, const SeriesRoom& room, Workspace& work) {
  Judged& out = work.judged;
  Resolved resolved{known == SeriesTable::kNotWanted ? Resolved::Kind::kIgnored : Resolved::Kind::kSeries, known};
  if (known == SeriesTable::kUnknown) {
    resolved = registry_.resolve(series.label_block, room);
  } else if (known != SeriesTable::kNotWanted && registry_.meaning(known) == nullptr) {
    resolved.kind = Resolved::Kind::kIgnored;
  }
  if (resolved.kind == Resolved::Kind::kIgnored) {
    out.answer.samples_ignored += series.sample_count;
    return;
  }
  if (resolved.kind != Resolved::Kind::kSeries) {
    const bool over_limit = resolved.kind == Resolved::Kind::kOverLimit;
    if (!over_limit) out.answer.samples_malformed += series.sample_count;
    out.refuse(over_limit ? "series-limit" : "labels", series.sample_count, registry_.last_error().message);
    return;
  }
  const SeriesMeaning& meaning = *registry_.meaning(resolved.series);
  if (meaning.device != 0) out.answer.gpu_samples += series.sample_count;
  if (meaning.is_device_by_place) out.answer.gpu_samples_without_id += series.sample_count;
  const bool is_senders_own = meaning.signal >= SignalId::kSenderSamplesAttempted && meaning.signal <= SignalId::kSenderSamplesFailed;
  for (std::uint32_t i = 0; i < series.sample_count; ++i) {
    const Sample& sample = work.decoded.samples[series.sample_begin + i];
    if (is_senders_own) out.answer.sender_counters.push_back({resolved.series, meaning.signal, sample});
    if (limits.accepts(sample.timestamp_ms)) {
      out.samples.push_back({resolved.series, sample});
      out.answer.newest_ms = std::max(out.answer.newest_ms, sample.timestamp_ms);
      continue;
    }
    out.refuse("time", 1, std::string(limits.reason(sample.timestamp_ms)) + ": " + std::string(registry_.table().metric_name(resolved.series)) + " at " +
                              std::to_string(sample.timestamp_ms));
  }
}

void SampleIntake::judge(Workspace& work, const AgeLimits& limits, std::string_view tenant, std::size_t series_max) {
  Judged& out = work.judged;
  const DecodedWrite& decoded = work.decoded;
  out.clear();
  out.answer.histograms_taken = decoded.histogram_count;
  out.answer.exemplars_taken = decoded.exemplar_count;
  out.answer.others_refused = decoded.histograms_refused + decoded.exemplars_refused;
  if (decoded.first_refusal != nullptr) out.refuse("series", decoded.samples_refused, decoded.first_refusal);
  out.answer.samples_malformed = decoded.samples_refused;
  registry_.find_known(decoded.series, work.known);
  SeriesRoom room{tenant, SIZE_MAX, tenants_.of(tenant).labels_max};
  if (room.labels_max == 0) room.labels_max = SIZE_MAX;
  for (std::size_t i = 0; i < decoded.series.size(); ++i) {
    if (work.known[i] == SeriesTable::kUnknown && series_max != SIZE_MAX) room.series_left = series_max - std::min(series_max, registry_.series_of_owner(tenant));
    judge_series(decoded.series[i], work.known[i], limits, room, work);
  }
  out.answer.samples_kept = out.samples.size();
}

void SampleIntake::mark_dirty_around(std::int64_t timestamp_ms) {
  const TimePoint at = time_from_millis(timestamp_ms);
  for (const TimePoint t : {at - kHourMargin, at, at + kHourMargin}) {
    const TimePoint hour = hour_of(t);
    if (hour >= final_before_) dirty_.insert(hour);
  }
}

void SampleIntake::mark_silence(std::uint32_t series, std::int64_t timestamp_ms) {
  const auto [last, is_first] = node_seen_.try_emplace(series, timestamp_ms);
  const std::int64_t from = std::min(last->second, timestamp_ms);
  const std::int64_t to = std::max(last->second, timestamp_ms);
  last->second = to;
  if (to - from <= kSilenceMs || to - from > kSilenceMaxMs) return;
  for (std::int64_t at = from; at < to; at += kSilenceMs) mark_dirty_around(at);
}

void SampleIntake::keep(const Judged& judged, const SampleSource& source) {
  std::int64_t marked_minute = INT64_MIN;
  for (const KeptSample& k : judged.samples) {
    kept_.add(k.series, k.sample);
    if (registry_.meaning(k.series)->signal == SignalId::kNodeInfo) mark_silence(k.series, k.sample.timestamp_ms);
    if (const std::int64_t minute = k.sample.timestamp_ms / 60'000; minute != marked_minute) {
      mark_dirty_around(k.sample.timestamp_ms);
      marked_minute = minute;
    }
  }
  if (judged.samples.empty()) return;
  if (observer_) observer_(judged.samples, source);
  newest_ = std::max(newest_, time_from_millis(judged.answer.newest_ms));
}

Result<void> SampleIntake::admit(const Workspace& work, std::string_view tenant) {
  if (tenants_.admit(tenant, work.decoded.samples.size(), clock_.now())) return {};
  counters_.counter("ingest_refused_requests", "Requests answered 503, by reason", "reason=\"rate\"").add();
  // Who is to blame: the metric that brings most, and what makes it many.
  std::map<std::string_view, std::vector<std::string_view>> by_metric;
  for (const DecodedSeries& series : work.decoded.series) by_metric[metric_name_of_block(series.label_block)].push_back(series.label_block);
  const auto most = std::max_element(by_metric.begin(), by_metric.end(), [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  std::string message = "too many samples a second of tenant " + text_for_message(tenant) + ", allowed: " + std::to_string(tenants_.of(tenant).samples_per_second_max);
  if (most != by_metric.end()) {
    constexpr std::size_t kLookedAt = 1'000;  // a refusal must stay cheap
    const BusiestLabel label = busiest_label(std::span(most->second).first(std::min(kLookedAt, most->second.size())));
    message += "; of this request's " + std::to_string(work.decoded.samples.size()) + " samples most are of metric " + text_for_message(most->first) + " with " +
               std::to_string(most->second.size()) + " series, told apart by label " + text_for_message(label.name) + " with " + std::to_string(label.values) + " values";
  }
  return fail(Code::kExhausted, std::move(message), "scrape less often, drop series at the sender, or raise the limit of the tenant");
}

Result<IntakeAnswer> SampleIntake::take(std::string_view compressed_body, LogRecordKind kind, const SampleSource& source) {
  thread_local Workspace work;
  const Workspace::Trimmed trimmed{work};
  const TenantLimit& tenant = tenants_.of(source.tenant);
  // A batch is made by us; whoever made it has looked at the size of what came.
  const bool is_limited = tenant.body_bytes_max != 0 && kind != LogRecordKind::kSeriesBatch;
  const Result<void> decoded = decode(kind, compressed_body, is_limited ? std::min(options_.body_bytes_max, tenant.body_bytes_max) : options_.body_bytes_max, work);
  if (!decoded && is_limited) return fail_in("tenant " + std::string(source.tenant), decoded.error());
  TRY(decoded);
  TRY(admit(work, source.tenant));
  const std::int64_t now_ms = millis_of(clock_.now());
  {
    const std::lock_guard lock(mutex_);
    if (kept_.bytes() > options_.kept_bytes_max) {
      counters_.counter("ingest_refused_requests", "Requests answered 503, by reason", "reason=\"memory\"").add();
      return fail(Code::kExhausted, "kept samples use more memory than ingest.kept_bytes_max: " + std::to_string(kept_.bytes()),
                  "raise ingest.kept_bytes_max, shorten ingest.correction_horizon, or import a shorter stretch of time");
    }
    judge(work, AgeLimits(options_, now_ms, final_before_, options_.accept_any_age), source.tenant, tenant.series_max == 0 ? SIZE_MAX : tenant.series_max);
  }
  if (!work.judged.samples.empty()) {
    const TakeBarrier::Pass pass(takes_);
    // Durable before anybody can see it, and before the answer; concurrent requests share one sync.
    if (log_) {
      const Result<void> logged = log_->append({kind, work.judged.answer.newest_ms, now_ms, compressed_body, source.tenant, options_.accept_any_age});
      log_writable_ = logged.has_value();
      log_gauge_.set(logged ? 1 : 0);
      if (!logged) return tl::unexpected<Error>(logged.error());
    }
    const std::lock_guard lock(mutex_);
    keep(work.judged, source);
  }
  count(work.judged);
  return std::move(work.judged.answer);
}

void SampleIntake::count(const Judged& judged) {
  kept_counter_.add(static_cast<std::int64_t>(judged.answer.samples_kept));
  ignored_counter_.add(static_cast<std::int64_t>(judged.answer.samples_ignored));
  refused_counter_.add(static_cast<std::int64_t>(judged.answer.samples_refused));
  for (const auto& [reason, n] : judged.refused) {
    counters_.counter("ingest_refused_samples", "Samples refused, by reason", "reason=\"" + std::string(reason) + "\"").add(static_cast<std::int64_t>(n));
  }
}

std::vector<TimePoint> SampleIntake::take_dirty_hours() {
  const std::lock_guard lock(mutex_);
  std::vector<TimePoint> out(dirty_.begin(), dirty_.end());
  dirty_.clear();
  return out;
}

void SampleIntake::mark_dirty(TimePoint hour) {
  const std::lock_guard lock(mutex_);
  dirty_.insert(hour);
}

TimePoint SampleIntake::watermark() const {
  const std::lock_guard lock(mutex_);
  return bounded_watermark();
}

TimePoint SampleIntake::bounded_watermark() const { return options_.accept_any_age ? newest_ : std::min(newest_, clock_.now()); }

TimePoint SampleIntake::final_before() const {
  const std::lock_guard lock(mutex_);
  return final_before_;
}

Result<void> SampleIntake::finalise() {
  const std::lock_guard lock(mutex_);
  if (options_.accept_any_age) return {};
  return make_final(hour_of(bounded_watermark() - options_.correction_horizon));
}

Result<void> SampleIntake::finalise_before(TimePoint limit) {
  const std::lock_guard lock(mutex_);
  return make_final(hour_of(limit));
}

Result<void> SampleIntake::make_final(TimePoint limit) {
  if (!dirty_.empty()) limit = std::min(limit, *dirty_.begin());
  if (limit <= final_before_) return {};
  if (log_) {
    // On disk before any sample of these hours goes: an hour that is recomputed from half of its samples would be wrong for good.
    TRY(replace_file(*options_.files, directory_, std::string(kFinalFile), print_time(limit) + "\n"));
  }
  final_before_ = limit;
  // The first hour that can still change needs the last minutes of the one before it.
  for (const TimePoint hour : kept_.hours()) {
    if (hour + kOneHour < limit) kept_.drop_hour(hour);
  }
  if (log_) log_->truncate_before(limit - kOneHour);
  return {};
}

Result<CheckpointReport> SampleIntake::checkpoint() {
  if (!log_) return CheckpointReport{};
  const std::lock_guard lock(checkpoint_mutex_);
  return checkpoint_.write();
}

bool SampleIntake::is_checkpoint_due() const {
  if (!log_) return false;
  const std::lock_guard lock(checkpoint_mutex_);
  return log_->bytes() > std::max<std::uint64_t>(options_.checkpoint_log_bytes, checkpoint_.bytes_written());
}

bool SampleIntake::is_last_checkpoint_due() const {
  return log_ && log_->bytes() > std::min<std::size_t>(options_.checkpoint_log_bytes, kLastCheckpointBytes);
}

// The election is by whole minutes, whatever part of them is asked for.
void SampleIntake::read_twins(std::uint32_t series, Interval window, std::vector<Sample>& out) const {
  constexpr Nanos kMinute = std::chrono::minutes(1);
  const auto minute_of = [&](TimePoint t) { return t - t.time_since_epoch() % kMinute; };
  const Interval minutes{minute_of(window.from), minute_of(window.to) + kMinute - std::chrono::milliseconds(1)};
  std::vector<ReplicaSamples> replicas;
  std::uint32_t twin = series;
  do {
    replicas.push_back({registry_.symbols().text(registry_.twins().replica(twin)), {}});
    kept_.read(twin, minutes, replicas.back().samples);
    twin = registry_.twins().next(twin);
  } while (twin != series);
  elect_replicas(replicas, signal_of(registry_.meaning(series)->signal).kind == SignalKind::kCounter, out);
  std::erase_if(out, [&](const Sample& s) { return time_from_millis(s.timestamp_ms) < window.from || time_from_millis(s.timestamp_ms) > window.to; });
}

void SampleIntake::read_hour(Interval window, const std::function<bool(const SeriesMeaning&)>& wanted,
                             const std::function<void(std::uint32_t, std::span<const Sample>)>& on_series) const {
  std::vector<std::uint32_t> series;
  {
    const std::lock_guard lock(mutex_);
    series = kept_.series_in(window);
  }
  std::vector<Sample> samples;
  std::set<std::uint32_t> read_with_a_twin;
  for (std::size_t begin = 0; begin < series.size(); begin += kSeriesBatch) {
    if (begin > 0) std::this_thread::sleep_for(kTurnOfOthers);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = begin; i < std::min(series.size(), begin + kSeriesBatch); ++i) {
      const SeriesMeaning* meaning = registry_.meaning(series[i]);
      if (meaning == nullptr || !wanted(*meaning) || read_with_a_twin.erase(series[i]) > 0) continue;
      const TwinSeries& twins = registry_.twins();
      if (twins.next(series[i]) == series[i]) {
        kept_.read(series[i], window, samples);
      } else {
        read_twins(series[i], window, samples);
        for (std::uint32_t twin = twins.next(series[i]); twin != series[i]; twin = twins.next(twin)) {
          if (twin > series[i]) read_with_a_twin.insert(twin);
        }
      }
      if (!samples.empty()) on_series(series[i], samples);
    }
  }
}

std::vector<TimePoint> SampleIntake::open_hours() const {
  const std::lock_guard lock(mutex_);
  std::vector<TimePoint> out = kept_.hours();
  std::erase_if(out, [&](TimePoint hour) { return hour < final_before_; });
  return out;
}

std::size_t SampleIntake::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_.bytes();
}

std::size_t SampleIntake::kept_samples() const {
  const std::lock_guard lock(mutex_);
  return kept_.samples();
}

std::size_t SampleIntake::series() const {
  const std::lock_guard lock(mutex_);
  return registry_.table().size();
}

}  // namespace seedance
