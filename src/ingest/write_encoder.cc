#include "ingest/write_encoder.h"

#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
#include <snappy.h>

namespace seedance {
namespace {

constexpr char kField1 = 0x0a;  // length-delimited
constexpr char kField2 = 0x12;
constexpr char kDouble1 = 0x09;
constexpr char kVarint2 = 0x10;

}  // namespace

// prometheus/prompb/remote.proto and types.proto: WriteRequest.timeseries = 1; TimeSeries.labels = 1, samples = 2;
// Label.name = 1, value = 2; Sample.value = 1 (double), timestamp = 2 (int64, milliseconds).
std::string encode_write_request(std::span<const SeriesSamples> series) {
  std::string out;
  protozero::pbf_writer request(out);
  for (const SeriesSamples& one : series) {
    protozero::pbf_writer time_series(request, 1);
    for (const Label& label : one.labels) {
      protozero::pbf_writer pair(time_series, 1);
      pair.add_string(1, label.name);
      pair.add_string(2, label.value);
    }
    for (const Sample& s : one.samples) {
      protozero::pbf_writer sample(time_series, 2);
      sample.add_double(1, s.value);
      sample.add_int64(2, s.timestamp_ms);
    }
  }
  return out;
}

// By hand: the lengths are known before, so that nothing is moved to make room for them.
void append_series(std::string& message, std::string_view label_block, std::span<const Sample> samples) {
  const auto sample_bytes = [](const Sample& s) {
    return 1 + sizeof s.value + 1 + static_cast<std::size_t>(protozero::length_of_varint(static_cast<std::uint64_t>(s.timestamp_ms)));
  };
  std::size_t size = label_block.size();
  for (const Sample& s : samples) size += 2 + sample_bytes(s);
  message.push_back(kField1);
  protozero::add_varint_to_buffer(&message, size);
  message.append(label_block);
  for (const Sample& s : samples) {
    message.push_back(kField2);
    message.push_back(static_cast<char>(sample_bytes(s)));
    message.push_back(kDouble1);
    message.append(reinterpret_cast<const char*>(&s.value), sizeof s.value);
    message.push_back(kVarint2);
    protozero::add_varint_to_buffer(&message, static_cast<std::uint64_t>(s.timestamp_ms));
  }
}

std::string compress_snappy(std::string_view raw) {
  std::string out;
  snappy::Compress(raw.data(), raw.size(), &out);
  return out;
}

}  // namespace seedance
