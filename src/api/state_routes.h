// What is known right now: devices, feature vectors, and the state of the server itself.
#pragma once

#include "app/service.h"
#include "net/http_message.h"

namespace seedance {

HttpResponse get_telemetry(Service& service, const HttpRequest& request);
HttpResponse get_gpus(Service& service, const HttpRequest& request);       // newest semantic view of every GPU
HttpResponse get_features(Service& service, const HttpRequest& request);   // ?window=&gpu=&limit=&format=json|parquet
HttpResponse get_status(Service& service, const HttpRequest& request);
HttpResponse get_openapi(Service& service, const HttpRequest& request);
HttpResponse get_metrics(Service& service, const HttpRequest& request);    // our own, OpenMetrics text
HttpResponse get_health(Service& service, const HttpRequest& request);     // the process answers
HttpResponse get_readiness(Service& service, const HttpRequest& request);  // samples are taken and hours are settled
HttpResponse get_welcome(Service& service, const HttpRequest& request);    // plain words for a person with a browser

}  // namespace seedance
