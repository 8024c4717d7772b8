// Requests and responses as values, the same for the server and for the client.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seedance {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

// The first field of that name, or an empty view. Header names are compared without regard to case.
std::string_view header_value(const HttpFields& headers, std::string_view name);

// A value as it may stand in a query: everything but letters, digits and a few marks as %XX.
std::string percent_encoded(std::string_view value);

struct HttpRequest {
  std::string method;  // "GET", "POST", ...; a HEAD arrives as GET, the server leaves the body out of the answer
  std::string path;    // percent-decoded, without the query
  HttpFields query;    // percent-decoded, in order; a name without "=" has an empty value
  HttpFields headers;
  std::string body;
  std::string remote_address;
  std::string request_id;  // X-Request-Id of the sender when it is harmless, else our own; sent back in the answer

  std::string_view header(std::string_view name) const { return header_value(headers, name); }
  std::string_view query_value(std::string_view name) const;
  bool has_query(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = {};
  std::string body = {};
  HttpFields headers = {};

  std::string_view header(std::string_view name) const { return header_value(headers, name); }
};

}  // namespace seedance
