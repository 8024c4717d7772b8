#include "app/checkpoint/intake_checkpoint.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "app/intake/sample_intake.h"

namespace seedance {
namespace {

constexpr std::uint32_t kChunkBatch = 512;  // series copied under one lock
constexpr std::size_t kSpellingBatch = 1'024;
constexpr std::uint32_t kRunBatch = 4'096;
// Between two locks: without it the one who unlocks takes the lock again before a request that waits is awake.
constexpr auto kBetweenLocks = std::chrono::microseconds(50);
constexpr std::size_t kFrameBytes = std::size_t{1} << 20;
constexpr std::size_t kSeriesPartsMax = 16;
constexpr Nanos kRequestMax = std::chrono::seconds(30);  // that a request may need from its log record to its samples
constexpr Nanos kSilenceKept = std::chrono::hours(3);    // longer than a node's silence is charged
constexpr std::uint32_t kNotNeeded = UINT32_MAX;

// Holds the intake's lock, keeps the longest time for which that was so, and lets others have it afterwards.
class TimedLock {
 public:
  TimedLock(std::mutex& mutex, CheckpointReport& report) : lock_(mutex), report_(report), begun_(std::chrono::steady_clock::now()) {}
  ~TimedLock() {
    lock_.unlock();
    report_.longest_pause = std::max<Nanos>(report_.longest_pause, std::chrono::steady_clock::now() - begun_);
    std::this_thread::sleep_for(kBetweenLocks);
  }
  TimedLock(const TimedLock&) = delete;
  TimedLock& operator=(const TimedLock&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  CheckpointReport& report_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace

std::string IntakeCheckpoint::path_of(const std::string& name) const { return intake_.directory_ + "/" + name; }

Result<CheckpointReport> IntakeCheckpoint::write() {
  CheckpointReport report;
  CheckpointState state;
  state.generation = ++generation_;
  TRY_ASSIGN(state.log_sequence, intake_.log_->rotate());
  const auto begun = std::chrono::steady_clock::now();
  if (!intake_.takes_.drain(kRequestMax)) {
    return fail(Code::kTimeout, "checkpoint of the sample log waits too long for a request", "it is tried again; the log grows meanwhile");
  }
  report.waited = std::chrono::steady_clock::now() - begun;
  const Written before = written_;
  if (const Result<void> done = write_parts(state.generation, state, report); !done) {
    written_ = before;
    ignore(remove_others(), "parts that stay are removed with the next checkpoint");
    return tl::unexpected<Error>(done.error());
  }
  if (const Result<void> done = write_state(state, report); !done) {
    // It may have been replaced: neither what it names nor what the old one named may go.
    written_ = before;
    return tl::unexpected<Error>(done.error());
  }
  intake_.log_->drop_before(state.log_sequence);
  ignore(remove_others(), "parts that stay are removed with the next checkpoint");
  bytes_written_ = report.bytes_written;
  for (const CheckpointPart& part : state.parts) report.bytes_total += part.bytes;
  return report;
}

Result<void> IntakeCheckpoint::write_parts(std::uint64_t generation, CheckpointState& state, CheckpointReport& report) {
  std::vector<TimePoint> hours;
  {
    const TimedLock lock(intake_.mutex_, report);
    hours = intake_.kept_.hours();
    state.final_before = intake_.final_before_;
    state.watermark = intake_.newest_;
  }
  std::map<TimePoint, WrittenHour> written;
  for (const TimePoint hour : hours) {
    WrittenHour now;
    {
      const TimedLock lock(intake_.mutex_, report);
      now.samples = intake_.kept_.samples_of(hour);
    }
    const auto before = written_.hours.find(hour);
    if (before != written_.hours.end() && before->second.samples == now.samples) {
      now.part = before->second.part;
    } else {
      now.part = {millis_of(hour), generation, 0};
      TRY(write_hour(hour, now.part, report));
    }
    written.emplace(hour, now);
  }
  written_.hours = std::move(written);
  TRY(write_series(generation, report));
  write_series_runs(state, report);
  state.parts = written_.series_parts;
  for (const auto& [hour, now] : written_.hours) {
    state.parts.push_back(now.part);
    state.samples += now.samples;
  }
  return {};
}

Result<void> IntakeCheckpoint::write_hour(TimePoint hour, CheckpointPart& part, CheckpointReport& report) {
  TRY_ASSIGN(FrameWriter file, FrameWriter::create(*intake_.options_.files, path_of(part.name())));
  ChunkFrame frame;
  std::uint32_t end = 1;
  for (std::uint32_t first = 0; first < end; first += kChunkBatch) {
    {
      const TimedLock lock(intake_.mutex_, report);
      end = intake_.kept_.series_end(hour);
      intake_.kept_.chunks_of(hour, first, kChunkBatch, [&](std::uint32_t series, const SampleChunk& chunk) { frame.add(series, chunk); });
    }
    if (frame.bytes().empty() || (frame.bytes().size() < kFrameBytes && first + kChunkBatch < end)) continue;
    TRY(file.add(frame.bytes()));
    frame.clear();
  }
  TRY(file.finish());
  part.bytes = file.bytes();
  report.bytes_written += part.bytes;
  return {};
}

Result<void> IntakeCheckpoint::write_series(std::uint64_t generation, CheckpointReport& report) {
  if (written_.series_parts.size() >= kSeriesPartsMax) {
    written_.series_parts.clear();
    written_.spellings = 0;
    written_.series = 0;
  }
  std::size_t end = written_.spellings + 1;
  std::string frame;
  CheckpointPart part{0, generation, 0};
  std::optional<FrameWriter> file;
  for (std::size_t first = written_.spellings; first < end;) {
    {
      const TimedLock lock(intake_.mutex_, report);
      const SeriesTable& table = intake_.registry_.table();
      end = table.spellings();
      const std::size_t last = std::min(end, first + kSpellingBatch);
      for (; first < last; ++first) {
        const SeriesTable::Spelling spelling = table.spelling(first);
        add_spelling(frame, spelling.series, spelling.label_block);
        written_.series = std::max(written_.series, spelling.series + 1);
      }
    }
    if (frame.empty() || (frame.size() < kFrameBytes && first < end)) continue;
    if (!file) {
      TRY_ASSIGN(file, FrameWriter::create(*intake_.options_.files, path_of(part.name())));
    }
    TRY(file->add(frame));
    frame.clear();
  }
  if (!file) return {};
  TRY(file->finish());
  part.bytes = file->bytes();
  report.bytes_written += part.bytes;
  written_.series_parts.push_back(part);
  written_.spellings = end;
  return {};
}

// For the series that were just written, not for those that came since. A series is needed while an hour names it: hours were written
// before, so one that is not needed is in none of their parts.
void IntakeCheckpoint::write_series_runs(CheckpointState& state, CheckpointReport& report) const {
  for (std::uint32_t first = 0; first < written_.series; first += kRunBatch) {
    const TimedLock lock(intake_.mutex_, report);
    for (std::uint32_t series = first; series < std::min(written_.series, first + kRunBatch); ++series) {
      const auto node = intake_.node_seen_.find(series);
      const bool is_node = node != intake_.node_seen_.end() && time_from_millis(node->second) > intake_.final_before_ - kSilenceKept;
      if (is_node) state.nodes_seen.push_back({series, node->second});
      const SeriesRun one{1, intake_.registry_.owner_index(series), is_node || intake_.kept_.has_samples(series)};
      if (!state.series_runs.empty() && state.series_runs.back().owner == one.owner && state.series_runs.back().is_needed == one.is_needed) {
        ++state.series_runs.back().count;
      } else {
        state.series_runs.push_back(one);
      }
    }
  }
  const TimedLock lock(intake_.mutex_, report);
  state.owners = intake_.registry_.owner_names();
}

Result<void> IntakeCheckpoint::write_state(const CheckpointState& state, CheckpointReport& report) const {
  FileLayer& files = *intake_.options_.files;
  // The parts are there before something names them.
  TRY(files.sync_folder(intake_.directory_));
  const std::string path = path_of(std::string(kCheckpointFile));
  TRY_ASSIGN(FrameWriter file, FrameWriter::create(files, path + ".new"));
  TRY(file.add(encode_checkpoint_state(state)));
  TRY(file.finish());
  TRY(files.rename(path + ".new", path));
  // The new checkpoint is there before anything goes on which the old one rests.
  TRY(files.sync_folder(intake_.directory_));
  report.bytes_written += file.bytes();
  return {};
}

// Parts that the checkpoint does not name.
Result<void> IntakeCheckpoint::remove_others() const {
  FileLayer& files = *intake_.options_.files;
  std::set<std::string> named;
  for (const CheckpointPart& part : written_.series_parts) named.insert(part.name());
  for (const auto& [hour, written] : written_.hours) named.insert(written.part.name());
  TRY_ASSIGN(const std::vector<std::string> names, files.list(intake_.directory_));
  for (const std::string& name : names) {
    if (name.ends_with(kCheckpointPartEnd) && !named.contains(name)) TRY(files.remove(path_of(name)));
  }
  return {};
}

// Puts what a checkpoint holds into an intake that is still empty.
class IntakeCheckpoint::Loader {
 public:
  Loader(IntakeCheckpoint& checkpoint, const CheckpointState& state) : checkpoint_(checkpoint), intake_(checkpoint.intake_), state_(state) {}

  // True when every series was put back, under its number.
  Result<bool> load() {
    for (const CheckpointPart& part : state_.parts) {
      if (part.hour_ms == 0) TRY(load_series(part));
    }
    if (numbers_.size() != state_.series()) return tl::unexpected<Error>(reader(std::string(kCheckpointFile)).damage());
    for (const CheckpointPart& part : state_.parts) {
      // An hour that is final needs nothing but its last minutes, and only while the next one can change.
      if (part.hour_ms != 0 && time_from_millis(part.hour_ms) + kWholeHour >= intake_.final_before_) TRY(load_hour(part));
    }
    mark_silences();
    return intake_.registry_.table().size() == numbers_.size();
  }

 private:
  static constexpr Nanos kWholeHour = std::chrono::hours(1);

  FrameReader reader(const std::string& name) const { return {*intake_.options_.files, checkpoint_.path_of(name)}; }

  // Calls `on_frame` for every frame; false is damage.
  Result<void> read(const CheckpointPart& part, const std::function<bool(std::string_view)>& on_frame) const {
    FrameReader file = reader(part.name());
    for (;;) {
      const Result<std::string_view> frame = file.next();
      if (!frame && frame.error().code == Code::kNotFound) return tl::unexpected<Error>(file.damage());
      if (!frame) return tl::unexpected<Error>(frame.error());
      if (frame->empty()) break;
      if (!on_frame(*frame)) return tl::unexpected<Error>(file.damage());
    }
    if (file.bytes() != part.bytes) return tl::unexpected<Error>(file.damage());
    return {};
  }

  // The runs say of each series, in order, whether it is needed and whose it is.
  bool begin_series() {
    if (run_ == state_.series_runs.size()) return false;
    const SeriesRun& run = state_.series_runs[run_];
    is_needed_ = run.is_needed;
    owner_ = state_.owners[run.owner];
    if (++of_run_ == run.count) {
      ++run_;
      of_run_ = 0;
    }
    return true;
  }

  bool load_spelling(std::uint32_t series, std::string_view label_block) {
    if (series > numbers_.size()) return false;
    const bool is_first = series == numbers_.size();
    if (is_first && !begin_series()) return false;
    SeriesRegistry& registry = intake_.registry_;
    if (is_first) {
      // A metric may have left the catalogue since.
      const bool is_wanted = is_needed_ && registry.catalogue().find(metric_name_of_block(label_block)) != nullptr;
      numbers_.push_back(is_wanted ? static_cast<std::uint32_t>(registry.table().size()) : kNotNeeded);
    }
    const std::uint32_t number = numbers_[series];
    if (number == kNotNeeded) return true;
    if (!registry.restore(number, label_block)) return false;
    if (is_first) registry.set_owner(number, owner_);
    return true;
  }

  Result<void> load_series(const CheckpointPart& part) {
    return read(part, [&](std::string_view frame) {
      return read_spelling_frame(frame, [&](std::uint32_t series, std::string_view label_block) { return load_spelling(series, label_block); });
    });
  }

  Result<void> load_hour(const CheckpointPart& part) {
    const TimePoint hour = time_from_millis(part.hour_ms);
    SampleChunk::Extent whole;
    std::uint64_t next = 0;  // series ascend, so none comes twice
    TRY(read(part, [&](std::string_view frame) {
      return read_chunk_frame(frame, [&](std::uint32_t series, SampleChunk chunk, const SampleChunk::Extent& extent) {
        if (series >= numbers_.size() || series < next) return false;
        next = std::uint64_t{series} + 1;
        const std::uint32_t number = numbers_[series];
        if (number == kNotNeeded || intake_.registry_.meaning(number) == nullptr) return true;
        whole.first_ms = std::min(whole.first_ms, extent.first_ms);
        whole.last_ms = std::max(whole.last_ms, extent.last_ms);
        intake_.kept_.restore(hour, number, std::move(chunk), extent.samples);
        return true;
      });
    }));
    if (next == 0) return {};
    // Which hours samples of this one change depends on the first and the last of them.
    intake_.mark_dirty_around(part.hour_ms + whole.first_ms);
    intake_.mark_dirty_around(part.hour_ms + whole.last_ms);
    checkpoint_.written_.hours[hour] = {part, intake_.kept_.samples_of(hour)};
    return {};
  }

  // As the samples did when they came: the hours in which a node said nothing are dirty too.
  void mark_silences() {
    const Interval always{time_from_millis(0), TimePoint::max()};
    std::vector<Sample> samples;
    for (std::uint32_t series = 0; series < intake_.registry_.table().size(); ++series) {
      const SeriesMeaning* meaning = intake_.registry_.meaning(series);
      if (meaning == nullptr || meaning->signal != SignalId::kNodeInfo) continue;
      intake_.kept_.read(series, always, samples);
      for (const Sample& sample : samples) intake_.mark_silence(series, sample.timestamp_ms);
    }
    for (const NodeSeen& seen : state_.nodes_seen) {
      const std::uint32_t number = numbers_[seen.series];
      if (number != kNotNeeded) intake_.mark_silence(number, seen.newest_ms);
    }
  }

  IntakeCheckpoint& checkpoint_;
  SampleIntake& intake_;
  const CheckpointState& state_;
  std::vector<std::uint32_t> numbers_;  // of the series of the checkpoint, in this intake
  std::size_t run_ = 0;                 // the run of the next series, and how many of it are gone
  std::uint32_t of_run_ = 0;
  bool is_needed_ = false;
  std::string_view owner_;
};

Result<std::uint64_t> IntakeCheckpoint::load() {
  FrameReader file(*intake_.options_.files, path_of(std::string(kCheckpointFile)));
  const Result<std::string_view> frame = file.next();
  std::uint64_t sequence = 0;
  if (frame) {
    const std::optional<CheckpointState> state = decode_checkpoint_state(*frame);
    if (!state) return tl::unexpected<Error>(file.damage());
    TRY_ASSIGN(const std::string_view behind, file.next());
    if (!behind.empty()) return tl::unexpected<Error>(file.damage());
    intake_.final_before_ = std::max(intake_.final_before_, state->final_before);
    intake_.newest_ = state->watermark;
    TRY_ASSIGN(const bool is_same, Loader(*this, *state).load());
    generation_ = state->generation;
    sequence = state->log_sequence;
    for (const CheckpointPart& part : state->parts) {
      bytes_written_ += part.bytes;
      if (part.hour_ms == 0) written_.series_parts.push_back(part);
    }
    TRY(remove_others());
    if (is_same) {
      written_.spellings = intake_.registry_.table().spellings();
      written_.series = static_cast<std::uint32_t>(intake_.registry_.table().size());
    } else {
      written_ = {};
    }
  } else if (frame.error().code != Code::kNotFound) {
    return tl::unexpected<Error>(frame.error());
  }
  // Without a checkpoint parts stay until the next one is written: somebody may bring its file back.
  return sequence;
}

}  // namespace seedance
