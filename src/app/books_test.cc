// From samples to rows: what only the whole path shows.
#include "app/books.h"

#include <gtest/gtest.h>

#include "app/made_samples.h"

namespace seedance {
namespace {

class PathBench {
 public:
  explicit PathBench(const std::vector<SignalBinding>& signals = {}, BooksOptions options = {}) : options_(std::move(options)) {
    IntakeOptions intake_options;
    intake_options.accept_any_age = true;
    intake_ = *SampleIntake::open("", Catalogue(signals), intake_options, clock_, counters_);
  }
  std::vector<LedgerRow> rows_of(const MadeSamples& samples) {
    const auto answer = intake_->take(samples.body());
    EXPECT_TRUE(answer && answer->samples_refused == 0);
    Books books(*intake_, ledger_, options_);
    EXPECT_TRUE(books.settle(book, true));
    return *ledger_.read_rows({TimePoint::min(), TimePoint::max()});
  }
  PriceBook book = PriceBook::built_in();

 private:
  BooksOptions options_;
  ManualClock clock_{time_from_millis(kMadeHourMs)};
  Counters counters_;
  std::unique_ptr<SampleIntake> intake_;
  Ledger ledger_{std::make_unique<MemoryLedger>()};
};

struct RowSums {
  Money money;
  double cpu_hours = 0;
  double held_seconds = 0;
};
RowSums sums_of_pod(const std::vector<LedgerRow>& rows, const std::string& uid) {
  RowSums out;
  for (const LedgerRow& r : rows) {
    if (r.pod_uid != uid) continue;
    out.money += r.total_cost();
    out.cpu_hours += static_cast<double>(r.cpu_allocated) / 3.6e12;
    out.held_seconds += static_cast<double>(r.held_nanos) / 1e9;
  }
  return out;
}

MadeSamples cluster_of_one(std::int64_t from_s = 0, std::int64_t to_s = 3'600) {
  MadeSamples samples;
  samples.node("n1", "m5.xlarge", 4, 16, from_s, to_s);
  return samples;
}

Money total_of(const std::vector<LedgerRow>& rows) {
  Money sum;
  for (const LedgerRow& r : rows) sum += r.total_cost();
  return sum;
}

TEST(BooksTest, NodeOverTheHourBoundaryCostsTheSameAsInOnePiece) {
  PathBench bench;
  EXPECT_EQ(total_of(bench.rows_of(cluster_of_one(1'817, 5'417))).nanos(), 192'000'000);
}

TEST(BooksTest, SilenceThatCrossesAnHourIsChargedAsUnattributed) {
  MadeSamples samples = cluster_of_one(0, 2'400);
  samples.node("n1", "m5.xlarge", 4, 16, 4'800, 7'200);
  PathBench bench;
  const std::vector<LedgerRow> rows = bench.rows_of(samples);
  EXPECT_EQ(total_of(rows).nanos(), 384'000'000);
  Money silent;
  for (const LedgerRow& r : rows) silent += r.kind == RowKind::kUnattributed ? r.total_cost() : Money{};
  EXPECT_EQ(silent.nanos(), 128'000'000);
}

TEST(BooksTest, PodOfTwentySecondsBetweenTwoScrapesIsBilledTwentySeconds) {
  MadeSamples samples = cluster_of_one();
  const auto pod = [](const std::string& metric, std::initializer_list<Label> more) {
    Labels labels{{"namespace", "ml"}, {"pod", "short"}, {"uid", "uid-s"}};
    labels.insert(labels.end(), more);
    labels.push_back({"__name__", metric});
    std::sort(labels.begin(), labels.end());
    return labels;
  };
  const double start = static_cast<double>(kMadeHourMs) / 1'000 + 605;
  samples.hold(pod("kube_pod_info", {{"node", "n1"}}), 660, 900, 1, 60);
  samples.hold(pod("kube_pod_status_scheduled_time", {}), 660, 900, start, 60);
  samples.hold(pod("kube_pod_completion_time", {}), 660, 900, start + 20, 60);
  samples.hold(pod("kube_pod_status_phase", {{"phase", "Succeeded"}}), 660, 900, 1, 60);
  samples.hold(pod("kube_pod_container_resource_requests", {{"container", "main"}, {"resource", "cpu"}}), 660, 900, 2, 60);
  const RowSums sums = sums_of_pod(PathBench().rows_of(samples), "uid-s");
  EXPECT_DOUBLE_EQ(sums.held_seconds, 20);
  EXPECT_NEAR(sums.cpu_hours, 2 * 20.0 / 3'600, 1e-12);
}

TEST(BooksTest, SpotPriceStepInsideTheHourIsBilledPiecewise) {
  MadeSamples samples = cluster_of_one();
  const Labels price = made_labels("node_spot_price_usd_per_hour", {{"node", "n1"}});
  samples.hold(price, 0, 1'770, 0.06);
  samples.hold(price, 1'800, 3'600, 0.12);
  EXPECT_EQ(total_of(PathBench().rows_of(samples)).nanos(), 90'000'000);
}

TEST(BooksTest, AbsurdStatedPriceIsNotBilled) {
  MadeSamples samples = cluster_of_one();
  samples.hold(made_labels("node_spot_price_usd_per_hour", {{"node", "n1"}}), 0, 3'600, 19'200);
  EXPECT_EQ(total_of(PathBench().rows_of(samples)).nanos(), 192'000'000);
}

// opencost/opencost#1465: the same series from two exporters is counted twice.
TEST(BooksTest, SecondExporterChangesNothing) {
  MadeSamples once = cluster_of_one();
  once.pod("p", "uid-1", "n1", 1, 0, 3'600);
  once.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "p"}, {"container", "main"}, {"instance", "a"}}), 0, 3'600, 2.5);
  once.count(made_labels("seedance_pod_egress_internet_bytes_total", {{"namespace", "ml"}, {"pod", "p"}, {"instance", "a"}}), 0, 3'600, 1e6);
  MadeSamples twice = once;
  for (const SeriesSamples& s : once.series()) {
    Labels labels = s.labels;
    std::erase_if(labels, [](const Label& l) { return l.name == "instance"; });
    labels.push_back({"instance", "b"});
    std::sort(labels.begin(), labels.end());
    for (const Sample& sample : s.samples) twice.add(labels, sample.timestamp_ms, sample.value);
  }
  BooksOptions options;
  options.allocation.service_prices.internet_gib = Money::nanos(1'000'000'000);
  const auto lines = [&](const MadeSamples& samples) {
    std::string out;
    for (const LedgerRow& r : PathBench({}, options).rows_of(samples)) out += ledger_line(r) + "\n";
    return out;
  };
  EXPECT_EQ(lines(twice), lines(once));
}

// A pod with a ResourceClaim has no GPU request; dcgm-exporter names it, and the scraper adds the exporter's own pod to every series.
TEST(BooksTest, GpuOfAResourceClaimIsChargedToThePodThatItsExporterNames) {
  MadeSamples samples;
  samples.node("n1", "g5.12xlarge", 48, 192, 0, 3'600);
  samples.pod("train-0", "u1", "n1", 4, 0, 3'600);
  samples.pod("meter-0", "u2", "n1", 1, 0, 3'600);
  for (int i = 0; i < 4; ++i) {
    const std::string uuid = "GPU-" + std::to_string(i);
    const Labels free = made_labels("DCGM_FI_PROF_GR_ENGINE_ACTIVE", {{"UUID", uuid}, {"Hostname", "n1"}, {"namespace", "ml"}, {"pod", "meter-0"}, {"container", "main"}});
    Labels held = free;
    held.insert(held.end(), {{"exported_namespace", "ml"}, {"exported_pod", "train-0"}, {"exported_container", "main"}});
    std::sort(held.begin(), held.end());
    samples.hold(i == 0 ? held : free, 0, 3'600, 0.5);
  }
  Money of_train;
  Money of_meter;
  Money idle;
  for (const LedgerRow& r : PathBench().rows_of(samples)) {
    (r.pod_uid == "u1" ? of_train : r.pod_uid == "u2" ? of_meter : idle) += r.gpu_cost;
  }
  EXPECT_GT(of_train, Money{});
  EXPECT_EQ(of_meter, Money{});
  EXPECT_NEAR(static_cast<double>(of_train.nanos()) * 3, static_cast<double>(idle.nanos()), 3);
}

TEST(BooksTest, TrafficOfSeveralServicesIsAdded) {
  MadeSamples samples = cluster_of_one();
  samples.pod("p", "uid-1", "n1", 1, 0, 3'600);
  for (const char* service : {"a", "b"}) {
    samples.count(made_labels("seedance_pod_egress_internet_bytes_total", {{"namespace", "ml"}, {"pod", "p"}, {"service", service}}), 0, 3'600, 1073741824.0 / 3'600);
  }
  BooksOptions options;
  options.allocation.service_prices.internet_gib = Money::nanos(1'000'000'000);
  Money network;
  for (const LedgerRow& r : PathBench({}, options).rows_of(samples)) network += r.network_cost;
  EXPECT_NEAR(static_cast<double>(network.nanos()) / 1e9, 2, 1e-6);
}

TEST(BooksTest, PodRecreatedUnderItsNameIsTwoPods) {
  MadeSamples samples = cluster_of_one();
  samples.pod("p", "uid-1", "n1", 1, 0, 600);
  samples.pod("p", "uid-2", "n1", 1, 1'200, 3'600);
  samples.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "p"}, {"container", "main"}}), 0, 3'600, 2);
  const auto rows = PathBench().rows_of(samples);
  EXPECT_NEAR(sums_of_pod(rows, "uid-1").cpu_hours, 2 * 600.0 / 3'600, 1e-9);
  EXPECT_NEAR(sums_of_pod(rows, "uid-2").cpu_hours, 2 * 2'400.0 / 3'600, 1e-9);
}

TEST(BooksTest, SignalsOfTheUserAreScaled) {
  MadeSamples samples = cluster_of_one();
  samples.pod("p", "uid-1", "n1", 1, 0, 3'600);
  samples.count(made_labels("my_cpu_millis", {{"namespace", "ml"}, {"pod", "p"}, {"container", "main"}}), 0, 3'600, 2'000);
  samples.hold(made_labels("my_price_cents", {{"node", "n1"}}), 0, 3'600, 10);
  const auto rows = PathBench({{"my_cpu_millis", SignalId::kContainerCpu, 0.001, "user"}, {"my_price_cents", SignalId::kNodePrice, 0.01, "user"}}).rows_of(samples);
  EXPECT_EQ(total_of(rows).nanos(), 100'000'000);
  EXPECT_NEAR(sums_of_pod(rows, "uid-1").cpu_hours, 2, 1e-9);
}

TEST(BooksTest, NodeNamesOfExportersAreMatchedToTheNode) {
  for (const char* host : {"n1", "n1.cluster.local", "10.0.0.7:9400"}) {
    MadeSamples samples;
    samples.node("n1", "g4dn.xlarge", 4, 16, 0, 3'600);
    samples.pod("p", "uid-1", "n1", 1, 0, 3'600);
    samples.hold(made_labels("kube_pod_container_resource_requests", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "uid-1"}, {"container", "main"}, {"resource", "nvidia_com_gpu"}}),
                 0, 3'600, 1);
    samples.hold(made_labels("DCGM_FI_DEV_GPU_UTIL", {{"UUID", "GPU-1"}, {"Hostname", host}, {"namespace", "ml"}, {"pod", "p"}, {"container", "main"}}), 0, 3'630, 50);
    double measured = 0;
    for (const LedgerRow& r : PathBench().rows_of(samples)) {
      if (r.gpu == "GPU-1") measured += static_cast<double>(r.gpu_measured) / 3.6e12;
    }
    EXPECT_NEAR(measured, 1, 1e-9) << host;
  }
}

}  // namespace
}  // namespace seedance
