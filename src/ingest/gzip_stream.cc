#include "ingest/gzip_stream.h"

#include <array>

#include <zlib.h>

#include "base/check.h"

namespace seedance {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;  // zlib: 16 is added for the gzip header and trailer

}  // namespace

struct GunzipStream::State {
  explicit State(std::size_t limit) : plain_bytes_max(limit) {
    SEEDANCE_CHECK(inflateInit2(&zlib, kGzipOnly) == Z_OK, "no memory for zlib");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { inflateEnd(&zlib); }

  Result<void> inflate_some(const OnBytes& on_bytes) {
    zlib.next_out = out.data();
    zlib.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&zlib, Z_NO_FLUSH);
    const std::size_t made = out.size() - zlib.avail_out;
    if (status == Z_MEM_ERROR) return fail(Code::kExhausted, "no memory for gzip");
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      return fail(Code::kInvalid, std::string("corrupt gzip: ") + (zlib.msg == nullptr ? "truncated" : zlib.msg));
    }
    if (made > plain_bytes_max - plain_bytes) {
      return fail(Code::kTooLarge, "gzip expands to more bytes than the limit: " + std::to_string(plain_bytes_max));
    }
    plain_bytes += made;
    if (made > 0) TRY(on_bytes({reinterpret_cast<const char*>(out.data()), made}));
    if (status == Z_STREAM_END) inside_member = false;
    return {};
  }

  z_stream zlib{};
  std::size_t plain_bytes_max;
  std::size_t plain_bytes = 0;
  bool inside_member = false;
  bool has_member = false;
  std::array<unsigned char, std::size_t{64} * 1024> out;
};

GunzipStream::GunzipStream(std::size_t plain_bytes_max) : state_(std::make_unique<State>(plain_bytes_max)) {}
GunzipStream::~GunzipStream() = default;
GunzipStream::GunzipStream(GunzipStream&&) noexcept = default;
GunzipStream& GunzipStream::operator=(GunzipStream&&) noexcept = default;

Result<void> GunzipStream::feed(std::string_view packed, const OnBytes& on_bytes) {
  State& state = *state_;
  while (!packed.empty()) {
    const std::size_t piece = std::min(packed.size(), std::size_t{1} << 30);  // zlib counts in 32 bits
    // zlib asks for a pointer to mutable bytes but does not write to them.
    state.zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    state.zlib.avail_in = static_cast<uInt>(piece);
    do {
      if (!state.inside_member) {
        if (state.zlib.avail_in == 0) break;
        if (state.has_member) inflateReset(&state.zlib);
        state.inside_member = state.has_member = true;
      }
      TRY(state.inflate_some(on_bytes));
    } while (state.zlib.avail_in > 0 || (state.inside_member && state.zlib.avail_out == 0));
    packed.remove_prefix(piece);
  }
  return {};
}

Result<void> GunzipStream::finish() const {
  if (state_->inside_member || !state_->has_member) {
    return fail(Code::kInvalid, "gzip ends too early, after plain bytes: " + std::to_string(state_->plain_bytes));
  }
  return {};
}

std::size_t GunzipStream::plain_bytes() const { return state_->plain_bytes; }

bool is_gzip(std::string_view start) { return start.substr(0, 2) == "\x1f\x8b"; }

}  // namespace seedance
