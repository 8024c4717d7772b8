#include "cli/command_reference.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace seedance {
namespace {

// With SEEDANCE_UPDATE set the file is written anew instead: that is how the reference is made.
void expect_current_reference(Language language, const std::string& path) {
  if (std::getenv("SEEDANCE_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << command_reference(language);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream words;
  words << file.rdbuf();
  EXPECT_EQ(words.str(), command_reference(language)) << path << " is stale: run cli_test with SEEDANCE_UPDATE=1 and commit the result";
}

TEST(CommandReferenceTest, TheDocumentsAreCurrent) {
  expect_current_reference(Language::kEnglish, SEEDANCE_SOURCE_DIR "/docs/cli.md");
  expect_current_reference(Language::kChinese, SEEDANCE_SOURCE_DIR "/docs/cli.zh-CN.md");
}

TEST(CommandReferenceTest, EveryCommandHasAnExampleAndEveryExampleCanBeRead) {
  for (const CommandSpec& command : command_specs()) {
    EXPECT_EQ(command.examples.empty(), is_command_group(command)) << command.name;
    std::istringstream lines{std::string(command.examples)};
    for (std::string line; std::getline(lines, line);) {
      std::istringstream split(line);
      std::vector<std::string> words;
      for (std::string word; split >> word;) words.push_back(word);
      std::vector<const char*> argv;
      for (const std::string& word : words) argv.push_back(word.c_str());
      const Result<CommandLine> parsed = parse_command_line(static_cast<int>(argv.size()), argv.data(), Language::kEnglish);
      ASSERT_TRUE(parsed) << line << ": " << parsed.error().message;
      EXPECT_EQ(parsed->command, &command) << line;
    }
  }
}

TEST(CommandReferenceTest, EveryOptionStandsInIt) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    const std::string reference = command_reference(language);
    for (const OptionSpec& option : global_options()) EXPECT_NE(reference.find("`" + std::string(option.key())), std::string::npos) << option.names;
    for (const CommandSpec& command : command_specs()) {
      EXPECT_NE(reference.find("### seedancectl " + std::string(command.name) + "\n"), std::string::npos) << command.name;
      for (const OptionSpec& option : command.options) EXPECT_NE(reference.find("`" + std::string(option.key())), std::string::npos) << option.names;
    }
  }
}

}  // namespace
}  // namespace seedance
