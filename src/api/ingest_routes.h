// Where samples come in.
#pragma once

#include "app/service.h"
#include "net/http_message.h"

namespace seedance {

// Remote write 1.0. 204 when everything was kept or is not needed; 400 when a sample was refused (the good ones are kept); 415 for
// another protocol; 503 with Retry-After when nothing could be kept.
HttpResponse take_prometheus_write(Service& service, const HttpRequest& request, std::string_view tenant);

// OpenMetrics text with time stamps, plain or gzip.
HttpResponse take_open_metrics(Service& service, const HttpRequest& request, std::string_view tenant);

}  // namespace seedance
