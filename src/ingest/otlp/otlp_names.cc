#include "ingest/otlp/otlp_names.h"

#include <algorithm>
#include <utility>

namespace seedance {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c); }

// Runs of other characters become one `_`; none at the end.
std::string joined_words(std::string_view text, bool keep_colon) {
  std::string out;
  bool pending = false;
  for (const char c : text) {
    if (!is_word(c) && !(keep_colon && c == ':')) {
      pending = true;
      continue;
    }
    if (pending) out.push_back('_');
    pending = false;
    out.push_back(c);
  }
  return out;
}

using UnitWord = std::pair<std::string_view, std::string_view>;

constexpr UnitWord kUnits[] = {
    {"d", "days"},       {"h", "hours"},      {"min", "minutes"},   {"s", "seconds"},    {"ms", "milliseconds"}, {"us", "microseconds"},
    {"ns", "nanoseconds"}, {"By", "bytes"},   {"KiBy", "kibibytes"}, {"MiBy", "mebibytes"}, {"GiBy", "gibibytes"}, {"TiBy", "tibibytes"},
    {"KBy", "kilobytes"}, {"MBy", "megabytes"}, {"GBy", "gigabytes"}, {"TBy", "terabytes"}, {"m", "meters"},       {"V", "volts"},
    {"A", "amperes"},    {"J", "joules"},     {"W", "watts"},       {"g", "grams"},      {"Cel", "celsius"},     {"Hz", "hertz"},
    {"%", "percent"},    {"1", ""},
};
constexpr UnitWord kUnitsBelow[] = {{"s", "second"}, {"m", "minute"}, {"h", "hour"}, {"d", "day"}, {"w", "week"}, {"mo", "month"}, {"y", "year"}};

// Annotations such as "{sample}" say nothing about the size.
std::string without_braces(std::string_view unit) {
  std::string out;
  int depth = 0;
  for (const char c : unit) {
    if (c == '{') ++depth;
    if (depth == 0 && c != ' ') out.push_back(c);
    if (c == '}') depth = std::max(0, depth - 1);
  }
  return out;
}

template <std::size_t n>
std::string word_of(const UnitWord (&table)[n], std::string_view unit) {
  const auto* const at = std::ranges::find(table, unit, &UnitWord::first);
  return at == std::end(table) ? joined_words(unit, false) : std::string(at->second);
}

// "By/s" -> "bytes_per_second"
std::string unit_words(std::string_view unit) {
  const std::string plain = without_braces(unit);
  const std::size_t slash = plain.find('/');
  std::string out = word_of(kUnits, std::string_view(plain).substr(0, slash));
  if (slash == std::string::npos) return out;
  const std::string below = word_of(kUnitsBelow, std::string_view(plain).substr(slash + 1));
  if (!below.empty()) out += (out.empty() ? "per_" : "_per_") + below;
  return out;
}

// Whether the words of the unit stand in the name already, as whole words.
bool has_words(std::string_view name, std::string_view words) {
  for (std::size_t at = name.find(words); at != std::string_view::npos; at = name.find(words, at + 1)) {
    const bool begins = at == 0 || name[at - 1] == '_';
    const bool ends = at + words.size() == name.size() || name[at + words.size()] == '_';
    if (begins && ends) return true;
  }
  return false;
}

bool is_number_type(const OtlpMetric& metric) { return metric.type == OtlpType::kGauge || metric.type == OtlpType::kSum; }

}  // namespace

std::string otlp_metric_name(const OtlpMetric& metric, const OtlpWantedName& wanted) {
  constexpr std::string_view kTotal = "_total";
  if (metric.name.empty()) return {};
  std::string name = joined_words(metric.name, true);
  if (name.empty() || is_digit(name.front())) name.insert(0, "_");
  if (wanted && is_number_type(metric)) {
    if (wanted(metric.name)) return metric.name;
    if (wanted(name)) return name;
  }
  const bool is_counter = metric.type == OtlpType::kSum && metric.is_monotonic;
  if (is_counter && name.ends_with(kTotal) && name.size() > kTotal.size()) name.resize(name.size() - kTotal.size());
  const std::string unit = unit_words(metric.unit);
  if (!unit.empty() && !has_words(name, unit)) name += "_" + unit;
  if (metric.type == OtlpType::kGauge && metric.unit == "1" && !name.ends_with("_ratio")) name += "_ratio";
  if (is_counter) name += kTotal;
  return name;
}

std::string otlp_label_name(std::string_view key) {
  std::string out = joined_words(key, false);
  if (out.empty() || out.front() == '_' || is_digit(out.front())) out.insert(0, out.empty() || out.front() != '_' ? "key_" : "key");
  return out;
}

}  // namespace seedance
