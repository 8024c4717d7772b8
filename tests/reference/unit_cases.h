// The small rule cases of other tools, one JSON file, read once.
#pragma once

#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/money.h"
#include "tests/reference/shared_data.h"

namespace seedance {

using UnitCases = nlohmann::json;

inline std::string unit_case_path() { return shared_data("finops/oc_unit_cases.json"); }

inline const UnitCases& unit_cases() {
  static const UnitCases kCases = UnitCases::parse(std::ifstream(unit_case_path()));
  return kCases;
}

inline std::int64_t nanos_of_dollars(double dollars) { return std::llround(dollars * 1e9); }
inline double dollars_of_money(Money money) { return static_cast<double>(money.nanos()) / 1e9; }

// Skips, with a message, where the file is absent.
class UnitCaseReferenceTest : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT(unit_case_path()); }
};

}  // namespace seedance
