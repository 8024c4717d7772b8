// Structured log lines on stderr: a constant message and fields, one JSON object a line or plain `key=value`.
//
// error = a person now; warn = a person today, and the message says how; info = state changes; debug = the rest. Nothing at
// info per request. Secrets never reach a field (contract 10): callers pass names, never tokens or bodies.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace seedance {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };
enum class LogFormat : std::uint8_t { kText, kJson };

struct LogField {
  LogField(std::string_view k, std::string_view v) : key(k), text(v) {}
  LogField(std::string_view k, const char* v) : key(k), text(v) {}
  LogField(std::string_view k, const std::string& v) : key(k), text(v) {}
  LogField(std::string_view k, std::int64_t v) : key(k), text(std::to_string(v)), is_number(true) {}
  LogField(std::string_view k, std::uint64_t v) : key(k), text(std::to_string(v)), is_number(true) {}
  LogField(std::string_view k, int v) : key(k), text(std::to_string(v)), is_number(true) {}
  std::string_view key;
  std::string text;
  bool is_number = false;
};

// Call once before threads start.
void log_configure(LogLevel least, LogFormat format);

// Any time, any thread.
void log_set_level(LogLevel least);

void log_line(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

inline void log_debug(std::string_view m, std::initializer_list<LogField> f = {}) { log_line(LogLevel::kDebug, m, f); }
inline void log_info(std::string_view m, std::initializer_list<LogField> f = {}) { log_line(LogLevel::kInfo, m, f); }
inline void log_warn(std::string_view m, std::initializer_list<LogField> f = {}) { log_line(LogLevel::kWarn, m, f); }
inline void log_error(std::string_view m, std::initializer_list<LogField> f = {}) { log_line(LogLevel::kError, m, f); }

}  // namespace seedance
