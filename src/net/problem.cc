#include "net/problem.h"

#include <cstdlib>

#include "model/message_texts.h"

namespace seedance {
namespace {

// Senders back off for this long when we shed load.
constexpr const char* kRetryAfterSeconds = "5";

struct ProblemTitle {
  int status;
  std::string_view english;
  std::string_view chinese;
};
constexpr ProblemTitle kProblemTitles[] = {
    {400, "Bad request", "请求有误"}, {401, "Not signed in", "未登录"},     {403, "Not allowed", "没有权限"}, {404, "Not found", "未找到"},
    {405, "Method not allowed", "不支持该方法"}, {409, "Conflict", "冲突"}, {413, "Too large", "内容过大"}, {415, "Unsupported media type", "不支持的媒体类型"},
    {500, "Internal error", "内部错误"}, {503, "Not now", "暂时无法处理"}, {504, "Timeout", "超时"}};

std::string_view title_of(int status, Language language) {
  for (const ProblemTitle& title : kProblemTitles) {
    if (title.status == status) return language == Language::kChinese ? title.chinese : title.english;
  }
  return language == Language::kChinese ? "错误" : "Error";
}

// "zh-CN,zh;q=0.9,en;q=0.8": of our two languages the one with the higher weight, the first of equals.
Language language_wanted(const HttpRequest& request) {
  std::string_view rest = request.header("Accept-Language");
  Language wanted = Language::kEnglish;
  double best = 0;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string one(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    one.erase(0, one.find_first_not_of(' '));
    const bool is_chinese = one.starts_with("zh") || one.starts_with("ZH");
    if (!is_chinese && !one.starts_with("en") && !one.starts_with("EN")) continue;
    const std::size_t weight_at = one.find("q=");
    const double weight = weight_at == std::string::npos ? 1 : std::strtod(one.c_str() + weight_at + 2, nullptr);
    if (weight <= best) continue;
    best = weight;
    wanted = is_chinese ? Language::kChinese : Language::kEnglish;
  }
  return wanted;
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

HttpResponse problem(int status, const Error& english, const HttpRequest& request) {
  const Language language = language_wanted(request);
  const Error error = error_in(language, english);
  Json body = Json::object();
  body.set("type", "about:blank").set("title", title_of(status, language)).set("status", status).set("detail", error.message);
  if (!error.hint.empty()) body.set("hint", error.hint);
  body.set("request_id", request.request_id);
  HttpResponse response{status, "application/problem+json", body.print() + "\n", {}};
  if (language == Language::kChinese) response.headers.emplace_back("Content-Language", "zh");
  if (status == 503) response.headers.emplace_back("Retry-After", kRetryAfterSeconds);
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

HttpResponse json_response(const Json& json) { return {200, "application/json", json.print() + "\n", {}}; }

}  // namespace seedance
