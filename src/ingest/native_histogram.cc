#include "ingest/native_histogram.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

namespace seedance {
namespace {

// Fields of message Histogram.
enum HistogramField : std::uint32_t {
  kCountInt = 1,
  kCountFloat = 2,
  kSum = 3,
  kSchema = 4,
  kZeroCountInt = 6,
  kZeroCountFloat = 7,
  kNegativeSpans = 8,
  kNegativeDeltas = 9,
  kNegativeCounts = 10,
  kPositiveSpans = 11,
  kPositiveDeltas = 12,
  kPositiveCounts = 13,
  kCustomValues = 16,
};

constexpr std::int32_t kCustomBuckets = -53;

struct Side {
  std::uint64_t span_buckets = 0;
  bool has_bad_span = false;
  std::size_t spans = 0;
  std::vector<std::int64_t> deltas;
  std::vector<double> counts;
};

struct HistogramBody {
  bool is_float = false;
  std::uint64_t count_int = 0;
  double count_float = 0;
  double sum = 0;
  std::int32_t schema = 0;
  std::uint64_t zero_int = 0;
  double zero_float = 0;
  std::size_t custom_values = 0;
  Side negative;
  Side positive;
};

// `offset = 1 (sint32), length = 2 (uint32)`
void read_span(protozero::pbf_reader message, Side& side) {
  std::int32_t offset = 0;
  while (message.next()) {
    switch (message.tag()) {
      case 1: offset = message.get_sint32(); break;
      case 2: side.span_buckets += message.get_uint32(); break;
      default: message.skip();
    }
  }
  if (side.spans++ > 0 && offset < 0) side.has_bad_span = true;
}

// Packed or not, as proto3 readers must accept.
void read_deltas(protozero::pbf_reader& reader, std::vector<std::int64_t>& out) {
  if (reader.has_wire_type(protozero::pbf_wire_type::varint)) {
    out.push_back(reader.get_sint64());
    return;
  }
  for (const std::int64_t v : reader.get_packed_sint64()) out.push_back(v);
}

void read_doubles(protozero::pbf_reader& reader, std::vector<double>& out) {
  if (reader.has_wire_type(protozero::pbf_wire_type::fixed64)) {
    out.push_back(reader.get_double());
    return;
  }
  for (const double v : reader.get_packed_double()) out.push_back(v);
}

HistogramBody read_histogram(std::string_view bytes) {
  HistogramBody h;
  std::vector<double> custom;
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    switch (reader.tag()) {
      case kCountInt: h.count_int = reader.get_uint64(); break;
      case kCountFloat: h.count_float = reader.get_double(); h.is_float = true; break;
      case kSum: h.sum = reader.get_double(); break;
      case kSchema: h.schema = reader.get_sint32(); break;
      case kZeroCountInt: h.zero_int = reader.get_uint64(); break;
      case kZeroCountFloat: h.zero_float = reader.get_double(); break;
      case kNegativeSpans: read_span(reader.get_message(), h.negative); break;
      case kNegativeDeltas: read_deltas(reader, h.negative.deltas); break;
      case kNegativeCounts: read_doubles(reader, h.negative.counts); break;
      case kPositiveSpans: read_span(reader.get_message(), h.positive); break;
      case kPositiveDeltas: read_deltas(reader, h.positive.deltas); break;
      case kPositiveCounts: read_doubles(reader, h.positive.counts); break;
      case kCustomValues: read_doubles(reader, custom); break;
      default: reader.skip();
    }
  }
  h.custom_values = custom.size();
  return h;
}

// Adds the buckets of a side; false when one is negative or the sum wraps.
bool add_buckets(const Side& side, std::uint64_t& sum) {
  std::int64_t level = 0;
  for (const std::int64_t delta : side.deltas) {
    if (__builtin_add_overflow(level, delta, &level) || level < 0) return false;
    if (__builtin_add_overflow(sum, static_cast<std::uint64_t>(level), &sum)) return false;
  }
  return true;
}

const char* check_integers(const HistogramBody& h) {
  std::uint64_t sum = h.zero_int;
  if (!add_buckets(h.negative, sum) || !add_buckets(h.positive, sum)) return "native histogram with a negative bucket";
  const bool fits = std::isnan(h.sum) ? h.count_int >= sum : h.count_int == sum;
  return fits ? nullptr : "native histogram whose count is not the sum of its buckets";
}

const char* check_floats(const HistogramBody& h) {
  double sum = h.zero_float;
  for (const Side* side : {&h.negative, &h.positive}) {
    for (const double count : side->counts) {
      if (!(count >= 0)) return "native histogram with a negative bucket";
      sum += count;
    }
  }
  // Float counts have been rounded by rate() and friends.
  constexpr double kTolerance = 1e-6;
  const bool fits = std::isnan(h.sum) || std::abs(sum - h.count_float) <= kTolerance * std::max(1.0, std::abs(h.count_float));
  return fits ? nullptr : "native histogram whose count is not the sum of its buckets";
}

}  // namespace

const char* histogram_fault(std::string_view message) {
  try {
    const HistogramBody h = read_histogram(message);
    if ((h.schema < -4 || h.schema > 8) && h.schema != kCustomBuckets) return "native histogram with an unknown schema";
    for (const Side* side : {&h.negative, &h.positive}) {
      if (side->has_bad_span) return "native histogram with overlapping spans";
      if (side->span_buckets != (h.is_float ? side->counts.size() : side->deltas.size())) return "native histogram whose spans do not fit its buckets";
    }
    if (h.schema == kCustomBuckets && h.positive.span_buckets > h.custom_values + 1) return "native histogram with more buckets than bounds";
    return h.is_float ? check_floats(h) : check_integers(h);
  } catch (const protozero::exception&) {
    return "native histogram that is not a protobuf message";
  }
}

}  // namespace seedance
