// Reads OTLP metrics in JSON, the same request as in otlp_metrics.h.
//
// Source: the OTLP specification, "JSON Protobuf Encoding": keys are lowerCamelCase, 64-bit integers are decimal strings or numbers,
// enumerations are integers (their names are taken too), NaN and infinities are strings, unknown keys are ignored, null is "not set".
// Known keys of the wrong kind refuse the body.
#pragma once

#include <string_view>

#include "ingest/otlp/otlp_points.h"

namespace seedance {

// Values of one request, also inside unknown keys: each takes forty bytes of memory while it is read.
inline constexpr std::size_t kOtlpJsonValuesMax = 4'000'000;

// Errors as decode_otlp_metrics; `{}` is a request without points.
Result<void> decode_otlp_json(std::string_view text, const OnOtlpPoint& on_point);

}  // namespace seedance
