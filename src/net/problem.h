// Errors over HTTP: problem JSON (RFC 9457) with what failed, what to do, and the id of the request.
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "net/http_message.h"

namespace seedance {

// 400, 403, 404, 409, 413, 415, 503, 504 by what the caller will do.
int status_of(Code code);

// In the language that the request accepts.
HttpResponse problem(int status, const Error& english, const HttpRequest& request);
inline HttpResponse problem(const Error& error, const HttpRequest& request) { return problem(status_of(error.code), error, request); }

HttpResponse json_response(const Json& json);

}  // namespace seedance
