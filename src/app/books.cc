#include "app/books.h"

#include <algorithm>

namespace seedance {

ClusterHour Books::gather(TimePoint hour, const PriceBook& book) const {
  const Interval span{hour, hour + std::chrono::hours(1)};
  const Interval window{span.from - kHourMargin, span.to + kHourMargin};
  std::vector<Nanos> spacings;
  intake_.read_hour(window, [](const SeriesMeaning& m) { return m.signal == SignalId::kNodeInfo || m.signal == SignalId::kNodeCapacity; },
                    [&](std::uint32_t, std::span<const Sample> samples) { spacings.push_back(sample_spacing(samples)); });
  HourInputOptions options;
  options.timelines = options_.timelines;
  options.timelines.resolution = state_resolution(spacings);
  options.prices.method = options_.allocation.method;
  options.prices.currency = options_.allocation.currency;
  HourInput input(intake_.registry(), span, options);
  const auto add = [&](std::uint32_t series, std::span<const Sample> samples) { input.add(series, samples); };
  const auto is_node = [](const SeriesMeaning& m) { return m.signal == SignalId::kNodeInfo; };
  intake_.read_hour(window, [&](const SeriesMeaning& m) { return !is_node(m); }, add);
  // A node that was silent for a while is charged for it when it comes back: presence needs the wider view.
  const Nanos silence = options_.allocation.node_gap_max;
  intake_.read_hour({span.from - silence, span.to + silence}, is_node, add);
  // Without the intake's lock: of the registry only the texts of symbols are read from here on, see SymbolTable.
  return input.finish(book);
}

HourBooks Books::books_of(TimePoint hour, const PriceBook& book, Nanos lateness) const {
  const TimePoint watermark = intake_.watermark();
  ClusterHour gathered = gather(hour, book);
  gathered.provisional = gathered.hour.to + lateness > watermark;
  return close_hour(gathered, options_.allocation, options_.dimensions);
}

Result<std::size_t> Books::settle(const PriceBook& book, bool all_to_store) {
  // An hour in memory is settled when its time is over, also when nothing more came for it.
  const TimePoint watermark = intake_.watermark();
  for (const TimePoint hour : ledger_.provisional_hours()) {
    if (all_to_store || hour + std::chrono::hours(1) + options_.provisional_lateness <= watermark) intake_.mark_dirty(hour);
  }
  const std::vector<TimePoint> dirty = intake_.take_dirty_hours();
  for (std::size_t i = 0; i < dirty.size(); ++i) {
    // An import is over when it is over; a stream may still bring the last seconds of an hour.
    const HourBooks books = books_of(dirty[i], book, all_to_store ? Nanos{0} : options_.provisional_lateness);
    const bool is_open = !books.rows.empty() && books.rows.front().provisional && !all_to_store;
    const Result<void> replaced = is_open ? ledger_.replace_provisional_hour(dirty[i], books) : ledger_.replace_hour(dirty[i], books);
    if (replaced) continue;
    for (; i < dirty.size(); ++i) intake_.mark_dirty(dirty[i]);
    return tl::unexpected<Error>(replaced.error());
  }
  return dirty.size();
}

Result<std::size_t> Books::settle_before(const PriceBook& book, TimePoint limit) {
  std::size_t settled = 0;
  Result<void> replaced;
  for (const TimePoint hour : intake_.take_dirty_hours()) {
    if (hour < limit && replaced) replaced = ledger_.replace_hour(hour, books_of(hour, book, Nanos{0}));
    if (hour >= limit || !replaced) {
      intake_.mark_dirty(hour);
    } else {
      ++settled;
    }
  }
  if (!replaced) return tl::unexpected<Error>(replaced.error());
  return settled;
}

}  // namespace seedance
