#include "base/counters.h"

#include <algorithm>

namespace seedance {

Counter& Counters::counter(std::string_view name, std::string_view help, std::string_view label) {
  return member(Kind::kCounter, name, help, label);
}

Counter& Counters::gauge(std::string_view name, std::string_view help, std::string_view label) {
  return member(Kind::kGauge, name, help, label);
}

Counter& Counters::member(Kind kind, std::string_view name, std::string_view help, std::string_view label) {
  const std::lock_guard lock(mutex_);
  auto family = std::find_if(families_.begin(), families_.end(), [&](const Family& f) { return f.name == name; });
  if (family == families_.end()) {
    families_.push_back({std::string(name), std::string(help), kind, {}});
    family = families_.end() - 1;
  }
  for (auto& [text, counter] : family->members) {
    if (text == label) return *counter;
  }
  family->members.emplace_back(std::string(label), std::make_unique<Counter>());
  return *family->members.back().second;
}

std::string Counters::print() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const Family& family : families_) {
    const bool is_counter = family.kind == Kind::kCounter;
    out += "# TYPE seedance_" + family.name + (is_counter ? " counter\n" : " gauge\n");
    out += "# HELP seedance_" + family.name + " " + family.help + "\n";
    for (const auto& [label, counter] : family.members) {
      out += "seedance_" + family.name + (is_counter ? "_total" : "");
      if (!label.empty()) out += "{" + label + "}";
      out += " " + std::to_string(counter->value()) + "\n";
    }
  }
  return out + "# EOF\n";
}

}  // namespace seedance
