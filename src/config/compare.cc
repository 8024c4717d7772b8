// Compares two settings value by value, for a reload.
#include <algorithm>
#include <type_traits>

#include "config/declarations.h"
#include "config/settings.h"

namespace seedance {
namespace {

bool same_value(const SettingField& a, const SettingField& b) {
  return std::visit(
      [&b](const auto& left) {
        using Pointer = std::decay_t<decltype(left)>;
        if constexpr (std::is_same_v<Pointer, std::monostate>) {
          return true;
        } else {
          return *left == *std::get<Pointer>(b);
        }
      },
      a);
}

bool same_signals(const Settings& a, const Settings& b) {
  return std::ranges::equal(a.signals, b.signals, [](const SignalSetting& x, const SignalSetting& y) {
    return x.metric == y.metric && x.signal == y.signal && x.scale == y.scale;
  });
}

}  // namespace

std::vector<std::string> changes_that_need_a_restart(const Settings& before, const Settings& after) {
  Settings old_settings = before;
  Settings new_settings = after;
  std::vector<std::string> changed;
  for (const SettingDeclaration& declaration : setting_declarations()) {
    const bool in_table =
        declaration.kind == SettingKind::kTable || declaration.name.find('[') != std::string_view::npos;
    if (declaration.reload == Reload::kLive || in_table) continue;
    if (!same_value(declaration.field(old_settings), declaration.field(new_settings)))
      changed.emplace_back(declaration.name);
  }
  if (!same_signals(before, after)) changed.emplace_back("signals");
  return changed;
}

LogLevel log_level_of(const LogSettings& log) {
  if (log.level == "debug") return LogLevel::kDebug;
  if (log.level == "warn") return LogLevel::kWarn;
  return log.level == "error" ? LogLevel::kError : LogLevel::kInfo;
}

LogFormat log_format_of(const LogSettings& log) { return log.format == "json" ? LogFormat::kJson : LogFormat::kText; }

}  // namespace seedance
