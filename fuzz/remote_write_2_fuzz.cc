// Any bytes as a remote write 2.0 body: no crash, no leak, nothing outside the request; what decodes has labels that a table of
// series can take. The zstd and histogram readers get the same bytes.
#include "base/check.h"
#include "ingest/native_histogram.h"
#include "ingest/remote_write_2.h"
#include "ingest/series_table.h"
#include "ingest/write_body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedance;  // NOLINT
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const auto plain = decompress_snappy(input, std::size_t{1} << 20);
  const auto unpacked = decompress_zstd(input, std::size_t{1} << 20);
  if (unpacked) SEEDANCE_CHECK(unpacked->size() <= std::size_t{1} << 20, "limit passed");
  (void)histogram_fault(input);
  DecodedWrite write;
  for (const std::string_view body : {plain ? std::string_view(*plain) : std::string_view{}, input}) {
    if (!decode_write_request_2(body, write)) continue;
    SeriesTable table([](std::string_view) { return true; }, {.series_max = 64});
    for (const DecodedSeries& series : write.series) {
      SEEDANCE_CHECK(series.sample_begin + series.sample_count <= write.samples.size(), "samples outside the request");
      const Resolved resolved = table.resolve(series.label_block);
      if (resolved.kind == Resolved::Kind::kSeries) SEEDANCE_CHECK(table.resolve(series.label_block).series == resolved.series, "warm path differs");
    }
  }
  return 0;
}
