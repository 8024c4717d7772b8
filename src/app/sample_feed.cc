#include "app/sample_feed.h"

#include <condition_variable>

#include "app/intake/text_import.h"
#include "base/log.h"
#include "simulate/sample_cluster.h"

namespace seedance {
namespace {

constexpr std::uint64_t kSeed = 20'261'130;
constexpr Nanos kGrace = std::chrono::seconds(2);
constexpr Nanos kScrapeEvery = std::chrono::seconds(15);
constexpr Nanos kHistory = std::chrono::hours(2);

Result<void> feed(const SampleCluster& cluster, SampleIntake& intake, TimePoint from, TimePoint to) {
  TextImport import(intake);
  Result<void> outcome;
  cluster.write_open_metrics(from, to, [&](std::string_view text) {
    if (outcome) outcome = import.feed(text);
  });
  if (!outcome) return outcome;
  const Result<TextImportReport> report = import.finish();
  if (!report) return tl::unexpected<Error>(report.error());
  return {};
}

}  // namespace

SampleFeed::SampleFeed(Service& service) : service_(service), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void SampleFeed::run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  const auto rest = [&](Nanos time) {
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
  };
  if (!rest(kGrace)) return;
  if (service_.intake().watermark() != TimePoint{}) {
    log_info("sample cluster is not fed: there are metrics already");
    return;
  }
  SampleClusterOptions options;
  options.seed = kSeed;
  options.start = hour_of(service_.clock().now()) - kHistory;
  options.scrape_interval = kScrapeEvery;
  const SampleCluster cluster(options);
  log_info("feeding the sample cluster", {{"history_hours", 2}, {"seed", std::int64_t{kSeed}}});
  for (TimePoint fed = options.start; !stop.stop_requested();) {
    const TimePoint now = service_.clock().now();
    if (const Result<void> done = feed(cluster, service_.intake(), fed, now); !done) {
      log_warn("sample cluster could not be fed", {{"reason", done.error().message}});
    } else {
      fed = now;
    }
    if (!rest(kScrapeEvery)) return;
  }
}

}  // namespace seedance
