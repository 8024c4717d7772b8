#include "app/intake/telemetry_quality.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/log.h"
#include "base/time_text.h"
#include "ingest/label_rules.h"

namespace seedance {
namespace {

constexpr Nanos kPeriod = std::chrono::minutes(1);
constexpr Nanos kForgetSender = std::chrono::hours(1);
constexpr std::size_t kSendersMax = 1'000;
constexpr std::size_t kNotesMax = 1'000;
constexpr std::size_t kNotesFileMax = std::size_t{4} << 20;
constexpr std::string_view kContradiction = "contradiction";

std::string percent(double ratio) { return fmt::format("{:.1f}", ratio * 100); }

// Each sentence stands in model/message_texts.cc.
std::string sentence_of(SenderGate gate, const GateReading& r) {
  switch (gate) {
    case SenderGate::kParsing: return percent(r.value) + " % of what it sends cannot be parsed, above 8 %: only the signals that money needs are read from it";
    case SenderGate::kDeviceIds: return percent(r.value) + " % of its GPU samples name no device, above 12 %: host and card number stand in for the id";
    case SenderGate::kErrors: return percent(r.value) + " % of what it sends is refused, above 15 % for three minutes: figures made of it lack the rest";
    case SenderGate::kConsistency: return "what it sent and what arrived are " + fmt::format("{:.2f}", r.value * 100) + " % apart, above 0.5 %";
    case SenderGate::kClock: return "its clock is " + fmt::format("{:.1f}", r.value) + " s ahead of ours, above 5 s: its samples are taken at its own time";
    case SenderGate::kDelay: return "its newest samples are " + fmt::format("{:.0f}", r.value) + " s old, above 300 s: the present is not there yet";
  }
  return {};
}

std::string contradiction_sentence(double utilization) {
  return "its profiling counters stand at 0 while utilization is " + percent(utilization) + " %: how well it was used is undetermined";
}

Result<std::vector<TelemetryNote>> read_notes(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return std::vector<TelemetryNote>{};
  if (size > kNotesFileMax) return fail(Code::kTooLarge, "file too large, bytes allowed and found: " + std::to_string(kNotesFileMax) + ", " + std::to_string(size));
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  TRY_ASSIGN(const Json json, parse_json(std::move(text).str()));
  return telemetry_notes_from_json(json);
}

}  // namespace

struct TelemetryQuality::Sender {
  std::string calls_itself;
  SenderPeriod period;
  std::vector<std::int64_t> ahead_ms;  // of the period's requests
  SenderBalance balance;
  SenderGates gates;
  TimePoint last_heard{};
};

// What is and was wrong; written to disk when it changes.
struct TelemetryQuality::NoteBook {
  std::string file;
  std::deque<TelemetryNote> notes;
  bool is_changed = false;

  void set(std::string_view subject, std::string_view gate, bool is_bad, const std::string& message, TimePoint from, TimePoint now) {
    const auto open = std::find_if(notes.begin(), notes.end(), [&](const TelemetryNote& n) { return !n.to && n.gate == gate && n.subject == subject; });
    if (open == notes.end()) {
      if (!is_bad) return;
      notes.push_back({std::string(subject), std::string(gate), message, from, {}});
      if (notes.size() > kNotesMax) notes.pop_front();
      log_warn("metrics cannot be relied on", {{"from", subject}, {"gate", gate}, {"why", message}});
      is_changed = true;
    } else if (!is_bad) {
      open->to = now;
      log_info("metrics can be relied on again", {{"from", subject}, {"gate", gate}});
      is_changed = true;
    } else {
      open->message = message;  // the newest figure; written with the next change
    }
  }

  // Nobody watched from the end of the last run until now: what is still bad is found again.
  void close_all(TimePoint now) {
    for (TelemetryNote& note : notes) {
      if (note.to) continue;
      note.to = now;
      is_changed = true;
    }
  }

  Result<void> save() {
    if (!is_changed || file.empty()) return {};
    const std::string text = telemetry_notes_json({notes.begin(), notes.end()}, TimeZone{}).print() + "\n";
    TRY(replace_file(posix_files(), std::filesystem::path(file).parent_path().string(), std::filesystem::path(file).filename().string(), text));
    is_changed = false;
    return {};
  }
};

TelemetryQuality::TelemetryQuality(std::string file, Counters& counters, bool compares_clocks)
    : compares_clocks_(compares_clocks),
      degraded_gauge_(counters.gauge("telemetry_senders_degraded", "Senders of metrics with more than 15 % errors for three minutes")),
      light_gauge_(counters.gauge("telemetry_senders_light", "Senders of metrics with more than 8 % that cannot be parsed")),
      contradicting_gauge_(counters.gauge("telemetry_devices_contradicting", "GPUs whose profiling counters stand at 0 while they are utilized")),
      senders_gauge_(counters.gauge("telemetry_senders", "Senders of metrics heard in the last hour")),
      book_(std::make_unique<NoteBook>()) {
  book_->file = std::move(file);
  Result<std::vector<TelemetryNote>> notes = read_notes(book_->file);
  if (!notes) {
    log_warn("notes on the quality of metrics cannot be read and are begun anew", {{"file", book_->file}, {"reason", notes.error().message}});
    return;
  }
  book_->notes.assign(notes->begin(), notes->end());
}

TelemetryQuality::~TelemetryQuality() = default;

bool TelemetryQuality::is_light(std::string_view sender) const {
  const std::lock_guard lock(mutex_);
  const auto at = senders_.find(sender);
  return at != senders_.end() && at->second.gates.is_light();
}

void TelemetryQuality::add(std::string_view name, std::string_view calls_itself, const Result<IntakeAnswer>& answer, TimePoint arrival) {
  const bool is_ours = !answer && (answer.error().code == Code::kExhausted || answer.error().code == Code::kUnavailable);
  const std::lock_guard lock(mutex_);
  if (is_ours || (senders_.size() >= kSendersMax && !senders_.contains(name))) return;
  Sender& sender = senders_[std::string(name)];
  if (sender.calls_itself.empty()) sender.calls_itself = text_for_message(calls_itself);
  sender.last_heard = arrival;
  SenderPeriod& p = sender.period;
  ++p.requests;
  if (!answer) {
    ++p.requests_unparsed;
    return;
  }
  p.samples += answer->samples_taken() + answer->samples_refused;
  p.samples_refused += answer->samples_refused;
  p.samples_unparsed += answer->samples_malformed;
  p.gpu_samples += answer->gpu_samples;
  p.gpu_samples_without_id += answer->gpu_samples_without_id;
  const std::int64_t arrival_ms = millis_of(arrival);
  if (compares_clocks_ && answer->newest_ms > 0) sender.ahead_ms.push_back(answer->newest_ms - arrival_ms);
  if (answer->refused() == 0) sender.balance.received(arrival_ms, answer->samples_taken());
  for (const SenderCounter& counter : answer->sender_counters) sender.balance.said(counter);
}

void TelemetryQuality::add_vectors(std::span<const NumberedFeature> vectors, const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  contradictions_.add(vectors);
  if (names.size() > device_names_.size()) device_names_ = names;
}

void TelemetryQuality::judge_senders(TimePoint now) {
  std::int64_t degraded = 0;
  std::int64_t light = 0;
  for (auto& [name, sender] : senders_) {
    SenderPeriod& p = sender.period;
    if (!sender.ahead_ms.empty()) {
      const auto middle = sender.ahead_ms.begin() + static_cast<std::ptrdiff_t>(sender.ahead_ms.size() / 2);
      std::nth_element(sender.ahead_ms.begin(), middle, sender.ahead_ms.end());
      p.ahead_ms = *middle;
    }
    if (const auto balance = sender.balance.compare()) p.imbalance = balance->apart;
    sender.gates.close_period(p);
    p = {};
    sender.ahead_ms.clear();
    for (std::size_t i = 0; i < kSenderGateCount; ++i) {
      const auto gate = static_cast<SenderGate>(i);
      const GateReading& reading = sender.gates.reading(gate);
      book_->set(name, sender_gate_name(gate), reading.is_bad, sentence_of(gate, reading), period_from_, now);
    }
    degraded += sender.gates.is_degraded() ? 1 : 0;
    light += sender.gates.is_light() ? 1 : 0;
  }
  // One that is gone is not bad any more.
  std::erase_if(senders_, [&](const auto& entry) {
    const auto& [name, sender] = entry;
    if (now - sender.last_heard < kForgetSender) return false;
    for (std::size_t i = 0; i < kSenderGateCount; ++i) book_->set(name, sender_gate_name(static_cast<SenderGate>(i)), false, {}, now, now);
    return true;
  });
  degraded_gauge_.set(degraded);
  light_gauge_.set(light);
  senders_gauge_.set(static_cast<std::int64_t>(senders_.size()));
}

void TelemetryQuality::judge_devices(TimePoint now) {
  std::int64_t contradicting = 0;
  const std::vector<ContradictionWatch::State>& states = contradictions_.states();
  for (std::size_t i = 0; i < std::min(states.size(), device_names_.size()); ++i) {
    contradicting += states[i].is_bad ? 1 : 0;
    book_->set(device_names_[i], kContradiction, states[i].is_bad, contradiction_sentence(states[i].utilization), time_from_seconds(states[i].since), now);
  }
  contradicting_gauge_.set(contradicting);
}

Result<void> TelemetryQuality::close_period(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (period_from_ == TimePoint{}) {
    period_from_ = now;
    book_->close_all(now);
  }
  if (now - period_from_ < kPeriod) return {};
  judge_senders(now);
  judge_devices(now);
  period_from_ = now;
  return book_->save();
}

TelemetryReport TelemetryQuality::report() const {
  const std::lock_guard lock(mutex_);
  TelemetryReport out;
  for (const auto& [name, sender] : senders_) {
    TelemetrySender one{name, sender.calls_itself, sender.gates.is_degraded(), sender.gates.is_light(), sender.gates.reading(SenderGate::kDeviceIds).is_bad, {}};
    for (std::size_t i = 0; i < kSenderGateCount; ++i) {
      const auto gate = static_cast<SenderGate>(i);
      const GateReading& r = sender.gates.reading(gate);
      one.gates.push_back({std::string(sender_gate_name(gate)), r.is_known, r.is_bad, r.value, r.limit});
    }
    out.senders.push_back(std::move(one));
  }
  out.notes.assign(book_->notes.rbegin(), book_->notes.rend());
  return out;
}

std::vector<TelemetryNote> TelemetryQuality::notes_of(Interval window) const {
  const std::lock_guard lock(mutex_);
  std::vector<TelemetryNote> out(book_->notes.begin(), book_->notes.end());
  std::erase_if(out, [&](const TelemetryNote& note) { return !note.touches(window); });
  return out;
}

std::string telemetry_file(const std::string& store_directory) { return store_directory + "/telemetry.json"; }

std::vector<TelemetryNote> read_telemetry_notes(const std::string& file) {
  Result<std::vector<TelemetryNote>> notes = read_notes(file);
  if (!notes) log_warn("notes on the quality of metrics cannot be read", {{"file", file}, {"reason", notes.error().message}});
  return notes ? std::move(*notes) : std::vector<TelemetryNote>{};
}

}  // namespace seedance
