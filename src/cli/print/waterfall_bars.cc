#include "cli/print/waterfall_bars.h"

#include <algorithm>

#include "cli/print/numbers.h"
#include "cli/print/telemetry_table.h"
#include "cli/print/terminal_text.h"
#include "cli/texts.h"

namespace seedance {
namespace {

constexpr std::size_t kLabelWidth = 20;
constexpr std::size_t kBarWidth = 28;
constexpr std::size_t kAmountWidth = 9;
constexpr std::size_t kPercentWidth = 6;

struct BarMarks {
  std::string_view full;
  std::string_view undetermined;
  std::string_view sliver;  // money that is there but narrower than a column
};
BarMarks marks_of(bool utf8) { return utf8 ? BarMarks{"█", "░", "▏"} : BarMarks{"#", "/", "|"}; }

// The column where a sum ends, counted from the left; half columns go up.
std::size_t column_of(MoneySum sum, MoneySum billed) {
  if (billed <= 0) return 0;
  const MoneySum column = (sum * static_cast<MoneySum>(kBarWidth) * 2 + billed) / (billed * 2);
  return static_cast<std::size_t>(std::clamp<MoneySum>(column, 0, static_cast<MoneySum>(kBarWidth)));
}

std::string bar_between(std::size_t from, std::size_t to, std::string_view mark) {
  std::string out(from, ' ');
  for (std::size_t i = from; i < to; ++i) out += mark;
  return out;
}

struct WaterfallWriter {
  const WaterfallTotal& total;
  const Presentation& look;
  BarMarks marks = marks_of(look.utf8);

  std::string line(TextId label, const std::string& bar, MoneySum amount) const {
    return padded_right(text(label, look.language), kLabelWidth) + padded_right(bar, kBarWidth) + "  " + padded_left(money_text(amount), kAmountWidth) +
           "  " + padded_left(percent_text(amount, total.billed), kPercentWidth) + "\n";
  }

  // Rounding can leave no column for money that is there; it gets one all the same, next to its neighbour.
  std::string bar(WaterfallBar which, std::size_t from, std::size_t to) const {
    const MoneySum amount = total.bars[static_cast<std::size_t>(which)];
    const bool is_narrow = amount * static_cast<MoneySum>(kBarWidth) * 2 < total.billed;
    const std::string_view mark = which == WaterfallBar::kUndetermined ? marks.undetermined : is_narrow ? marks.sliver : marks.full;
    if (from < to || amount <= 0) return bar_between(from, to, mark == marks.sliver ? marks.full : mark);
    const std::size_t column = std::min(from, kBarWidth - 1);
    return bar_between(column, column + 1, mark);
  }

  // Each bar ends where the one above begins, so that the last one stands at the left edge.
  std::string bars() const {
    std::string out = line(TextId::kBilled, bar_between(0, total.billed > 0 ? kBarWidth : 0, marks.full), total.billed);
    MoneySum rest = total.billed;
    for (std::size_t i = 0; i < kWaterfallBarCount; ++i) {
      const std::size_t to = column_of(rest, total.billed);
      rest -= total.bars[i];
      const std::size_t from = std::min(to, column_of(rest, total.billed));
      out += line(text_after(TextId::kBarNotAllocated, i), bar(static_cast<WaterfallBar>(i), from, to), total.bars[i]);
    }
    return out;
  }

  std::string undetermined_note() const {
    const std::string unit = " " + visible(total.currency);
    return filled(TextId::kUndeterminedIs, look.language,
                  {money_text(total.undetermined_idle) + unit, money_text(total.undetermined_busy) + unit, money_text(total.undetermined_no_data) + unit}) +
           "\n";
  }
};

}  // namespace

std::string print_waterfall(const WaterfallReport& report, const Presentation& look) {
  std::string out;
  for (const WaterfallTotal& total : report.totals) {
    const WaterfallWriter writer{total, look};
    if (report.totals.size() > 1) out += visible(total.currency) + "\n";
    out += writer.bars();
    if (look.headers) out += writer.undetermined_note();
  }
  if (!look.headers) return out;
  if (report.totals.size() == 1) out += visible(report.totals[0].currency) + std::string(text(TextId::kSemicolon, look.language));
  out += window_text(report.question.window, report.question.zone) + "\n";
  if (report.has_provisional) out += std::string(text(TextId::kProvisional, look.language)) + "\n";
  out += telemetry_lines(report.telemetry, report.question.zone, look);
  return out;
}

}  // namespace seedance
