// TLS files, read whole, for the servers.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace seedance {

// `what` is "TLS certificate" or "TLS key", for the message. kInvalid when the file cannot be read or is empty.
Result<std::string> read_pem_file(const std::string& file, std::string_view what);

}  // namespace seedance
