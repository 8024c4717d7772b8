// A TCP socket that listens, made here so that "address in use" is an error with a hint and not a dead server.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace seedance {

struct ListenSocket {
  int descriptor = -1;  // non-blocking; the receiver of this struct closes it
  std::uint16_t port = 0;
};

// `address` is a numeric IPv4 or IPv6 address, or "localhost" (127.0.0.1); port 0 takes a free one.
// kConflict: the port is taken; kDenied: no right to it; kInvalid: no such address on this machine.
Result<ListenSocket> listen_on(const std::string& address, std::uint16_t port);

}  // namespace seedance
