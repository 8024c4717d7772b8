#include "base/log.h"

#include <memory>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace seedance {
namespace {

LogFormat active_format = LogFormat::kText;

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto created = std::make_shared<spdlog::logger>("seedance", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    created->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    created->flush_on(spdlog::level::debug);
    return created;
  }();
  return *instance;
}

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarn: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
  }
  return spdlog::level::info;
}

// Quotes for both formats: control characters and quotes of an attacker never break a line or a terminal.
void append_quoted(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out.push_back(kHex[byte >> 4]);
      out.push_back(kHex[byte & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

}  // namespace

void log_configure(LogLevel least, LogFormat format) {
  active_format = format;
  logger().set_level(level_of(least));
  if (format == LogFormat::kJson) {
    logger().set_pattern("{\"time\":\"%Y-%m-%dT%H:%M:%S.%eZ\",\"level\":\"%l\",%v}", spdlog::pattern_time_type::utc);
  }
}

void log_set_level(LogLevel least) { logger().set_level(level_of(least)); }

void log_line(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  const spdlog::level::level_enum target = level_of(level);
  if (!logger().should_log(target)) return;
  const bool json = active_format == LogFormat::kJson;
  std::string line;
  if (json) {
    line += "\"message\":";
    append_quoted(line, message);
  } else {
    line += message;
  }
  for (const LogField& field : fields) {
    line += json ? ",\"" : " ";
    line += field.key;
    line += json ? "\":" : "=";
    if (field.is_number) {
      line += field.text;
    } else {
      append_quoted(line, field.text);
    }
  }
  logger().log(target, line);
}

}  // namespace seedance
