#include "store/log/frame_file.h"

#include <array>
#include <cstring>

#include <xxhash.h>

#include "base/check.h"

namespace seedance {
namespace {

constexpr std::string_view kFrameMagic = "SDCHK01\n";
constexpr std::size_t kFrameHeadBytes = 4 + 8;
// A large file goes to the disk in pieces: one flush at its end would hold up the syncs of others for as long as it takes.
constexpr std::uint64_t kSyncEveryBytes = std::uint64_t{8} << 20;

}  // namespace

Result<FrameWriter> FrameWriter::create(FileLayer& files, const std::string& path) {
  TRY(files.remove(path));
  TRY_ASSIGN(std::unique_ptr<AppendFile> file, files.open_append(path));
  TRY(file->append(kFrameMagic, {}));
  FrameWriter out(std::move(file));
  out.bytes_ = kFrameMagic.size();
  return out;
}

Result<void> FrameWriter::write(std::string_view frame) {
  std::array<char, kFrameHeadBytes> head{};
  const auto size = static_cast<std::uint32_t>(frame.size());
  const std::uint64_t checksum = XXH3_64bits_withSeed(frame.data(), frame.size(), frames_);
  std::memcpy(head.data(), &size, 4);
  std::memcpy(head.data() + 4, &checksum, 8);
  TRY(file_->append({head.data(), head.size()}, frame));
  bytes_ += head.size() + frame.size();
  ++frames_;
  return {};
}

Result<void> FrameWriter::add(std::string_view frame) {
  SEEDANCE_CHECK(!frame.empty() && frame.size() <= kFrameBytesMax, "size of a frame: " + std::to_string(frame.size()));
  TRY(write(frame));
  if (bytes_ - synced_ < kSyncEveryBytes) return {};
  synced_ = bytes_;
  return file_->sync();
}

Result<void> FrameWriter::finish() {
  TRY(write({}));
  return file_->sync();
}

Error FrameReader::damage() const {
  return Error{Code::kInvalid, "checkpoint of the sample log is damaged at byte " + std::to_string(at_) + ": " + path_,
               "bring the file back from a copy, or move the whole folder away to start without the samples of the open hours; nothing was changed"};
}

Result<std::string_view> FrameReader::next() {
  if (at_ == 0) {
    TRY_ASSIGN(const std::string magic, files_.read_part(path_, 0, kFrameMagic.size()));
    if (magic != kFrameMagic) return tl::unexpected<Error>(damage());
    at_ = kFrameMagic.size();
  }
  TRY_ASSIGN(const std::string head, files_.read_part(path_, at_, kFrameHeadBytes));
  if (head.size() != kFrameHeadBytes) return tl::unexpected<Error>(damage());
  std::uint32_t size = 0;
  std::uint64_t checksum = 0;
  std::memcpy(&size, head.data(), 4);
  std::memcpy(&checksum, head.data() + 4, 8);
  if (size > kFrameBytesMax) return tl::unexpected<Error>(damage());
  // One byte more: behind the last frame there is nothing.
  TRY_ASSIGN(frame_, files_.read_part(path_, at_ + kFrameHeadBytes, std::size_t{size} + (size == 0 ? 1 : 0)));
  if (frame_.size() != size || XXH3_64bits_withSeed(frame_.data(), frame_.size(), frames_) != checksum) return tl::unexpected<Error>(damage());
  at_ += kFrameHeadBytes + size;
  ++frames_;
  return std::string_view(frame_);
}

}  // namespace seedance
