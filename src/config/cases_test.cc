// Runs every example under tests/config: good ones must load, bad ones must say what their first line expects.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/settings.h"

namespace seedance {
namespace {

std::vector<std::string> examples(const std::string& kind) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SEEDANCE_SOURCE_DIR "/tests/config/" + kind)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

std::vector<std::string> expected_parts(const std::string& path) {
  constexpr std::string_view kStart = "# expect: ";
  constexpr std::string_view kBetween = " ;; ";
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  if (!line.starts_with(kStart)) return {};
  line.erase(0, kStart.size());
  std::vector<std::string> parts;
  for (std::size_t end = line.find(kBetween); end != std::string::npos; end = line.find(kBetween)) {
    parts.push_back(line.substr(0, end));
    line.erase(0, end + kBetween.size());
  }
  parts.push_back(line);
  return parts;
}

TEST(ConfigCasesTest, GoodExamplesLoad) {
  const std::vector<std::string> paths = examples("good");
  EXPECT_GE(paths.size(), 8u);
  for (const std::string& path : paths) {
    const Result<Settings> settings = load_settings(path);
    EXPECT_TRUE(settings.has_value()) << path << "\n" << (settings ? "" : settings.error().message);
  }
}

TEST(ConfigCasesTest, BadExamplesSayWhatIsWrong) {
  const std::vector<std::string> paths = examples("bad");
  EXPECT_GE(paths.size(), 30u);
  for (const std::string& path : paths) {
    const std::vector<std::string> parts = expected_parts(path);
    ASSERT_FALSE(parts.empty()) << path << " lacks its first line \"# expect: ...\"";
    const Result<Settings> settings = load_settings(path);
    ASSERT_FALSE(settings.has_value()) << path << " was accepted";
    const std::string said = settings.error().message + "\n" + settings.error().hint;
    for (const std::string& part : parts) EXPECT_NE(said.find(part), std::string::npos) << path << "\n" << said;
  }
}

}  // namespace
}  // namespace seedance
