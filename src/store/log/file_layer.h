// The few file operations on which "acknowledged means kept" rests, so that a test can forget what was not synced.
//
// What a power cut may do to a real disk: bytes appended after the last `sync` may be there, missing, or there in part and in any
// order of pages; a file that was made, renamed or removed may not have been unless its folder was synced afterwards.
// Every function may be called from any thread. Errors carry errno's text; kExhausted means that the disk is full.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace seedance {

// A file open for appending; closed when it goes.
class AppendFile {
 public:
  virtual ~AppendFile() = default;
  // Both pieces, one after the other, or an error; after an error any part of them may be in the file.
  virtual Result<void> append(std::string_view head, std::string_view body) = 0;
  // Gives back what is behind the first `size` bytes.
  virtual Result<void> cut(std::size_t size) = 0;
  // Content and size are on disk when this returns.
  virtual Result<void> sync() = 0;
};

class FileLayer {
 public:
  virtual ~FileLayer() = default;

  virtual Result<void> make_folder(const std::string& path) = 0;
  // Names of the files in a folder.
  virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;
  // kNotFound when there is none.
  virtual Result<std::string> read(const std::string& path) = 0;
  // The bytes of a file from `offset` on, `size` of them or as many as there are.
  virtual Result<std::string> read_part(const std::string& path, std::uint64_t offset, std::size_t size) = 0;
  virtual Result<std::unique_ptr<AppendFile>> open_append(const std::string& path) = 0;
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> remove(const std::string& path) = 0;
  virtual Result<void> sync_folder(const std::string& folder) = 0;
  // Held until the returned object goes; kConflict when somebody else has it.
  virtual Result<std::shared_ptr<void>> lock(const std::string& path) = 0;
};

// The real one.
FileLayer& posix_files();

// Replaces a small file: either the old or the new content is there, whatever happens, and the new one when this returns.
Result<void> replace_file(FileLayer& files, const std::string& folder, const std::string& name, std::string_view content);

}  // namespace seedance
