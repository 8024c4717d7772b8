// Prices: the book, imports, and why a node costs what it costs.
#pragma once

#include "app/service.h"
#include "net/http_message.h"

namespace seedance {

HttpResponse get_prices(Service& service, const HttpRequest& request);          // ?provider=&region=&type=
HttpResponse import_prices(Service& service, const HttpRequest& request);       // CSV body, ?name=FILE
HttpResponse explain_node_price(Service& service, const HttpRequest& request);  // ?node=NAME

}  // namespace seedance
