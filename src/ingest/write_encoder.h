// Writes remote write 1.0 messages: what text imports and the sample cluster send through the same door as everybody.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/sample.h"

namespace seedance {

// A prometheus.WriteRequest, not compressed. Labels must be canonical.
std::string encode_write_request(std::span<const SeriesSamples> series);

// Appends one TimeSeries to such a message, byte for byte as `encode_write_request` does. `label_block` as `encode_label_block` gives it
// (prometheus_write.h).
void append_series(std::string& message, std::string_view label_block, std::span<const Sample> samples);

// Snappy block format, as remote write sends it.
std::string compress_snappy(std::string_view raw);

}  // namespace seedance
