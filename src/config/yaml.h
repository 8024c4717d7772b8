// YAML text as a tree that remembers where everything stood.
//
// A strict subset: one document, no anchors, aliases or tags, text keys, no key twice in one map, at most 1 MiB and 16
// levels. Values stay text; what a value means is for the declaration of its setting to say. Only yaml.cc knows the
// YAML library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace seedance {

inline constexpr std::size_t kYamlBytesMax = 1 << 20;
inline constexpr int kYamlDepthMax = 16;

struct YamlPlace {
  int line = 0;  // from 1; 0: nowhere, the file does not mention it
  int column = 0;
};

struct YamlEntry;

struct YamlNode {
  enum class Kind { kNull, kText, kList, kMap };
  Kind kind = Kind::kNull;
  YamlPlace place;
  std::string text;
  std::vector<YamlNode> list;
  std::vector<YamlEntry> map;
};

struct YamlEntry {
  std::string key;
  YamlPlace place;
  YamlNode value;
};

// The text and its name, for messages that show the line. Views: the caller keeps both alive.
struct YamlSource {
  std::string_view file_name;
  std::string_view text;
};

Result<YamlNode> parse_yaml(YamlSource source);

// "file.yaml:3: message", the line itself and a caret below the place.
tl::unexpected<Error> fail_at(YamlSource source, YamlPlace place, std::string message, std::string hint = {},
                              Code code = Code::kInvalid);

}  // namespace seedance
