// Reads JSON text with nlohmann-json's SAX parser, into our own value or as events; the heavy header stays in this file.
#include <nlohmann/json.hpp>

#include "json/events.h"
#include "json/value.h"

namespace seedance {
namespace {

constexpr std::size_t kTextBytesMax = std::size_t{64} << 20;
constexpr std::size_t kDepthMax = 64;

// Builds the value from parse events; `false` stops the parser.
class Builder {
 public:
  bool null() { return put(Json{}); }
  bool boolean(bool b) { return put(Json(b)); }
  bool number_integer(std::int64_t i) { return put(Json(i)); }
  bool number_unsigned(std::uint64_t u) { return u > INT64_MAX ? put(Json(static_cast<double>(u))) : put(Json(u)); }
  bool number_float(double d, const std::string&) { return put(Json(d)); }
  bool string(std::string& text) { return put(Json(std::move(text))); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool key(std::string& name) {
    names_.back() = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    position_ = position;
    return false;
  }

  Json take() { return std::move(root_); }
  std::size_t position() const { return position_; }
  bool is_too_deep() const { return too_deep_; }

 private:
  bool open(Json container) {
    if (open_.size() == kDepthMax) {
      too_deep_ = true;
      return false;
    }
    open_.push_back(std::move(container));
    names_.emplace_back();
    return true;
  }
  bool close() {
    Json done = std::move(open_.back());
    open_.pop_back();
    names_.pop_back();
    return put(std::move(done));
  }
  bool put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().add(std::move(value));
    } else {
      open_.back().set(names_.back(), std::move(value));
    }
    return true;
  }

  Json root_;
  std::vector<Json> open_;
  std::vector<std::string> names_;
  std::size_t position_ = 0;
  bool too_deep_ = false;
};

// Hands the events on, and counts levels.
class Forwarder {
 public:
  explicit Forwarder(JsonEvents& events) : events_(events) {}

  bool null() { return events_.on_other(); }
  bool boolean(bool) { return events_.on_other(); }
  bool number_integer(std::int64_t i) { return events_.on_integer(i); }
  bool number_unsigned(std::uint64_t u) {
    return u > INT64_MAX ? events_.on_number(static_cast<double>(u), std::to_string(u)) : events_.on_integer(static_cast<std::int64_t>(u));
  }
  bool number_float(double d, const std::string& text) { return events_.on_number(d, text); }
  bool string(std::string& text) { return events_.on_text(text); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return enter() && events_.on_object(); }
  bool key(std::string& name) { return events_.on_key(name); }
  bool end_object() { return leave() && events_.on_object_end(); }
  bool start_array(std::size_t) { return enter() && events_.on_array(); }
  bool end_array() { return leave() && events_.on_array_end(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    position_ = position;
    is_broken_ = true;
    return false;
  }

  bool is_broken() const { return is_broken_; }
  bool is_too_deep() const { return depth_ > kDepthMax; }
  std::size_t position() const { return position_; }

 private:
  bool enter() { return ++depth_ <= kDepthMax; }
  bool leave() {
    --depth_;
    return true;
  }

  JsonEvents& events_;
  std::size_t depth_ = 0;
  std::size_t position_ = 0;
  bool is_broken_ = false;
};

}  // namespace

Result<bool> read_json(std::string_view text, JsonEvents& events) {
  if (text.size() > kTextBytesMax) return fail(Code::kTooLarge, "json text is over 64 MiB");
  Forwarder forwarder(events);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &forwarder)) return true;
  if (forwarder.is_too_deep()) return fail(Code::kTooLarge, "json is nested deeper than 64 levels");
  if (forwarder.is_broken()) return fail(Code::kInvalid, "not json at byte " + std::to_string(forwarder.position()));
  return false;
}

Result<Json> parse_json(std::string_view text) {
  if (text.size() > kTextBytesMax) return fail(Code::kTooLarge, "json text is over 64 MiB");
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) {
    if (builder.is_too_deep()) return fail(Code::kTooLarge, "json is nested deeper than 64 levels");
    return fail(Code::kInvalid, "not json at byte " + std::to_string(builder.position()));
  }
  return builder.take();
}

}  // namespace seedance
