#include "app/intake/series_registry.h"

namespace seedance {

SeriesRegistry::SeriesRegistry(Catalogue catalogue, SeriesLimits limits, std::vector<std::string> replica_labels)
    : catalogue_(std::move(catalogue)),
      table_([this](std::string_view metric) { return catalogue_.find(metric) != nullptr; }, limits),
      twins_(table_, std::move(replica_labels)) {}

Resolved SeriesRegistry::resolve(std::string_view label_block, const SeriesRoom& room) {
  const std::size_t before = table_.size();
  const Resolved resolved = with_meaning(table_.resolve(label_block, room));
  if (table_.size() > before && !room.owner.empty()) set_owner(static_cast<std::uint32_t>(before), room.owner);
  return resolved;
}

std::size_t SeriesRegistry::series_of_owner(std::string_view owner) const {
  const auto known = owner_indices_.find(owner);
  return known == owner_indices_.end() ? 0 : owner_series_[known->second];
}
Resolved SeriesRegistry::resolve(const Labels& canonical) { return with_meaning(table_.resolve(canonical)); }

Resolved SeriesRegistry::with_meaning(Resolved resolved) {
  if (resolved.kind != Resolved::Kind::kSeries) return resolved;
  find_meanings();
  if (meaning(resolved.series) == nullptr) resolved.kind = Resolved::Kind::kIgnored;
  return resolved;
}

// Series indices are handed out in order, so a new one is the next.
void SeriesRegistry::find_meanings() {
  while (meanings_.size() < table_.size()) add_meaning(table_.labels(static_cast<std::uint32_t>(meanings_.size())));
}

void SeriesRegistry::add_meaning(const Labels& labels) {
  const auto series = static_cast<std::uint32_t>(meanings_.size());
  meanings_.push_back(meaning_of(labels, catalogue_, symbols_).value_or(SeriesMeaning{}));
  if (meaning(series) != nullptr) twins_.add(series, labels, symbols_);
}

Result<void> SeriesRegistry::restore(std::uint32_t series, std::string_view label_block) {
  TRY_ASSIGN(const Labels labels, table_.restore(series, label_block));
  if (series == meanings_.size()) add_meaning(labels);
  return {};
}

void SeriesRegistry::set_owner(std::uint32_t series, std::string_view owner) {
  auto known = owner_indices_.find(owner);
  if (known == owner_indices_.end() && owner_names_.size() > UINT16_MAX) known = owner_indices_.find("");
  if (known == owner_indices_.end()) {
    known = owner_indices_.emplace(std::string(owner), static_cast<std::uint16_t>(owner_names_.size())).first;
    owner_names_.emplace_back(owner);
    owner_series_.push_back(0);
  }
  if (known->second == 0 && series >= owners_.size()) return;
  while (owners_.size() <= series) owners_.push_back(0);
  if (owners_[series] != 0) --owner_series_[owners_[series]];
  owners_[series] = known->second;
  if (known->second != 0) ++owner_series_[known->second];
}

}  // namespace seedance
