// Reads Prometheus remote write 2.0 (io.prometheus.write.v2.Request, 2.0-rc.3 and rc.4) into the same form as 1.0.
//
// Labels are references into a table of symbols that differs from request to request. Each series' labels are put together as the
// block that a 1.0 sender would have sent, so that one table of series serves both and a series keeps its identity when its
// sender changes the protocol.
//
// A series that is wrong in itself (a reference outside the table, an odd number of references, samples and histograms together,
// a native histogram whose buckets do not add up) is refused alone: it is counted and the first one named, the others are kept. What
// is wrong with the request as a whole (symbols, wire format) refuses the body.
//
// Field drift: TimeSeries.created_timestamp (6) of rc.3 and Sample.start_timestamp (3) of rc.4 are both skipped.
#pragma once

#include <string_view>

#include "ingest/prometheus_write.h"

namespace seedance {

// All label blocks of a request together; symbols can be repeated without limit.
inline constexpr std::size_t kLabelBlockBytesMax = std::size_t{32} * 1024 * 1024;

// Clears `out` and fills it. The views in it live as long as `out`. kInvalid, kTooLarge: nothing of `out` is to be used.
Result<void> decode_write_request_2(std::string_view raw, DecodedWrite& out);

}  // namespace seedance
