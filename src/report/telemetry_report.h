// Whether the metrics can be relied on: the state of every sender, and what was wrong when. Every report of a window carries the notes that
// touch it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time_zone.h"
#include "json/value.h"
#include "model/ledger.h"

namespace seedance {

struct TelemetryNote {
  std::string subject;  // a sender's address, or a GPU's id
  std::string gate;     // "parsing", "device_ids", "errors", "consistency", "clock", "delay", "contradiction"
  std::string message;  // for people, in English; see model/message_texts.h
  TimePoint from;
  std::optional<TimePoint> to;  // absent: still so

  bool touches(Interval window) const { return from < window.to && (!to || *to > window.from); }
};

struct TelemetryGate {
  std::string name;
  bool is_known = false;  // there was something to judge by
  bool is_bad = false;
  double value = 0;       // estimate: a ratio; seconds for "clock" and "delay"
  double limit = 0;
};

struct TelemetrySender {
  std::string sender;        // its address
  std::string calls_itself;  // its User-Agent
  bool is_degraded = false;
  bool has_light_schema = false;    // only the signals that money needs are read from it
  bool has_fallback_ids = false;    // host and card number stand in for the ids of its GPUs
  std::vector<TelemetryGate> gates;
};

struct TelemetryReport {
  std::vector<TelemetrySender> senders;
  std::vector<TelemetryNote> notes;  // newest first
  TimeZone zone = {};
};

Json telemetry_report_json(const TelemetryReport& report);
Result<TelemetryReport> telemetry_report_from_json(const Json& json);

Json telemetry_notes_json(const std::vector<TelemetryNote>& notes, const TimeZone& zone);
// kInvalid for anything that is not such a list.
Result<std::vector<TelemetryNote>> telemetry_notes_from_json(const Json& json);

}  // namespace seedance
