// A Prometheus HTTP API made of samples in memory, with the limits and moods of real ones. For tests.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "json/value.h"
#include "model/sample.h"
#include "net/http_message.h"

namespace seedance {

class MadePrometheus {
 public:
  explicit MadePrometheus(std::vector<SeriesSamples> series) : series_(std::move(series)) {}

  std::size_t samples_max = SIZE_MAX;        // of one answer; more is 422, as query.max-samples
  bool takes_lower_end = false;              // as Prometheus 2 does
  std::deque<HttpResponse> instead;          // the next answers, whatever is asked
  std::size_t dies_after = SIZE_MAX;         // queries
  HttpResponse configuration{404, "text/plain", "404 page not found", {}};
  std::size_t queries = 0;

  Result<HttpResponse> get(const std::string& target) {
    if (++queries > dies_after) return fail(Code::kInvalid, "killed");
    if (!instead.empty()) {
      HttpResponse response = std::move(instead.front());
      instead.pop_front();
      return response;
    }
    const std::string path = target.substr(0, target.find('?'));
    if (path == "/api/v1/status/config") return configuration;
    if (path == "/api/v1/label/__name__/values") return names();
    if (path == "/api/v1/query") return query(decoded(parameter(target, "query")), decoded(parameter(target, "time")));
    return HttpResponse{404, "text/plain", "", {}};
  }

 private:
  static std::string parameter(const std::string& target, const std::string& name) {
    const std::size_t at = target.find(name + "=");
    return at == std::string::npos ? std::string{} : target.substr(at + name.size() + 1, target.find('&', at) - at - name.size() - 1);
  }
  static std::string decoded(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_escape = text[i] == '%' && i + 2 < text.size();
      out.push_back(is_escape ? static_cast<char>(std::strtol(text.substr(i + 1, 2).c_str(), nullptr, 16)) : text[i]);
      if (is_escape) i += 2;
    }
    return out;
  }
  static std::string answer_of(Json data) { return Json::object().set("status", "success").set("data", std::move(data)).print(); }

  HttpResponse names() const {
    Json data = Json::array();
    for (const SeriesSamples& one : series_) data.add(label_value(one.labels, "__name__"));
    return {200, "application/json", answer_of(std::move(data)), {}};
  }

  // {__name__="up"}[3600000ms]
  HttpResponse query(const std::string& selector, const std::string& time) const {
    const std::size_t quote = selector.find('"') + 1;
    const std::string metric = selector.substr(quote, selector.find('"', quote) - quote);
    const std::int64_t length_ms = std::atoll(selector.c_str() + selector.find('[') + 1);
    const std::int64_t to_ms = std::atoll(time.c_str()) * 1'000 + std::atoll(time.c_str() + time.find('.') + 1);
    const std::int64_t from_ms = to_ms - length_ms + (takes_lower_end ? 0 : 1);
    std::size_t count = 0;
    Json result = Json::array();
    for (const SeriesSamples& one : series_) {
      if (label_value(one.labels, "__name__") != metric) continue;
      Json values = Json::array();
      for (const Sample& s : one.samples) {
        if (s.timestamp_ms < from_ms || s.timestamp_ms > to_ms) continue;
        ++count;
        values.add(Json::array().add(static_cast<double>(s.timestamp_ms) / 1'000).add(Json(s.value).print()));
      }
      Json labels = Json::object();
      for (const Label& label : one.labels) labels.set(label.name, label.value);
      if (!values.elements().empty()) result.add(Json::object().set("metric", std::move(labels)).set("values", std::move(values)));
    }
    if (count > samples_max) {
      return {422, "application/json", R"({"status":"error","errorType":"execution","error":"query processing would load too many samples into memory in query execution"})", {}};
    }
    return {200, "application/json", answer_of(Json::object().set("resultType", "matrix").set("result", std::move(result))), {}};
  }

  std::vector<SeriesSamples> series_;
};

}  // namespace seedance
