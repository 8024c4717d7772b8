#include "store/log/write_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

namespace seedance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 4 + 8 + 1 + 8 + 8;
constexpr std::uint32_t kRecordBytesMax = 256u << 20;

struct Header {
  std::uint32_t length = 0;  // of the payload
  std::uint64_t checksum = 0;
  std::uint8_t kind = 0;
  std::int64_t newest_ms = 0;
  std::int64_t received_ms = 0;
};

std::array<char, kHeaderBytes> pack(const Header& h) {
  std::array<char, kHeaderBytes> out{};
  std::memcpy(out.data(), &h.length, 4);
  std::memcpy(out.data() + 4, &h.checksum, 8);
  std::memcpy(out.data() + 12, &h.kind, 1);
  std::memcpy(out.data() + 13, &h.newest_ms, 8);
  std::memcpy(out.data() + 21, &h.received_ms, 8);
  return out;
}

Header unpack(const char* bytes) {
  Header h;
  std::memcpy(&h.length, bytes, 4);
  std::memcpy(&h.checksum, bytes + 4, 8);
  std::memcpy(&h.kind, bytes + 12, 1);
  std::memcpy(&h.newest_ms, bytes + 13, 8);
  std::memcpy(&h.received_ms, bytes + 21, 8);
  return h;
}

// Covers the header too, through the seed.
std::uint64_t checksum_of(const Header& h, std::string_view payload) {
  const auto seed = (static_cast<std::uint64_t>(h.newest_ms) * 31 + static_cast<std::uint64_t>(h.received_ms)) * 31 + h.kind;
  return XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
}

tl::unexpected<Error> io_error(std::string_view what, const std::string& path) {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return fail(full ? Code::kExhausted : Code::kUnavailable, std::string(what) + ": " + std::strerror(errno) + ": " + path,
              full ? "free disk space under the store directory; senders keep their data and retry" : "");
}

std::string segment_name(std::uint64_t sequence) {
  std::ostringstream name;
  name.fill('0');
  name.width(12);
  name << sequence << ".log";
  return name.str();
}

struct Segment {
  std::uint64_t sequence = 0;
  std::string path;
  std::size_t bytes = 0;
  std::int64_t newest_ms = INT64_MIN;
};

// Reads records from the front of `bytes`; returns how many bytes were whole records.
std::size_t read_records(std::string_view bytes, const std::function<bool(const LogRecord&)>& on_record) {
  std::size_t at = 0;
  while (bytes.size() - at >= kHeaderBytes) {
    const Header h = unpack(bytes.data() + at);
    if (h.length > kRecordBytesMax || bytes.size() - at - kHeaderBytes < h.length) break;
    const std::string_view payload = bytes.substr(at + kHeaderBytes, h.length);
    if (checksum_of(h, payload) != h.checksum) break;
    if (!on_record({static_cast<LogRecordKind>(h.kind), h.newest_ms, h.received_ms, payload})) break;
    at += kHeaderBytes + h.length;
  }
  return at;
}

// Whether a whole record lies anywhere in `bytes`. Behind a record that cannot be read it tells damage from the torn tail of a
// crash. Plausible fields come first: a checksum over every offset of a large file would take minutes.
bool holds_record(std::string_view bytes) {
  constexpr std::int64_t kYear2200Ms = 7'258'118'400'000;
  const auto is_time = [](std::int64_t ms) { return ms >= 0 && ms < kYear2200Ms; };
  for (std::size_t at = 0; at + kHeaderBytes <= bytes.size(); ++at) {
    const Header h = unpack(bytes.data() + at);
    if (h.kind < 1 || h.kind > 2 || !is_time(h.newest_ms) || !is_time(h.received_ms)) continue;
    if (h.length > bytes.size() - at - kHeaderBytes) continue;
    if (checksum_of(h, bytes.substr(at + kHeaderBytes, h.length)) == h.checksum) return true;
  }
  return false;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

void sync_folder(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

struct WriteLog::State {
  std::string directory;
  std::size_t segment_bytes_max = 0;
  int lock_fd = -1;

  mutable std::mutex mutex;  // guards everything below
  std::condition_variable synced;
  std::vector<Segment> segments;
  int fd = -1;                   // of the newest segment
  std::uint64_t written = 0;     // bytes ever appended in this run
  std::uint64_t durable = 0;     // of those, synced
  bool is_syncing = false;
  std::size_t sync_count = 0;
  std::optional<Error> broken;   // a failed sync: nothing can be promised any more

  ~State() {
    if (fd >= 0) ::close(fd);
    if (lock_fd >= 0) ::close(lock_fd);
  }

  Result<void> lock_directory() {
    const std::string path = directory + "/lock";
    lock_fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock_fd < 0) return io_error("store directory cannot be written", path);
    if (::flock(lock_fd, LOCK_EX | LOCK_NB) != 0) {
      return fail(Code::kConflict, "store is in use by another process: " + directory, "ask the running server instead of --store");
    }
    return {};
  }

  Result<void> find_segments() {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      const std::string name = entry.path().filename().string();
      std::uint64_t sequence = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), sequence);
      if (error != std::errc{} || std::string_view(end) != ".log") continue;
      segments.push_back({sequence, entry.path().string(), static_cast<std::size_t>(entry.file_size()), INT64_MIN});
    }
    std::sort(segments.begin(), segments.end(), [](const Segment& a, const Segment& b) { return a.sequence < b.sequence; });
    return {};
  }

  Result<void> start_segment() {
    const std::uint64_t sequence = segments.empty() ? 1 : segments.back().sequence + 1;
    const std::string path = directory + "/" + segment_name(sequence);
    const int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (opened < 0) return io_error("log file cannot be made", path);
    if (fd >= 0) ::close(fd);
    fd = opened;
    segments.push_back({sequence, path, 0, INT64_MIN});
    sync_folder(directory);
    return {};
  }

  Result<void> write_record(const LogRecord& record) {
    Header fields{static_cast<std::uint32_t>(record.payload.size()), 0, static_cast<std::uint8_t>(record.kind), record.newest_ms, record.received_ms};
    fields.checksum = checksum_of(fields, record.payload);
    const std::array<char, kHeaderBytes> header = pack(fields);
    Segment& segment = segments.back();
    iovec parts[2] = {{const_cast<char*>(header.data()), header.size()}, {const_cast<char*>(record.payload.data()), record.payload.size()}};
    const std::size_t size = header.size() + record.payload.size();
    const ssize_t done = ::writev(fd, parts, 2);
    if (done != static_cast<ssize_t>(size)) {
      const int reason = done < 0 ? errno : ENOSPC;  // a short write to a file means that the disk is full
      if (::ftruncate(fd, static_cast<off_t>(segment.bytes)) != 0) broken = Error{Code::kUnavailable, "log file cannot be cut back: " + segment.path, ""};
      errno = reason;
      return io_error("sample log cannot be written", segment.path);
    }
    segment.bytes += size;
    segment.newest_ms = std::max(segment.newest_ms, record.newest_ms);
    written += size;
    return {};
  }

  // Waits until everything written so far is on disk. Called with the lock held.
  Result<void> wait_durable(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t mine = written;
    while (durable < mine) {
      if (broken) return tl::unexpected<Error>(*broken);
      if (is_syncing) {
        synced.wait(lock);
        continue;
      }
      is_syncing = true;
      const std::uint64_t upto = written;
      const int target = fd;
      lock.unlock();
      const bool ok = ::fdatasync(target) == 0;
      lock.lock();
      is_syncing = false;
      ++sync_count;
      if (ok) {
        durable = std::max(durable, upto);
      } else {
        broken = Error{Code::kUnavailable, "sample log cannot be synced: " + std::string(std::strerror(errno)), "the disk fails; restart after it is replaced"};
      }
      synced.notify_all();
    }
    return {};
  }
};

WriteLog::WriteLog(std::unique_ptr<State> state) : state_(std::move(state)) {}
WriteLog::~WriteLog() = default;

Result<std::unique_ptr<WriteLog>> WriteLog::open(const std::string& directory, std::size_t segment_bytes) {
  auto state = std::make_unique<State>();
  state->directory = directory;
  state->segment_bytes_max = segment_bytes;
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return fail(Code::kUnavailable, "store directory cannot be made: " + directory + ": " + error.message());
  TRY(state->lock_directory());
  TRY(state->find_segments());
  return std::unique_ptr<WriteLog>(new WriteLog(std::move(state)));
}

Result<void> WriteLog::replay(const std::function<Result<void>(const LogRecord&)>& on_record) {
  for (Segment& segment : state_->segments) {
    const std::string bytes = read_file(segment.path);
    Result<void> outcome;
    const std::size_t whole = read_records(bytes, [&](const LogRecord& record) {
      segment.newest_ms = std::max(segment.newest_ms, record.newest_ms);
      outcome = on_record(record);
      return outcome.has_value();
    });
    if (!outcome) return outcome;
    if (whole == bytes.size()) continue;
    if (&segment != &state_->segments.back() || holds_record(std::string_view(bytes).substr(whole + 1))) {
      return fail(Code::kInvalid, "sample log is damaged at byte " + std::to_string(whole) + ": " + segment.path,
                  "move the file away to start without it; the hours it held will lack its samples");
    }
    if (::truncate(segment.path.c_str(), static_cast<off_t>(whole)) != 0) return io_error("log file cannot be cut", segment.path);
    segment.bytes = whole;
  }
  return {};
}

Result<void> WriteLog::append(const LogRecord& record) {
  std::unique_lock lock(state_->mutex);
  if (state_->broken) return tl::unexpected<Error>(*state_->broken);
  const bool is_full = state_->fd < 0 || state_->segments.back().bytes >= state_->segment_bytes_max;
  if (is_full) {
    // The old file must be durable before its descriptor goes.
    while (state_->is_syncing) state_->synced.wait(lock);
    if (state_->fd >= 0 && state_->durable < state_->written) TRY(state_->wait_durable(lock));
    if (state_->fd < 0 || state_->segments.back().bytes >= state_->segment_bytes_max) TRY(state_->start_segment());
  }
  TRY(state_->write_record(record));
  return state_->wait_durable(lock);
}

void WriteLog::truncate_before(TimePoint time) {
  const std::lock_guard lock(state_->mutex);
  const std::int64_t limit_ms = millis_of(time);
  std::vector<Segment>& segments = state_->segments;
  std::size_t gone = 0;
  // The file being written stays, and order is kept: a file goes only after all before it.
  while (gone + 1 < segments.size() && segments[gone].newest_ms < limit_ms) {
    ::unlink(segments[gone].path.c_str());
    ++gone;
  }
  segments.erase(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(gone));
}

std::size_t WriteLog::bytes() const {
  const std::lock_guard lock(state_->mutex);
  std::size_t sum = 0;
  for (const Segment& s : state_->segments) sum += s.bytes;
  return sum;
}

std::size_t WriteLog::syncs() const {
  const std::lock_guard lock(state_->mutex);
  return state_->sync_count;
}

}  // namespace seedance
