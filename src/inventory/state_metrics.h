// Builds an Inventory from kube-state-metrics series.
//
// Feed every state series once, in any order, then finish. Two exporters that say the same thing (a second
// kube-state-metrics, an HA pair) count once: their step functions are joined, never added. Where they differ the larger level
// wins, so that the answer does not depend on the order.
#pragma once

#include <memory>
#include <span>

#include "base/symbols.h"
#include "model/inventory.h"
#include "signal/meaning.h"
#include "signal/timeline.h"

namespace seedance {

class InventoryBuilder {
 public:
  // `symbols` is the table of the meanings; it must outlive the builder.
  InventoryBuilder(const SymbolTable& symbols, TimelineOptions options);
  ~InventoryBuilder();

  // True when the series is state and was taken. `labels` is read for label and annotation series only; `samples` sorted.
  bool add(const SeriesMeaning& meaning, const Labels& labels, std::span<const Sample> samples);

  // True when `add` will look at the labels of such a series: spares the caller from making them.
  static bool needs_labels(SignalId signal);

  Inventory finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seedance
