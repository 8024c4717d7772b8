// Reads OTLP metrics in protobuf: opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest.
//
// Field order is free in protobuf (the JavaScript SDK writes the temporality behind the points), so each message is walked twice: first
// for what describes it, then for what it holds. Nothing but the current point is kept.
//
// Unknown fields are skipped. A known field with the wrong wire type, an overlong varint or a truncated message refuses the body.
#pragma once

#include <string_view>

#include "ingest/otlp/otlp_points.h"

namespace seedance {

// kInvalid: not this message; points before the damage were handed over, so walk once without keeping anything when that matters.
// kTooLarge: over a limit of otlp_points.h. An empty body is a request without points. Other errors are those of `on_point`.
Result<void> decode_otlp_metrics(std::string_view raw, const OnOtlpPoint& on_point);

}  // namespace seedance
