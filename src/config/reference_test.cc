#include "config/reference.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace seedance {
namespace {

// With SEEDANCE_UPDATE set the file is written anew instead: that is how the reference is made.
void expect_current(Language language, const std::string& path) {
  if (std::getenv("SEEDANCE_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << settings_reference(language);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), settings_reference(language))
      << path << " is stale: run config_test with SEEDANCE_UPDATE=1 and commit the result";
}

TEST(ReferenceTest, TheDocumentsAreCurrent) {
  expect_current(Language::kEnglish, SEEDANCE_SOURCE_DIR "/docs/configuration.md");
  expect_current(Language::kChinese, SEEDANCE_SOURCE_DIR "/docs/configuration.zh-CN.md");
}

}  // namespace
}  // namespace seedance
