#include "cli/texts.h"

#include <gtest/gtest.h>

#include "cli/command_specs.h"
#include "cli/help.h"

namespace seedance {
namespace {

// The blocks of CJK unified ideographs, U+4E00 to U+9FFF, are three bytes from E4 B8 80 to E9 BF BF.
bool has_han(std::string_view words) {
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0xe4 && byte <= 0xe9) return true;
  }
  return false;
}

std::size_t places_in(std::string_view words) {
  std::size_t count = 0;
  for (std::size_t at = words.find("{}"); at != std::string_view::npos; at = words.find("{}", at + 2)) ++count;
  return count;
}

TEST(TextsTest, EveryTextExistsInBothLanguages) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(TextId::kCount); ++i) {
    const auto id = static_cast<TextId>(i);
    const std::string_view english = text(id, Language::kEnglish);
    const std::string_view chinese = text(id, Language::kChinese);
    EXPECT_FALSE(english.empty()) << i;
    EXPECT_NE(english, chinese) << i;
    EXPECT_FALSE(has_han(english)) << english;
    EXPECT_EQ(places_in(english), places_in(chinese)) << english;
    EXPECT_TRUE(id == TextId::kSemicolon || has_han(chinese)) << chinese;
  }
}

TEST(TextsTest, PlacesAreFilledInOrder) {
  EXPECT_EQ(filled(TextId::kNotOneOf, Language::kEnglish, {"--idle", "{}"}), "value of --idle is unknown: {}");
}

TEST(HelpTest, EveryOptionOfEveryCommandIsExplainedInBothLanguages) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    for (const CommandSpec& command : command_specs()) {
      const std::string help = command_help(command, language);
      EXPECT_NE(help.find(text(command.about, language)), std::string::npos) << command.name;
      for (const OptionSpec& option : command.options) EXPECT_NE(help.find(option.key()), std::string::npos) << option.key();
      EXPECT_NE(help.find("--store"), std::string::npos);
    }
    EXPECT_NE(general_help(language).find("import openmetrics FILE"), std::string::npos);
  }
}

}  // namespace
}  // namespace seedance
