// Where the reference inputs lie; a test that needs one is skipped, with a message, where the folder is absent.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace seedance {

inline std::string shared_data(const std::string& path) { return std::string(SEEDANCE_SHARED_DATA) + "/" + path; }

}  // namespace seedance

#define SKIP_WITHOUT(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "reference data is not here: " << (path)
