// Undoes gzip in pieces, with a limit on what comes out: a kilobyte of gzip can hold a megabyte of zeros.
//
// Several gzip members one after the other are one text, as the format says. At most 64 KiB of output exist at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace seedance {

class GunzipStream {
 public:
  // What takes the plain bytes; its error ends the stream and is handed to the caller of `feed`.
  using OnBytes = std::function<Result<void>(std::string_view)>;

  explicit GunzipStream(std::size_t plain_bytes_max);
  ~GunzipStream();
  GunzipStream(GunzipStream&&) noexcept;
  GunzipStream& operator=(GunzipStream&&) noexcept;

  // kInvalid for damaged input, kTooLarge over the limit. After an error the stream is not to be fed again.
  Result<void> feed(std::string_view packed, const OnBytes& on_bytes);
  // kInvalid when the input ended inside a member, or there was none.
  Result<void> finish() const;

  std::size_t plain_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The two bytes that every gzip member starts with.
bool is_gzip(std::string_view start);

}  // namespace seedance
