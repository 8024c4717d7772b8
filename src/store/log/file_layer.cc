#include "store/log/file_layer.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/uio.h>
#include <unistd.h>

namespace seedance {
namespace {

tl::unexpected<Error> io_error(std::string_view what, const std::string& path, int reason = errno) {
  const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  return fail(full ? Code::kExhausted : Code::kUnavailable, std::string(what) + ": " + std::strerror(reason) + ": " + path,
              full ? "free disk space under the store directory; senders keep their data and retry" : "");
}

// Only a file that is not there may be taken for an empty one.
tl::unexpected<Error> read_error(const std::string& path, int reason = errno) {
  if (reason == ENOENT) return fail(Code::kNotFound, "file cannot be read: " + path);
  return io_error("file cannot be read", path, reason);
}

class PosixAppendFile final : public AppendFile {
 public:
  PosixAppendFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~PosixAppendFile() override { ::close(fd_); }

  Result<void> append(std::string_view head, std::string_view body) override {
    const iovec parts[2] = {{const_cast<char*>(head.data()), head.size()}, {const_cast<char*>(body.data()), body.size()}};
    const ssize_t done = ::writev(fd_, parts, 2);
    if (done == static_cast<ssize_t>(head.size() + body.size())) return {};
    return io_error("file cannot be written", path_, done < 0 ? errno : ENOSPC);  // a short write to a file means that the disk is full
  }
  Result<void> cut(std::size_t size) override {
    if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) return io_error("file cannot be cut", path_);
    return {};
  }
  Result<void> sync() override {
    if (::fdatasync(fd_) != 0) return io_error("file cannot be synced", path_);
    return {};
  }

 private:
  int fd_;
  std::string path_;
};

class PosixFiles final : public FileLayer {
 public:
  Result<void> make_folder(const std::string& path) override {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return fail(Code::kUnavailable, "store directory cannot be made: " + path + ": " + error.message());
    return {};
  }
  Result<std::vector<std::string>> list(const std::string& folder) override {
    std::vector<std::string> out;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) out.push_back(entry.path().filename().string());
    if (error) return fail(Code::kUnavailable, "folder cannot be read: " + folder + ": " + error.message());
    return out;
  }
  Result<std::string> read(const std::string& path) override {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return read_error(path, error.value());
    return read_part(path, 0, static_cast<std::size_t>(size));
  }
  Result<std::string> read_part(const std::string& path, std::uint64_t offset, std::size_t size) override {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return read_error(path);
    std::string out(size, '\0');
    std::size_t done = 0;
    ssize_t got = 1;
    while (done < size && got > 0) {
      got = ::pread(fd, out.data() + done, size - done, static_cast<off_t>(offset + done));
      if (got > 0) done += static_cast<std::size_t>(got);
    }
    const int reason = errno;
    ::close(fd);
    if (got < 0) return read_error(path, reason);
    out.resize(done);
    return out;
  }
  Result<std::unique_ptr<AppendFile>> open_append(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return io_error("file cannot be opened", path);
    return std::make_unique<PosixAppendFile>(fd, path);
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    if (std::rename(from.c_str(), to.c_str()) != 0) return io_error("file cannot be renamed", from);
    return {};
  }
  Result<void> remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("file cannot be removed", path);
    return {};
  }
  Result<void> sync_folder(const std::string& folder) override {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return io_error("folder cannot be opened", folder);
    const bool ok = ::fsync(fd) == 0;
    const int reason = errno;
    ::close(fd);
    if (!ok) return io_error("folder cannot be synced", folder, reason);
    return {};
  }
  Result<std::shared_ptr<void>> lock(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return io_error("store directory cannot be written", path);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      ::close(fd);
      return fail(Code::kConflict, "store is in use by another process: " + path, "ask the running server instead of --store");
    }
    return std::shared_ptr<void>(nullptr, [fd](void*) { ::close(fd); });
  }
};

}  // namespace

FileLayer& posix_files() {
  static PosixFiles files;
  return files;
}

Result<void> replace_file(FileLayer& files, const std::string& folder, const std::string& name, std::string_view content) {
  const std::string path = folder + "/" + name;
  const std::string made = path + ".new";
  TRY(files.remove(made));
  {
    TRY_ASSIGN(const std::unique_ptr<AppendFile> file, files.open_append(made));
    TRY(file->append(content, {}));
    TRY(file->sync());
  }
  TRY(files.rename(made, path));
  return files.sync_folder(folder);
}

}  // namespace seedance
