// Fills a stretch of time from a Prometheus: hour after hour, all metrics of an hour before the next, each piece durable at its target
// before the progress says so.
//
// Going forward in time bounds the memory: a store settles the hours behind and frees their samples. Killed at any moment and run
// again, the target holds what one run would have brought: samples are a set, and the hour that was not finished is fetched again.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "app/backfill/backfill_progress.h"
#include "app/backfill/prometheus_reader.h"
#include "app/books.h"
#include "app/intake/sample_intake.h"

namespace seedance {

// Where the samples go.
class BackfillTarget {
 public:
  virtual ~BackfillTarget() = default;
  // How many samples one `take` should bring at most, give or take a series.
  virtual std::size_t batch_samples_max() const = 0;
  // Whether samples from this time on can still be taken.
  virtual Result<void> begin(TimePoint from) = 0;
  // Durable when it returns.
  virtual Result<IntakeAnswer> take(std::span<const SeriesSamples> series) = 0;
  // Every sample before `to` has been taken, and none before it will come.
  virtual Result<void> reached(TimePoint to) = 0;
};

// A store that nobody else has open. `intake`, `books` and `prices` outlive it.
std::unique_ptr<BackfillTarget> store_target(SampleIntake& intake, Books& books, const PriceBook& prices);

// A server that speaks remote write 1.0: `post` sends a body to /api/v1/write. It settles its hours by itself.
using PostWrite = std::function<Result<HttpResponse>(const std::string& body)>;
std::unique_ptr<BackfillTarget> write_target(PostWrite post, PrometheusReader::Rest rest);

struct BackfillJob {
  Interval window;  // whole milliseconds
  Labels labels;    // added where a series has no such label, as a sender's external labels
  // Told once, when there are any.
  std::function<void(TimePoint)> on_resumed = {};
  std::function<void(const std::string& reason)> on_refused = {};
  // Hours fetched so far and in all, samples so far.
  std::function<void(std::uint64_t done_hours, std::uint64_t all_hours, std::uint64_t samples)> on_progress = {};
};

struct BackfillReport {
  IntakeAnswer answer;  // summed; of a server, everything that it acknowledged counts as kept
  std::uint64_t samples_fetched = 0;
};

Result<BackfillReport> backfill(PrometheusReader& reader, const Catalogue& catalogue, const BackfillJob& job, BackfillTarget& target, BackfillProgress& progress);

// Adds what is missing, in order.
void add_external_labels(Labels& labels, const Labels& external);

}  // namespace seedance
