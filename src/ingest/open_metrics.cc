#include "ingest/open_metrics.h"

#include <cstring>
#include <utility>

#include <xxhash.h>

namespace seedance {
namespace {

// The cache of label texts is emptied when it is full: cheaper than choosing what to drop, and exports come in order.
constexpr std::size_t kKnownMax = 65'536;
constexpr std::size_t kKnownBytesMax = std::size_t{64} * 1024 * 1024;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

std::string_view take_word(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && !is_blank(text[length])) ++length;
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

// Where the series ends and the value begins: after the closing brace, which may also stand inside quotes, or at the
// first blank when there are no labels.
std::size_t length_of_series(std::string_view line) {
  std::size_t at = line.find_first_of("{ \t");
  if (at == std::string_view::npos) return line.size();
  if (line[at] != '{') {
    std::size_t brace = at;  // the Prometheus format allows blanks before the brace
    while (brace < line.size() && is_blank(line[brace])) ++brace;
    if (brace == line.size() || line[brace] != '{') return at;
    at = brace;
  }
  bool quoted = false;
  for (++at; at < line.size(); ++at) {
    if (line[at] == '"') quoted = !quoted;
    if (quoted && line[at] == '\\') ++at;
    if (!quoted && line[at] == '}') return at + 1;
  }
  return line.size();
}

// `name{label="value",...}`; a label without `=` is the metric name in quotes.
class SeriesText {
 public:
  explicit SeriesText(std::string_view text) : rest_(text) {}

  Result<Labels> read() {
    const std::size_t brace = rest_.find('{');
    std::string_view name = rest_.substr(0, brace);
    while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
    if (!name.empty()) labels_.push_back({std::string(kMetricNameLabel), std::string(name)});
    if (brace == std::string_view::npos) return std::move(labels_);
    rest_.remove_prefix(brace + 1);
    for (skip_blanks(rest_); !take('}'); skip_blanks(rest_)) {
      TRY(read_label());
      skip_blanks(rest_);
      if (!take(',') && (rest_.empty() || rest_.front() != '}')) return fail(Code::kInvalid, "comma or brace expected after a label");
    }
    return std::move(labels_);
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Result<void> read_label() {
    Label label;
    const bool quoted_name = !rest_.empty() && rest_.front() == '"';
    if (quoted_name) {
      TRY_ASSIGN(label.name, read_quoted());
    } else {
      label.name = read_bare_name();
    }
    skip_blanks(rest_);
    if (!take('=')) {
      if (!quoted_name) return fail(Code::kInvalid, "label without a value: " + text_for_message(label.name));
      labels_.push_back({std::string(kMetricNameLabel), std::move(label.name)});
      return {};
    }
    skip_blanks(rest_);
    TRY_ASSIGN(label.value, read_quoted());
    labels_.push_back(std::move(label));
    return {};
  }

  std::string read_bare_name() {
    const std::size_t length = std::min(rest_.find_first_of("=\",{} \t"), rest_.size());
    std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return name;
  }

  // Backslash, quote and line feed are escaped; another escape is kept as it stands, as Prometheus does.
  Result<std::string> read_quoted() {
    if (!take('"')) return fail(Code::kInvalid, "opening quote expected: " + text_for_message(rest_));
    std::string out;
    for (;;) {
      const std::size_t plain = rest_.find_first_of("\\\"");
      if (plain == std::string_view::npos || (rest_[plain] == '\\' && plain + 1 == rest_.size())) {
        return fail(Code::kInvalid, "closing quote missing: " + text_for_message(rest_));
      }
      out.append(rest_.substr(0, plain));
      rest_.remove_prefix(plain);
      if (take('"')) return out;
      const char escaped = rest_[1];
      if (escaped != '\\' && escaped != '"' && escaped != 'n') out.push_back('\\');
      out.push_back(escaped == 'n' ? '\n' : escaped);
      rest_.remove_prefix(2);
    }
  }

  std::string_view rest_;
  Labels labels_;
};

}  // namespace

Result<void> OpenMetricsReader::feed(std::string_view chunk, const OnSample& on_sample) {
  if (failed_) return tl::unexpected<Error>(*failed_);
  Result<void> taken = take_lines(chunk, on_sample);
  if (!taken) failed_ = taken.error();
  return taken;
}

Result<void> OpenMetricsReader::finish(const OnSample& on_sample) {
  if (failed_) return tl::unexpected<Error>(*failed_);
  Result<void> taken;
  if (!partial_.empty()) taken = take_line(std::exchange(partial_, {}), on_sample);
  if (taken && options_.end_required && !ended_) {
    taken = fail(Code::kInvalid, "no # EOF after line " + std::to_string(line_), "the text was cut off; export it again");
  }
  if (!taken) failed_ = taken.error();
  return taken;
}

Result<void> OpenMetricsReader::take_lines(std::string_view chunk, const OnSample& on_sample) {
  for (;;) {
    const std::size_t end = chunk.find('\n');
    if (partial_.size() + std::min(end, chunk.size()) > options_.line_bytes_max) {
      const std::string where = "line " + std::to_string(line_ + 1);
      return fail(Code::kTooLarge, where + ": longer than " + std::to_string(options_.line_bytes_max) + " bytes");
    }
    if (end == std::string_view::npos) {
      partial_.append(chunk);
      return {};
    }
    if (partial_.empty()) {
      TRY(take_line(chunk.substr(0, end), on_sample));
    } else {
      partial_.append(chunk.substr(0, end));
      TRY(take_line(partial_, on_sample));
      partial_.clear();
    }
    chunk.remove_prefix(end + 1);
  }
}

Result<void> OpenMetricsReader::take_line(std::string_view line, const OnSample& on_sample) {
  ++line_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  skip_blanks(line);
  if (line.empty()) return {};
  Result<void> taken;
  if (ended_) {
    taken = fail(Code::kInvalid, "text after # EOF: " + text_for_message(line));
  } else if (line.front() == '#') {
    ended_ = line == "# EOF";
  } else {
    taken = take_sample(line, on_sample);
  }
  if (!taken) return fail_in("line " + std::to_string(line_), std::move(taken.error()));
  return {};
}

Result<void> OpenMetricsReader::take_sample(std::string_view line, const OnSample& on_sample) {
  const std::size_t length = length_of_series(line);
  TRY_ASSIGN(const std::size_t known, known_labels(line.substr(0, length)));
  std::string_view rest = line.substr(length);
  skip_blanks(rest);
  TRY_ASSIGN(const double value, parse_sample_value(take_word(rest)));
  skip_blanks(rest);
  TRY_ASSIGN(const std::int64_t timestamp_ms, timestamp_of(rest));
  on_sample(known_[known].labels, {timestamp_ms, value});
  return {};
}

// What follows the value: a time stamp, an exemplar after `#`, both or neither.
Result<std::int64_t> OpenMetricsReader::timestamp_of(std::string_view rest) const {
  if (rest.empty() || rest.front() == '#') {
    if (options_.default_timestamp_ms) return *options_.default_timestamp_ms;
    return fail(Code::kInvalid, "sample without a time stamp", "export with time stamps, as promtool tsdb dump-openmetrics writes them");
  }
  const std::string_view word = take_word(rest);
  skip_blanks(rest);
  if (!rest.empty() && rest.front() != '#') return fail(Code::kInvalid, "text after the time stamp: " + text_for_message(rest));
  if (options_.timestamps == TimestampUnit::kSeconds) return parse_decimal_millis(word, 1000);
  const bool whole = word.find_first_of(".eE") == std::string_view::npos;
  if (options_.timestamps == TimestampUnit::kMillis) {
    if (!whole) {
      return fail(Code::kInvalid, "time stamp in milliseconds has a fraction: " + text_for_message(word), "read it as seconds");
    }
    return parse_decimal_millis(word, 1);
  }
  if (!whole) return parse_decimal_millis(word, 1000);
  constexpr std::int64_t kSecondsBelow = 100'000'000'000;  // year 5138 in seconds, 1973 in milliseconds
  TRY_ASSIGN(const std::int64_t number, parse_decimal_millis(word, 1));
  return number > -kSecondsBelow && number < kSecondsBelow ? number * 1000 : number;
}

// The position in `known_` of the labels that `series_text` spells.
Result<std::size_t> OpenMetricsReader::known_labels(std::string_view series_text) {
  const std::uint64_t hash = XXH3_64bits(series_text.data(), series_text.size());
  const std::uint32_t found = known_index_.find(hash, [&](std::uint32_t i) { return known_[i].text == series_text; });
  if (found != HashIndex::kNone) return std::size_t{found};
  TRY_ASSIGN(Labels labels, SeriesText(series_text).read());
  TRY(canonicalise_labels(labels, options_.labels));
  if (known_.size() >= kKnownMax || known_bytes_ >= kKnownBytesMax) {
    known_.clear();
    known_index_.clear();
    known_bytes_ = 0;
  }
  known_bytes_ += series_text.size() * 3;
  known_index_.insert(hash, static_cast<std::uint32_t>(known_.size()));
  known_.push_back({std::string(series_text), std::move(labels)});
  return known_.size() - 1;
}

}  // namespace seedance
