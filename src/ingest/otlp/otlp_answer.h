// What a receiver answers to an OTLP request, in protobuf or in JSON.
//
// Source: opentelemetry-proto collector/metrics/v1 (ExportMetricsServiceResponse) and google/rpc/status.proto (Status). A request that
// was taken, also in part, is answered with the former; one that was not, with the latter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seedance {

enum class OtlpEncoding : std::uint8_t { kProtobuf, kJson };

std::string_view otlp_content_type(OtlpEncoding encoding);

// `message` is empty when nothing was rejected; then the partial success is left out, as the specification wants it.
std::string encode_otlp_answer(std::int64_t rejected_points, std::string_view message, OtlpEncoding encoding);

// `code` is one of google.rpc.Code: 3 invalid argument, 8 resource exhausted, 14 unavailable.
std::string encode_rpc_status(std::int32_t code, std::string_view message, OtlpEncoding encoding);

}  // namespace seedance
