#include "ingest/otlp/otlp_metrics.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

namespace seedance {
namespace {

using OtlpWire = protozero::pbf_wire_type;
using OtlpReader = protozero::pbf_reader;

constexpr std::uint64_t otlp_tag(std::uint32_t field, OtlpWire wire) { return (field << 3U) | static_cast<std::uint32_t>(wire); }
std::uint64_t otlp_tag(const OtlpReader& reader) { return otlp_tag(reader.tag(), reader.wire_type()); }
constexpr std::uint64_t message_field(std::uint32_t field) { return otlp_tag(field, OtlpWire::length_delimited); }

// Thrown inside this file only; ends in `decode_otlp_metrics`.
struct OtlpStop {
  Error error;
};

[[noreturn]] void stop_at_wire_type(std::string_view where, const OtlpReader& reader) {
  throw OtlpStop{{Code::kInvalid, "wrong wire type in a " + std::string(where) + ": field " + std::to_string(reader.tag()),
                  "send opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest"}};
}

// A field that this message has under another wire type; unknown ones are skipped. `known` has a bit for each field number.
void skip_unknown(std::string_view where, std::uint64_t known, OtlpReader& reader) {
  if (reader.tag() < 64 && (known >> reader.tag() & 1U) != 0) stop_at_wire_type(where, reader);
  reader.skip();
}

constexpr std::uint64_t fields(std::initializer_list<unsigned> numbers) {
  std::uint64_t out = 0;
  for (const unsigned n : numbers) out |= std::uint64_t{1} << n;
  return out;
}

std::string text_of(OtlpReader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

void check_limit(std::string_view what, std::size_t count, std::size_t limit) {
  if (count >= limit) throw OtlpStop{otlp_limit_error(what, limit)};
}

// --- attributes

std::string any_value_text(OtlpReader value, std::size_t depth, bool is_inside);

// `ArrayValue.values = 1`, or `KeyValueList.values = 1` of `KeyValue { key = 1, value = 2 }`.
std::string list_text(OtlpReader list, std::size_t depth, bool has_keys) {
  std::string out(1, has_keys ? '{' : '[');
  while (list.next()) {
    if (otlp_tag(list) != message_field(1)) {
      skip_unknown("list of values", fields({1}), list);
      continue;
    }
    if (out.size() > 1) out.push_back(',');
    OtlpReader element = list.get_message();
    if (!has_keys) {
      out += any_value_text(element, depth, true);
      continue;
    }
    std::string key;
    std::string value = "null";
    while (element.next()) {
      switch (otlp_tag(element)) {
        case message_field(1): key = text_of(element); break;
        case message_field(2): value = any_value_text(element.get_message(), depth, true); break;
        default: skip_unknown("KeyValue", fields({1, 2}), element);
      }
    }
    out += otlp_quoted_text(key) + ":" + value;
  }
  out.push_back(has_keys ? '}' : ']');
  return out;
}

// `string_value = 1, bool_value = 2, int_value = 3, double_value = 4, array_value = 5, kvlist_value = 6, bytes_value = 7`
std::string any_value_text(OtlpReader value, std::size_t depth, bool is_inside) {
  check_limit("nesting of an attribute value", depth, kOtlpDepthMax);
  std::string out = is_inside ? "null" : "";
  const auto quoted = [&](std::string text) { return is_inside ? otlp_quoted_text(text) : text; };
  while (value.next()) {
    switch (otlp_tag(value)) {
      case message_field(1): out = quoted(text_of(value)); break;
      case otlp_tag(2, OtlpWire::varint): out = value.get_bool() ? "true" : "false"; break;
      case otlp_tag(3, OtlpWire::varint): out = std::to_string(value.get_int64()); break;
      case otlp_tag(4, OtlpWire::fixed64): out = otlp_number_text(value.get_double()); break;
      case message_field(5): out = list_text(value.get_message(), depth + 1, false); break;
      case message_field(6): out = list_text(value.get_message(), depth + 1, true); break;
      case message_field(7): out = quoted(otlp_bytes_text(text_of(value))); break;
      default: skip_unknown("AnyValue", fields({1, 2, 3, 4, 5, 6, 7}), value);
    }
  }
  return out;
}

void read_attribute(OtlpReader message, OtlpAttributes& out) {
  check_limit("attributes of one point, scope or resource", out.size(), kOtlpAttributesMax);
  OtlpAttribute attribute;
  while (message.next()) {
    switch (otlp_tag(message)) {
      case message_field(1): attribute.key = text_of(message); break;
      case message_field(2): attribute.value = any_value_text(message.get_message(), 0, false); break;
      default: skip_unknown("KeyValue", fields({1, 2}), message);
    }
  }
  out.push_back(std::move(attribute));
}

// --- points

template <typename Value>
void append_value(Value value, std::vector<Value>& out) {
  check_limit("buckets of one point", out.size(), kOtlpBucketsMax);
  out.push_back(value);
}

template <typename Values, typename Value>
void append_values(const Values& values, std::vector<Value>& out) {
  for (const Value value : values) append_value(value, out);
}

void set_flags(std::uint32_t flags, OtlpPoint& out) { out.has_no_value = (flags & 1U) != 0; }

// `start_time_unix_nano = 2, time_unix_nano = 3, as_double = 4, exemplars = 5, as_int = 6, attributes = 7, flags = 8`
void read_number(OtlpReader message, OtlpPoint& out) {
  while (message.next()) {
    switch (otlp_tag(message)) {
      case otlp_tag(2, OtlpWire::fixed64): out.start_nanos = message.get_fixed64(); break;
      case otlp_tag(3, OtlpWire::fixed64): out.time_nanos = message.get_fixed64(); break;
      case otlp_tag(4, OtlpWire::fixed64):
        out.as_double = message.get_double();
        out.as_int.reset();
        break;
      case otlp_tag(6, OtlpWire::fixed64):
        out.as_int = message.get_sfixed64();
        out.as_double.reset();
        break;
      case message_field(7): read_attribute(message.get_message(), out.attributes); break;
      case otlp_tag(8, OtlpWire::varint): set_flags(message.get_uint32(), out); break;
      default: skip_unknown("NumberDataPoint", fields({2, 3, 4, 6, 7, 8}), message);
    }
  }
}

// `start_time_unix_nano = 2, time_unix_nano = 3, count = 4, sum = 5, bucket_counts = 6, explicit_bounds = 7, exemplars = 8,
// attributes = 9, flags = 10, min = 11, max = 12`
void read_histogram_point(OtlpReader message, OtlpPoint& out) {
  while (message.next()) {
    switch (otlp_tag(message)) {
      case otlp_tag(2, OtlpWire::fixed64): out.start_nanos = message.get_fixed64(); break;
      case otlp_tag(3, OtlpWire::fixed64): out.time_nanos = message.get_fixed64(); break;
      case otlp_tag(4, OtlpWire::fixed64): out.count = message.get_fixed64(); break;
      case otlp_tag(5, OtlpWire::fixed64): out.sum = message.get_double(); break;
      case message_field(6): append_values(message.get_packed_fixed64(), out.bucket_counts); break;
      case otlp_tag(6, OtlpWire::fixed64): append_value(message.get_fixed64(), out.bucket_counts); break;
      case message_field(7): append_values(message.get_packed_double(), out.bounds); break;
      case otlp_tag(7, OtlpWire::fixed64): append_value(message.get_double(), out.bounds); break;
      case message_field(9): read_attribute(message.get_message(), out.attributes); break;
      case otlp_tag(10, OtlpWire::varint): set_flags(message.get_uint32(), out); break;
      case otlp_tag(11, OtlpWire::fixed64): out.min = message.get_double(); break;
      case otlp_tag(12, OtlpWire::fixed64): out.max = message.get_double(); break;
      default: skip_unknown("HistogramDataPoint", fields({2, 3, 4, 5, 6, 7, 9, 10, 11, 12}), message);
    }
  }
}

// `offset = 1, bucket_counts = 2`
void read_buckets(OtlpReader message, OtlpBuckets& out) {
  while (message.next()) {
    switch (otlp_tag(message)) {
      case otlp_tag(1, OtlpWire::varint): out.offset = message.get_sint32(); break;
      case message_field(2): append_values(message.get_packed_uint64(), out.counts); break;
      case otlp_tag(2, OtlpWire::varint): append_value(message.get_uint64(), out.counts); break;
      default: skip_unknown("Buckets", fields({1, 2}), message);
    }
  }
}

// `attributes = 1, start_time_unix_nano = 2, time_unix_nano = 3, count = 4, sum = 5, scale = 6, zero_count = 7, positive = 8,
// negative = 9, flags = 10, exemplars = 11, min = 12, max = 13, zero_threshold = 14`
void read_exponential_point(OtlpReader message, OtlpPoint& out) {
  while (message.next()) {
    switch (otlp_tag(message)) {
      case message_field(1): read_attribute(message.get_message(), out.attributes); break;
      case otlp_tag(2, OtlpWire::fixed64): out.start_nanos = message.get_fixed64(); break;
      case otlp_tag(3, OtlpWire::fixed64): out.time_nanos = message.get_fixed64(); break;
      case otlp_tag(4, OtlpWire::fixed64): out.count = message.get_fixed64(); break;
      case otlp_tag(5, OtlpWire::fixed64): out.sum = message.get_double(); break;
      case otlp_tag(6, OtlpWire::varint): out.scale = message.get_sint32(); break;
      case otlp_tag(7, OtlpWire::fixed64): out.zero_count = message.get_fixed64(); break;
      case message_field(8): read_buckets(message.get_message(), out.positive); break;
      case message_field(9): read_buckets(message.get_message(), out.negative); break;
      case otlp_tag(10, OtlpWire::varint): set_flags(message.get_uint32(), out); break;
      case otlp_tag(12, OtlpWire::fixed64): out.min = message.get_double(); break;
      case otlp_tag(13, OtlpWire::fixed64): out.max = message.get_double(); break;
      case otlp_tag(14, OtlpWire::fixed64): out.zero_threshold = message.get_double(); break;
      default: skip_unknown("ExponentialHistogramDataPoint", fields({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14}), message);
    }
  }
}

// `quantile = 1, value = 2`
void read_quantile(OtlpReader message, OtlpPoint& out) {
  check_limit("quantiles of one point", out.quantiles.size(), kOtlpBucketsMax);
  OtlpQuantile quantile;
  while (message.next()) {
    switch (otlp_tag(message)) {
      case otlp_tag(1, OtlpWire::fixed64): quantile.quantile = message.get_double(); break;
      case otlp_tag(2, OtlpWire::fixed64): quantile.value = message.get_double(); break;
      default: skip_unknown("ValueAtQuantile", fields({1, 2}), message);
    }
  }
  out.quantiles.push_back(quantile);
}

// `start_time_unix_nano = 2, time_unix_nano = 3, count = 4, sum = 5, quantile_values = 6, attributes = 7, flags = 8`
void read_summary_point(OtlpReader message, OtlpPoint& out) {
  while (message.next()) {
    switch (otlp_tag(message)) {
      case otlp_tag(2, OtlpWire::fixed64): out.start_nanos = message.get_fixed64(); break;
      case otlp_tag(3, OtlpWire::fixed64): out.time_nanos = message.get_fixed64(); break;
      case otlp_tag(4, OtlpWire::fixed64): out.count = message.get_fixed64(); break;
      case otlp_tag(5, OtlpWire::fixed64): out.sum = message.get_double(); break;
      case message_field(6): read_quantile(message.get_message(), out); break;
      case message_field(7): read_attribute(message.get_message(), out.attributes); break;
      case otlp_tag(8, OtlpWire::varint): set_flags(message.get_uint32(), out); break;
      default: skip_unknown("SummaryDataPoint", fields({2, 3, 4, 5, 6, 7, 8}), message);
    }
  }
}

void read_point(OtlpType type, const OtlpReader& message, OtlpPoint& out) {
  switch (type) {
    case OtlpType::kHistogram: return read_histogram_point(message, out);
    case OtlpType::kExponentialHistogram: return read_exponential_point(message, out);
    case OtlpType::kSummary: return read_summary_point(message, out);
    default: return read_number(message, out);
  }
}

// --- the messages around the points

// Every message in the field `number`; what else there is, is skipped. Order in protobuf is free, so what stands around the points is
// read in a pass of its own.
template <typename Take>
void each_message(OtlpReader reader, unsigned number, std::string_view where, Take&& take) {
  while (reader.next()) {
    if (otlp_tag(reader) == message_field(number)) {
      take(reader.get_message());
    } else {
      skip_unknown(where, fields({number}), reader);
    }
  }
}

class OtlpWalk {
 public:
  explicit OtlpWalk(const OnOtlpPoint& on_point) : on_point_(on_point) {}

  // `ExportMetricsServiceRequest.resource_metrics = 1`
  void read_request(const OtlpReader& request) {
    each_message(request, 1, "ExportMetricsServiceRequest", [&](const OtlpReader& m) { read_resource_metrics(m); });
  }

 private:
  // `resource = 1 { attributes = 1 }, scope_metrics = 2`
  void read_resource_metrics(const OtlpReader& message) {
    ++resource_.index;
    resource_.attributes.clear();
    each_message(message, 1, "ResourceMetrics", [&](const OtlpReader& resource) {
      each_message(resource, 1, "Resource", [&](const OtlpReader& attribute) { read_attribute(attribute, resource_.attributes); });
    });
    each_message(message, 2, "ResourceMetrics", [&](const OtlpReader& scope_metrics) { read_scope_metrics(scope_metrics); });
  }

  // `name = 1, version = 2, attributes = 3`
  void read_scope(OtlpReader scope) {
    while (scope.next()) {
      switch (otlp_tag(scope)) {
        case message_field(1): scope_.name = text_of(scope); break;
        case message_field(2): scope_.version = text_of(scope); break;
        case message_field(3): read_attribute(scope.get_message(), scope_.attributes); break;
        default: skip_unknown("InstrumentationScope", fields({1, 2, 3}), scope);
      }
    }
  }

  // `scope = 1, metrics = 2`
  void read_scope_metrics(const OtlpReader& message) {
    scope_ = {};
    each_message(message, 1, "ScopeMetrics", [&](const OtlpReader& scope) { read_scope(scope); });
    each_message(message, 2, "ScopeMetrics", [&](const OtlpReader& metric) { read_metric(metric); });
  }

  // `name = 1, description = 2, unit = 3`, and one of `gauge = 5, sum = 7, histogram = 9, exponential_histogram = 10, summary = 11`:
  // of several the last counts, as in every protobuf reader.
  void read_metric(OtlpReader message) {
    metric_ = {.index = metric_.index + 1};
    OtlpReader points;
    const auto set = [&](OtlpType type) {
      metric_.type = type;
      points = message.get_message();
    };
    while (message.next()) {
      switch (otlp_tag(message)) {
        case message_field(1): metric_.name = text_of(message); break;
        case message_field(2): metric_.description = text_of(message); break;
        case message_field(3): metric_.unit = text_of(message); break;
        case message_field(5): set(OtlpType::kGauge); break;
        case message_field(7): set(OtlpType::kSum); break;
        case message_field(9): set(OtlpType::kHistogram); break;
        case message_field(10): set(OtlpType::kExponentialHistogram); break;
        case message_field(11): set(OtlpType::kSummary); break;
        default: skip_unknown("Metric", fields({1, 2, 3, 5, 7, 9, 10, 11}), message);
      }
    }
    if (metric_.type != OtlpType::kNone) read_points(points);
  }

  // `data_points = 1, aggregation_temporality = 2, is_monotonic = 3`
  void read_points(const OtlpReader& message) {
    for (OtlpReader first = message; first.next();) {
      switch (otlp_tag(first)) {
        case otlp_tag(2, OtlpWire::varint): {
          const std::int32_t temporality = first.get_enum();
          metric_.temporality = temporality == 1 || temporality == 2 ? static_cast<OtlpTemporality>(temporality) : OtlpTemporality::kUnspecified;
          break;
        }
        case otlp_tag(3, OtlpWire::varint): metric_.is_monotonic = first.get_bool(); break;
        default: skip_unknown("Sum", fields({2, 3}), first);
      }
    }
    each_message(message, 1, "list of data points", [&](const OtlpReader& point) {
      check_limit("data points of one request", points_++, kOtlpPointsMax);
      point_.clear();
      read_point(metric_.type, point, point_);
      if (Result<void> taken = on_point_({resource_, scope_, metric_, point_}); !taken) throw OtlpStop{taken.error()};
    });
  }

  const OnOtlpPoint& on_point_;
  OtlpResource resource_;
  OtlpScope scope_;
  OtlpMetric metric_;
  OtlpPoint point_;
  std::size_t points_ = 0;
};

}  // namespace

Result<void> decode_otlp_metrics(std::string_view raw, const OnOtlpPoint& on_point) {
  try {
    OtlpWalk(on_point).read_request(OtlpReader(raw.data(), raw.size()));
    return {};
  } catch (const OtlpStop& stopped) {
    return tl::unexpected<Error>(stopped.error);
  } catch (const protozero::exception& damaged) {
    return fail(Code::kInvalid, "not a protobuf message: " + std::string(damaged.what()));
  }
}

}  // namespace seedance
