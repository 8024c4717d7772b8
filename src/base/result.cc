#include "base/result.h"

namespace seedance {

std::string_view code_name(Code code) {
  switch (code) {
    case Code::kInvalid: return "invalid";
    case Code::kUnavailable: return "unavailable";
    case Code::kTimeout: return "timeout";
    case Code::kConflict: return "conflict";
    case Code::kDenied: return "denied";
    case Code::kNotFound: return "not-found";
    case Code::kExhausted: return "exhausted";
    case Code::kTooLarge: return "too-large";
    case Code::kUnsupported: return "unsupported";
  }
  return "unknown";
}

}  // namespace seedance
