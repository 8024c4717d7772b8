#include "config/reference.h"

#include "config/declarations.h"
#include "model/dimension_rules.h"

namespace seedance {
namespace {

struct Words {
  std::string_view title, opening, columns, section, restart, live, required, dimensions, dimensions_opening,
      keys_columns;
};

constexpr Words kEnglish = {
    "# Configuration",
    "[中文](configuration.zh-CN.md)\n\n"
    "Made from the declarations in `src/config/declarations.cc`; do not edit. The file is YAML of at most 1 MiB. An "
    "unknown\n"
    "key, a value out of bounds or a quantity without its unit stops the start with the line and the nearest known "
    "key.\n"
    "Relative paths count from the folder of the settings file; default paths from the working directory.",
    "| setting | type | default | bounds | takes effect | meaning |\n|---|---|---|---|---|---|",
    "## ",
    "restart",
    "reload",
    "required",
    "## dimensions",
    "The mapping of the eight dimensions, under the key `dimensions` or in a file of its own "
    "(`ledger.dimensions_file`). The\n"
    "first rule that matches wins; else the first label key on the nearest object (container, pod, workload, "
    "namespace); else\n"
    "the default. Globs know `*` and `?`.",
    "| dimension | label keys when none are given |\n|---|---|"};

constexpr Words kChinese = {
    "# 配置参考",
    "[English](configuration.md)\n\n"
    "由 `src/config/declarations.cc` 中的声明生成，请勿手工修改。配置文件为 YAML，不超过 1 "
    "MiB。未知的键、越界的值或缺少单位的\n"
    "数量都会使启动失败，并给出行号和最相近的已知键。相对路径以配置文件所在目录为准；默认路径以工作目录为准。",
    "| 配置项 | 类型 | 默认值 | 范围 | 生效方式 | 含义 |\n|---|---|---|---|---|---|",
    "## ",
    "重启",
    "重新加载",
    "必填",
    "## dimensions",
    "八个维度的映射，写在 `dimensions` "
    "键下，或单独成文件（`ledger.dimensions_file`）。先看规则，第一条匹配者生效；否则取最近对象\n"
    "（容器、Pod、工作负载、命名空间）上第一个存在的标签键；再否则取默认值。通配符为 `*` 与 `?`。",
    "| 维度 | 未配置时读取的标签键 |\n|---|---|"};

constexpr std::string_view kDimensionsExample =
    "```yaml\n"
    "dimensions:\n"
    "  team:\n"
    "    labels: [team, app.kubernetes.io/team]\n"
    "    rules:\n"
    "      - {namespace: \"ml-*\", workload: \"bert-*\", label: {tier: gold}, value: research}\n"
    "    owners: {research: ada@example.org}\n"
    "    default: unknown\n"
    "```\n";

std::string_view section_of(std::string_view name) { return name.substr(0, name.find_first_of(".[")); }

std::string bounds_of(const SettingDeclaration& declaration) {
  std::string bounds(declaration.choices);
  for (std::size_t at = bounds.find('|'); at != std::string::npos; at = bounds.find('|', at + 2))
    bounds.replace(at, 1, ", ");
  if (!declaration.least.empty()) bounds = std::string(declaration.least) + " … " + std::string(declaration.most);
  return bounds;
}

std::string fallback_of(const SettingDeclaration& declaration, const Words& words) {
  if (declaration.fallback == kRequired) return std::string(words.required);
  return declaration.fallback.empty() ? "" : "`" + std::string(declaration.fallback) + "`";
}

void write_row(const SettingDeclaration& declaration, Language language, const Words& words, std::string& out) {
  const bool english = language == Language::kEnglish;
  out += "| `" + std::string(declaration.name) + "` | " + std::string(setting_kind_name(declaration.kind, language)) +
         " | " + fallback_of(declaration, words) + " | " + bounds_of(declaration) + " | " +
         std::string(declaration.reload == Reload::kLive ? words.live : words.restart) + " | " +
         std::string(english ? declaration.english : declaration.chinese) + " |\n";
}

void write_dimensions(const Words& words, std::string& out) {
  out += "\n" + std::string(words.dimensions) + "\n\n" + std::string(words.dimensions_opening) + "\n\n" +
         std::string(kDimensionsExample) + "\n" + std::string(words.keys_columns) + "\n";
  const DimensionRules rules = default_dimension_rules();
  for (std::size_t i = 0; i < kDimensionCount; ++i) {
    out += "| `" + std::string(dimension_name(static_cast<Dimension>(i))) + "` | ";
    std::string_view comma;
    for (const std::string& key : rules.mappings[i].label_keys) {
      out += std::string(comma) + "`" + key + "`";
      comma = ", ";
    }
    out += " |\n";
  }
}

}  // namespace

std::string_view chinese_of_setting(std::string_view english) {
  for (const SettingDeclaration& declaration : setting_declarations()) {
    if (declaration.english == english) return declaration.chinese;
  }
  return {};
}

std::string settings_reference(Language language) {
  const Words& words = language == Language::kEnglish ? kEnglish : kChinese;
  std::string out = std::string(words.title) + "\n\n" + std::string(words.opening) + "\n";
  std::string_view section;
  for (const SettingDeclaration& declaration : setting_declarations()) {
    if (section_of(declaration.name) != section) {
      section = section_of(declaration.name);
      out += "\n" + std::string(words.section) + std::string(section) + "\n\n" + std::string(words.columns) + "\n";
    }
    write_row(declaration, language, words, out);
  }
  write_dimensions(words, out);
  return out;
}

}  // namespace seedance
