#include "cli/print/progress.h"

#include <algorithm>

#include "base/money.h"
#include "cli/print/terminal_text.h"
#include "cli/texts.h"

namespace seedance {
namespace {

constexpr std::size_t kProgressBarWidth = 15;
constexpr Nanos kBarEvery = std::chrono::milliseconds(100);
constexpr Nanos kLineEvery = std::chrono::seconds(10);

struct ByteUnit {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr ByteUnit kByteUnits[] = {{"GB", 1'000'000'000}, {"MB", 1'000'000}, {"kB", 1'000}, {"B", 1}};

ByteUnit unit_for(std::uint64_t bytes) {
  for (const ByteUnit& unit : kByteUnits) {
    if (bytes >= unit.bytes) return unit;
  }
  return kByteUnits[3];
}

std::string in_unit(std::uint64_t bytes, ByteUnit unit, int decimals) {
  const Int128 nanos = static_cast<Int128>(bytes) * 1'000'000'000 / static_cast<Int128>(unit.bytes);
  return print_rounded(nanos, unit.bytes == 1 ? 0 : decimals);
}

// "importing metrics  [=========>     ] 62%  "; done <= all, all > 0.
std::string progress_bar(std::uint64_t done, std::uint64_t all, const Presentation& look) {
  const auto filled_columns = static_cast<std::size_t>(static_cast<Int128>(done) * kProgressBarWidth / all);
  std::string bar(filled_columns, '=');
  if (done > 0 && filled_columns < kProgressBarWidth) bar.push_back('>');
  bar.resize(kProgressBarWidth, ' ');
  return std::string(text(TextId::kImporting, look.language)) + "  [" + bar + "] " + std::to_string(static_cast<int>(static_cast<Int128>(done) * 100 / all)) + "%  ";
}

std::string time_left_text(std::uint64_t seconds, const Presentation& look) {
  return ", " + filled(TextId::kTimeLeft, look.language, {std::to_string(seconds) + " s"});
}

// "950", "38.20 k", "2.50 M".
std::string short_count(std::uint64_t count) {
  if (count < 1'000) return std::to_string(count);
  const bool is_millions = count >= 1'000'000;
  return print_rounded(static_cast<Int128>(count) * (is_millions ? 1'000 : 1'000'000), 2) + (is_millions ? " M" : " k");
}

}  // namespace

std::string progress_text(std::uint64_t done_bytes, std::uint64_t all_bytes, Nanos passed, const Presentation& look) {
  const std::uint64_t all = std::max<std::uint64_t>(1, all_bytes);
  const std::uint64_t done = std::min(done_bytes, all);
  const ByteUnit unit = unit_for(all);
  std::string out = progress_bar(done, all, look) + in_unit(done, unit, 2) + "/" + in_unit(all, unit, 2) + " " + std::string(unit.name);
  const std::int64_t seconds = passed.count() / kNanosPerSecond;
  if (seconds < 1 || done == 0) return out;
  const std::uint64_t rate = done / static_cast<std::uint64_t>(seconds);
  const ByteUnit rate_unit = unit_for(rate);
  out += ", " + in_unit(rate, rate_unit, 0) + " " + std::string(rate_unit.name) + "/s";
  if (rate == 0) return out;
  return out + time_left_text((all - done + rate - 1) / rate, look);
}

std::string progress_hours_text(std::uint64_t done_hours, std::uint64_t all_hours, std::uint64_t samples, Nanos passed, const Presentation& look) {
  const std::uint64_t all = std::max<std::uint64_t>(1, all_hours);
  const std::uint64_t done = std::min(done_hours, all);
  std::string out = progress_bar(done, all, look) + std::to_string(done) + "/" + std::to_string(all) + " h, " +
                    filled(TextId::kSamplesSoFar, look.language, {short_count(samples)});
  const auto seconds = static_cast<std::uint64_t>(std::max<std::int64_t>(0, passed.count() / kNanosPerSecond));
  if (seconds < 1 || done == 0) return out;
  return out + time_left_text((seconds * (all - done) + done - 1) / done, look);
}

bool ProgressLine::is_due(TimePoint now) {
  if (look_.quiet || now - said_ < (on_terminal_ ? kBarEvery : kLineEvery)) return false;
  said_ = now;
  return true;
}

void ProgressLine::show(const std::string& line) {
  if (!on_terminal_) {
    err_ << line << "\n";
    return;
  }
  const std::size_t width = display_width(line);
  err_ << '\r' << line << std::string(width < shown_width_ ? shown_width_ - width : 0, ' ') << std::flush;
  shown_width_ = width;
}

void ProgressLine::update(std::uint64_t done_bytes, std::uint64_t all_bytes, TimePoint now) {
  if (is_due(now)) show(progress_text(done_bytes, all_bytes, now - started_, look_));
}

void ProgressLine::update_hours(std::uint64_t done_hours, std::uint64_t all_hours, std::uint64_t samples, TimePoint now) {
  if (is_due(now)) show(progress_hours_text(done_hours, all_hours, samples, now - started_, look_));
}

void ProgressLine::end() {
  if (shown_width_ > 0) err_ << '\r' << std::string(shown_width_, ' ') << '\r' << std::flush;
  shown_width_ = 0;
}

}  // namespace seedance
