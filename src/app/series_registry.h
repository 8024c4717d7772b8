// Every series we keep, and what each one means. Grows only; one owner, who locks.
#pragma once

#include <optional>
#include <span>
#include <vector>

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
  Resolved resolve(std::string_view label_block);
  // The warm path of a whole request, see SeriesTable::find_known.
  void find_known(std::span<const DecodedSeries> request, std::vector<std::uint32_t>& series) const { table_.find_known(request, series); }
  Resolved resolve(const Labels& canonical);

  const Error& last_error() const { return table_.last_error(); }
  const SeriesMeaning* meaning(std::uint32_t series) const { return meanings_[series] ? &*meanings_[series] : nullptr; }
  Labels labels(std::uint32_t series) const { return table_.labels(series); }
  const TwinSeries& twins() const { return twins_; }
  const SymbolTable& symbols() const { return symbols_; }
  const SeriesTable& table() const { return table_; }
  const Catalogue& catalogue() const { return catalogue_; }

 private:
  Resolved with_meaning(Resolved resolved);

  Catalogue catalogue_;
  SeriesTable table_;
  TwinSeries twins_;
  SymbolTable symbols_;
  std::vector<std::optional<SeriesMeaning>> meanings_;  // by series
};

}  // namespace seedance
