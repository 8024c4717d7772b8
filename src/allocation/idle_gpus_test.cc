#include "allocation/idle_gpus.h"

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"
#include "base/time_text.h"

namespace seedance {
namespace {

const LedgerRow* idle_row_of(const std::vector<LedgerRow>& rows, const std::string& gpu, RowKind kind = RowKind::kIdle) {
  for (const LedgerRow& r : rows) {
    if (r.gpu == gpu && r.kind == kind) return &r;
  }
  return nullptr;
}

// Four cards at 1 USD/h each, shown by their exporter; nothing but GPUs costs.
MadeCluster four_cards() {
  MadeCluster cluster;
  cluster.node("n1", 32, 64, 4, 4'000'000'000, 0, 0);
  for (const char* uuid : {"GPU-0", "GPU-1", "GPU-2", "GPU-3"}) cluster.device("n1", uuid);
  return cluster;
}

TEST(IdleGpusTest, EveryFreeCardHasItsRow) {
  MadeCluster cluster = four_cards();
  cluster.hour.devices[1].holders.push_back({"a", "p", "", made_steps(1)});
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  const HourBooks books = cluster.close();
  for (const char* uuid : {"GPU-0", "GPU-2", "GPU-3"}) {
    const LedgerRow* row = idle_row_of(books.rows, uuid);
    ASSERT_NE(row, nullptr) << uuid;
    EXPECT_EQ(row->gpu_cost.nanos(), 1'000'000'000);
    EXPECT_EQ(row->gpu_allocated, kNanosPerHour);
    EXPECT_EQ(row->since, "") << "free before the hour began";
  }
  EXPECT_EQ(idle_row_of(books.rows, "GPU-1"), nullptr);
  EXPECT_EQ(idle_row_of(books.rows, ""), nullptr) << "nothing of the node's GPUs is unknown";
}

TEST(IdleGpusTest, CardFreedInsideTheHourSaysWhen) {
  MadeCluster cluster = four_cards();
  cluster.hour.devices[1].holders.push_back({"a", "p", "", made_steps(1, 0, 25)});
  cluster.pod(MadePod("a/p").between(0, 25).with(MadeContainer("c").gpus(1)));
  const HourBooks books = cluster.close();
  const LedgerRow* row = idle_row_of(books.rows, "GPU-1");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->since, print_time(made_minute(25)));
  EXPECT_EQ(row->gpu_allocated, std::chrono::nanoseconds(std::chrono::minutes(35)).count());
}

TEST(IdleGpusTest, HolderSaysSinceWhenAsTheApiDoesOrNothing) {
  for (const bool is_scheduled : {true, false}) {
    MadeCluster cluster = four_cards();
    MadePod pod = MadePod("a/p").with(MadeContainer("c").gpus(1));
    if (is_scheduled) pod.record().scheduled_at = made_minute(-90);
    pod.record().started_at = made_minute(-80);
    cluster.pod(pod);
    cluster.pod(MadePod("a/unknown").with(MadeContainer("c").gpus(1)));
    for (const LedgerRow& r : cluster.close().rows) {
      if (r.pod.empty()) continue;
      const std::string expected = r.pod == "unknown" ? "" : print_time(made_minute(is_scheduled ? -90 : -80));
      EXPECT_EQ(r.since, expected) << "the first scrape is not the start";
    }
  }
}

TEST(IdleGpusTest, NoCardIsCalledFreeWhileAHolderIsUnknown) {
  MadeCluster cluster = four_cards();
  cluster.pod(MadePod("a/p").between(0, 30).with(MadeContainer("c").gpus(1)));
  const HourBooks books = cluster.close();
  const LedgerRow* rest = idle_row_of(books.rows, "");
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(rest->gpu_allocated, 3 * kNanosPerHour / 2) << "half an hour of three cards";
  ASSERT_NE(idle_row_of(books.rows, "GPU-3"), nullptr);
  EXPECT_EQ(idle_row_of(books.rows, "GPU-3")->gpu_allocated, kNanosPerHour / 2) << "from then on all four are known to be free";
  EXPECT_EQ(made_total(books.rows).nanos(), 4'000'000'000);
}

TEST(IdleGpusTest, StrandedCardSaysWhatIsMissing) {
  MadeCluster cluster = four_cards();
  cluster.pod(MadePod("a/cpu").between(0, 20).with(MadeContainer("c").cpu(32)));
  cluster.pod(MadePod("a/memory").between(10, 40).with(MadeContainer("c").memory(64)));
  const HourBooks books = cluster.close();
  std::map<std::string, std::int64_t> minutes;
  for (const LedgerRow& r : books.rows) {
    if (r.gpu == "GPU-2") minutes[r.reason] += r.gpu_allocated / kNanosPerSecond / 60;
  }
  EXPECT_EQ(minutes, (std::map<std::string, std::int64_t>{{"no cpu beside the gpu", 10}, {"no cpu and no memory beside the gpu", 10}, {"no memory beside the gpu", 20}, {"", 20}}));
}

TEST(IdleGpusTest, MoreCardsThanTheNodePaysForShareWhatThereIs) {
  MadeCluster cluster = four_cards();
  cluster.device("n1", "GPU-4");
  const HourBooks books = cluster.close();
  EXPECT_EQ(made_sum(books.rows, RowKind::kIdle).gpu_allocated, 4 * kNanosPerHour);
  EXPECT_EQ(made_total(books.rows).nanos(), 4'000'000'000);
}

TEST(IdleGpusTest, FreeSlicesAreDevicesOfTheirOwn) {
  MadeCluster cluster;
  NodeRecord& node = cluster.node("n1", 32, 64, 1, 7'000'000'000, 0, 0);
  node.capacity = {{"cpu", made_steps(32 * kMadeCore)}, {"memory", made_steps(64 * kMadeGib)}, {"nvidia_com_mig_3g_20gb", made_steps(2)}};
  cluster.device("n1", "GPU-0");
  for (const char* instance : {"1", "2"}) {
    DeviceActivity& slice = cluster.device("n1", "GPU-0");
    slice.instance = instance;
    slice.profile = "3g.20gb";
    slice.index = "0";
  }
  cluster.hour.devices[2].holders.push_back({"a", "p", "", made_steps(1)});
  cluster.pod(MadePod("a/p").with(MadeContainer("c").request("nvidia_com_mig_3g_20gb", 1)));
  const HourBooks books = cluster.close();
  const LedgerRow* free = idle_row_of(books.rows, "GPU-0/1");
  ASSERT_NE(free, nullptr);
  EXPECT_EQ(free->gpu_cost.nanos(), 3'000'000'000);
  EXPECT_EQ(free->gpu_index, "0.1");
  EXPECT_EQ(free->gpu_model, "made MIG 3g.20gb");
  const LedgerRow* lost = idle_row_of(books.rows, "", RowKind::kStranded);
  ASSERT_NE(lost, nullptr);
  EXPECT_EQ(lost->gpu_cost.nanos(), 1'000'000'000) << "the seventh slice has no instance";
  EXPECT_EQ(idle_row_of(books.rows, "GPU-0"), nullptr);
}

TEST(DeviceReadingsTest, CountersAndMemoryOfHolderAndFreeCard) {
  MadeCluster cluster = four_cards();
  DeviceActivity& held = cluster.hour.devices[0];
  held.holders.push_back({"a", "p", "", made_steps(1)});
  held.sm_active = made_steps(500'000, 0, 30);
  held.tensor_active = made_steps(100'000);
  held.memory_used = made_steps(30 * kMadeGib);
  held.memory_size = made_steps(80 * kMadeGib);
  cluster.hour.devices[3].memory_used = made_steps(2 * kMadeGib);
  cluster.hour.inventory.nodes[0].labels = {{"nvidia_com_gpu_memory", "81920"}};
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  const HourBooks books = cluster.close();
  const LedgerRow* holder = idle_row_of(books.rows, "GPU-0", RowKind::kAllocated);
  ASSERT_NE(holder, nullptr);
  EXPECT_EQ(holder->sm_measured, kNanosPerHour / 2);
  EXPECT_EQ(holder->sm_active, kNanosPerHour / 4);
  EXPECT_EQ(holder->tensor_active, kNanosPerHour / 10);
  EXPECT_EQ(holder->gpu_memory_used, 3'600 * 30 * kMadeGib);
  EXPECT_EQ(holder->gpu_memory_size, 3'600 * 80 * kMadeGib);
  const LedgerRow* leaking = idle_row_of(books.rows, "GPU-3");
  ASSERT_NE(leaking, nullptr);
  EXPECT_EQ(leaking->gpu_memory_used, 3'600 * 2 * kMadeGib) << "memory that nobody holds is seen";
  EXPECT_EQ(leaking->gpu_memory_size, 3'600 * 80 * kMadeGib) << "the size is the node label's";
}

}  // namespace
}  // namespace seedance
