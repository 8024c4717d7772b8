#include "net/listen_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace seedance {
namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
};

std::optional<SocketAddress> parse_address(const std::string& text, std::uint16_t port) {
  SocketAddress out;
  auto& v4 = reinterpret_cast<sockaddr_in&>(out.storage);
  if (inet_pton(AF_INET, text == "localhost" ? "127.0.0.1" : text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    out.length = sizeof(v4);
    return out;
  }
  auto& v6 = reinterpret_cast<sockaddr_in6&>(out.storage);
  if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    out.length = sizeof(v6);
    return out;
  }
  return std::nullopt;
}

tl::unexpected<Error> listen_error(int error, const std::string& address, std::uint16_t port) {
  const std::string where = ": " + address + " port " + std::to_string(port);
  switch (error) {
    case EADDRINUSE: return fail(Code::kConflict, "port is taken by another program" + where, "stop that program or choose another port");
    case EACCES: return fail(Code::kDenied, "no right to listen" + where, "choose a port above 1023");
    case EADDRNOTAVAIL: return fail(Code::kInvalid, "this machine has no such address" + where, "listen on 0.0.0.0 or on an address of this machine");
    default: return fail(Code::kUnavailable, std::string("listen: ") + std::strerror(error) + where);
  }
}

}  // namespace

Result<ListenSocket> listen_on(const std::string& address, std::uint16_t port) {
  std::optional<SocketAddress> target = parse_address(address, port);
  if (!target) return fail(Code::kInvalid, "not a numeric address: " + address, "write 127.0.0.1, 0.0.0.0 or ::");
  const int descriptor = socket(target->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return listen_error(errno, address, port);
  const int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  socklen_t length = sizeof(target->storage);
  if (bind(descriptor, target->raw(), target->length) != 0 || listen(descriptor, 1024) != 0 ||
      getsockname(descriptor, target->raw(), &length) != 0) {
    const int error = errno;
    close(descriptor);
    return listen_error(error, address, port);
  }
  // The port lies at the same place in both kinds of address.
  return ListenSocket{descriptor, ntohs(reinterpret_cast<sockaddr_in&>(target->storage).sin_port)};
}

}  // namespace seedance
