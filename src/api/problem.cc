#include "api/problem.h"

namespace seedance {
namespace {

// Senders back off for this long when we shed load.
constexpr const char* kRetryAfterSeconds = "5";

std::string_view title_of(int status) {
  switch (status) {
    case 400: return "Bad request";
    case 401: return "Not signed in";
    case 403: return "Not allowed";
    case 404: return "Not found";
    case 405: return "Method not allowed";
    case 409: return "Conflict";
    case 413: return "Too large";
    case 415: return "Unsupported media type";
    case 503: return "Not now";
    case 504: return "Timeout";
    default: return "Error";
  }
}

}  // namespace

int status_of(Code code) {
  switch (code) {
    case Code::kInvalid: return 400;
    case Code::kDenied: return 403;
    case Code::kNotFound: return 404;
    case Code::kConflict: return 409;
    case Code::kTooLarge: return 413;
    case Code::kUnsupported: return 415;
    case Code::kExhausted:
    case Code::kUnavailable: return 503;
    case Code::kTimeout: return 504;
  }
  return 500;
}

HttpResponse problem(int status, const Error& error, const HttpRequest& request) {
  Json body = Json::object();
  body.set("type", "about:blank").set("title", title_of(status)).set("status", status).set("detail", error.message);
  if (!error.hint.empty()) body.set("hint", error.hint);
  body.set("request_id", request.request_id);
  HttpResponse response{status, "application/problem+json", body.print() + "\n", {}};
  if (status == 503) response.headers.emplace_back("Retry-After", kRetryAfterSeconds);
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

HttpResponse json_response(const Json& json) { return {200, "application/json", json.print() + "\n", {}}; }

}  // namespace seedance
