// The door of the ledger: bytes in, an honest answer out, samples kept.
//
// A body is decoded and judged sample by sample; what is good is logged (durable before the answer) and kept, what is bad is
// counted and named, and one bad sample never costs a good one. Hours that the samples can change are marked dirty.
// Idempotent: the same body again changes nothing. Any thread may call `take`; they decode in parallel.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/checkpoint/intake_checkpoint.h"
#include "app/checkpoint/take_barrier.h"
#include "app/intake/series_registry.h"
#include "app/intake/tenant_limits.h"
#include "base/clock.h"
#include "base/counters.h"
#include "ingest/prometheus_write.h"
#include "signal/quality/sender_balance.h"
#include "store/kept_samples.h"
#include "store/log/write_log.h"

namespace seedance {

struct IntakeOptions {
  bool accept_any_age = false;      // replay and import: no comparison with our own clock
  Nanos future_limit = std::chrono::minutes(10);
  Nanos correction_horizon = std::chrono::hours(6);
  std::size_t body_bytes_max = std::size_t{32} << 20;   // after decompression
  std::size_t kept_bytes_max = std::size_t{512} << 20;  // memory of kept samples
  SeriesLimits series;
  TenantLimitOptions tenants;
  std::vector<std::string> replica_labels;  // see TwinSeries; empty: no HA pairs
  std::size_t log_segment_bytes = std::size_t{64} << 20;
  std::size_t checkpoint_log_bytes = std::size_t{64} << 20;  // the least log for which a checkpoint is written
  FileLayer* files = &posix_files();
};

// Who brings samples.
struct SampleSource {
  std::string_view tenant = {};  // see TenantLimits; at most 64 bytes
  bool is_light = false;  // only what money needs goes into windows and features; see signal/quality/sender_gates.h
};

struct IntakeAnswer {
  std::size_t samples_kept = 0;
  std::size_t samples_ignored = 0;   // of metrics that nobody reads
  std::size_t samples_refused = 0;
  std::size_t histograms_taken = 0;  // sound ones; no signal reads them, so nothing is kept
  std::size_t exemplars_taken = 0;
  std::size_t others_refused = 0;    // histograms and exemplars
  std::string first_reason;          // of a refusal, with the metric's name
  // For the gates of telemetry quality.
  std::size_t samples_malformed = 0;  // of the refused: the series is none
  std::size_t gpu_samples = 0;        // of series about a GPU
  std::size_t gpu_samples_without_id = 0;
  std::int64_t newest_ms = INT64_MIN;  // of the kept ones
  std::vector<SenderCounter> sender_counters;

  std::size_t samples_taken() const { return samples_kept + samples_ignored; }
  std::size_t refused() const { return samples_refused + others_refused; }
  // Of an import that comes in parts.
  IntakeAnswer& operator+=(const IntakeAnswer& part);
};

class SampleIntake {
 public:
  // Opens the log under `directory`, reads its checkpoint and replays what came since; an empty directory keeps everything in memory only.
  static Result<std::unique_ptr<SampleIntake>> open(const std::string& directory, Catalogue catalogue, IntakeOptions options,
                                                    const Clock& clock, Counters& counters);

  // A compressed body of the kind that is named. kInvalid, kTooLarge: nothing was kept. kExhausted, kUnavailable: nothing was
  // kept, send again later.
  Result<IntakeAnswer> take(std::string_view compressed_body, LogRecordKind kind = LogRecordKind::kPrometheusWrite, const SampleSource& source = {});

  const TenantLimit& limit_of(std::string_view tenant) const { return tenants_.of(tenant); }

  // Calls `observer` with the samples of every request kept from now on, under the lock. Once, before the first `take`.
  using KeptObserver = std::function<void(std::span<const KeptSample>, const SampleSource&)>;
  void on_kept(KeptObserver observer) { observer_ = std::move(observer); }

  // Hours whose rows may be out of date, oldest first; the caller recomputes them.
  std::vector<TimePoint> take_dirty_hours();
  void mark_dirty(TimePoint hour);

  // The newest event time accepted, but never ahead of our own clock: a sender whose clock is fast closes nobody's windows and
  // hours. TimePoint{} when there is none.
  TimePoint watermark() const;

  // Hours before this are final: their samples are gone and later ones are refused.
  TimePoint final_before() const;
  // Makes hours final that ended before the horizon and are not dirty, and frees their samples and log files.
  Result<void> finalise();
  // The same for the hours before `limit`, whatever the horizon: an import that goes forward in time has settled them.
  Result<void> finalise_before(TimePoint limit);

  // Writes a checkpoint, so that the next start reads it and not the log before; samples come in meanwhile. `is_checkpoint_due`: the log since
  // the last one has grown to its size. At a clean stop a much shorter log is worth one.
  Result<CheckpointReport> checkpoint();
  bool is_checkpoint_due() const;
  bool is_last_checkpoint_due() const;

  // Walks all series with samples around an hour; of an HA pair, one series with the samples of the replica that won each minute.
  // Takes the lock for a batch of series at a time, so that intake goes on.
  void read_hour(Interval window, const std::function<bool(const SeriesMeaning&)>& wanted,
                 const std::function<void(std::uint32_t, std::span<const Sample>)>& on_series) const;

  const Catalogue& catalogue() const { return registry_.catalogue(); }  // any thread
  const SeriesRegistry& registry() const { return registry_; }  // under read_hour, or when no intake runs
  // Hours that hold samples and are not final.
  std::vector<TimePoint> open_hours() const;
  // False after a record could not be written; true again after the next success.
  bool is_log_writable() const { return log_writable_; }
  std::size_t kept_bytes() const;
  std::size_t kept_samples() const;
  std::size_t series() const;
  std::size_t log_bytes() const { return log_ ? log_->bytes() : 0; }
  std::size_t log_syncs() const { return log_ ? log_->syncs() : 0; }

 private:
  friend class IntakeCheckpoint;
  struct Judged;
  struct Workspace;
  struct AgeLimits;
  SampleIntake(Catalogue catalogue, IntakeOptions options, const Clock& clock, Counters& counters);
  Result<void> replay(const std::string& directory);
  Result<void> decode(LogRecordKind kind, std::string_view compressed_body, std::size_t bytes_max, Workspace& work) const;
  Result<void> admit(const Workspace& work, std::string_view tenant);
  // Fills `work.judged`. Samples before `oldest` are refused, whatever their age.
  void judge(Workspace& work, const AgeLimits& limits, std::string_view tenant, std::size_t series_max);
  void judge_series(const DecodedSeries& series, std::uint32_t known, const AgeLimits& limits, const SeriesRoom& room, Workspace& work);
  void keep(const Judged& judged, const SampleSource& source);
  void mark_dirty_around(std::int64_t timestamp_ms);
  void mark_silence(std::uint32_t series, std::int64_t timestamp_ms);
  void count(const Judged& judged);
  TimePoint bounded_watermark() const;
  void read_twins(std::uint32_t series, Interval window, std::vector<Sample>& out) const;
  Result<void> make_final(TimePoint limit);  // under the lock

  IntakeOptions options_;
  const Clock& clock_;
  Counters& counters_;
  Counter& kept_counter_;
  Counter& ignored_counter_;
  Counter& refused_counter_;
  Counter& log_gauge_;
  std::string directory_;
  std::unique_ptr<WriteLog> log_;
  TakeBarrier takes_;
  mutable std::mutex checkpoint_mutex_;  // guards checkpoint_; taken before the lock below
  IntakeCheckpoint checkpoint_{*this};
  KeptObserver observer_;
  std::atomic<bool> log_writable_{true};
  TenantLimits tenants_;

  mutable std::mutex mutex_;  // guards everything below
  SeriesRegistry registry_;
  KeptSamples kept_;
  std::set<TimePoint> dirty_;
  std::map<std::uint32_t, std::int64_t> node_seen_;  // newest sample of each node series
  TimePoint newest_{};  // event time accepted
  TimePoint final_before_{};
};

}  // namespace seedance
