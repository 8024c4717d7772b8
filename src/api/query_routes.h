// Where reports are asked: cost, waterfall, top, cold starts.
#pragma once

#include "app/service.h"
#include "net/http_message.h"

namespace seedance {

// The zone in which dates without an offset are read and times are shown: ?tz=, else the server's reporting zone.
Result<TimeZone> zone_of(const Service& service, const HttpRequest& request);

// Each also takes ?tz=.
HttpResponse get_cost(Service& service, const HttpRequest& request);       // ?by=a,b&window=&step=&idle=&filter=k=v&format=json|parquet
HttpResponse get_waterfall(Service& service, const HttpRequest& request);  // ?window=&filter=k=v
HttpResponse get_cold_starts(Service& service, const HttpRequest& request);  // ?window=
HttpResponse get_top(Service& service, const HttpRequest& request);        // /gpus|pods|workloads ?window=&sort=&limit=&filter=

}  // namespace seedance
