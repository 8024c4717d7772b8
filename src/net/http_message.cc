#include "net/http_message.h"

#include <algorithm>

namespace seedance {
namespace {

char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

const std::string* find_query(const HttpFields& query, std::string_view name) {
  const auto found = std::find_if(query.begin(), query.end(), [&](const auto& field) { return field.first == name; });
  return found == query.end() ? nullptr : &found->second;
}

}  // namespace

std::string_view header_value(const HttpFields& headers, std::string_view name) {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& field) {
    return std::ranges::equal(field.first, name, {}, lower_ascii, lower_ascii);
  });
  return found == headers.end() ? std::string_view{} : std::string_view(found->second);
}

std::string percent_encoded(std::string_view value) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,";
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : value) {
    if (kPlain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.push_back('%');
      out.push_back(kHexDigits[byte >> 4]);
      out.push_back(kHexDigits[byte & 15]);
    }
  }
  return out;
}

std::string_view HttpRequest::query_value(std::string_view name) const {
  const std::string* value = find_query(query, name);
  return value == nullptr ? std::string_view{} : std::string_view(*value);
}

bool HttpRequest::has_query(std::string_view name) const { return find_query(query, name) != nullptr; }

}  // namespace seedance
