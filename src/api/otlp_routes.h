// Where OTLP metrics come in, over HTTP and over gRPC.
//
// Source: the OTLP specification, sections OTLP/HTTP and OTLP/gRPC. A request that was read is a success, also when points in it were
// rejected: the answer then says how many and why. Senders repeat what was answered 429, 502, 503 or 504, and drop everything else.
#pragma once

#include "app/service.h"
#include "net/bearer_auth.h"
#include "net/grpc_server.h"
#include "net/http_message.h"

namespace seedance {

// POST of protobuf or JSON, plain or gzip. 200 with an ExportMetricsServiceResponse; 400, 413 and 503 (with Retry-After) with a
// google.rpc.Status, both in the encoding of the request; 415 for another one.
HttpResponse take_otlp_metrics(Service& service, const HttpRequest& request, std::string_view tenant);

// Whether a call may go on: it has a token that may write, and asks for MetricsService/Export. `auth` null: nobody is asked for a token.
// UNAUTHENTICATED without a usable token, PERMISSION_DENIED with one of another role, UNIMPLEMENTED for another method.
GrpcAnswer admit_otlp_call(BearerAuth* auth, const GrpcRequest& request);

// A message of an admitted call, plain or gzip. INVALID_ARGUMENT for what cannot be read, RESOURCE_EXHAUSTED for what is too large,
// UNAVAILABLE to be sent again.
GrpcAnswer take_otlp_call(Service& service, const GrpcRequest& request, std::string_view tenant = {});

}  // namespace seedance
