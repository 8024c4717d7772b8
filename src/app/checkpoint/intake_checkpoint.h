// Checkpoints of an intake: what it holds, on disk, so that a start reads that and replays only the log since.
//
// A checkpoint is fuzzy. The log goes on in a new file; when every request that may have written to an older one has been kept
// (app/checkpoint/take_barrier.h), chunks and series are copied a batch at a time under the intake's lock, while samples come in. A sample may
// then be both in the checkpoint and in the log behind it: kept samples are a set by series and time stamp, so it counts once. Hours come before
// series, so that every chunk's series is there.
//
// On disk (store/log/checkpoint_content.h): the parts are written and synced, then their folder, then the file `checkpoint` that names them is
// replaced, and only then the older log files and parts go. A crash leaves the old checkpoint with its log or the new one with its own.
// An hour without a new sample keeps its part; series are added in parts, and written anew when there are many. After a
// start the series that no open hour names are gone, so the next checkpoint is written whole.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "store/log/checkpoint_content.h"
#include "store/log/frame_file.h"

namespace seedance {

class SampleIntake;

struct CheckpointReport {
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_total = 0;   // of the checkpoint with the parts that it kept
  Nanos longest_pause{};           // for which the intake's lock was held
  Nanos waited{};                  // for requests that had begun before
};

// One thread at a time; not the intake's lock, which is taken inside.
class IntakeCheckpoint {
 public:
  // `intake` owns this.
  explicit IntakeCheckpoint(SampleIntake& intake) : intake_(intake) {}

  // Fills the intake from the checkpoint in its folder and returns the first log file that is not in it, 0 when there is no checkpoint.
  // Also removes what an unfinished one left behind. kInvalid: a file is damaged, and nothing was removed.
  Result<std::uint64_t> load();

  Result<CheckpointReport> write();

  std::uint64_t bytes_written() const { return bytes_written_; }  // by the last one

 private:
  class Loader;
  struct WrittenHour {
    CheckpointPart part;
    std::size_t samples = 0;  // that the hour had been given when its part was begun
  };
  // What the parts on disk hold, with the numbers that series have now.
  struct Written {
    std::map<TimePoint, WrittenHour> hours;
    std::vector<CheckpointPart> series_parts;
    std::size_t spellings = 0;  // those in series_parts, and how many series they begin
    std::uint32_t series = 0;
  };
  Result<void> write_parts(std::uint64_t generation, CheckpointState& state, CheckpointReport& report);
  Result<void> write_hour(TimePoint hour, CheckpointPart& part, CheckpointReport& report);
  Result<void> write_series(std::uint64_t generation, CheckpointReport& report);
  void write_series_runs(CheckpointState& state, CheckpointReport& report) const;
  Result<void> write_state(const CheckpointState& state, CheckpointReport& report) const;
  Result<void> remove_others() const;
  std::string path_of(const std::string& name) const;

  SampleIntake& intake_;
  std::uint64_t generation_ = 0;  // of the last checkpoint that was tried
  Written written_;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace seedance
