#include "ingest/twin_series.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace seedance {
namespace {

class Twins {
 public:
  std::uint32_t add(const std::string& pod, const std::string& label, const std::string& replica) {
    Labels labels{{"__name__", "m"}, {"pod", pod}};
    if (!replica.empty()) labels.push_back({label, replica});
    std::sort(labels.begin(), labels.end());
    const std::uint32_t series = table_.resolve(labels).series;
    twins_.add(series, labels, symbols_);
    return series;
  }
  std::set<std::uint32_t> ring(std::uint32_t series) const {
    std::set<std::uint32_t> out{series};
    for (std::uint32_t s = twins_.next(series); s != series; s = twins_.next(s)) out.insert(s);
    return out;
  }
  std::string replica(std::uint32_t series) const { return std::string(symbols_.text(twins_.replica(series))); }
  const TwinSeries& twins() const { return twins_; }

 private:
  SeriesTable table_{[](std::string_view) { return true; }};
  SymbolTable symbols_;
  TwinSeries twins_{table_, {"prometheus_replica", "__replica__"}};
};

TEST(TwinSeriesTest, SeriesThatDifferInTheReplicaOnlyAreARing) {
  Twins t;
  const std::uint32_t a = t.add("p", "prometheus_replica", "r0");
  const std::uint32_t other = t.add("q", "prometheus_replica", "r0");
  const std::uint32_t b = t.add("p", "prometheus_replica", "r1");
  const std::uint32_t c = t.add("p", "__replica__", "r2");
  EXPECT_EQ(t.ring(b), (std::set<std::uint32_t>{a, b, c}));
  EXPECT_EQ(t.ring(other), (std::set<std::uint32_t>{other}));
  EXPECT_EQ(t.twins().oldest(c), a);
  EXPECT_EQ(t.replica(b), "r1");
}

TEST(TwinSeriesTest, ASeriesWithoutAReplicaIsATwinWhetherItCameBeforeOrAfter) {
  Twins t;
  const std::uint32_t before = t.add("p", "", "");
  const std::uint32_t a = t.add("p", "__replica__", "a");
  EXPECT_EQ(t.ring(a), (std::set<std::uint32_t>{before, a}));
  const std::uint32_t b = t.add("q", "__replica__", "a");
  const std::uint32_t after = t.add("q", "", "");
  const std::uint32_t third = t.add("q", "__replica__", "b");
  EXPECT_EQ(t.ring(third), (std::set<std::uint32_t>{b, after, third}));
  EXPECT_EQ(t.replica(after), "");
}

TEST(TwinSeriesTest, WithoutReplicasNobodyHasATwin) {
  Twins t;
  const std::uint32_t a = t.add("p", "", "");
  EXPECT_EQ(t.twins().next(a), a);
  EXPECT_EQ(t.twins().oldest(a), a);
}

}  // namespace
}  // namespace seedance
