#include "cli/source/prometheus_import.h"

#include <algorithm>
#include <thread>

#include "app/report_service.h"
#include "base/clock.h"

namespace seedance {
namespace {

constexpr Nanos kPrometheusTimeout = std::chrono::seconds(150);  // behind Prometheus' own query.timeout of two minutes

Result<Interval> whole_window(const std::string& text, const TimeZone& zone) {
  const TimePoint now = time_from_millis(millis_of(SystemClock{}.now()));
  TRY_ASSIGN(const Interval asked, parse_window(text, now, zone));
  const Interval window{hour_of(asked.from), time_from_millis(millis_of(std::min(asked.to, now)))};
  if (window.empty()) return fail(Code::kInvalid, "window lies in the future: " + text);
  return window;
}

// Messages name the server as it may be shown, without credentials and without the long question.
Result<HttpResponse> get_from(HttpClient& client, std::string url, const std::string& path) {
  Result<HttpResponse> response = client.request("GET", path);
  if (response) return response;
  while (!url.empty() && url.back() == '/') url.pop_back();
  const std::string address = address_to_show(url);
  const auto shown = [&](std::string text) {
    if (const std::size_t question = text.find(path); question != std::string::npos) text.erase(question, path.size());
    if (const std::size_t at = text.find(url); at != std::string::npos) text.replace(at, url.size(), address);
    return text;
  };
  return fail(response.error().code, shown(response.error().message), shown(response.error().hint));
}

// The server's own, then what was typed instead of them or beside them.
Labels labels_to_add(PrometheusReader& reader, const Labels& typed, std::string& unknown_because) {
  Labels out;
  if (Result<Labels> external = reader.external_labels()) {
    out = std::move(*external);
  } else {
    unknown_because = external.error().message;
  }
  for (const Label& label : typed) {
    std::erase_if(out, [&](const Label& known) { return known.name == label.name; });
    if (!label.value.empty()) out.push_back(label);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

void rest_a_while(Nanos time) { std::this_thread::sleep_for(time); }

Result<BackfillReport> fill_from_prometheus(const PrometheusImport& import, const PrometheusImportEvents& events, const BackfillPlace& place) {
  BackfillJob job;
  TRY_ASSIGN(job.window, whole_window(import.window, place.zone));
  HttpClientOptions options = import.server;
  options.timeout = kPrometheusTimeout;
  HttpClient client(std::move(options));
  const std::string address = address_to_show(import.server.base_url);
  PrometheusReader reader(address, [&](const std::string& path) { return get_from(client, import.server.base_url, path); }, rest_a_while);
  // First of all: a wrong address is told before anything is written.
  TRY_ASSIGN(const std::vector<std::string> metrics, reader.metric_names(job.window, place.catalogue));
  if (metrics.empty()) {
    return fail(Code::kNotFound, "prometheus has no metric that is read here in this window: " + address, "check the window, and that it scrapes kube-state-metrics and DCGM exporter");
  }
  std::string unknown_because;
  job.labels = labels_to_add(reader, import.labels, unknown_because);
  if (events.on_labels) events.on_labels(job.labels, unknown_because);
  job.on_resumed = events.on_resumed;
  job.on_refused = events.on_refused;
  job.on_progress = events.on_progress;
  TRY_ASSIGN(BackfillProgress progress, BackfillProgress::open(place.progress_folder, {address, place.target_name, import.window, job.labels}, import.restart));
  return backfill(reader, place.catalogue, job, place.target, progress);
}

}  // namespace seedance
