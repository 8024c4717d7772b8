// Any bytes as a remote write body, as sent and without the compression: no crash, no leak, and a series that the table
// accepts has labels that lead back to the same series.
#include "base/check.h"
#include "ingest/prometheus_write.h"
#include "ingest/series_table.h"
#include "ingest/write_body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedance;  // NOLINT
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const auto plain = decompress_snappy(input, std::size_t{1} << 20);
  DecodedWrite write;
  for (const std::string_view body : {plain ? std::string_view(*plain) : std::string_view{}, input}) {
    if (!decode_write_request(body, write)) continue;
    SeriesTable table([](std::string_view metric) { return metric != "unwanted"; }, {.series_max = 64});
    for (const DecodedSeries& series : write.series) {
      SEEDANCE_CHECK(series.sample_begin + series.sample_count <= write.samples.size(), "samples outside the request");
      const Resolved resolved = table.resolve(series.label_block);
      if (resolved.kind != Resolved::Kind::kSeries) continue;
      SEEDANCE_CHECK(table.resolve(series.label_block).series == resolved.series, "warm path differs");
      SEEDANCE_CHECK(table.intern(table.labels(resolved.series)) == resolved.series, print_labels(table.labels(resolved.series)));
    }
  }
  return 0;
}
