// A file of checksummed frames that is written once, from its begin to its end, and read the same way without holding it whole.
//
// A magic; frames of length, XXH3 checksum (its seed is the frame's number, so that frames cannot change places) and bytes; a last frame of
// length zero, which says that the file is whole. Damage of any kind is kInvalid with the file's name, never a frame.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/log/file_layer.h"

namespace seedance {

inline constexpr std::size_t kFrameBytesMax = std::size_t{256} << 20;

class FrameWriter {
 public:
  // Takes the place of a file that is there. On disk under its name only after `finish` and a sync of its folder.
  static Result<FrameWriter> create(FileLayer& files, const std::string& path);

  Result<void> add(std::string_view frame);  // not empty, at most kFrameBytesMax
  Result<void> finish();
  std::uint64_t bytes() const { return bytes_; }

 private:
  explicit FrameWriter(std::unique_ptr<AppendFile> file) : file_(std::move(file)) {}
  Result<void> write(std::string_view frame);

  std::unique_ptr<AppendFile> file_;
  std::uint64_t bytes_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t synced_ = 0;  // of the bytes
};

class FrameReader {
 public:
  FrameReader(FileLayer& files, std::string path) : files_(files), path_(std::move(path)) {}

  // The next frame; empty behind the last one. The view lives until the next call.
  Result<std::string_view> next();
  // What to answer when a frame's content makes no sense.
  Error damage() const;
  std::uint64_t bytes() const { return at_; }

 private:
  FileLayer& files_;
  std::string path_;
  std::string frame_;
  std::uint64_t at_ = 0;      // of the file: where the next frame begins
  std::uint64_t frames_ = 0;
};

}  // namespace seedance
