// Reads settings: the tree from yaml.cc walked along the declarations, then the checks that look at more than one
// setting.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "config/cross_checks.h"
#include "config/declarations.h"
#include "config/dimensions.h"
#include "config/nearest.h"
#include "config/settings.h"
#include "config/yaml.h"

namespace seedance {
namespace {

constexpr std::size_t kTableEntriesMax = 10'000;

const SettingDeclaration* find_declaration(std::string_view name) {
  const auto declarations = setting_declarations();
  const auto at = std::ranges::find(declarations, name, &SettingDeclaration::name);
  return at == declarations.end() ? nullptr : &*at;
}

// The names that may stand right below `prefix` ("" or "server." or "signals[]."), each once.
std::vector<std::string_view> names_below(std::string_view prefix) {
  std::vector<std::string_view> names;
  for (const SettingDeclaration& declaration : setting_declarations()) {
    if (!declaration.name.starts_with(prefix)) continue;
    const std::string_view rest = declaration.name.substr(prefix.size());
    const std::string_view name = rest.substr(0, rest.find_first_of(".["));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (prefix.empty()) names.push_back("dimensions");
  return names;
}

// "did you mean ...": a sibling that is spelt alike, else the same word in another section, else nothing.
std::string meant(std::string_view prefix, std::string_view key) {
  const std::vector<std::string_view> siblings = names_below(prefix);
  std::string_view near = nearest_name(key, siblings);
  std::string where(prefix);
  if (near.empty()) {
    where.clear();
    for (const SettingDeclaration& declaration : setting_declarations()) {
      if (declaration.name.ends_with("." + std::string(key))) near = declaration.name;
    }
  }
  if (near.empty()) return {};
  return "did you mean \"" + where + std::string(near) + "\"?";
}

void write_fallbacks(std::string_view table, Settings& settings) {
  for (const SettingDeclaration& declaration : setting_declarations()) {
    const std::size_t bracket = declaration.name.find('[');
    const std::string_view owner = bracket == std::string_view::npos ? "" : declaration.name.substr(0, bracket);
    if (owner != table || declaration.kind == SettingKind::kTable || declaration.fallback == kRequired) continue;
    const Result<void> written = write_setting(declaration, declaration.fallback, {}, settings);
    SEEDANCE_CHECK(written.has_value(), std::string(declaration.name) + ": " + written.error().message);
  }
}

class Reader {
 public:
  explicit Reader(YamlSource source)
      : source_(source), base_(std::filesystem::path(source.file_name).parent_path().string()) {
    write_fallbacks({}, settings_);
    settings_.dimensions = default_dimension_rules();
  }

  Result<Settings> read(const YamlNode& root) {
    if (root.kind != YamlNode::Kind::kNull) TRY(read_section(root, {}));
    TRY(check_settings(settings_, source_, places_));
    return std::move(settings_);
  }

 private:
  Result<void> read_section(const YamlNode& node, const std::string& prefix) {
    if (node.kind != YamlNode::Kind::kMap) {
      return fail_at(source_, node.place, "a map of settings is expected" + (prefix.empty() ? "" : " for " + prefix));
    }
    for (const YamlEntry& entry : node.map) {
      TRY(read_entry(entry, prefix));
    }
    return {};
  }

  Result<void> read_entry(const YamlEntry& entry, const std::string& prefix) {
    const std::string name = prefix + entry.key;
    if (name == "dimensions") {
      places_.push_back({name, entry.place});
      TRY_ASSIGN(settings_.dimensions, read_dimension_rules(entry.value, source_));
      return {};
    }
    // A key that is written as a path ("signals[].scale") is no setting: there is no list entry that it could go to.
    const bool is_plain_key = entry.key.find_first_of(".[") == std::string::npos;
    if (const SettingDeclaration* declaration = is_plain_key ? find_declaration(name) : nullptr) {
      places_.push_back({name, entry.value.place});
      return read_value(*declaration, entry);
    }
    const std::vector<std::string_view> siblings = names_below(prefix);
    const bool is_section = prefix.empty() && std::ranges::find(siblings, entry.key) != siblings.end();
    if (!is_section) return fail_at(source_, entry.place, "unknown key: " + name, meant(prefix, entry.key));
    if (entry.value.kind == YamlNode::Kind::kNull) return {};
    return read_section(entry.value, name + ".");
  }

  Result<void> read_value(const SettingDeclaration& declaration, const YamlEntry& entry) {
    if (declaration.kind == SettingKind::kTable) return read_table(declaration, entry.value);
    if (declaration.kind == SettingKind::kPathList) {
      if (entry.value.kind != YamlNode::Kind::kList) return wrong_shape(declaration, entry, "a list is expected");
      for (const YamlNode& path : entry.value.list) {
        if (path.kind != YamlNode::Kind::kText || path.text.empty())
          return wrong_shape(declaration, entry, "paths are expected");
        TRY(write(declaration, path));
      }
      return {};
    }
    if (entry.value.kind != YamlNode::Kind::kText) return wrong_shape(declaration, entry, "one value is expected");
    return write(declaration, entry.value);
  }

  Result<void> read_table(const SettingDeclaration& table, const YamlNode& node) {
    if (node.kind != YamlNode::Kind::kList)
      return fail_at(source_, node.place, "a list is expected: " + std::string(table.name));
    if (node.list.size() > kTableEntriesMax) {
      return fail_at(source_, node.place, "list too long, entries allowed: " + std::to_string(kTableEntriesMax), {},
                     Code::kTooLarge);
    }
    const std::string prefix = std::string(table.name) + "[].";
    for (const YamlNode& entry : node.list) {
      table.field(settings_);
      write_fallbacks(table.name, settings_);
      TRY(read_section(entry, prefix));
      TRY(check_required(entry, prefix));
    }
    return {};
  }

  Result<void> check_required(const YamlNode& entry, const std::string& prefix) {
    for (const SettingDeclaration& declaration : setting_declarations()) {
      if (!declaration.name.starts_with(prefix) || declaration.fallback != kRequired) continue;
      const std::string_view key = declaration.name.substr(prefix.size());
      const auto given = std::ranges::find(entry.map, key, &YamlEntry::key);
      if (given == entry.map.end()) {
        return fail_at(source_, entry.place, "missing key: " + std::string(declaration.name),
                       std::string(declaration.english));
      }
      if (given->value.text.empty())
        return fail_at(source_, given->place, "empty value: " + std::string(declaration.name));
    }
    return {};
  }

  Result<void> write(const SettingDeclaration& declaration, const YamlNode& value) {
    Result<void> written = write_setting(declaration, value.text, base_, settings_);
    if (written) return {};
    Error& error = written.error();
    std::string hint = error.hint.empty() ? std::string(declaration.english) : error.hint;
    return fail_at(source_, value.place, std::string(declaration.name) + ": " + error.message, std::move(hint),
                   error.code);
  }

  tl::unexpected<Error> wrong_shape(const SettingDeclaration& declaration, const YamlEntry& entry,
                                    std::string_view expected) {
    return fail_at(source_, entry.place, std::string(declaration.name) + ": " + std::string(expected),
                   std::string(declaration.english));
  }

  YamlSource source_;
  std::string base_;
  Settings settings_;
  std::vector<SettingPlace> places_;
};

Result<std::string> read_file(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return fail(Code::kNotFound, "no such file: " + path);
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Code::kDenied, "file cannot be opened: " + path);
  // One byte more than allowed is enough for parse_yaml to refuse the file.
  std::string text(kYamlBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return fail(Code::kUnavailable, "file cannot be read: " + path);
  return text;
}

}  // namespace

Settings default_settings() {
  Settings settings;
  write_fallbacks({}, settings);
  settings.dimensions = default_dimension_rules();
  return settings;
}

Result<Settings> parse_settings(std::string_view text, std::string_view file_name) {
  const YamlSource source{file_name, text};
  TRY_ASSIGN(const YamlNode root, parse_yaml(source));
  return Reader(source).read(root);
}

Result<Settings> load_settings(const std::string& path) {
  TRY_ASSIGN(const std::string text, read_file(path));
  TRY_ASSIGN(Settings settings, parse_settings(text, path));
  if (!settings.ledger.dimensions_file.empty()) {
    TRY_ASSIGN(const std::string rules, read_file(settings.ledger.dimensions_file));
    TRY_ASSIGN(settings.dimensions, parse_dimension_rules(rules, settings.ledger.dimensions_file));
  }
  return settings;
}

}  // namespace seedance
