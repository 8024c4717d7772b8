// Takes OTLP metrics through the same door as remote write.
//
// A request is translated (src/ingest/otlp/otlp_series.h) in batches of 50,000 samples, each durable before the next. Before the first of
// several batches is kept the request is walked to its end, so that a damaged one keeps nothing. Sent again after an error in the
// middle, it counts nothing twice: series and samples depend on the request alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/intake/sample_intake.h"
#include "ingest/otlp/otlp_answer.h"

namespace seedance {

struct OtlpReport {
  std::uint64_t points = 0;
  std::uint64_t points_rejected = 0;  // by the translation, or because the intake refused their samples
  std::uint64_t samples_ignored = 0;  // of metrics that nobody reads
  IntakeAnswer taken;                 // what the intake answered, all in all
  std::string first_reason;           // of a rejection, with the metric's name
};

// kInvalid, kTooLarge: nothing was kept. kExhausted, kUnavailable: not everything was kept, send again later.
Result<OtlpReport> import_otlp(SampleIntake& intake, Counters& counters, std::string_view body, OtlpEncoding encoding,
                               const SampleSource& source = {});

// The message of a partial success; empty when no point was rejected.
std::string rejection_message(const OtlpReport& report);

}  // namespace seedance
