// Our own metrics: counters and gauges that any thread may change, printed in the OpenMetrics text format.
//
// A Counters registry is made once in `programs/` and passed down; a metric is created once at wiring time and kept by
// reference. Creating is locked, changing is one atomic add.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace seedance {

class Counter {
 public:
  void add(std::int64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
  void set(std::int64_t n) { value_.store(n, std::memory_order_relaxed); }  // gauges only
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

class Counters {
 public:
  // `name` without the `seedance_` prefix and without `_total`. Asking twice for the same name and label gives the same
  // object. `label` is empty or one pair written `key="value"`; the value must be ours, never outside text.
  Counter& counter(std::string_view name, std::string_view help, std::string_view label = {});
  Counter& gauge(std::string_view name, std::string_view help, std::string_view label = {});

  // OpenMetrics 1.0 text, families in order of creation, ends with "# EOF".
  std::string print() const;

 private:
  enum class Kind : std::uint8_t { kCounter, kGauge };
  struct Family {
    std::string name;
    std::string help;
    Kind kind;
    std::vector<std::pair<std::string, std::unique_ptr<Counter>>> members;
  };
  Counter& member(Kind kind, std::string_view name, std::string_view help, std::string_view label);

  mutable std::mutex mutex_;  // guards families_
  std::vector<Family> families_;
};

}  // namespace seedance
