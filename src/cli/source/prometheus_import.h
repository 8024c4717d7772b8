// What both sources do to bring the samples of a Prometheus: reach it, ask for its labels, go on where an earlier run stopped.
#pragma once

#include <string>

#include "app/backfill/prometheus_backfill.h"
#include "base/time_zone.h"
#include "cli/source/report_source.h"

namespace seedance {

// Where the samples go and where the progress is kept.
struct BackfillPlace {
  BackfillTarget& target;
  const Catalogue& catalogue;
  std::string progress_folder;
  std::string target_name;  // part of what makes two imports different
  TimeZone zone;            // in which the window is written
};

// The window begins at a whole hour, the unit of the ledger, and ends now at the latest.
Result<BackfillReport> fill_from_prometheus(const PrometheusImport& import, const PrometheusImportEvents& events, const BackfillPlace& place);

void rest_a_while(Nanos time);

}  // namespace seedance
