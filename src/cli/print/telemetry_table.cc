#include "cli/print/telemetry_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/print/numbers.h"
#include "cli/print/table.h"
#include "cli/print/terminal_text.h"
#include "cli/texts.h"
#include "model/message_texts.h"

namespace seedance {
namespace {

constexpr std::size_t kLinesMax = 5;

std::string note_line(const TelemetryNote& note, const TimeZone& zone, Language language) {
  const std::string until = note.to ? instant_text(*note.to, zone) : std::string(text(TextId::kUntilNow, language));
  return visible(note.subject) + ": " + visible(message_in(language, note.message)) + " (" + instant_text(note.from, zone) + " .. " + until + ")\n";
}

// "18.2 %", "7.0 s", or "-" when there was nothing to judge by.
std::string gate_text(const TelemetrySender& sender, std::string_view name) {
  const auto at = std::find_if(sender.gates.begin(), sender.gates.end(), [&](const TelemetryGate& g) { return g.name == name; });
  if (at == sender.gates.end() || !at->is_known) return "-";
  if (name == "clock" || name == "delay") return fmt::format("{:.1f} s", at->value);
  return fmt::format("{:.1f} %", at->value * 100);
}

}  // namespace

std::string telemetry_lines(const std::vector<TelemetryNote>& notes, const TimeZone& zone, const Presentation& look) {
  std::vector<TelemetryNote> newest(notes);
  std::stable_sort(newest.begin(), newest.end(), [](const TelemetryNote& a, const TelemetryNote& b) { return a.from > b.from; });
  std::string out;
  for (std::size_t i = 0; i < std::min(kLinesMax, newest.size()); ++i) {
    out += std::string(text(TextId::kTelemetryNote, look.language)) + note_line(newest[i], zone, look.language);
  }
  if (newest.size() > kLinesMax) out += filled(TextId::kTelemetryMore, look.language, {std::to_string(newest.size() - kLinesMax)}) + "\n";
  return out;
}

std::string print_telemetry_table(const TelemetryReport& report, const Presentation& look) {
  const auto word = [&](TextId id) { return std::string(text(id, look.language)); };
  Table table;
  for (const TextId id : {TextId::kHeadSender, TextId::kHeadState, TextId::kHeadSchema, TextId::kHeadDeviceIds}) table.columns.push_back({word(id), false});
  for (const TextId id : {TextId::kHeadErrors, TextId::kHeadUnparsed, TextId::kHeadWithoutId, TextId::kHeadApart, TextId::kHeadAhead, TextId::kHeadBehind}) {
    table.columns.push_back({word(id), true});
  }
  table.columns.push_back({word(TextId::kHeadCallsItself), false});
  for (const TelemetrySender& s : report.senders) {
    table.rows.push_back({s.sender, word(s.is_degraded ? TextId::kDegraded : TextId::kGood), word(s.has_light_schema ? TextId::kLight : TextId::kFull),
                          word(s.has_fallback_ids ? TextId::kFallback : TextId::kOwn), gate_text(s, "errors"), gate_text(s, "parsing"),
                          gate_text(s, "device_ids"), gate_text(s, "consistency"), gate_text(s, "clock"), gate_text(s, "delay"), s.calls_itself});
  }
  std::string out = report.senders.empty() ? std::string{} : print_table(table, look);
  if (report.notes.empty()) out += report.senders.empty() ? word(TextId::kTelemetryNobody) + "\n" : look.headers ? word(TextId::kTelemetryFine) + "\n" : "";
  for (const TelemetryNote& note : report.notes) out += note_line(note, report.zone, look.language);
  return out;
}

}  // namespace seedance
