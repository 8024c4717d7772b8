// Who may call: bearer tokens from a file, one `token role` or `token role tenant` a line, `#` starts a comment.
//
// Only SHA-256 digests of the tokens are kept, and every one is compared in constant time, so neither a memory dump nor the
// time of an answer tells a token. The file is looked at on every call and read again when it has changed; a changed file
// that cannot be read or understood leaves the old tokens in force and is logged, so that a half-written file locks nobody
// out. An empty file allows nobody.
//
// Roles do not include each other: a sender of metrics needs no right to read costs. `admin` may do everything.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace seedance {

enum class Role : std::uint8_t { kReader, kWriter, kAdmin };

// A tenant's name: at most 64 letters, digits and _-.
bool is_tenant_name(std::string_view text);

std::string_view role_name(Role role);  // as in the file: "reader", "writer", "admin"

// Any thread.
class BearerAuth {
 public:
  static Result<std::unique_ptr<BearerAuth>> open(std::filesystem::path file);

  // `header` is the value of Authorization. kDenied says whether the token is missing, unknown or of the wrong role, and
  // never repeats it.
  Result<void> authorize(std::string_view header, Role needed);
  // The role of the token in the header; none: answer 401. A role that does not suffice: 403.
  std::optional<Role> role_of(std::string_view header);
  // The tenant of a known token; empty when its line names none.
  std::string tenant_of(std::string_view header);

 private:
  using Digest = std::array<unsigned char, 32>;
  struct Token {
    Digest digest;
    Role role;
    std::string tenant;
  };
  struct FileVersion {
    std::int64_t modified_nanos = 0;
    std::int64_t size = -1;
    std::uint64_t inode = 0;
    friend bool operator==(const FileVersion&, const FileVersion&) = default;
  };

  explicit BearerAuth(std::filesystem::path file) : file_(std::move(file)) {}
  std::optional<Token> token_with(std::string_view header);
  static Digest digest_of(std::string_view token);
  Result<std::vector<Token>> read_file() const;
  FileVersion version_of_file() const;
  void read_again_when_changed();  // with mutex_ held

  const std::filesystem::path file_;
  std::mutex mutex_;  // guards the rest
  std::vector<Token> tokens_;
  FileVersion version_;
};

}  // namespace seedance
