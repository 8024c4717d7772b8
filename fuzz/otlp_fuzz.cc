// Any bytes as an OTLP request in protobuf: no crash, no leak, limits kept; what decodes is translated into labels that a table of
// series can judge, and the same bytes give the same points twice.
#include "base/check.h"
#include "ingest/otlp/otlp_metrics.h"
#include "ingest/otlp/otlp_series.h"
#include "ingest/label_rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedance;  // NOLINT
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  std::size_t points = 0;
  const auto first = decode_otlp_metrics(input, [&](const OtlpPointRef&) -> Result<void> {
    ++points;
    return {};
  });
  if (!first) return 0;
  OtlpTranslator translator({}, [](OtlpTranslator::Series series) {
    Labels canonical = series.labels();
    if (canonicalise_labels(canonical, {})) SEEDANCE_CHECK(canonical == series.labels(), "labels are not canonical");
    SEEDANCE_CHECK(!series.samples.empty(), "a series without samples");
  });
  const auto second = decode_otlp_metrics(input, [&](const OtlpPointRef& ref) -> Result<void> {
    translator.add(ref);
    return {};
  });
  translator.finish();
  SEEDANCE_CHECK(second.has_value() && translator.counts().points == points, "the second walk differs");
  return 0;
}
