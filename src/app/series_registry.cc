#include "app/series_registry.h"

namespace seedance {

SeriesRegistry::SeriesRegistry(Catalogue catalogue, SeriesLimits limits, std::vector<std::string> replica_labels)
    : catalogue_(std::move(catalogue)),
      table_([this](std::string_view metric) { return catalogue_.find(metric) != nullptr; }, limits),
      twins_(table_, std::move(replica_labels)) {}

Resolved SeriesRegistry::resolve(std::string_view label_block) { return with_meaning(table_.resolve(label_block)); }
Resolved SeriesRegistry::resolve(const Labels& canonical) { return with_meaning(table_.resolve(canonical)); }

Resolved SeriesRegistry::with_meaning(Resolved resolved) {
  if (resolved.kind != Resolved::Kind::kSeries) return resolved;
  // Series indices are handed out in order, so a new one is the next.
  while (meanings_.size() <= resolved.series) {
    const auto next = static_cast<std::uint32_t>(meanings_.size());
    const Labels labels = table_.labels(next);
    meanings_.push_back(meaning_of(labels, catalogue_, symbols_));
    if (meanings_.back()) twins_.add(next, labels, symbols_);
  }
  if (!meanings_[resolved.series]) resolved.kind = Resolved::Kind::kIgnored;
  return resolved;
}

}  // namespace seedance
