// From the text of one setting to its value, with bounds.
//
// Units are required wherever a quantity has one. Only powers of two are accepted for bytes: 1MB is 4.6 % less than
// 1MiB, and a limit that is read the wrong way is found in production.
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/time_text.h"
#include "config/declarations.h"

namespace seedance {
namespace {

constexpr std::size_t kTextBytesMax = 4096;

Result<std::int64_t> parse_whole(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc::result_out_of_range)
    return fail(Code::kInvalid, "number out of range: " + std::string(text));
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) {
    return fail(Code::kInvalid, "not a whole number: " + std::string(text));
  }
  return number;
}

Result<std::int64_t> parse_times(std::string_view text, std::string_view digits, std::int64_t unit) {
  TRY_ASSIGN(const std::int64_t number, parse_whole(digits));
  if (number > std::numeric_limits<std::int64_t>::max() / unit ||
      number < std::numeric_limits<std::int64_t>::min() / unit) {
    return fail(Code::kInvalid, "number out of range: " + std::string(text));
  }
  return number * unit;
}

Result<std::int64_t> parse_bytes(std::string_view text) {
  constexpr std::pair<std::string_view, int> kUnits[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  for (const auto& [unit, shift] : kUnits) {
    if (text.ends_with(unit))
      return parse_times(text, text.substr(0, text.size() - unit.size()), std::int64_t{1} << shift);
  }
  for (const std::string_view decimal : {"KB", "kB", "MB", "GB", "TB"}) {
    if (text.ends_with(decimal)) {
      return fail(Code::kInvalid, "decimal byte units are not accepted: " + std::string(text), "write MiB or GiB");
    }
  }
  if (text.ends_with('B')) return parse_times(text, text.substr(0, text.size() - 1), 1);
  return fail(Code::kInvalid, "bytes without a unit: " + std::string(text),
              "write a whole number with B, KiB, MiB, GiB or TiB");
}

Result<std::int64_t> parse_millis(std::string_view text) {
  if (text.ends_with('m')) return parse_whole(text.substr(0, text.size() - 1));
  return parse_times(text, text, 1000);
}

Result<double> parse_ratio(std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) {
    return fail(Code::kInvalid, "not a number: " + std::string(text));
  }
  return number;
}

Result<bool> parse_bool(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return fail(Code::kInvalid, "neither true nor false: " + std::string(text));
}

// Parses with `parse` and holds the value between the declared bounds, which are written in the same way.
template <typename T, typename Parse>
Result<T> within(const SettingDeclaration& declaration, std::string_view text, Parse parse) {
  TRY_ASSIGN(const T number, parse(text));
  const bool low = !declaration.least.empty() && number < *parse(declaration.least);
  const bool high = !declaration.most.empty() && number > *parse(declaration.most);
  if (!low && !high) return number;
  return fail(Code::kInvalid, "out of bounds " + std::string(declaration.least) + " to " +
                                  std::string(declaration.most) + ": " + std::string(text));
}

Result<void> check_choice(const SettingDeclaration& declaration, std::string_view text) {
  std::string known;
  for (std::string_view rest = declaration.choices; !rest.empty();) {
    const std::string_view choice = rest.substr(0, rest.find('|'));
    if (choice == text) return {};
    known += (known.empty() ? "" : ", ") + std::string(choice);
    rest.remove_prefix(rest.size() == choice.size() ? choice.size() : choice.size() + 1);
  }
  return fail(Code::kInvalid, "not one of " + known + ": " + std::string(text));
}

std::string resolved(std::string_view path, std::string_view base) {
  if (path.empty() || base.empty() || std::filesystem::path(path).is_absolute()) return std::string(path);
  return (std::filesystem::path(base) / path).lexically_normal().string();
}

Result<void> check_text(std::string_view text) {
  if (text.size() > kTextBytesMax) return fail(Code::kTooLarge, "text too long, bytes: " + std::to_string(text.size()));
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return fail(Code::kInvalid, "control character in text");
  }
  return {};
}

}  // namespace

Result<void> write_setting(const SettingDeclaration& declaration, std::string_view text, std::string_view base,
                           Settings& settings) {
  const SettingField field = declaration.field(settings);
  switch (declaration.kind) {
    case SettingKind::kBool: {
      TRY_ASSIGN(*std::get<bool*>(field), parse_bool(text));
      return {};
    }
    case SettingKind::kInteger: {
      TRY_ASSIGN(*std::get<std::int64_t*>(field), within<std::int64_t>(declaration, text, parse_whole));
      return {};
    }
    case SettingKind::kMillis: {
      TRY_ASSIGN(*std::get<std::int64_t*>(field), within<std::int64_t>(declaration, text, parse_millis));
      return {};
    }
    case SettingKind::kBytes: {
      TRY_ASSIGN(*std::get<std::int64_t*>(field), within<std::int64_t>(declaration, text, parse_bytes));
      return {};
    }
    case SettingKind::kDuration: {
      TRY_ASSIGN(*std::get<Nanos*>(field), within<Nanos>(declaration, text, parse_duration));
      return {};
    }
    case SettingKind::kRatio: {
      TRY_ASSIGN(*std::get<double*>(field), within<double>(declaration, text, parse_ratio));
      return {};
    }
    case SettingKind::kMoney: {
      TRY_ASSIGN(*std::get<Money*>(field), within<Money>(declaration, text, parse_money));
      return {};
    }
    case SettingKind::kChoice:
      TRY(check_choice(declaration, text));
      *std::get<std::string*>(field) = text;
      return {};
    case SettingKind::kText:
      TRY(check_text(text));
      *std::get<std::string*>(field) = text;
      return {};
    case SettingKind::kPath:
      TRY(check_text(text));
      *std::get<std::string*>(field) = resolved(text, base);
      return {};
    case SettingKind::kPathList:
      TRY(check_text(text));
      if (text.empty()) return {};
      std::get<std::vector<std::string>*>(field)->push_back(resolved(text, base));
      return {};
    case SettingKind::kTable: return {};
  }
  return {};
}

std::string_view setting_kind_name(SettingKind kind, Language language) {
  struct Names {
    std::string_view english;
    std::string_view chinese;
  };
  constexpr Names kNames[] = {{"true or false", "true 或 false"},
                              {"integer", "整数"},
                              {"CPU, 250m or 2", "CPU，如 250m 或 2"},
                              {"bytes, 512MiB", "字节，如 512MiB"},
                              {"duration, 90s", "时长，如 90s"},
                              {"number", "数"},
                              {"money", "金额"},
                              {"text", "文本"},
                              {"path", "路径"},
                              {"choice", "枚举"},
                              {"list of paths", "路径列表"},
                              {"list", "列表"}};
  const Names& names = kNames[static_cast<std::size_t>(kind)];
  return language == Language::kEnglish ? names.english : names.chinese;
}

}  // namespace seedance
