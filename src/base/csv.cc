#include "base/csv.h"

namespace seedance {
namespace {

constexpr std::size_t kFieldBytesMax = 64 << 10;
constexpr std::size_t kFieldsMax = 1'000;

// Reads one row at a time from the front of the text.
class CsvCursor {
 public:
  explicit CsvCursor(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }
  bool done() const { return rest_.empty(); }
  std::size_t line() const { return line_; }

  Result<void> next_row(std::vector<std::string>& fields) {
    fields.clear();
    for (;;) {
      std::string field;
      TRY(rest_.starts_with('"') ? quoted(field) : plain(field));
      if (field.size() > kFieldBytesMax) return fail(Code::kTooLarge, "field is longer than 65536 bytes at line " + std::to_string(line_));
      fields.push_back(std::move(field));
      if (fields.size() > kFieldsMax) return fail(Code::kTooLarge, "more than 1000 fields at line " + std::to_string(line_));
      if (!rest_.starts_with(',')) break;
      rest_.remove_prefix(1);
    }
    if (rest_.starts_with('\r')) rest_.remove_prefix(1);
    if (rest_.starts_with('\n')) {
      rest_.remove_prefix(1);
      ++line_;
    }
    return {};
  }

 private:
  Result<void> plain(std::string& field) {
    const std::size_t end = rest_.find_first_of(",\r\n");
    field = rest_.substr(0, end);
    rest_.remove_prefix(field.size());
    return {};
  }
  Result<void> quoted(std::string& field) {
    const std::size_t start = line_;
    rest_.remove_prefix(1);
    for (;;) {
      const std::size_t end = rest_.find('"');
      if (end == std::string_view::npos) return fail(Code::kInvalid, "quote is not closed at line " + std::to_string(start));
      for (const char c : rest_.substr(0, end)) line_ += c == '\n' ? 1 : 0;
      field += rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (!rest_.starts_with('"')) break;
      field.push_back('"');
      rest_.remove_prefix(1);
    }
    if (!rest_.empty() && rest_.find_first_of(",\r\n") != 0) return fail(Code::kInvalid, "text behind a closed quote at line " + std::to_string(line_));
    return {};
  }

  std::string_view rest_;
  std::size_t line_ = 1;
};

bool is_number(std::string_view value) {
  if (value.starts_with('-') || value.starts_with('+')) value.remove_prefix(1);
  return !value.empty() && value.find_first_not_of("0123456789.,") == std::string_view::npos;
}

}  // namespace

Result<void> read_csv(std::string_view text, const std::function<Result<void>(std::size_t, const std::vector<std::string>&)>& on_row) {
  CsvCursor cursor(text);
  std::vector<std::string> fields;
  while (!cursor.done()) {
    const std::size_t line = cursor.line();
    TRY(cursor.next_row(fields));
    if (fields.size() == 1 && fields[0].empty()) continue;
    TRY(on_row(line, fields));
  }
  return {};
}

std::string csv_field(std::string_view value) {
  std::string out;
  const bool formula = !value.empty() && std::string_view("=+-@\t\r").find(value.front()) != std::string_view::npos && !is_number(value);
  if (formula) out.push_back('\'');
  out += value;
  if (out.find_first_of(",\"\r\n") == std::string::npos) return out;
  std::string quoted = "\"";
  for (const char c : out) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

}  // namespace seedance
