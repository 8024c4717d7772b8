#include "ingest/write_encoder.h"

#include <protozero/pbf_writer.hpp>
#include <snappy.h>

namespace seedance {

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

std::string compress_snappy(std::string_view raw) {
  std::string out;
  snappy::Compress(raw.data(), raw.size(), &out);
  return out;
}

}  // namespace seedance
