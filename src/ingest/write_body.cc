#include "ingest/write_body.h"

#include <snappy.h>

namespace seedance {
namespace {

// The first chunk of the framed format: type 0xff, length 6, "sNaPpY".
constexpr std::string_view kFramedStart{"\xff\x06\x00\x00sNaPpY", 10};

}  // namespace

Result<std::string> decompress_snappy(std::string_view wire, std::size_t limit_bytes) {
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
  std::string plain(declared, '\0');
  if (!snappy::RawUncompress(wire.data(), wire.size(), plain.data())) {
    return fail(Code::kInvalid, "corrupt snappy block of bytes: " + std::to_string(wire.size()),
                "the body must be one snappy block whose preamble states its exact length");
  }
  return plain;
}

}  // namespace seedance
