#include "store/log/write_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <sstream>
#include <vector>

#include <xxhash.h>

namespace seedance {
namespace {

constexpr std::string_view kSegmentMagic = "SDLOG03\n";
constexpr std::string_view kSegmentMagic2 = "SDLOG02\n";
constexpr std::size_t kHeaderBytes2 = 4 + 8 + 1 + 8 + 8 + 8;  // of version 2: it ends before the length of the tenant's name
constexpr std::size_t kHeaderBytes = kHeaderBytes2 + 1;
constexpr std::uint32_t kRecordBytesMax = 256u << 20;
constexpr std::uint8_t kAnyAge = 0x80;  // in the byte of the kind

struct Header {
  std::uint32_t length = 0;  // of the payload
  std::uint64_t checksum = 0;
  std::uint8_t kind = 0;
  std::int64_t newest_ms = 0;
  std::int64_t received_ms = 0;
  std::uint64_t durable = 0;  // of the file: what had been synced when the record was written
  std::uint8_t tenant_size = 0;
};

std::array<char, kHeaderBytes> pack(const Header& h) {
  std::array<char, kHeaderBytes> out{};
  std::memcpy(out.data(), &h.length, 4);
  std::memcpy(out.data() + 4, &h.checksum, 8);
  std::memcpy(out.data() + 12, &h.kind, 1);
  std::memcpy(out.data() + 13, &h.newest_ms, 8);
  std::memcpy(out.data() + 21, &h.received_ms, 8);
  std::memcpy(out.data() + 29, &h.durable, 8);
  std::memcpy(out.data() + kHeaderBytes2, &h.tenant_size, 1);
  return out;
}

// `header_bytes` says which version.
Header unpack(const char* bytes, std::size_t header_bytes) {
  Header h;
  std::memcpy(&h.length, bytes, 4);
  std::memcpy(&h.checksum, bytes + 4, 8);
  std::memcpy(&h.kind, bytes + 12, 1);
  std::memcpy(&h.newest_ms, bytes + 13, 8);
  std::memcpy(&h.received_ms, bytes + 21, 8);
  std::memcpy(&h.durable, bytes + 29, 8);
  if (header_bytes > kHeaderBytes2) std::memcpy(&h.tenant_size, bytes + kHeaderBytes2, 1);
  return h;
}

// Covers the header and the tenant's name too, through the seed; without a name it is the checksum of version 2.
std::uint64_t checksum_of(const Header& h, std::string_view tenant, std::string_view payload) {
  auto seed = ((static_cast<std::uint64_t>(h.newest_ms) * 31 + static_cast<std::uint64_t>(h.received_ms)) * 31 + h.durable) * 31 + h.kind;
  if (!tenant.empty()) seed ^= XXH3_64bits(tenant.data(), tenant.size());
  return XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
}

// The whole record at the front of `bytes`, or nullopt.
struct FoundRecord {
  Header header;
  std::string_view tenant;
  std::string_view payload;
  std::size_t bytes = 0;
};
std::optional<FoundRecord> record_at(std::string_view bytes, std::size_t header_bytes) {
  if (bytes.size() < header_bytes) return std::nullopt;
  const Header h = unpack(bytes.data(), header_bytes);
  bytes.remove_prefix(header_bytes);
  if (h.tenant_size > kTenantBytesMax || h.length > kRecordBytesMax || bytes.size() < std::size_t{h.tenant_size} + h.length) return std::nullopt;
  const FoundRecord out{h, bytes.substr(0, h.tenant_size), bytes.substr(h.tenant_size, h.length), header_bytes + h.tenant_size + h.length};
  if (checksum_of(h, out.tenant, out.payload) != h.checksum) return std::nullopt;
  return out;
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
  std::size_t durable = 0;  // of these, synced
  std::int64_t newest_ms = INT64_MIN;
};

// Reads records from the front of `bytes`; returns how many bytes were whole records.
std::size_t read_records(std::string_view bytes, std::size_t header_bytes, const std::function<bool(const LogRecord&)>& on_record) {
  std::size_t at = 0;
  while (const std::optional<FoundRecord> found = record_at(bytes.substr(at), header_bytes)) {
    const Header& h = found->header;
    const auto kind = static_cast<LogRecordKind>(h.kind & ~kAnyAge);
    if (!on_record({kind, h.newest_ms, h.received_ms, found->payload, found->tenant, (h.kind & kAnyAge) != 0})) break;
    at += found->bytes;
  }
  return at;
}

// A file of the first version: no magic, and a header that ends before `durable`.
bool is_version_1(std::string_view bytes) {
  constexpr std::size_t kHeaderBytes1 = kHeaderBytes2 - sizeof(Header::durable);
  if (bytes.size() < kHeaderBytes1) return false;
  std::string head(bytes.substr(0, kHeaderBytes1));
  head.resize(kHeaderBytes2);
  const Header h = unpack(head.data(), kHeaderBytes2);
  if (h.length > bytes.size() - kHeaderBytes1) return false;
  const auto seed = (static_cast<std::uint64_t>(h.newest_ms) * 31 + static_cast<std::uint64_t>(h.received_ms)) * 31 + h.kind;
  return XXH3_64bits_withSeed(bytes.data() + kHeaderBytes1, h.length, seed) == h.checksum;
}

// How far the file had been synced before some whole record in `bytes` was written; 0 when there is none. Behind a record that
// cannot be read it tells damage from what a power cut leaves of bytes that nobody had been promised: pages of them may be there
// in any order. Plausible fields come first: a checksum over every offset of a large file would take minutes.
std::uint64_t durable_by_later_records(std::string_view bytes, std::size_t header_bytes) {
  constexpr std::int64_t kYear2200Ms = 7'258'118'400'000;
  constexpr auto kLastKind = static_cast<std::uint8_t>(LogRecordKind::kPrometheusWriteZstd);
  const auto is_time = [](std::int64_t ms) { return ms >= 0 && ms < kYear2200Ms; };
  std::uint64_t out = 0;
  for (std::size_t at = 0; at + header_bytes <= bytes.size(); ++at) {
    const Header h = unpack(bytes.data() + at, header_bytes);
    const int kind = h.kind & ~kAnyAge;
    if (kind < 1 || kind > kLastKind || !is_time(h.newest_ms) || !is_time(h.received_ms) || h.durable <= out) continue;
    if (record_at(bytes.substr(at), header_bytes)) out = h.durable;
  }
  return out;
}

}  // namespace

struct WriteLog::State {
  FileLayer& files;
  std::string directory;
  std::size_t segment_bytes_max = 0;
  std::shared_ptr<void> directory_lock;

  mutable std::mutex mutex;  // guards everything below
  std::condition_variable synced;
  std::vector<Segment> segments;
  std::shared_ptr<AppendFile> file;  // the newest segment
  std::uint64_t written = 0;     // bytes ever appended in this run
  std::uint64_t durable = 0;     // of those, synced
  bool is_syncing = false;
  bool is_rotating = false;      // nobody writes
  bool has_begun_next = false;   // the next file may be there: nothing goes to the one before it any more
  std::size_t sync_count = 0;
  std::optional<Error> broken;   // a failed sync: nothing can be promised any more

  explicit State(FileLayer& f) : files(f) {}

  Result<void> find_segments() {
    TRY_ASSIGN(const std::vector<std::string> names, files.list(directory));
    for (const std::string& name : names) {
      std::uint64_t sequence = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), sequence);
      if (error != std::errc{} || std::string_view(end) != ".log") continue;
      segments.push_back({sequence, directory + "/" + name, 0, 0, INT64_MIN});
    }
    std::sort(segments.begin(), segments.end(), [](const Segment& a, const Segment& b) { return a.sequence < b.sequence; });
    return {};
  }

  Result<void> start_segment() {
    const std::uint64_t sequence = segments.empty() ? 1 : segments.back().sequence + 1;
    const std::string path = directory + "/" + segment_name(sequence);
    has_begun_next = true;
    TRY_ASSIGN(std::unique_ptr<AppendFile> opened, files.open_append(path));
    TRY(opened->cut(0));  // left over from a start that failed
    TRY(opened->append(kSegmentMagic, {}));
    TRY(files.sync_folder(directory));
    file = std::move(opened);
    has_begun_next = false;
    segments.push_back({sequence, path, kSegmentMagic.size(), 0, INT64_MIN});
    return {};
  }

  Result<void> write_record(const LogRecord& record) {
    Segment& segment = segments.back();
    Header fields{static_cast<std::uint32_t>(record.payload.size()), 0, static_cast<std::uint8_t>(static_cast<std::uint8_t>(record.kind) | (record.is_any_age ? kAnyAge : 0)), record.newest_ms, record.received_ms,
                  segment.durable, static_cast<std::uint8_t>(record.tenant.size())};
    fields.checksum = checksum_of(fields, record.tenant, record.payload);
    std::array<char, kHeaderBytes + kTenantBytesMax> head{};
    std::ranges::copy(pack(fields), head.begin());
    std::ranges::copy(record.tenant, head.begin() + kHeaderBytes);
    const std::string_view header{head.data(), kHeaderBytes + record.tenant.size()};
    if (const Result<void> done = file->append(header, record.payload); !done) {
      if (!file->cut(segment.bytes)) broken = Error{Code::kUnavailable, "log file cannot be cut back: " + segment.path, ""};
      return done;
    }
    segment.bytes += header.size() + record.payload.size();
    segment.newest_ms = std::max(segment.newest_ms, record.newest_ms);
    written += header.size() + record.payload.size();
    return {};
  }

  bool needs_segment() const { return !file || has_begun_next || segments.back().bytes >= segment_bytes_max; }

  // The old file must be durable before its descriptor goes. Called with the lock held, which is given away meanwhile.
  Result<void> make_durable(std::unique_lock<std::mutex>& lock) {
    while (is_syncing) synced.wait(lock);
    if (file && durable < written) return wait_durable(lock);
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
      const std::shared_ptr<AppendFile> target = file;
      const std::uint64_t sequence = segments.back().sequence;
      const std::size_t bytes = segments.back().bytes;
      lock.unlock();
      const Result<void> done = target->sync();
      lock.lock();
      is_syncing = false;
      ++sync_count;
      if (done) {
        durable = std::max(durable, upto);
        if (segments.back().sequence == sequence) segments.back().durable = std::max(segments.back().durable, bytes);
      } else {
        broken = Error{Code::kUnavailable, "sample log cannot be synced: " + done.error().message, "the disk fails; restart after it is replaced"};
      }
      synced.notify_all();
    }
    return {};
  }
};

WriteLog::WriteLog(std::unique_ptr<State> state) : state_(std::move(state)) {}
WriteLog::~WriteLog() = default;

Result<std::unique_ptr<WriteLog>> WriteLog::open(const std::string& directory, std::size_t segment_bytes, FileLayer& files) {
  auto state = std::make_unique<State>(files);
  state->directory = directory;
  state->segment_bytes_max = segment_bytes;
  TRY(files.make_folder(directory));
  TRY_ASSIGN(state->directory_lock, files.lock(directory + "/lock"));
  TRY(state->find_segments());
  return std::unique_ptr<WriteLog>(new WriteLog(std::move(state)));
}

// Reads a segment, and makes it end with its last whole record, for good.
Result<void> WriteLog::replay_segment(std::size_t index, const std::function<Result<void>(const LogRecord&)>& on_record) {
  Segment& segment = state_->segments[index];
  const bool is_last = index + 1 == state_->segments.size();
  TRY_ASSIGN(const std::string bytes, state_->files.read(segment.path));
  segment.bytes = segment.durable = bytes.size();
  std::size_t whole = 0;
  const bool is_version_2 = bytes.starts_with(kSegmentMagic2);
  const std::size_t header_bytes = is_version_2 ? kHeaderBytes2 : kHeaderBytes;
  if (is_version_2 || bytes.starts_with(kSegmentMagic)) {
    Result<void> outcome;
    whole = kSegmentMagic.size() + read_records(std::string_view(bytes).substr(kSegmentMagic.size()), header_bytes, [&](const LogRecord& record) {
              segment.newest_ms = std::max(segment.newest_ms, record.newest_ms);
              outcome = on_record(record);
              return outcome.has_value();
            });
    if (!outcome) return outcome;
  } else if (is_version_1(bytes)) {
    return fail(Code::kInvalid, "sample log was written by an older version: " + segment.path,
                "let that version settle its hours, or move the file away; nothing of it was changed");
  }
  if (whole == bytes.size() && whole > 0) return {};
  // An earlier file was synced to its end before the next one was begun.
  if (!is_last || durable_by_later_records(std::string_view(bytes).substr(std::min(bytes.size(), whole + 1)), header_bytes) > whole) {
    return fail(Code::kInvalid, "sample log is damaged at byte " + std::to_string(whole) + ": " + segment.path,
                "move the file away to start without it; the hours it held will lack its samples");
  }
  TRY_ASSIGN(const std::unique_ptr<AppendFile> file, state_->files.open_append(segment.path));
  TRY(file->cut(whole));
  if (whole == 0) TRY(file->append(kSegmentMagic, {}));
  // Synced before anything is begun behind it: a tail that comes back later would be damage.
  TRY(file->sync());
  segment.bytes = segment.durable = std::max(whole, kSegmentMagic.size());
  return {};
}

Result<void> WriteLog::replay(const std::function<Result<void>(const LogRecord&)>& on_record) {
  for (std::size_t i = 0; i < state_->segments.size(); ++i) TRY(replay_segment(i, on_record));
  return {};
}

Result<void> WriteLog::append(const LogRecord& record) {
  if (record.tenant.size() > kTenantBytesMax) return fail(Code::kInvalid, "name of a tenant is longer than 64 bytes", "name it by a shorter word");
  std::unique_lock lock(state_->mutex);
  state_->synced.wait(lock, [&] { return !state_->is_rotating; });
  if (state_->broken) return tl::unexpected<Error>(*state_->broken);
  if (state_->needs_segment()) {
    TRY(state_->make_durable(lock));
    if (state_->needs_segment()) TRY(state_->start_segment());
  }
  TRY(state_->write_record(record));
  return state_->wait_durable(lock);
}

Result<std::uint64_t> WriteLog::rotate() {
  std::unique_lock lock(state_->mutex);
  if (state_->broken) return tl::unexpected<Error>(*state_->broken);
  // The lock is given away during a sync: whoever wrote then to the old file would wait for a sync of the new one.
  state_->synced.wait(lock, [&] { return !state_->is_rotating; });
  // A file without a record is new enough.
  if (!state_->needs_segment() && state_->segments.back().bytes == kSegmentMagic.size()) return state_->segments.back().sequence;
  state_->is_rotating = true;
  Result<void> done = state_->make_durable(lock);
  if (done) done = state_->start_segment();
  state_->is_rotating = false;
  state_->synced.notify_all();
  if (!done) return tl::unexpected<Error>(done.error());
  return state_->segments.back().sequence;
}

Result<void> WriteLog::start_at(std::uint64_t sequence) {
  if (state_->segments.empty() || state_->segments.back().sequence < sequence) {
    return fail(Code::kInvalid, "sample log lacks the file that its checkpoint goes on with: " + state_->directory + "/" + segment_name(sequence),
                "bring the file back, or move the whole folder away to start without samples");
  }
  drop_before(sequence);
  return {};
}

void WriteLog::drop_before(std::uint64_t sequence) {
  const std::lock_guard lock(state_->mutex);
  std::erase_if(state_->segments, [&](const Segment& segment) {
    if (segment.sequence >= sequence) return false;
    ignore(state_->files.remove(segment.path), "what stays is dropped at the next start");
    return true;
  });
}

void WriteLog::truncate_before(TimePoint time) {
  const std::lock_guard lock(state_->mutex);
  const std::int64_t limit_ms = millis_of(time);
  std::vector<Segment>& segments = state_->segments;
  std::size_t gone = 0;
  // The file being written stays, and order is kept: a file goes only after all before it.
  while (gone + 1 < segments.size() && segments[gone].newest_ms < limit_ms) {
    if (!state_->files.remove(segments[gone].path)) break;
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
