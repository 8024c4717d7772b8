// The two places to which a back-fill brings its samples.
#include <algorithm>
#include <charconv>

#include "app/backfill/prometheus_backfill.h"
#include "base/time_text.h"
#include "ingest/label_rules.h"
#include "ingest/write_encoder.h"
#include "json/value.h"

namespace seedance {
namespace {

constexpr std::size_t kStoreBatchSamples = 50'000;
constexpr std::size_t kWriteBatchSamples = 5'000;
// An hour's books look this far to both sides: ten minutes for samples, two hours for a node that was silent (sample_intake.cc).
constexpr Nanos kSettledBehind = std::chrono::hours(2);

class StoreTarget final : public BackfillTarget {
 public:
  StoreTarget(SampleIntake& intake, Books& books, const PriceBook& prices) : intake_(intake), books_(books), prices_(prices) {}

  std::size_t batch_samples_max() const override { return kStoreBatchSamples; }

  Result<void> begin(TimePoint from) override {
    begin_ = from;
    const TimePoint final_before = intake_.final_before();
    if (from >= final_before) return {};
    return fail(Code::kInvalid, "hours of this store are final, their samples are gone: before " + print_time(final_before),
                "choose a window that begins there, or fill a store of its own with --store DIR");
  }

  Result<IntakeAnswer> take(std::span<const SeriesSamples> series) override {
    return intake_.take(compress_snappy(encode_write_request(series)), LogRecordKind::kSeriesBatch);
  }

  Result<void> reached(TimePoint to) override {
    const TimePoint limit = hour_of(to - kSettledBehind);
    if (limit <= begin_) return {};  // what lies before is not ours to make final
    TRY(books_.settle_before(prices_, limit));
    return intake_.finalise_before(limit);
  }

 private:
  SampleIntake& intake_;
  Books& books_;
  const PriceBook& prices_;
  TimePoint begin_{};
};

// Our server's 400 says "12 samples were refused, 3988 kept: why"; of another receiver all count as refused.
IntakeAnswer refused_in(const HttpResponse& response, std::size_t samples) {
  IntakeAnswer out;
  const Result<Json> problem = parse_json(response.body);
  std::string detail = problem ? std::string(problem->at("detail").text()) : std::string{};
  if (detail.empty()) detail = "status " + std::to_string(response.status) + ": " + text_for_message(response.body);
  std::size_t refused = samples;
  const auto [end, error] = std::from_chars(detail.data(), detail.data() + detail.size(), refused);
  const bool is_ours = error == std::errc{} && std::string_view(end, detail.data() + detail.size()).starts_with(" samples were refused");
  out.samples_refused = is_ours ? std::min(refused, samples) : samples;
  out.samples_kept = samples - out.samples_refused;
  const std::size_t colon = detail.find(": ");
  out.first_reason = is_ours && colon != std::string::npos ? detail.substr(colon + 2) : detail;
  return out;
}

class WriteTarget final : public BackfillTarget {
 public:
  WriteTarget(PostWrite post, PrometheusReader::Rest rest) : post_(std::move(post)), rest_(std::move(rest)) {}

  std::size_t batch_samples_max() const override { return kWriteBatchSamples; }
  Result<void> begin(TimePoint) override { return {}; }
  Result<void> reached(TimePoint) override { return {}; }

  Result<IntakeAnswer> take(std::span<const SeriesSamples> series) override {
    const std::string body = compress_snappy(encode_write_request(series));
    std::size_t samples = 0;
    for (const SeriesSamples& one : series) samples += one.samples.size();
    for (int attempt = 0;; ++attempt) {
      const Result<HttpResponse> response = post_(body);
      if (response && response->status >= 200 && response->status < 300) {
        has_answered_ = true;
        IntakeAnswer out;
        out.samples_kept = samples;
        return out;
      }
      if (response && response->status == 400) return refused_in(*response, samples);
      const bool is_last = attempt + 1 >= kAttemptsMax;
      if (!response) {
        const bool is_gone = response.error().code == Code::kUnavailable || response.error().code == Code::kTimeout;
        if (is_last || !has_answered_ || !is_gone) return tl::unexpected<Error>(response.error());
      } else if (is_last || !(response->status == 429 || response->status >= 500)) {
        return refusal(*response);
      }
      rest_(patience(response ? &*response : nullptr, attempt));
    }
  }

 private:
  tl::unexpected<Error> refusal(const HttpResponse& response) const {
    const Result<Json> problem = parse_json(response.body);
    const std::string why = problem ? std::string(problem->at("detail").text()) : std::string{};
    const bool is_denied = response.status == 401 || response.status == 403;
    return fail(is_denied ? Code::kDenied : response.status >= 500 || response.status == 429 ? Code::kUnavailable : Code::kInvalid,
                "server does not take remote writes: status " + std::to_string(response.status) + (why.empty() ? "" : ": " + text_for_message(why)),
                is_denied ? "give a token of the role writer with --token-file" : "");
  }

  PostWrite post_;
  PrometheusReader::Rest rest_;
  bool has_answered_ = false;
};

}  // namespace

std::unique_ptr<BackfillTarget> store_target(SampleIntake& intake, Books& books, const PriceBook& prices) {
  return std::make_unique<StoreTarget>(intake, books, prices);
}

std::unique_ptr<BackfillTarget> write_target(PostWrite post, PrometheusReader::Rest rest) {
  return std::make_unique<WriteTarget>(std::move(post), std::move(rest));
}

}  // namespace seedance
