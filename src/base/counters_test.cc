#include "base/counters.h"

#include <thread>

#include <gtest/gtest.h>

namespace seedance {
namespace {

TEST(CountersTest, NoMetricsIsStillACompleteText) { EXPECT_EQ(Counters().print(), "# EOF\n"); }

TEST(CountersTest, CounterGetsPrefixAndTotal) {
  Counters counters;
  counters.counter("ingest_requests", "Requests").add(3);
  EXPECT_EQ(counters.print(),
            "# TYPE seedance_ingest_requests counter\n"
            "# HELP seedance_ingest_requests Requests\n"
            "seedance_ingest_requests_total 3\n"
            "# EOF\n");
}

TEST(CountersTest, GaugeIsPrintedAsItIs) {
  Counters counters;
  counters.gauge("kept_bytes", "Memory").set(-5);
  EXPECT_NE(counters.print().find("# TYPE seedance_kept_bytes gauge\n"), std::string::npos);
  EXPECT_NE(counters.print().find("\nseedance_kept_bytes -5\n"), std::string::npos);
}

TEST(CountersTest, FamilyIsPrintedOnceWithAllItsMembers) {
  Counters counters;
  counters.counter("samples", "Samples", "outcome=\"kept\"").add(2);
  counters.gauge("other", "Other");
  counters.counter("samples", "Samples", "outcome=\"refused\"").add(1);
  EXPECT_EQ(counters.print(),
            "# TYPE seedance_samples counter\n"
            "# HELP seedance_samples Samples\n"
            "seedance_samples_total{outcome=\"kept\"} 2\n"
            "seedance_samples_total{outcome=\"refused\"} 1\n"
            "# TYPE seedance_other gauge\n"
            "# HELP seedance_other Other\n"
            "seedance_other 0\n"
            "# EOF\n");
}

TEST(CountersTest, SameNameAndLabelIsTheSameObject) {
  Counters counters;
  EXPECT_EQ(&counters.counter("a", "A", "x=\"1\""), &counters.counter("a", "A", "x=\"1\""));
  EXPECT_NE(&counters.counter("a", "A", "x=\"1\""), &counters.counter("a", "A", "x=\"2\""));
}

TEST(CountersTest, ThreadsLoseNoAddition) {
  Counters counters;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&counters] {
        for (int i = 0; i < 10'000; ++i) counters.counter("hits", "Hits", "k=\"v\"").add();
      });
    }
  }
  EXPECT_EQ(counters.counter("hits", "Hits", "k=\"v\"").value(), 40'000);
}

}  // namespace
}  // namespace seedance
