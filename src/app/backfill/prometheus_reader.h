// Asks a Prometheus HTTP API for raw samples, whatever the server's limits are.
//
// An answer that is too large, or a query that the server finds too large or too slow, is asked again in halves of its time; how small
// a metric's pieces have to be is remembered. A server that is busy (429, 502, 503, 504) or gone for a while is asked again later: after
// what its Retry-After says, else after 1, 2, 4, ... 30 seconds, at most ten times. Anything else is an error that names the server and
// the metric. One thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ingest/prometheus_query.h"
#include "net/http_message.h"
#include "signal/catalogue.h"

namespace seedance {

// The time that an answer asks us to wait, else a wait that grows with every attempt (from 0).
Nanos patience(const HttpResponse* response, int attempt);
inline constexpr int kAttemptsMax = 10;

class PrometheusReader {
 public:
  using Get = std::function<Result<HttpResponse>(const std::string& path_and_query)>;
  using Rest = std::function<void(Nanos)>;
  using OnSamples = std::function<Result<void>(std::vector<SeriesSamples>)>;

  // `server` is its name in messages; `get` sends a GET to it, `rest` waits.
  PrometheusReader(std::string server, Get get, Rest rest) : server_(std::move(server)), get_(std::move(get)), rest_(std::move(rest)) {}

  // The metrics of the catalogue that the server has in this time, sorted.
  Result<std::vector<std::string>> metric_names(Interval span, const Catalogue& catalogue);

  // `global.external_labels` of its configuration: remote write adds them to every series, the query API does not. kNotFound: the
  // server does not show its configuration, as Thanos, Mimir and VictoriaMetrics do not.
  Result<Labels> external_labels();

  // Every sample of a metric in [from, to), in one or more pieces, each given on as soon as it is there.
  Result<void> read(const std::string& metric, Interval span, const OnSamples& on_samples);

 private:
  struct Piece;
  Result<HttpResponse> ask(const std::string& path_and_query);
  tl::unexpected<Error> refusal(const std::string& what, const HttpResponse& response) const;
  Result<Piece> read_piece(const std::string& metric, Interval span);

  std::string server_;
  Get get_;
  Rest rest_;
  bool has_answered_ = false;
  std::map<std::string, Nanos> piece_max_;  // of metrics for which a whole span was too much
};

// The external labels in the YAML of a Prometheus configuration.
Result<Labels> external_labels_of(const std::string& yaml);

}  // namespace seedance
