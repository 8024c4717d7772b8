// One declaration per setting: the single place that says what a setting is called, what it may be and what it means.
//
// Parsing, defaults, bounds, the reload rule and the reference are all made from these tables. To add a setting: a
// member in settings.h, a line in the table of its section, a good and a bad example under tests/config/, and the
// reference made anew.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/money.h"
#include "base/result.h"
#include "config/settings.h"
#include "model/language.h"

namespace seedance {

enum class SettingKind : std::uint8_t {
  kBool,      // true, false
  kInteger,   // a whole number without a unit: ports, counts, factors
  kMillis,    // CPU: 250m or 2 (cores)
  kBytes,     // 512MiB; the unit is required
  kDuration,  // 90s, 10m, 24h, 7d; the unit is required
  kRatio,     // a decimal number
  kMoney,     // up to nine decimals of the ledger's currency
  kText,
  kPath,      // relative to the folder of the settings file
  kChoice,    // one of `choices`
  kPathList,  // a list of paths
  kTable,     // a list of maps, whose keys are declared as "name[].key"
};

using SettingField = std::variant<bool*, std::int64_t*, double*, Nanos*, Money*, std::string*,
                                  std::vector<std::string>*, std::monostate>;

enum class Reload : std::uint8_t { kLive, kRestart };

struct SettingDeclaration {
  std::string_view name;  // "server.port"; inside a table "signals[].metric"
  SettingKind kind = SettingKind::kText;
  std::string_view fallback;  // as it would stand in the file; kRequired when an entry of a table must give it
  std::string_view least;     // bounds as they would stand in the file; empty: none
  std::string_view most;
  std::string_view choices;  // "even|weighted|separate"
  Reload reload = Reload::kRestart;
  std::string_view english;
  std::string_view chinese;
  // Where the value goes. For a member of a table: into the table's last entry. For a table itself: adds an entry.
  SettingField (*field)(Settings&) = nullptr;
};

inline constexpr std::string_view kRequired = "(required)";

// Every declaration, in the order of the reference: section by section.
std::span<const SettingDeclaration> setting_declarations();

// Writes one value given as text, checked against kind, choices and bounds. `base` is the folder that relative paths
// count from; empty leaves them as they are. The message does not name the setting: the caller knows the place.
Result<void> write_setting(const SettingDeclaration& declaration, std::string_view text, std::string_view base,
                           Settings& settings);

// "integer", "duration", ... for messages and the reference.
std::string_view setting_kind_name(SettingKind kind, Language language);

}  // namespace seedance
