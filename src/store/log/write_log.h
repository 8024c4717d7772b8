// The write-ahead log: what was acknowledged, in the order in which it was accepted.
//
// A record is durable when `append` returns: written and fdatasynced, many requests per sync (the first waiting thread syncs for
// all that have written by then). Files are `<sequence>.log` of about `segment_bytes`: a magic, then records of length, XXH3 checksum
// of the rest, kind, the newest event time inside, the time of arrival, how far the file was synced then, length of the tenant's name,
// the name, payload. Files of the version before, whose records name no tenant, are still read.
//
// A crash leaves bytes behind the last sync that nobody had been promised: cut off, with holes, or in part, at the end of the
// newest file. They are cut away on opening, and the cut is synced. A record that cannot be read although a later one says that
// it had been synced, or in an earlier file, is damage and an error.
//
// A full disk: the partial record is cut off again, `append` fails with kExhausted and what was acknowledged before stays.
// Thread-safe, but for `replay`, which comes before the first append.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "store/log/file_layer.h"

namespace seedance {

enum class LogRecordKind : std::uint8_t {
  kPrometheusWrite = 1,  // a remote write 1.0 body as received, snappy
  kSeriesBatch = 2,      // samples of a text import, as a remote write message, snappy
  kPrometheusWrite2 = 3,     // a remote write 2.0 body as received, snappy
  kPrometheusWriteZstd = 4,  // a remote write 1.0 body as received, zstd
};

struct LogRecord {
  LogRecordKind kind = LogRecordKind::kPrometheusWrite;
  std::int64_t newest_ms = 0;    // event time of the newest sample inside
  std::int64_t received_ms = 0;  // what our clock said: replay judges samples by it, as the first time
  std::string_view payload;
  std::string_view tenant = {};  // who sent it; empty when nobody is named
  bool is_any_age = false;       // taken without regard to its age, as an import is
};

inline constexpr std::size_t kTenantBytesMax = 64;

class WriteLog {
 public:
  // Creates the folder when it is missing. kConflict when another process has the log open.
  static Result<std::unique_ptr<WriteLog>> open(const std::string& directory, std::size_t segment_bytes = std::size_t{64} << 20,
                                                FileLayer& files = posix_files());
  ~WriteLog();

  // Forgets and deletes the files below `sequence`: a checkpoint holds what they held. kInvalid when no file of that number or a later
  // one is there. Before `replay`.
  Result<void> start_at(std::uint64_t sequence);

  // Calls `on_record` for every record, oldest first.
  Result<void> replay(const std::function<Result<void>(const LogRecord&)>& on_record);

  // kInvalid when the tenant's name is longer than kTenantBytesMax.
  Result<void> append(const LogRecord& record);

  // From now on records go to a new file, whose number is returned and which is on disk: what was appended before is synced, and lies in
  // files of lower numbers.
  Result<std::uint64_t> rotate();

  // Deletes the files below `sequence`; they are gone from the counts even when they cannot be deleted, and tried again by `start_at`.
  void drop_before(std::uint64_t sequence);

  // Deletes whole files in which no record is newer than `time`.
  void truncate_before(TimePoint time);

  std::size_t bytes() const;
  std::size_t syncs() const;  // work counter: fdatasync calls

 private:
  struct State;
  explicit WriteLog(std::unique_ptr<State> state);
  Result<void> replay_segment(std::size_t index, const std::function<Result<void>(const LogRecord&)>& on_record);
  std::unique_ptr<State> state_;
};

}  // namespace seedance
