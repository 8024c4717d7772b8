#include "ingest/label_rules.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace seedance {
namespace {

// The number of bytes of one UTF-8 character at the front of `text`, or 0. Table 3-7 of the Unicode standard.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto is_tail = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return is_tail(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;    // below is overlong
    const unsigned high = lead == 0xed ? 0x9f : 0xbf;   // above is a surrogate
    return is_tail(1, low, high) && is_tail(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
    return is_tail(1, low, high) && is_tail(2) && is_tail(3) ? 4 : 0;
  }
  return 0;
}

tl::unexpected<Error> refuse(std::string_view why, const Labels& labels, std::string_view label) {
  const auto metric = std::find_if(labels.begin(), labels.end(), [](const Label& l) { return l.name == kMetricNameLabel; });
  std::string message(why);
  message += ": metric ";
  message += metric == labels.end() ? "(unnamed)" : text_for_message(metric->value);
  message += ", label ";
  message += text_for_message(label);
  return fail(Code::kInvalid, std::move(message));
}

Result<void> check_label(const Label& label, const Labels& labels, const LabelLimits& limits) {
  if (label.name.empty()) return refuse("empty label name", labels, "\"\"");
  if (label.name.size() > limits.name_bytes_max) return refuse("label name too long", labels, label.name);
  if (label.value.size() > limits.value_bytes_max) return refuse("label value too long", labels, label.name);
  if (!is_utf8(label.name)) return refuse("label name is not UTF-8", labels, label.name);
  if (!is_utf8(label.value)) return refuse("label value is not UTF-8", labels, label.name);
  return {};
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    std::uint64_t eight = 0;
    if (text.size() >= sizeof(eight)) {
      std::memcpy(&eight, text.data(), sizeof(eight));
      if ((eight & 0x8080808080808080U) == 0) {  // eight ASCII characters at once: almost every label
        text.remove_prefix(sizeof(eight));
        continue;
      }
    }
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string text_for_message(std::string_view text) {
  constexpr std::size_t kBytesMax = 80;
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (out.size() + length > kBytesMax) return out + "...";
    const auto lead = static_cast<unsigned char>(text.front());
    if (length == 0 || lead < 0x20 || lead == 0x7f) {
      out.push_back('?');
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

Result<void> canonicalise_labels(Labels& labels, const LabelLimits& limits) {
  if (labels.size() > limits.labels_max) {
    return refuse("more labels than the limit of " + std::to_string(limits.labels_max), labels, labels[limits.labels_max].name);
  }
  for (const Label& label : labels) TRY(check_label(label, labels, limits));
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(labels.begin(), labels.end(),
                                        [](const Label& a, const Label& b) { return a.name == b.name; });
  if (twice != labels.end()) return refuse("label name given twice", labels, twice->name);
  std::erase_if(labels, [](const Label& label) { return label.value.empty(); });
  if (label_value(labels, kMetricNameLabel).empty()) {
    return refuse("no metric name", labels, labels.empty() ? std::string_view("(none)") : std::string_view(labels.front().name));
  }
  return {};
}

}  // namespace seedance
