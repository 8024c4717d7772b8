// The HTTP interface: one table of routes, each with the role it needs. docs/openapi.yaml describes it; a test keeps both in
// step. Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/service.h"
#include "net/bearer_auth.h"
#include "net/http_message.h"

namespace seedance {

struct RouteInfo {
  std::string method;
  std::string path;
};

class Api {
 public:
  // `auth` null: nobody is asked for a token (loopback, or explicitly allowed).
  Api(Service& service, std::unique_ptr<BearerAuth> auth);

  HttpResponse handle(const HttpRequest& request);

  static std::vector<RouteInfo> routes();

 private:
  Service& service_;
  std::unique_ptr<BearerAuth> auth_;
};

// The OpenAPI document, compiled in.
std::string_view openapi_yaml();

}  // namespace seedance
