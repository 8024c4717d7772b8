// Errors that the outside causes: input, network, disk, configuration.
//
// The code says what the caller will do about it, not what happened. A message is lower case, fixed words first and values
// last; `hint` tells the user the next step and may be empty. A dropped Result does not compile: write `ignore(r, "why")`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace seedance {

enum class Code : std::uint8_t {
  kInvalid,      // tell the user; never retried
  kUnavailable,  // try again later with backoff
  kTimeout,      // try again later with backoff
  kConflict,     // read again, then decide
  kDenied,       // ask for a right
  kNotFound,     // the named thing does not exist
  kExhausted,    // shed load: 503 on ingest
  kTooLarge,     // over a stated limit
  kUnsupported,  // the protocol or encoding is not spoken here: 415
};

std::string_view code_name(Code code);  // "invalid", "unavailable", ...

struct Error {
  Code code = Code::kInvalid;
  std::string message;
  std::string hint;
};

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

inline tl::unexpected<Error> fail(Code code, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(hint)});
}

// Adds context that only the caller knows: "prices.csv, line 14: " + message.
inline tl::unexpected<Error> fail_in(std::string_view where, Error error) {
  error.message = std::string(where) + ": " + error.message;
  return tl::unexpected<Error>(std::move(error));
}

template <typename T>
void ignore(const Result<T>&, std::string_view /*why*/) {}

}  // namespace seedance

#define SEEDANCE_CONCAT_INNER(a, b) a##b
#define SEEDANCE_CONCAT(a, b) SEEDANCE_CONCAT_INNER(a, b)

// Returns the error to the caller, or goes on.
#define TRY(expression)                                                             \
  do {                                                                              \
    auto seedance_result = (expression);                                            \
    if (!seedance_result) return ::tl::unexpected<::seedance::Error>(std::move(seedance_result.error())); \
  } while (false)

#define TRY_ASSIGN(target, expression) TRY_ASSIGN_INNER(SEEDANCE_CONCAT(seedance_try_, __LINE__), target, expression)
#define TRY_ASSIGN_INNER(result, target, expression)                                \
  auto result = (expression);                                                       \
  if (!result) return ::tl::unexpected<::seedance::Error>(std::move(result.error())); \
  target = std::move(*result)
