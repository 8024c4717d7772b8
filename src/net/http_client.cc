#include "net/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace seedance {
namespace {

constexpr auto kConnectTimeout = std::chrono::seconds(10);

void initialise_curl_once() {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  SEEDANCE_CHECK(initialised == CURLE_OK, "libcurl does not initialise");
}

// What the callbacks of one transfer need.
struct Transfer {
  HttpResponse response;
  std::size_t response_bytes_max = 0;
  bool is_too_large = false;
  std::FILE* upload = nullptr;
  const std::filesystem::path* download = nullptr;
  std::FILE* download_file = nullptr;  // open from the first byte of a 2xx
  bool is_success = false;
  ~Transfer() {
    if (download_file != nullptr) std::fclose(download_file);
  }
  const HttpClient::OnProgress* on_progress = nullptr;
};

std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* out) {
  auto& transfer = *static_cast<Transfer*>(out);
  if (transfer.download != nullptr && transfer.is_success) {
    if (transfer.download_file == nullptr) transfer.download_file = std::fopen(transfer.download->c_str(), "wb");
    return transfer.download_file != nullptr ? std::fwrite(bytes, 1, count, transfer.download_file) : 0;
  }
  if (transfer.response.body.size() + count > transfer.response_bytes_max) {
    transfer.is_too_large = true;
    return 0;
  }
  transfer.response.body.append(bytes, count);
  return count;
}

// "Name: value\r\n"; a status line starts a new answer (after 100 Continue).
std::size_t on_header(char* bytes, std::size_t, std::size_t count, void* out) {
  auto& transfer = *static_cast<Transfer*>(out);
  HttpResponse& response = transfer.response;
  std::string_view line(bytes, count);
  if (line.substr(0, 5) == "HTTP/") {
    response.headers.clear();
    const std::size_t blank = line.find(' ');
    transfer.is_success = blank != std::string_view::npos && line.substr(blank + 1, 1) == "2";
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return count;
  std::string_view value = line.substr(colon + 1);
  constexpr std::string_view kBlanks = " \t\r\n";
  value.remove_prefix(std::min(value.find_first_not_of(kBlanks), value.size()));
  value = value.substr(0, value.find_last_not_of(kBlanks) + 1);
  response.headers.emplace_back(std::string(line.substr(0, colon)), std::string(value));
  return count;
}

std::size_t on_upload(char* bytes, std::size_t, std::size_t room, void* in) {
  std::FILE* file = static_cast<Transfer*>(in)->upload;
  const std::size_t count = std::fread(bytes, 1, room, file);
  return std::ferror(file) != 0 ? CURL_READFUNC_ABORT : count;
}

int on_transfer_progress(void* in, curl_off_t, curl_off_t, curl_off_t total, curl_off_t sent) {
  const auto& transfer = *static_cast<Transfer*>(in);
  const bool goes_on = (*transfer.on_progress)(static_cast<std::uint64_t>(sent), static_cast<std::uint64_t>(total));
  return goes_on ? 0 : 1;
}

struct HeaderList {
  curl_slist* first = nullptr;
  HeaderList() = default;
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;
  ~HeaderList() { curl_slist_free_all(first); }
  void add(const std::string& line) { first = curl_slist_append(first, line.c_str()); }
};

// A transfer may take as long as it moves.
void set_longest_pause(CURL* curl, Nanos timeout) {
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(std::chrono::ceil<std::chrono::seconds>(timeout).count()));
}

bool is_one_line(std::string_view text) { return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos; }

}  // namespace

struct HttpClient::State {
  explicit State(HttpClientOptions given) : options(std::move(given)) {
    while (!options.base_url.empty() && options.base_url.back() == '/') options.base_url.pop_back();
    initialise_curl_once();
    curl = curl_easy_init();
    SEEDANCE_CHECK(curl != nullptr, "no memory for libcurl");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { curl_easy_cleanup(curl); }

  Result<HttpResponse> run(std::string_view method, std::string_view path_and_query, const HttpFields& headers, Transfer& transfer);
  void prepare(const std::string& url, const std::string& method, Transfer& transfer);
  tl::unexpected<Error> network_error(CURLcode code, const std::string& url, const Transfer& transfer) const;

  HttpClientOptions options;
  CURL* curl = nullptr;
  std::array<char, CURL_ERROR_SIZE> reason{};
};

HttpClient::HttpClient(HttpClientOptions options) : state_(std::make_unique<State>(std::move(options))) {}
HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;

Result<HttpResponse> HttpClient::request(std::string_view method, std::string_view path_and_query, std::string_view body,
                                         const HttpFields& headers) {
  CURL* curl = state_->curl;
  curl_easy_reset(curl);  // keeps the connections
  if (!body.empty() || method == "POST" || method == "PUT" || method == "PATCH") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.empty() ? "" : body.data());
  }
  if (method == "HEAD") curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  const auto timeout = std::chrono::ceil<std::chrono::milliseconds>(state_->options.timeout);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  Transfer transfer;
  return state_->run(method, path_and_query, headers, transfer);
}

Result<HttpResponse> HttpClient::upload_file(std::string_view path_and_query, const std::filesystem::path& file,
                                             std::string_view content_type, const OnProgress& on_progress) {
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(file, ignored);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (!opened || ignored) {
    return fail(Code::kNotFound, "cannot read the file: " + file.string(), "check the path and the rights of the file");
  }
  CURL* curl = state_->curl;
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(size));
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, &on_upload);
  set_longest_pause(curl, state_->options.timeout);
  Transfer transfer;
  transfer.upload = opened.get();
  curl_easy_setopt(curl, CURLOPT_READDATA, &transfer);
  if (on_progress) {
    transfer.on_progress = &on_progress;
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &on_transfer_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  }
  return state_->run("POST", path_and_query, {{"Content-Type", std::string(content_type)}}, transfer);
}

Result<HttpResponse> HttpClient::download_file(std::string_view path_and_query, const std::filesystem::path& file) {
  CURL* curl = state_->curl;
  curl_easy_reset(curl);
  set_longest_pause(curl, state_->options.timeout);
  Transfer transfer;
  transfer.download = &file;
  Result<HttpResponse> response = state_->run("GET", path_and_query, {}, transfer);
  if (transfer.download_file == nullptr) {
    if (response || !transfer.is_success) return response;
    return fail(Code::kInvalid, "cannot write the file: " + file.string(), "check the path and the rights of its folder");
  }
  const bool is_closed = std::fclose(std::exchange(transfer.download_file, nullptr)) == 0;
  if (response && is_closed) return response;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
  if (!response) return response;
  return fail(Code::kInvalid, "cannot write the file: " + file.string(), "is there room on the disk?");
}

Result<HttpResponse> HttpClient::State::run(std::string_view method, std::string_view path_and_query, const HttpFields& headers,
                                            Transfer& transfer) {
  const std::string url = options.base_url + std::string(path_and_query);
  HeaderList list;
  for (const auto& [name, value] : headers) {
    if (!is_one_line(name) || !is_one_line(value)) return fail(Code::kInvalid, "line break in an http header of the request: " + url);
    list.add(value.empty() ? name + ";" : name + ": " + value);  // libcurl drops "Name:" but sends "Name;" as empty
  }
  if (!is_one_line(options.bearer_token)) return fail(Code::kInvalid, "line break in the bearer token for: " + url);
  if (!options.bearer_token.empty()) list.add("Authorization: Bearer " + options.bearer_token);
  if (header_value(headers, "Content-Type").empty()) list.add("Content-Type:");  // not the form type that libcurl would add
  transfer.response_bytes_max = options.response_bytes_max;
  prepare(url, std::string(method), transfer);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list.first);
  reason[0] = '\0';
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) return network_error(code, url, transfer);
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  transfer.response.status = static_cast<int>(status);
  transfer.response.content_type = transfer.response.header("Content-Type");
  return std::move(transfer.response);
}

void HttpClient::State::prepare(const std::string& url, const std::string& method, Transfer& transfer) {
  const auto connect = std::chrono::ceil<std::chrono::milliseconds>(std::min<Nanos>(kConnectTimeout, options.timeout));
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect.count()));
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, options.verify ? 1L : 0L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, options.verify ? 2L : 0L);
  if (!options.ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, options.ca_file.c_str());
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "seedance");
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
}

tl::unexpected<Error> HttpClient::State::network_error(CURLcode code, const std::string& url, const Transfer& transfer) const {
  const std::string why = reason[0] != '\0' ? reason.data() : curl_easy_strerror(code);
  const std::string& server = options.base_url;
  if (transfer.is_too_large) {
    return fail(Code::kTooLarge, "answer over the limit of " + std::to_string(options.response_bytes_max) + " bytes: " + url);
  }
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return fail(Code::kInvalid, "not an http url: " + url, "write http://host:port or https://host:port");
    case CURLE_OPERATION_TIMEDOUT:
      return fail(Code::kTimeout, "no answer in time from " + url + ": " + why, "is " + server + " overloaded?");
    case CURLE_ABORTED_BY_CALLBACK: return fail(Code::kUnavailable, "transfer stopped: " + url);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return fail(Code::kUnavailable, "certificate not trusted: " + url + ": " + why,
                  "name the certificate authority of " + server + " as ca file");
    default:
      return fail(Code::kUnavailable, "no connection to " + url + ": " + why, "is the server running and reachable at " + server + "?");
  }
}

}  // namespace seedance
