#include "ingest/prometheus_write.h"

#include <bit>
#include <cstring>

#include <protozero/buffer_string.hpp>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

namespace seedance {
namespace {

using Wire = protozero::pbf_wire_type;

static_assert(std::endian::native == std::endian::little, "doubles are copied as they lie");

constexpr std::uint64_t tag_of(std::uint32_t field, Wire wire) { return (field << 3U) | static_cast<std::uint32_t>(wire); }

// Thrown inside this file only, as protozero throws its own; both end in `decode_write_request`.
struct BadField {
  std::string_view message;
  std::uint32_t field;
};
struct TooManySamples {};

std::uint64_t current_tag(const protozero::pbf_reader& reader) { return tag_of(reader.tag(), reader.wire_type()); }

std::string_view as_std(protozero::data_view view) { return {view.data(), view.size()}; }

// One TimeSeries: `labels = 1, samples = 2, exemplars = 3, histograms = 4`. Keeps the stretch of bytes that holds the labels.
class SeriesReader {
 public:
  SeriesReader(std::string_view message, DecodedWrite& out) : reader_(message.data(), message.size()), end_(message.data() + message.size()), out_(out) {}

  void read() {
    const auto begin = static_cast<std::uint32_t>(out_.samples.size());
    take_usual_labels();
    take_usual_sample();
    for (const char* at = position(); reader_.next(); at = position()) read_field(at);
    finish_block();
    const auto count = static_cast<std::uint32_t>(out_.samples.size()) - begin;
    if (count == 0) {
      ++out_.empty_series_count;
    } else {
      out_.series.push_back({block_, begin, count});
    }
  }

 private:
  const char* position() const { return reader_.data().data(); }
  void go_to(const char* at) { reader_ = protozero::pbf_reader(at, static_cast<std::size_t>(end_ - at)); }

  // Senders write the labels first, each shorter than 128 bytes: two bytes of head tell where the next one begins.
  void take_usual_labels() {
    const char* const begin = position();
    const char* at = begin;
    while (end_ - at > 2 && at[0] == kLabelTag && at[1] >= 0 && end_ - at - 2 >= at[1]) at += 2 + at[1];
    if (at == begin) return;
    block_ = {begin, static_cast<std::size_t>(at - begin)};
    go_to(at);
  }

  // And then one sample: the double, the time stamp as a varint of six bytes (until the year 2109), nothing else.
  void take_usual_sample() {
    constexpr std::ptrdiff_t kSampleBytes = 1 + 8 + 1 + 6;
    const char* at = position();
    if (end_ - at != 2 + kSampleBytes || at[0] != kSampleTag || at[1] != kSampleBytes || at[2] != kValueTag || at[11] != kTimestampTag) return;
    Sample sample;
    std::memcpy(&sample.value, at + 3, sizeof sample.value);
    std::uint64_t time = 0;
    for (int byte = 0; byte < 6; ++byte) {
      const auto bits = static_cast<std::uint8_t>(at[12 + byte]);
      if ((bits >= 0x80) != (byte < 5)) return;
      time |= static_cast<std::uint64_t>(bits & 0x7f) << (7 * byte);
    }
    sample.timestamp_ms = static_cast<std::int64_t>(time);
    if (out_.samples.size() >= kWriteSamplesMax) throw TooManySamples{};
    out_.samples.push_back(sample);
    go_to(end_);
  }

  void read_field(const char* field_begin) {
    switch (current_tag(reader_)) {
      case tag_of(1, Wire::length_delimited):
        reader_.skip();
        add_label({field_begin, static_cast<std::size_t>(position() - field_begin)});
        return;
      case tag_of(2, Wire::length_delimited): return read_sample(reader_.get_message());
      case tag_of(3, Wire::length_delimited): ++out_.exemplar_count; return reader_.skip();
      case tag_of(4, Wire::length_delimited): ++out_.histogram_count; return reader_.skip();
      default:
        if (reader_.tag() <= 4) throw BadField{"wrong wire type in a TimeSeries", reader_.tag()};
        reader_.skip();
    }
  }

  // Nearly always the new label follows the block and only its end moves. Otherwise the pieces are put together aside.
  void add_label(std::string_view field) {
    if (!pieces_.empty()) {
      pieces_.append(field);
    } else if (block_.empty()) {
      block_ = field;
    } else if (block_.data() + block_.size() == field.data()) {
      block_ = {block_.data(), block_.size() + field.size()};
    } else {
      pieces_.assign(block_);
      pieces_.append(field);
    }
  }

  void finish_block() {
    if (pieces_.empty()) return;
    const auto kept = out_.arena.copy({pieces_.data(), pieces_.size()});
    block_ = {kept.data(), kept.size()};
  }

  // `value = 1` as a double, `timestamp = 2` in milliseconds; either may be absent and is then zero.
  void read_sample(protozero::pbf_reader message) {
    Sample sample;
    while (message.next()) {
      switch (current_tag(message)) {
        case tag_of(1, Wire::fixed64): sample.value = message.get_double(); break;
        case tag_of(2, Wire::varint): sample.timestamp_ms = message.get_int64(); break;
        default:
          if (message.tag() <= 2) throw BadField{"wrong wire type in a Sample", message.tag()};
          message.skip();
      }
    }
    if (out_.samples.size() >= kWriteSamplesMax) throw TooManySamples{};
    out_.samples.push_back(sample);
  }

  static constexpr char kLabelTag = 0x0a;
  static constexpr char kSampleTag = 0x12;
  static constexpr char kValueTag = 0x09;
  static constexpr char kTimestampTag = 0x10;

  protozero::pbf_reader reader_;
  const char* end_;
  DecodedWrite& out_;
  std::string_view block_;
  std::string pieces_;
};

// `timeseries = 1, metadata = 3`. Fields 4 and 5 are the symbols and the series of 2.0.
void read_request(std::string_view raw, DecodedWrite& out) {
  protozero::pbf_reader request(raw.data(), raw.size());
  bool has_series = false;
  bool has_symbols = false;
  bool has_series_2 = false;
  while (request.next()) {
    switch (current_tag(request)) {
      case tag_of(1, Wire::length_delimited):
        has_series = true;
        SeriesReader(as_std(request.get_view()), out).read();
        break;
      case tag_of(3, Wire::length_delimited): ++out.metadata_count; request.skip(); break;
      default:
        if (request.tag() == 1 || request.tag() == 3) throw BadField{"wrong wire type in a WriteRequest", request.tag()};
        has_symbols |= request.tag() == 4;
        has_series_2 |= request.tag() == 5;
        request.skip();
    }
  }
  if (has_symbols && has_series_2 && !has_series) throw BadField{"remote write 2.0 message where 1.0 was announced", 5};
}

// `name = 1, value = 2`; the last one wins when a field is repeated, as protobuf says.
struct LabelView {
  std::string_view name;
  std::string_view value;
};

LabelView read_label(protozero::pbf_reader message) {
  LabelView label;
  while (message.next()) {
    switch (current_tag(message)) {
      case tag_of(1, Wire::length_delimited): label.name = as_std(message.get_view()); break;
      case tag_of(2, Wire::length_delimited): label.value = as_std(message.get_view()); break;
      default:
        if (message.tag() <= 2) throw BadField{"wrong wire type in a Label", message.tag()};
        message.skip();
    }
  }
  return label;
}

void append_tag_and_length(std::string& out, std::uint32_t field, std::size_t length) {
  out.push_back(static_cast<char>(tag_of(field, Wire::length_delimited)));
  protozero::add_varint_to_buffer(&out, length);
}

std::size_t field_size(std::string_view content) {
  return 1 + static_cast<std::size_t>(protozero::length_of_varint(content.size())) + content.size();
}

}  // namespace

void DecodedWrite::clear() {
  series.clear();
  samples.clear();
  empty_series_count = metadata_count = histogram_count = exemplar_count = 0;
  samples_refused = histograms_refused = exemplars_refused = 0;
  first_refusal = nullptr;
  arena.clear();
}

void DecodedWrite::refuse(std::uint32_t sample_count_refused, std::uint32_t histograms, std::uint32_t exemplars, const char* reason) {
  samples_refused += sample_count_refused;
  histograms_refused += histograms;
  exemplars_refused += exemplars;
  if (first_refusal == nullptr) first_refusal = reason;
}

Result<void> decode_write_request(std::string_view raw, DecodedWrite& out) {
  out.clear();
  try {
    read_request(raw, out);
    return {};
  } catch (const BadField& bad) {
    return fail(Code::kInvalid, std::string(bad.message) + ": field " + std::to_string(bad.field),
                "send prometheus.WriteRequest, or announce io.prometheus.write.v2.Request in the Content-Type");
  } catch (const TooManySamples&) {
    return fail(Code::kTooLarge, "more samples in one request than the limit: " + std::to_string(kWriteSamplesMax),
                "lower max_samples_per_send of the sender");
  } catch (const protozero::exception& damaged) {
    return fail(Code::kInvalid, "not a protobuf message: " + std::string(damaged.what()));
  }
}

Result<Labels> parse_label_block(std::string_view block, const LabelLimits& limits) {
  Labels labels;
  labels.reserve(16);
  try {
    protozero::pbf_reader reader(block.data(), block.size());
    // One label over the limit is enough for canonicalise_labels to refuse; no need to copy the other thousands.
    while (labels.size() <= limits.labels_max && reader.next(1, Wire::length_delimited)) {
      const LabelView label = read_label(reader.get_message());
      labels.push_back({std::string(label.name), std::string(label.value)});
    }
  } catch (const BadField& bad) {
    return fail(Code::kInvalid, std::string(bad.message) + ": field " + std::to_string(bad.field));
  } catch (const protozero::exception& damaged) {
    return fail(Code::kInvalid, "label is not a protobuf message: " + std::string(damaged.what()));
  }
  TRY(canonicalise_labels(labels, limits));
  return labels;
}

bool is_plainly_sound(std::string_view block, const LabelLimits& limits) {
  std::string_view last;
  std::size_t count = 0;
  try {
    protozero::pbf_reader reader(block.data(), block.size());
    while (reader.next(1, Wire::length_delimited)) {
      const LabelView label = read_label(reader.get_message());
      if (label.name <= last || label.value.empty() || ++count > limits.labels_max || label.name.size() > limits.name_bytes_max ||
          label.value.size() > limits.value_bytes_max || !is_utf8(label.name) || !is_utf8(label.value)) {
        return false;
      }
      last = label.name;
    }
  } catch (const BadField&) {
    return false;
  } catch (const protozero::exception&) {
    return false;
  }
  return count > 0;
}

std::string encode_label_block(const Labels& labels) {
  std::string block;
  block.reserve(labels.size() * 40);
  for (const Label& label : labels) append_label(block, label.name, label.value);
  return block;
}

void append_label(std::string& block, std::string_view name, std::string_view value) {
  append_tag_and_length(block, 1, field_size(name) + field_size(value));
  append_tag_and_length(block, 1, name.size());
  block += name;
  append_tag_and_length(block, 2, value.size());
  block += value;
}

std::string_view metric_name_of_block(std::string_view block) {
  try {
    protozero::pbf_reader reader(block.data(), block.size());
    while (reader.next(1, Wire::length_delimited)) {
      const LabelView label = read_label(reader.get_message());
      if (label.name == kMetricNameLabel) return label.value;
    }
  } catch (const BadField&) {
  } catch (const protozero::exception&) {
  }
  return {};
}

}  // namespace seedance
