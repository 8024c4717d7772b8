// The bundled sample cluster: feeds a running service with the metrics of a simulated GPU cluster, for a first look.
//
// Starts only when nothing else sends: it waits a moment, and when the ledger is still empty it brings two hours of history and
// then one scrape every 15 s. It goes through the same door as everybody else.
#pragma once

#include <stop_token>
#include <thread>

#include "app/service.h"

namespace seedance {

class SampleFeed {
 public:
  // `service` outlives the feed.
  explicit SampleFeed(Service& service);

 private:
  void run(const std::stop_token& stop);
  Service& service_;
  std::jthread thread_;
};

}  // namespace seedance
