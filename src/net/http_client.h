// The HTTP client for our own commands, webhooks and cloud price lists: one base URL, keep-alive, TLS verified.
//
// Any answer of the server, also 404 or 500, is a response. An error means that there is none: kUnavailable (no connection,
// TLS refused, broken off), kTimeout, kTooLarge, or kInvalid for a URL that is none. Redirects are not followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "net/http_message.h"

namespace seedance {

struct HttpClientOptions {
  std::string base_url;           // "http://127.0.0.1:9090", a trailing slash is dropped
  std::string bearer_token = {};  // sent with every request
  std::string ca_file = {};       // PEM; empty takes the certificates of the system
  bool verify = true;             // of the server's certificate; false only for a laptop
  Nanos timeout = std::chrono::seconds(30);
  std::size_t response_bytes_max = std::size_t{64} * 1024 * 1024;
};

// One thread at a time.
class HttpClient {
 public:
  // False stops the upload.
  using OnProgress = std::function<bool(std::uint64_t sent_bytes, std::uint64_t total_bytes)>;

  explicit HttpClient(HttpClientOptions options);
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;

  Result<HttpResponse> request(std::string_view method, std::string_view path_and_query, std::string_view body = {},
                               const HttpFields& headers = {});

  // POST of a file without reading it into memory. `timeout` here is the longest pause, not the whole time.
  Result<HttpResponse> upload_file(std::string_view path_and_query, const std::filesystem::path& file,
                                   std::string_view content_type, const OnProgress& on_progress = {});

  // GET of an answer of any size: the body of a 2xx goes to the file and not into the response. Of anything else nothing is written. A
  // download that breaks off leaves no file. `timeout` is the longest pause.
  Result<HttpResponse> download_file(std::string_view path_and_query, const std::filesystem::path& file);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seedance
