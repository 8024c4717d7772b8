// Undoes the compression of a remote-write body: one snappy block (never the framed stream format), or zstd as vmagent sends it.
//
// The preamble of a block declares how long the plain text is. It comes from the sender, so it is believed only up to
// `limit_bytes`: thirteen bytes on the wire may declare 4 GiB, and nothing of that size is allocated before the check.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace seedance {

inline constexpr std::size_t kWriteBodyBytesMax = std::size_t{32} * 1024 * 1024;

// kTooLarge when the declared length is over the limit; kInvalid when the block is empty, framed, corrupt, or holds more
// or less than it declares.
Result<std::string> decompress_snappy(std::string_view wire, std::size_t limit_bytes = kWriteBodyBytesMax);
// The same into a buffer that is used again and again: it only grows, and its bytes are not cleared. The view lives in it.
Result<std::string_view> decompress_snappy(std::string_view wire, std::size_t limit_bytes, std::string& buffer);

// One or more zstd frames; their headers are believed no more than a snappy preamble. kTooLarge beyond the limit, or for a frame that
// asks for a window of more than 32 MiB; kInvalid when empty, corrupt or cut off.
Result<std::string> decompress_zstd(std::string_view wire, std::size_t limit_bytes = kWriteBodyBytesMax);

}  // namespace seedance
