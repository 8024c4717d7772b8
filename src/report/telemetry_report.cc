#include "report/telemetry_report.h"

#include "base/time_text.h"
#include "report/window_json.h"

namespace seedance {

Json telemetry_notes_json(const std::vector<TelemetryNote>& notes, const TimeZone& zone) {
  Json out = Json::array();
  for (const TelemetryNote& note : notes) {
    Json one = Json::object();
    one.set("subject", note.subject).set("gate", note.gate).set("message", note.message);
    one.set("from", print_time(note.from, zone)).set("to", note.to ? Json(print_time(*note.to, zone)) : Json());
    out.add(std::move(one));
  }
  return out;
}

Result<std::vector<TelemetryNote>> telemetry_notes_from_json(const Json& json) {
  std::vector<TelemetryNote> out;
  for (const Json& one : json.elements()) {
    TelemetryNote note{std::string(one.at("subject").text()), std::string(one.at("gate").text()), std::string(one.at("message").text()), {}, {}};
    TRY_ASSIGN(note.from, parse_time(one.at("from").text()));
    if (one.at("to").is_text()) {
      TRY_ASSIGN(note.to, parse_time(one.at("to").text()));
    }
    out.push_back(std::move(note));
  }
  return out;
}

namespace {

Json sender_json(const TelemetrySender& sender) {
  Json gates = Json::array();
  for (const TelemetryGate& gate : sender.gates) {
    Json one = Json::object();
    one.set("gate", gate.name).set("state", !gate.is_known ? "unknown" : gate.is_bad ? "bad" : "good");
    gates.add(one.set("value", gate.is_known ? Json(gate.value) : Json()).set("limit", gate.limit));
  }
  Json out = Json::object();
  out.set("sender", sender.sender).set("calls_itself", sender.calls_itself).set("state", sender.is_degraded ? "degraded" : "good");
  out.set("schema", sender.has_light_schema ? "light" : "full").set("device_ids", sender.has_fallback_ids ? "fallback" : "own");
  return out.set("gates", std::move(gates));
}

TelemetrySender sender_from(const Json& json) {
  TelemetrySender out{std::string(json.at("sender").text()), std::string(json.at("calls_itself").text()), json.at("state").text() == "degraded",
                      json.at("schema").text() == "light", json.at("device_ids").text() == "fallback", {}};
  for (const Json& gate : json.at("gates").elements()) {
    const std::string_view state = gate.at("state").text();
    out.gates.push_back({std::string(gate.at("gate").text()), state != "unknown", state == "bad", gate.at("value").number(), gate.at("limit").number()});
  }
  return out;
}

}  // namespace

Json telemetry_report_json(const TelemetryReport& report) {
  Json senders = Json::array();
  for (const TelemetrySender& sender : report.senders) senders.add(sender_json(sender));
  Json out = Json::object();
  out.set("zone", report.zone.name()).set("senders", std::move(senders));
  return out.set("notes", telemetry_notes_json(report.notes, report.zone));
}

Result<TelemetryReport> telemetry_report_from_json(const Json& json) {
  TelemetryReport out;
  out.zone = zone_from(json);
  for (const Json& sender : json.at("senders").elements()) out.senders.push_back(sender_from(sender));
  TRY_ASSIGN(out.notes, telemetry_notes_from_json(json.at("notes")));
  return out;
}

}  // namespace seedance
