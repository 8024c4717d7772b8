#include "ingest/otlp/otlp_answer.h"

#include <protozero/pbf_writer.hpp>

#include "ingest/label_rules.h"
#include "json/value.h"

namespace seedance {
namespace {

// Protobuf strings are UTF-8; a message may name what a sender called its metric.
std::string clean_message(std::string_view message) { return is_utf8(message) ? std::string(message) : text_for_message(message); }

}  // namespace

std::string_view otlp_content_type(OtlpEncoding encoding) {
  return encoding == OtlpEncoding::kJson ? "application/json" : "application/x-protobuf";
}

std::string encode_otlp_answer(std::int64_t rejected_points, std::string_view message, OtlpEncoding encoding) {
  const bool is_partial = rejected_points > 0 || !message.empty();
  if (encoding == OtlpEncoding::kJson) {
    Json out = Json::object();
    Json partial = Json::object();
    partial.set("rejectedDataPoints", std::to_string(rejected_points)).set("errorMessage", clean_message(message));
    if (is_partial) out.set("partialSuccess", std::move(partial));
    return out.print();
  }
  std::string out;
  if (!is_partial) return out;
  std::string partial;
  protozero::pbf_writer writer(partial);
  writer.add_int64(1, rejected_points);
  writer.add_string(2, clean_message(message));
  protozero::pbf_writer(out).add_message(1, partial);
  return out;
}

std::string encode_rpc_status(std::int32_t code, std::string_view message, OtlpEncoding encoding) {
  if (encoding == OtlpEncoding::kJson) {
    Json out = Json::object();
    out.set("code", code).set("message", clean_message(message));
    return out.print();
  }
  std::string out;
  protozero::pbf_writer writer(out);
  writer.add_int32(1, code);
  writer.add_string(2, clean_message(message));
  return out;
}

}  // namespace seedance
