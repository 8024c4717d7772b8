#include "net/bearer_auth.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "base/log.h"

namespace seedance {
namespace {

constexpr std::array kRoles{Role::kReader, Role::kWriter, Role::kAdmin};

std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : kRoles) {
    if (role_name(role) == text) return role;
  }
  return std::nullopt;
}

// The token of "Bearer <token>", the scheme in any case; an empty view for anything else.
std::string_view token_of_header(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() <= kScheme.size()) return {};
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = header[i] >= 'A' && header[i] <= 'Z' ? static_cast<char>(header[i] - 'A' + 'a') : header[i];
    if (c != kScheme[i]) return {};
  }
  header.remove_prefix(kScheme.size());
  const std::size_t first = header.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return header.substr(first, header.find_last_not_of(' ') + 1 - first);
}

}  // namespace

bool is_tenant_name(std::string_view text) {
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  return !text.empty() && text.size() <= 64 && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

std::string_view role_name(Role role) {
  switch (role) {
    case Role::kReader: return "reader";
    case Role::kWriter: return "writer";
    case Role::kAdmin: return "admin";
  }
  return "unknown";
}

Result<std::unique_ptr<BearerAuth>> BearerAuth::open(std::filesystem::path file) {
  std::unique_ptr<BearerAuth> auth(new BearerAuth(std::move(file)));
  auth->version_ = auth->version_of_file();
  TRY_ASSIGN(auth->tokens_, auth->read_file());
  return auth;
}

Result<void> BearerAuth::authorize(std::string_view header, Role needed) {
  if (token_of_header(header).empty()) return fail(Code::kDenied, "no bearer token", "send the header Authorization: Bearer <token>");
  const std::optional<Role> role = role_of(header);
  if (!role) return fail(Code::kDenied, "unknown bearer token", "add the token to the token file of the server");
  if (*role != needed && *role != Role::kAdmin) {
    return fail(Code::kDenied, "the token has role " + std::string(role_name(*role)) + ", needed is " + std::string(role_name(needed)),
                "use a token with this role, or admin");
  }
  return {};
}

std::optional<Role> BearerAuth::role_of(std::string_view header) {
  const std::optional<Token> token = token_with(header);
  return token ? std::optional(token->role) : std::nullopt;
}

std::string BearerAuth::tenant_of(std::string_view header) {
  const std::optional<Token> token = token_with(header);
  return token ? token->tenant : std::string{};
}

std::optional<BearerAuth::Token> BearerAuth::token_with(std::string_view header) {
  const std::string_view token = token_of_header(header);
  if (token.empty()) return std::nullopt;
  const Digest digest = digest_of(token);
  const std::lock_guard lock(mutex_);
  read_again_when_changed();
  std::optional<Token> found;
  for (const Token& known : tokens_) {  // all of them, whether found or not
    if (CRYPTO_memcmp(known.digest.data(), digest.data(), digest.size()) == 0) found = known;
  }
  return found;
}

BearerAuth::Digest BearerAuth::digest_of(std::string_view token) {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
  return digest;
}

Result<std::vector<BearerAuth::Token>> BearerAuth::read_file() const {
  std::ifstream in(file_);
  if (!in) return fail(Code::kInvalid, "cannot read the token file: " + file_.string(), "check the path and the rights of the file");
  std::vector<Token> tokens;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string token;
    std::string role_text;
    std::string more;
    if (!(words >> token)) continue;
    words >> role_text;
    std::string tenant;
    words >> tenant;
    const std::optional<Role> role = parse_role(role_text);
    if (!role || (!tenant.empty() && !is_tenant_name(tenant)) || words >> more) {
      return fail(Code::kInvalid, file_.string() + ", line " + std::to_string(number) + ": a token and a role expected",
                  "write `token role` with role reader, writer or admin, and behind it a tenant when it has one");
    }
    tokens.push_back({digest_of(token), *role, std::move(tenant)});
  }
  return tokens;
}

BearerAuth::FileVersion BearerAuth::version_of_file() const {
  struct stat status {};
  if (stat(file_.c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec, status.st_size, status.st_ino};
}

void BearerAuth::read_again_when_changed() {
  const FileVersion now = version_of_file();
  if (now == version_) return;
  version_ = now;
  Result<std::vector<Token>> tokens = read_file();
  if (tokens) {
    tokens_ = std::move(*tokens);
    log_info("token file read again", {{"tokens", static_cast<std::uint64_t>(tokens_.size())}});
  } else {
    log_warn("token file changed but cannot be used, the old tokens stay in force: correct the file",
             {{"reason", tokens.error().message}});
  }
}

}  // namespace seedance
