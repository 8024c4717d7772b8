// How far an import is: a bar on a terminal, else a plain line every ten seconds.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "base/units.h"
#include "cli/print/presentation.h"

namespace seedance {

class ProgressLine {
 public:
  // `err` outlives this. `started` and the times of `update` come from the caller's clock.
  ProgressLine(std::ostream& err, bool on_terminal, const Presentation& look, TimePoint started)
      : err_(err), on_terminal_(on_terminal), look_(look), started_(started), said_(started) {}

  void update(std::uint64_t done_bytes, std::uint64_t all_bytes, TimePoint now);
  void update_hours(std::uint64_t done_hours, std::uint64_t all_hours, std::uint64_t samples, TimePoint now);
  void end();  // clears the bar, so that the summary stands in its place

 private:
  bool is_due(TimePoint now);
  void show(const std::string& line);

  std::ostream& err_;
  bool on_terminal_;
  const Presentation& look_;
  TimePoint started_;
  TimePoint said_;
  std::size_t shown_width_ = 0;
};

// "importing metrics  [=========>     ] 62%  104/168 h, 2.50 M samples, 20 s left"
std::string progress_hours_text(std::uint64_t done_hours, std::uint64_t all_hours, std::uint64_t samples, Nanos passed, const Presentation& look);

// "importing metrics  [=========>     ] 62%  1.24/2.00 MB, 38 kB/s, 20 s left"
std::string progress_text(std::uint64_t done_bytes, std::uint64_t all_bytes, Nanos passed, const Presentation& look);

}  // namespace seedance
