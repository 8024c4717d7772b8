// Keeps the ledger up to date with the samples: recomputes the hours that changed and replaces them as a whole.
//
// One thread calls `settle` (the server's governor, or an import when it is done).
#pragma once

#include <functional>

#include "allocation/hour_books.h"
#include "app/hour_input.h"
#include "app/intake/sample_intake.h"
#include "app/ledger.h"
#include "pricing/price_book.h"

namespace seedance {

struct BooksOptions {
  TimelineOptions timelines;
  AllocationOptions allocation;
  DimensionRules dimensions;
  Nanos provisional_lateness = std::chrono::seconds(60);
};

class Books {
 public:
  Books(SampleIntake& intake, Ledger& ledger, BooksOptions options) : intake_(intake), ledger_(ledger), options_(std::move(options)) {}

  // Recomputes every dirty hour. With `all_to_store` also hours that may still change go to the store (imports).
  // An hour that fails stays dirty.
  Result<std::size_t> settle(const PriceBook& book, bool all_to_store = false);

  // Every dirty hour before `limit` goes to the store: an import that goes forward in time has all of its samples. The others stay dirty.
  Result<std::size_t> settle_before(const PriceBook& book, TimePoint limit);

  // One hour from its samples; pure but for reading them.
  ClusterHour gather(TimePoint hour, const PriceBook& book) const;
  // `lateness`: how long after its end an hour is still provisional.
  HourBooks books_of(TimePoint hour, const PriceBook& book, Nanos lateness) const;

  const BooksOptions& options() const { return options_; }
  void set_options(BooksOptions options) { options_ = std::move(options); }  // from the thread that settles

 private:
  SampleIntake& intake_;
  Ledger& ledger_;
  BooksOptions options_;
};

}  // namespace seedance
