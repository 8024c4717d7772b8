// Can the metrics be relied on? Watches every sender and every GPU in the stream, and remembers what was wrong when.
//
// Deliveries are counted as requests are answered; the governor closes periods of a minute. What a gate finds (signal/quality/) becomes a
// note with its beginning and end; reports whose window a note touches carry it, also after a restart: the newest notes stand in
// `telemetry.json` of the store. Any thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "app/intake/sample_intake.h"
#include "base/counters.h"
#include "report/telemetry_report.h"
#include "signal/quality/contradiction.h"
#include "signal/quality/sender_balance.h"
#include "signal/quality/sender_gates.h"

namespace seedance {

class TelemetryQuality {
 public:
  // Notes are kept in `file`; an empty name keeps them in memory only. A file that cannot be read is logged and begun anew.
  // `compares_clocks`: false for a server that accepts samples of any age, whose senders are neither fast nor late.
  TelemetryQuality(std::string file, Counters& counters, bool compares_clocks = true);
  ~TelemetryQuality();

  // What the intake has to know of a sender before it takes something from it.
  bool is_light(std::string_view sender) const;
  // What became of a request of `sender`, who may call itself something (a User-Agent). An error of ours (kExhausted, kUnavailable) is
  // not the sender's and does not count.
  void add(std::string_view sender, std::string_view calls_itself, const Result<IntakeAnswer>& answer, TimePoint arrival);

  void add_vectors(std::span<const NumberedFeature> vectors, const std::vector<std::string>& names);

  // Ends the period that began at the last call, when a minute is over; tells what changed in the log.
  Result<void> close_period(TimePoint now);

  TelemetryReport report() const;
  std::vector<TelemetryNote> notes_of(Interval window) const;

 private:
  struct Sender;
  struct NoteBook;
  void judge_senders(TimePoint now);
  void judge_devices(TimePoint now);

  const bool compares_clocks_;
  Counter& degraded_gauge_;
  Counter& light_gauge_;
  Counter& contradicting_gauge_;
  Counter& senders_gauge_;

  mutable std::mutex mutex_;  // guards everything below
  std::map<std::string, Sender, std::less<>> senders_;
  ContradictionWatch contradictions_;
  std::vector<std::string> device_names_;
  std::unique_ptr<NoteBook> book_;
  TimePoint period_from_{};
};

// Where the notes of a store are.
std::string telemetry_file(const std::string& store_directory);

// The notes of a store that no server runs on; empty when there are none.
std::vector<TelemetryNote> read_telemetry_notes(const std::string& file);

}  // namespace seedance
