#include "ingest/write_body.h"

#include <memory>

#include <snappy.h>
#include <zstd.h>

namespace seedance {
namespace {

constexpr int kZstdWindowLogMax = 25;
constexpr std::size_t kZstdStep = std::size_t{256} * 1024;
// The first chunk of the framed format: type 0xff, length 6, "sNaPpY".
constexpr std::string_view kFramedStart{"\xff\x06\x00\x00sNaPpY", 10};

}  // namespace

Result<std::string> decompress_snappy(std::string_view wire, std::size_t limit_bytes) {
  std::string plain;
  TRY_ASSIGN(const std::string_view text, decompress_snappy(wire, limit_bytes, plain));
  plain.resize(text.size());
  return plain;
}

Result<std::string_view> decompress_snappy(std::string_view wire, std::size_t limit_bytes, std::string& buffer) {
  if (wire.empty()) return fail(Code::kInvalid, "empty body where a snappy block is expected", "an empty request is the one byte 0x00");
  if (wire.substr(0, kFramedStart.size()) == kFramedStart) {
    return fail(Code::kInvalid, "snappy framed format in a remote write body", "send the snappy block format");
  }
  std::size_t declared = 0;
  if (!snappy::GetUncompressedLength(wire.data(), wire.size(), &declared)) {
    return fail(Code::kInvalid, "corrupt snappy preamble in a body of bytes: " + std::to_string(wire.size()));
  }
  if (declared > limit_bytes) {
    return fail(Code::kTooLarge,
                "snappy block declares more bytes than the limit: " + std::to_string(declared) + " > " + std::to_string(limit_bytes),
                "send fewer samples a request");
  }
  if (buffer.size() < declared) buffer.resize(declared);
  if (!snappy::RawUncompress(wire.data(), wire.size(), buffer.data())) {
    return fail(Code::kInvalid, "corrupt snappy block of bytes: " + std::to_string(wire.size()),
                "the body must be one snappy block whose preamble states its exact length");
  }
  return std::string_view(buffer).substr(0, declared);
}

Result<std::string> decompress_zstd(std::string_view wire, std::size_t limit_bytes) {
  if (wire.empty()) return fail(Code::kInvalid, "empty body where zstd is expected");
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kZstdWindowLogMax);
  std::string plain;
  ZSTD_inBuffer in{wire.data(), wire.size(), 0};
  std::size_t left = 1;  // 0 at the end of a frame
  while (in.pos < in.size || left != 0) {
    const std::size_t done = plain.size();
    plain.resize(std::min(done + kZstdStep, limit_bytes + 1));
    ZSTD_outBuffer out{plain.data() + done, plain.size() - done, 0};
    const std::size_t consumed = in.pos;
    left = ZSTD_decompressStream(context.get(), &out, &in);
    plain.resize(done + out.pos);
    if (ZSTD_isError(left)) return fail(Code::kInvalid, std::string("corrupt zstd body: ") + ZSTD_getErrorName(left));
    if (plain.size() > limit_bytes) {
      return fail(Code::kTooLarge, "zstd body holds more bytes than the limit: " + std::to_string(limit_bytes), "send fewer samples a request");
    }
    if (left != 0 && in.pos == in.size && out.pos == 0 && consumed == in.pos) return fail(Code::kInvalid, "zstd body is cut off");
  }
  return plain;
}

}  // namespace seedance
