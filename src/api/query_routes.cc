#include "api/query_routes.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "net/problem.h"
#include "base/time_text.h"

namespace seedance {
namespace {

constexpr std::string_view kWindowDefault = "24h";
constexpr std::string_view kTopWindow = "1h";
constexpr std::size_t kTopMax = 1'000;

Result<Interval> window_of(Service& service, const HttpRequest& request, const TimeZone& zone, std::string_view otherwise = kWindowDefault) {
  const std::string_view text = request.query_value("window");
  // "The last 24 hours" of a replay end where its data ends.
  TimePoint end = service.clock().now();
  if (service.settings().ingest.accept_any_age) {
    TRY_ASSIGN(const std::optional<TimePoint> data_end, service.reports().data_end());
    if (data_end) end = *data_end;
  }
  return parse_window(text.empty() ? otherwise : text, end, zone);
}

Result<std::vector<LedgerFilter>> filters_of(const HttpRequest& request) {
  std::vector<LedgerFilter> out;
  for (const auto& [name, value] : request.query) {
    if (name != "filter") continue;
    TRY_ASSIGN(LedgerFilter filter, parse_filter(value));
    out.push_back(std::move(filter));
  }
  return out;
}

Result<CostQuestion> cost_question_of(Service& service, const HttpRequest& request) {
  CostQuestion q;
  TRY_ASSIGN(q.zone, zone_of(service, request));
  TRY_ASSIGN(q.window, window_of(service, request, q.zone));
  TRY_ASSIGN(q.filters, filters_of(request));
  std::string_view by = request.query_value("by");
  while (!by.empty()) {
    const std::size_t comma = by.find(',');
    TRY_ASSIGN(const GroupKey key, parse_group_key(by.substr(0, comma)));
    q.by.push_back(key);
    by = comma == std::string_view::npos ? std::string_view{} : by.substr(comma + 1);
  }
  if (const std::string_view step = request.query_value("step"); !step.empty()) {
    TRY_ASSIGN(q.step, parse_duration(step));
  }
  if (const std::string_view idle = request.query_value("idle"); !idle.empty()) {
    TRY_ASSIGN(q.idle, parse_idle_mode(idle));
  }
  return q;
}

// A file that is gone when this goes.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

HttpResponse parquet_answer(Service& service, Interval window, const HttpRequest& request) {
  const TemporaryFile file(service.settings().store.directory + "/export-" + request.request_id + ".parquet");
  if (const Result<void> written = service.export_parquet(whole_hours(window), file.path()); !written) return problem(written.error(), request);
  std::ifstream in(file.path(), std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return {200, "application/vnd.apache.parquet", std::move(bytes).str(), {}};
}

Result<WaterfallQuestion> waterfall_question_of(Service& service, const HttpRequest& request) {
  WaterfallQuestion q;
  TRY_ASSIGN(q.zone, zone_of(service, request));
  TRY_ASSIGN(q.window, window_of(service, request, q.zone));
  TRY_ASSIGN(q.filters, filters_of(request));
  return q;
}

Result<TopQuestion> top_question_of(Service& service, const HttpRequest& request) {
  TopQuestion q;
  TRY_ASSIGN(q.subject, parse_top_subject(request.path.substr(request.path.rfind('/') + 1)));
  TRY_ASSIGN(q.zone, zone_of(service, request));
  TRY_ASSIGN(q.window, window_of(service, request, q.zone, kTopWindow));
  TRY_ASSIGN(q.filters, filters_of(request));
  TRY_ASSIGN(q.states, parse_top_states(request.query_value("state")));
  if (const std::string_view sort = request.query_value("sort"); !sort.empty()) {
    TRY_ASSIGN(q.sort, parse_top_sort(sort));
  }
  if (const std::string_view limit = request.query_value("limit"); !limit.empty()) {
    const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), q.limit);
    if (error != std::errc{} || end != limit.data() + limit.size() || q.limit == 0 || q.limit > kTopMax) {
      return fail(Code::kInvalid, "limit is not a number from 1 to 1000: " + std::string(limit.substr(0, 20)));
    }
  }
  return q;
}

}  // namespace

Result<TimeZone> zone_of(const Service& service, const HttpRequest& request) {
  const std::string_view asked = request.query_value("tz");
  return TimeZone::named(asked.empty() ? std::string_view(service.settings().ledger.reporting_zone) : asked);
}

HttpResponse get_cost(Service& service, const HttpRequest& request) {
  const Result<CostQuestion> question = cost_question_of(service, request);
  if (!question) return problem(question.error(), request);
  if (request.query_value("format") == "parquet") return parquet_answer(service, question->window, request);
  Result<CostReport> report = service.reports().cost(*question);
  if (report) set_owners(*report, service.dimension_rules());
  return report ? json_response(cost_report_json(*report)) : problem(report.error(), request);
}

HttpResponse get_waterfall(Service& service, const HttpRequest& request) {
  const Result<WaterfallQuestion> question = waterfall_question_of(service, request);
  if (!question) return problem(question.error(), request);
  const Result<WaterfallReport> report = service.reports().waterfall(*question);
  return report ? json_response(waterfall_report_json(*report)) : problem(report.error(), request);
}

HttpResponse get_cold_starts(Service& service, const HttpRequest& request) {
  const Result<TimeZone> zone = zone_of(service, request);
  if (!zone) return problem(zone.error(), request);
  const Result<Interval> window = window_of(service, request, *zone);
  if (!window) return problem(window.error(), request);
  const Result<ColdStartReport> report = service.reports().cold_starts(*window, *zone);
  return report ? json_response(cold_start_report_json(*report)) : problem(report.error(), request);
}

HttpResponse get_top(Service& service, const HttpRequest& request) {
  const Result<TopQuestion> question = top_question_of(service, request);
  if (!question) return problem(question.error(), request);
  const Result<TopReport> report = service.reports().top(*question);
  return report ? json_response(top_report_json(*report)) : problem(report.error(), request);
}

}  // namespace seedance
