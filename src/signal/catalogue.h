// The one table that maps exporter metric names to signals; users extend it under `signals:` in the configuration.
//
// Only metrics in the table are kept; all others are ignored by name and counted.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/signal.h"

namespace seedance {

class Catalogue {
 public:
  // The built-in table plus `extra`. A user's entry replaces a built-in one with the same metric name.
  explicit Catalogue(std::span<const SignalBinding> extra = {});
  ~Catalogue();
  Catalogue(Catalogue&&) noexcept;
  Catalogue& operator=(Catalogue&&) noexcept;

  // The binding of a metric name as it is on the wire (also lower-cased DCGM names, and counters with or without `_total`),
  // or nullptr. Any thread.
  const SignalBinding* find(std::string_view metric) const;

  // All bindings in table order, for the documentation.
  std::span<const SignalBinding> bindings() const;

 private:
  struct Table;
  std::unique_ptr<Table> table_;
};

// The signal with this name ("gpu.engine_active"), for configuration files.
Result<SignalId> parse_signal(std::string_view name);

// The value that the exporter means, in the signal's unit. NaN for a DCGM blank ("not supported", "not found", "no
// permission"; the sentinels of dcgm_structs.h for int32, int64 and double, also after rounding to double) and for values that
// cannot be (a ratio above 1.5 that is not a percentage, a negative size). Stale markers pass through unchanged.
double meant_value(const SignalBinding& binding, double raw);

}  // namespace seedance
