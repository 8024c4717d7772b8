// Any bytes as an answer of the Prometheus API: no crash, no leak; what decodes has labels in order and as many samples as it says.
#include <algorithm>

#include "base/check.h"
#include "ingest/prometheus_query.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedance;  // NOLINT
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  (void)decode_label_values(text);
  (void)decode_query_failure(text);
  const Result<RawSamples> decoded = decode_raw_samples(text);
  if (!decoded) {
    SEEDANCE_CHECK(!decoded.error().message.empty(), "an error without a word");
    return 0;
  }
  std::size_t samples = 0;
  for (const SeriesSamples& one : decoded->series) {
    SEEDANCE_CHECK(!one.samples.empty(), "a series without samples");
    SEEDANCE_CHECK(std::is_sorted(one.labels.begin(), one.labels.end()), "labels in disorder");
    samples += one.samples.size();
  }
  SEEDANCE_CHECK(samples == decoded->samples, "samples lost");
  return 0;
}
