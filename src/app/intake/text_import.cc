#include "app/intake/text_import.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include "ingest/gzip_stream.h"
#include "ingest/open_metrics.h"
#include "ingest/write_encoder.h"

namespace seedance {
namespace {

constexpr std::size_t kBatchSamples = 50'000;
constexpr std::size_t kPlainBytesMax = std::size_t{64} << 30;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

}  // namespace

struct TextImport::State {
  SampleIntake& intake;
  SampleSource source;
  OpenMetricsReader reader{OpenMetricsOptions{}};
  std::optional<GunzipStream> gunzip;
  std::string head;  // bytes before it is known whether they are gzip: at most one
  bool started = false;
  std::map<Labels, std::vector<Sample>> batch;
  std::size_t batch_samples = 0;
  TextImportReport report;
  std::optional<Error> failed;

  State(SampleIntake& i, const SampleSource& s) : intake(i), source(s) {}

  Result<void> flush() {
    std::vector<SeriesSamples> series;
    series.reserve(batch.size());
    for (auto& [labels, samples] : batch) series.push_back({labels, std::move(samples)});
    batch.clear();
    batch_samples = 0;
    if (series.empty()) return {};
    TRY_ASSIGN(const IntakeAnswer answer, intake.take(compress_snappy(encode_write_request(series)), LogRecordKind::kSeriesBatch, source));
    report.answer += answer;
    return {};
  }

  OpenMetricsReader::OnSample taker() {
    return [this](const Labels& labels, Sample sample) {
      batch[labels].push_back(sample);
      ++batch_samples;
      ++report.samples;
    };
  }

  Result<void> take_plain(std::string_view text) {
    TRY(reader.feed(text, taker()));
    if (batch_samples >= kBatchSamples) return flush();
    return {};
  }

  Result<void> take(std::string_view bytes) {
    if (!started) {
      head += bytes;
      if (head.size() < 2) return {};
      started = true;
      if (is_gzip(head)) gunzip.emplace(kPlainBytesMax);
      return take_started(std::exchange(head, {}));
    }
    return take_started(bytes);
  }

  Result<void> take_started(std::string_view bytes) {
    if (!gunzip) return take_plain(bytes);
    return gunzip->feed(bytes, [this](std::string_view plain) { return take_plain(plain); });
  }

  Result<void> end() {
    TRY(take_plain(head));
    if (gunzip) TRY(gunzip->finish());
    TRY(reader.finish(taker()));
    return flush();
  }
};

TextImport::TextImport(SampleIntake& intake, const SampleSource& source) : state_(std::make_unique<State>(intake, source)) {}
TextImport::~TextImport() = default;

Result<void> TextImport::feed(std::string_view bytes) {
  if (state_->failed) return tl::unexpected<Error>(*state_->failed);
  Result<void> taken = state_->take(bytes);
  if (!taken) {
    ignore(state_->flush(), "the first error is the one to tell");
    state_->failed = taken.error();
  }
  return taken;
}

Result<TextImportReport> TextImport::finish() {
  if (state_->failed) return tl::unexpected<Error>(*state_->failed);
  TRY(state_->end());
  state_->report.lines = state_->reader.line_count();
  return state_->report;
}

std::uint64_t TextImport::samples() const { return state_->report.samples; }

Result<TextImportReport> import_text_file(SampleIntake& intake, const std::string& path,
                                          const std::function<void(std::uint64_t, std::uint64_t)>& on_progress) {
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (!in || error) return fail(Code::kNotFound, "file cannot be read: " + path);
  TextImport text(intake);
  std::string buffer(kReadBytes, '\0');
  std::uint64_t done = 0;
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto got = static_cast<std::size_t>(in.gcount());
    const Result<void> taken = text.feed(std::string_view(buffer).substr(0, got));
    if (!taken) return fail_in(path, taken.error());
    done += got;
    if (on_progress) on_progress(done, size);
  }
  const Result<TextImportReport> report = text.finish();
  if (!report) return fail_in(path, report.error());
  return report;
}

}  // namespace seedance
