// Writes remote write 1.0 messages: what text imports and the sample cluster send through the same door as everybody.
#pragma once

#include <span>
#include <string>

#include "model/sample.h"

namespace seedance {

// A prometheus.WriteRequest, not compressed. Labels must be canonical.
std::string encode_write_request(std::span<const SeriesSamples> series);

// Snappy block format, as remote write sends it.
std::string compress_snappy(std::string_view raw);

}  // namespace seedance
