// The sample cluster's exporters as an HTTP server, for a real Prometheus to scrape.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "net/http_server.h"
#include "simulate/sample_cluster.h"

namespace seedance {

// The pages of the sample cluster, as its exporters would serve them now.
class ExporterPages {
 public:
  ExporterPages() : cluster_(options()) {
    server_ = HttpServer::start({}, [this](const HttpRequest& request) { return answer(request); }).value();
  }
  std::string target() const { return "127.0.0.1:" + std::to_string(server_->port()); }

 private:
  static SampleClusterOptions options() {
    SampleClusterOptions out;
    out.seed = 7;
    out.start = hour_of(SystemClock{}.now()) - std::chrono::hours(5);  // past its planned gaps
    out.scrape_interval = std::chrono::seconds(1);
    return out;
  }
  HttpResponse answer(const HttpRequest& request) const {
    static const std::pair<const char*, Page> kPages[] = {{"/state", Page::kKubeStateMetrics}, {"/cadvisor", Page::kCadvisor}, {"/dcgm", Page::kDcgm},
                                                          {"/duplicate", Page::kDcgmDuplicate}, {"/price", Page::kNodePrice}, {"/agent", Page::kAgent}};
    for (const auto& [path, page] : kPages) {
      if (request.path != path) continue;
      std::string text;
      cluster_.write_page(page, SystemClock{}.now(), text);
      return {200, "text/plain; version=0.0.4", text, {}};
    }
    return {404, "text/plain", "", {}};
  }

  SampleCluster cluster_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace seedance
