// Any text as OpenMetrics, read whole and in pieces: the same samples or the same error, and labels always canonical. The
// first byte chooses the unit of the time stamps and the size of the pieces. What looks like gzip is unpacked first.
#include <bit>

#include "base/check.h"
#include "ingest/gzip_stream.h"
#include "ingest/open_metrics.h"

namespace seedance {
namespace {

std::string read_in_pieces(std::string_view text, const OpenMetricsOptions& options, std::size_t piece) {
  std::string out;
  OpenMetricsReader reader(options);
  const auto print = [&](const Labels& labels, Sample sample) {
    Labels again = labels;
    SEEDANCE_CHECK(canonicalise_labels(again, options.labels) && again == labels, print_labels(labels));
    out += print_labels(labels) + std::to_string(sample.timestamp_ms) + " " + std::to_string(std::bit_cast<std::uint64_t>(sample.value)) + "\n";
  };
  Result<void> taken;
  for (; !text.empty() && taken; text.remove_prefix(std::min(piece, text.size()))) taken = reader.feed(text.substr(0, piece), print);
  if (taken) taken = reader.finish(print);
  return taken ? out : out + taken.error().message;
}

}  // namespace
}  // namespace seedance

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedance;  // NOLINT
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(bytes + 1), size - 1);
  if (is_gzip(text)) {
    GunzipStream gzip(std::size_t{1} << 20);
    std::string plain;
    const auto append = [&](std::string_view more) -> Result<void> {
      plain += more;
      return {};
    };
    if (gzip.feed(text, append)) text = plain;
  }
  OpenMetricsOptions options{.timestamps = static_cast<TimestampUnit>(bytes[0] % 3), .line_bytes_max = 4096};
  if ((bytes[0] & 4U) != 0) options.default_timestamp_ms = 1000;
  const std::string whole = read_in_pieces(text, options, text.size());
  SEEDANCE_CHECK(whole == read_in_pieces(text, options, 1U + (bytes[0] >> 3U)), whole);
  return 0;
}
