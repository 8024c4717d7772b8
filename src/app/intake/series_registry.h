// Every series we keep, and what each one means. Grows only; one owner, who locks.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/paged_vector.h"
#include "base/symbols.h"
#include "ingest/series_table.h"
#include "ingest/twin_series.h"
#include "signal/catalogue.h"
#include "signal/meaning.h"

namespace seedance {

// A sample of a series that is kept.
struct KeptSample {
  std::uint32_t series = 0;
  Sample sample;
};

class SeriesRegistry {
 public:
  SeriesRegistry(Catalogue catalogue, SeriesLimits limits, std::vector<std::string> replica_labels = {});

  // The series of a label block or of canonical labels. kIgnored also when the series says nothing that we can use.
  // A new series belongs to `room.owner`.
  Resolved resolve(std::string_view label_block, const SeriesRoom& room = {});
  // The warm path of a whole request, see SeriesTable::find_known.
  void find_known(std::span<const DecodedSeries> request, std::vector<std::uint32_t>& series) const { table_.find_known(request, series); }
  Resolved resolve(const Labels& canonical);

  const Error& last_error() const { return table_.last_error(); }
  const SeriesMeaning* meaning(std::uint32_t series) const { return meanings_[series].binding != nullptr ? &meanings_[series] : nullptr; }

  // Puts a spelling of a checkpoint back, see SeriesTable::restore.
  Result<void> restore(std::uint32_t series, std::string_view label_block);

  // Who a series belongs to: a tenant's name, or the empty text when nobody owns it. Series without an owner take no memory; a name more than
  // 65,535 different ones owns nothing.
  void set_owner(std::uint32_t series, std::string_view owner);
  std::size_t series_of_owner(std::string_view owner) const;
  std::string_view owner(std::uint32_t series) const { return owner_names_[owner_index(series)]; }
  // The same as a number, and the names that the numbers stand for.
  std::uint16_t owner_index(std::uint32_t series) const { return series < owners_.size() ? owners_[series] : std::uint16_t{0}; }
  const std::vector<std::string>& owner_names() const { return owner_names_; }

  Labels labels(std::uint32_t series) const { return table_.labels(series); }
  const TwinSeries& twins() const { return twins_; }
  const SymbolTable& symbols() const { return symbols_; }
  const SeriesTable& table() const { return table_; }
  const Catalogue& catalogue() const { return catalogue_; }

 private:
  Resolved with_meaning(Resolved resolved);
  void find_meanings();
  void add_meaning(const Labels& labels);

  Catalogue catalogue_;
  SeriesTable table_;
  TwinSeries twins_;
  SymbolTable symbols_;
  PagedVector<SeriesMeaning> meanings_;          // by series; without a binding it means nothing
  PagedVector<std::uint16_t> owners_;            // by series, as far as any has one
  std::vector<std::string> owner_names_{""};
  std::map<std::string, std::uint16_t, std::less<>> owner_indices_{{"", 0}};
  std::vector<std::size_t> owner_series_{0};  // how many series each owns; nobody's are not counted
};

}  // namespace seedance
