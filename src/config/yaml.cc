// Turns the parser's events into our tree. Events rather than the library's own nodes, because those drop the second of
// two equal keys, expand aliases without bound, and do not know the column of a key.
#include "config/yaml.h"

#include <algorithm>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace seedance {
namespace {

constexpr std::size_t kShownColumnsMax = 160;

YamlPlace place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(YamlSource source) : source_(source) { open_.push_back({}); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add(YamlNode{.kind = YamlNode::Kind::kNull, .place = place_of(mark), .text = {}, .list = {}, .map = {}});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(mark, "aliases are not allowed here"); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    if (tag != "?" && tag != "!" && !tag.empty()) refuse(mark, "tags are not allowed here");
    add(YamlNode{.kind = YamlNode::Kind::kText, .place = place_of(mark), .text = value, .list = {}, .map = {}});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    open(YamlNode::Kind::kList, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    open(YamlNode::Kind::kMap, mark);
  }
  void OnMapEnd() override { close(); }

  struct Refused {
    Error error;
  };
  YamlNode take() { return std::move(open_.front().node); }

 private:
  struct Open {
    YamlNode node;  // the outermost is a mere holder of the document
    std::string key;
    YamlPlace key_place;
    bool has_key = false;
  };

  [[noreturn]] void refuse(YamlPlace place, std::string message) const {
    throw Refused{fail_at(source_, place, std::move(message)).value()};
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message) const {
    refuse(place_of(mark), std::move(message));
  }
  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) refuse(mark, "anchors are not allowed here");
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark) {
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kMap && !parent.has_key) refuse(mark, "a key has to be plain text");
    if (open_.size() > static_cast<std::size_t>(kYamlDepthMax)) {
      refuse(mark, "nested too deep, levels allowed: " + std::to_string(kYamlDepthMax));
    }
    Open inner;
    inner.node.kind = kind;
    inner.node.place = place_of(mark);
    open_.push_back(std::move(inner));
  }
  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }
  void add(YamlNode node) {
    Open& parent = open_.back();
    if (open_.size() == 1) {
      parent.node = std::move(node);
    } else if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.list.push_back(std::move(node));
    } else if (parent.has_key) {
      parent.node.map.push_back({std::move(parent.key), parent.key_place, std::move(node)});
      parent.has_key = false;
    } else {
      if (node.kind != YamlNode::Kind::kText) refuse(node.place, "a key has to be plain text");
      const auto same = std::ranges::find(parent.node.map, node.text, &YamlEntry::key);
      if (same != parent.node.map.end()) {
        refuse(node.place, "duplicate key, first on line " + std::to_string(same->place.line) + ": " + node.text);
      }
      parent.key = std::move(node.text);
      parent.key_place = node.place;
      parent.has_key = true;
    }
  }

  YamlSource source_;
  std::vector<Open> open_;
};

// Reads a string_view without copying it.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

std::string_view line_of(std::string_view text, int line) {
  for (int at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view found = text.substr(0, text.find('\n'));
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found.substr(0, kShownColumnsMax);
}

}  // namespace

tl::unexpected<Error> fail_at(YamlSource source, YamlPlace place, std::string message, std::string hint, Code code) {
  if (place.line <= 0) return fail(code, std::string(source.file_name) + ": " + message, std::move(hint));
  std::string out = std::string(source.file_name) + ":" + std::to_string(place.line) + ": " + message;
  const std::string_view line = line_of(source.text, place.line);
  const std::string number = std::to_string(place.line);
  // Tabs are kept below tabs so that the caret stays under its character.
  std::string indent;
  for (int column = 1; column < place.column && static_cast<std::size_t>(column) <= line.size(); ++column) {
    indent.push_back(line[static_cast<std::size_t>(column) - 1] == '\t' ? '\t' : ' ');
  }
  out += "\n  " + number + " | " + std::string(line) + "\n  " + std::string(number.size(), ' ') + " | " + indent + "^";
  return fail(code, std::move(out), std::move(hint));
}

Result<YamlNode> parse_yaml(YamlSource source) {
  if (source.text.size() > kYamlBytesMax) {
    return fail_at(source, {},
                   "file too large, bytes allowed and found: " + std::to_string(kYamlBytesMax) + ", " +
                       std::to_string(source.text.size()),
                   {}, Code::kTooLarge);
  }
  if (source.text.find('\0') != std::string_view::npos) return fail_at(source, {}, "the text holds a zero byte");
  ViewBuffer buffer(source.text);
  std::istream stream(&buffer);
  try {
    TreeBuilder builder(source);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return YamlNode{};
    TreeBuilder second(source);
    if (parser.HandleNextDocument(second)) return fail_at(source, {}, "more than one document in the file");
    return builder.take();
  } catch (const TreeBuilder::Refused& refused) {
    return tl::unexpected<Error>(refused.error);
  } catch (const YAML::Exception& broken) {
    return fail_at(source, broken.mark.is_null() ? YamlPlace{} : place_of(broken.mark),
                   "not valid YAML: " + broken.msg);
  } catch (const std::exception& broken) {
    return fail_at(source, {}, std::string("not valid YAML: ") + broken.what());
  }
}

}  // namespace seedance
