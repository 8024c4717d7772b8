#include "api/routes.h"

#include <algorithm>
#include <optional>

#include "api/ingest_routes.h"
#include "api/otlp_routes.h"
#include "api/price_routes.h"
#include "net/problem.h"
#include "api/query_routes.h"
#include "api/state_routes.h"
#include "ingest/label_rules.h"

namespace seedance {
namespace {

using Handler = HttpResponse (*)(Service&, const HttpRequest&);
using IngestHandler = HttpResponse (*)(Service&, const HttpRequest&, std::string_view tenant);

struct Route {
  std::string_view method;
  std::string_view path;  // "/x/*" takes one more segment
  std::optional<Role> role;
  Handler handler;
  IngestHandler take = nullptr;  // in place of the handler
};

constexpr Route kRoutes[] = {
    {"POST", "/api/v1/write", Role::kWriter, nullptr, take_prometheus_write},
    {"POST", "/v1/metrics", Role::kWriter, nullptr, take_otlp_metrics},
    {"POST", "/api/v1/otlp/v1/metrics", Role::kWriter, nullptr, take_otlp_metrics},
    {"POST", "/api/v1/import/openmetrics", Role::kWriter, nullptr, take_open_metrics},
    {"GET", "/api/v1/cost", Role::kReader, get_cost},
    {"GET", "/api/v1/waterfall", Role::kReader, get_waterfall},
    {"GET", "/api/v1/top/*", Role::kReader, get_top},
    {"GET", "/api/v1/cold-starts", Role::kReader, get_cold_starts},
    {"GET", "/api/v1/telemetry", Role::kReader, get_telemetry},
    {"GET", "/api/v1/gpus", Role::kReader, get_gpus},
    {"GET", "/api/v1/features", Role::kReader, get_features},
    {"GET", "/api/v1/prices", Role::kReader, get_prices},
    {"POST", "/api/v1/prices", Role::kAdmin, import_prices},
    {"GET", "/api/v1/prices/explain", Role::kReader, explain_node_price},
    {"GET", "/api/v1/status", Role::kReader, get_status},
    {"GET", "/api/v1/openapi.yaml", std::nullopt, get_openapi},
    {"GET", "/metrics", Role::kReader, get_metrics},
    {"GET", "/healthz", std::nullopt, get_health},
    {"GET", "/readyz", std::nullopt, get_readiness},
    {"GET", "/", std::nullopt, get_welcome},
};

bool path_matches(std::string_view pattern, std::string_view path) {
  if (!pattern.ends_with("/*")) return pattern == path;
  const std::string_view prefix = pattern.substr(0, pattern.size() - 1);
  return path.starts_with(prefix) && path.size() > prefix.size() && path.find('/', prefix.size()) == std::string_view::npos;
}

// 401 without a usable token, 403 with one of another role.
std::optional<HttpResponse> refused(BearerAuth& auth, Role role, const HttpRequest& request) {
  const std::string_view header = request.header("Authorization");
  const Result<void> allowed = auth.authorize(header, role);
  if (allowed) return std::nullopt;
  return problem(auth.role_of(header) ? 403 : 401, allowed.error(), request);
}

// The token's tenant; without tokens, or when the token has none, what a gateway says.
Result<std::string> tenant_of(BearerAuth* auth, const HttpRequest& request) {
  if (auth != nullptr) {
    if (std::string tenant = auth->tenant_of(request.header("Authorization")); !tenant.empty()) return tenant;
  }
  const std::string_view named = request.header("X-Scope-OrgID");
  if (named.empty() || is_tenant_name(named)) return std::string(named);
  return fail(Code::kInvalid, "X-Scope-OrgID is no name of a tenant: " + text_for_message(named), "use at most 64 letters, digits, _, - and .");
}

}  // namespace

Api::Api(Service& service, std::unique_ptr<BearerAuth> auth) : service_(service), auth_(std::move(auth)) {}

HttpResponse Api::handle(const HttpRequest& request) {
  bool path_known = false;
  for (const Route& route : kRoutes) {
    if (!path_matches(route.path, request.path)) continue;
    path_known = true;
    if (route.method != request.method) continue;
    if (auth_ && route.role) {
      if (std::optional<HttpResponse> refusal = refused(*auth_, *route.role, request)) return *std::move(refusal);
    }
    if (route.take == nullptr) return route.handler(service_, request);
    const Result<std::string> tenant = tenant_of(auth_.get(), request);
    return tenant ? route.take(service_, request, *tenant) : problem(tenant.error(), request);
  }
  if (path_known) return problem(405, {Code::kUnsupported, "method is not known here: " + request.method, ""}, request);
  return problem(404, {Code::kNotFound, "no such path: " + request.path.substr(0, 200), "GET /api/v1/openapi.yaml lists them"}, request);
}

std::vector<RouteInfo> Api::routes() {
  std::vector<RouteInfo> out;
  for (const Route& route : kRoutes) out.push_back({std::string(route.method), std::string(route.path)});
  return out;
}

}  // namespace seedance
