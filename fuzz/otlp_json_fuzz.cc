// Any bytes as an OTLP request in JSON: no crash, no leak, limits kept; what decodes is translated.
#include "base/check.h"
#include "ingest/otlp/otlp_json.h"
#include "ingest/otlp/otlp_series.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedance;  // NOLINT
  std::size_t points = 0;
  OtlpTranslator translator({}, [](OtlpTranslator::Series series) { SEEDANCE_CHECK(!series.samples.empty(), "a series without samples"); });
  const auto decoded = decode_otlp_json({reinterpret_cast<const char*>(bytes), size}, [&](const OtlpPointRef& ref) -> Result<void> {
    translator.add(ref);
    ++points;
    return {};
  });
  translator.finish();
  if (decoded) SEEDANCE_CHECK(translator.counts().points == points, "points lost");
  return 0;
}
