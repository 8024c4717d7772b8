#include "config/settings.h"

#include <gtest/gtest.h>

#include "config/cross_checks.h"
#include "config/declarations.h"
#include "config/nearest.h"
#include "config/yaml.h"

namespace seedance {
namespace {

TEST(SettingsTest, AnEmptyFileGivesTheDefaults) {
  const Result<Settings> settings = parse_settings("", "empty.yaml");
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->server.address, "127.0.0.1");
  EXPECT_EQ(settings->server.port, 7117);
  EXPECT_EQ(settings->server.body_bytes_max, 32 << 20);
  EXPECT_EQ(settings->store.memory_bytes_max, 512 << 20);
  EXPECT_EQ(settings->ingest.correction_horizon, std::chrono::hours(6));
  EXPECT_EQ(settings->ledger.currency, "USD");
  EXPECT_EQ(settings->ledger.split_method, "residual");
  EXPECT_EQ(settings->dimensions, default_dimension_rules());
  EXPECT_EQ(log_level_of(settings->log), LogLevel::kInfo);
  EXPECT_EQ(log_format_of(settings->log), LogFormat::kText);
}

TEST(SettingsTest, ValuesReachTheirPlace) {
  const Result<Settings> settings = parse_settings(
      "ledger: {stranded_cpu_millis: 2, stranded_memory: 3GiB}\n"
      "prices: {storage_gib_hour: 0.000109589}\n"
      "signals: [{metric: a, signal: b, scale: 0.01}, {metric: c, signal: d}]\n"
      "shared_costs: [{name: fee, per_hour: 0.1}]\n",
      "a.yaml");
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->ledger.stranded_cpu_millis, 2000);
  EXPECT_EQ(settings->ledger.stranded_memory_bytes, std::int64_t{3} << 30);
  EXPECT_EQ(settings->prices.storage_gib_hour.nanos(), 109'589);
  ASSERT_EQ(settings->signals.size(), 2u);
  EXPECT_EQ(settings->signals[0].scale, 0.01);
  EXPECT_EQ(settings->signals[1].scale, 1);
  ASSERT_EQ(settings->shared_costs.size(), 1u);
  EXPECT_EQ(settings->shared_costs[0].per_hour.nanos(), 100'000'000);
  EXPECT_EQ(settings->shared_costs[0].mode, "weighted");
}

TEST(SettingsTest, RelativePathsCountFromTheFileAndDefaultsDoNot) {
  const Result<Settings> settings =
      parse_settings("prices: {files: [list.csv, /etc/list.csv, ../x.csv]}\n", "/etc/seedance/seedance.yaml");
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->prices.files,
            (std::vector<std::string>{"/etc/seedance/list.csv", "/etc/list.csv", "/etc/x.csv"}));
  EXPECT_EQ(settings->store.directory, "seedance-data");
}

TEST(SettingsTest, TheDimensionsFileIsReadFromItsOwnPlace) {
  const Result<Settings> settings = load_settings(SEEDANCE_SOURCE_DIR "/tests/config/good/dimensions_file.yaml");
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->dimensions.of(Dimension::kTeam).label_keys, std::vector<std::string>{"squad"});
  EXPECT_EQ(settings->dimensions.of(Dimension::kTeam).default_value, "nobody");
  EXPECT_EQ(settings->dimensions.of(Dimension::kTenant).label_keys, std::vector<std::string>{"tenant"});
}

TEST(SettingsTest, DimensionRulesKeepTheirOrderAndSortTheirLabels) {
  const Result<DimensionRules> rules = parse_dimension_rules(
      "team:\n  rules:\n    - {namespace: b*, value: x}\n    - {label: {z: 1, a: 2}, value: y}\n  owners: {y: ann, x: "
      "bob}\n",
      "d.yaml");
  ASSERT_TRUE(rules.has_value()) << rules.error().message;
  const DimensionMapping& team = rules->of(Dimension::kTeam);
  ASSERT_EQ(team.rules.size(), 2u);
  EXPECT_EQ(team.rules[0].namespace_glob, "b*");
  EXPECT_EQ(team.rules[1].labels, (Labels{{"a", "2"}, {"z", "1"}}));
  EXPECT_EQ(team.owners, (std::vector<std::pair<std::string, std::string>>{{"x", "bob"}, {"y", "ann"}}));
  EXPECT_EQ(team.label_keys, default_dimension_rules().of(Dimension::kTeam).label_keys);
}

TEST(SettingsTest, LoopbackIsJudgedOnTheWholeAddress) {
  for (const char* address : {"127.0.0.1", "127.8.9.10", "::1", "localhost"})
    EXPECT_TRUE(is_loopback(address)) << address;
  for (const char* address :
       {"0.0.0.0", "::", "127.0.0.1.example.org", "127.0.0", "127.0.0.256", "127.0.0.1:80", "", "127."}) {
    EXPECT_FALSE(is_loopback(address)) << address;
  }
}

TEST(SettingsTest, AReloadNamesWhatNeedsARestart) {
  const Settings before = default_settings();
  Settings after = before;
  after.log.level = "debug";
  EXPECT_TRUE(changes_that_need_a_restart(before, after).empty());
  after.server.port = 1;
  after.signals.push_back({"a", "b", 1});
  EXPECT_EQ(changes_that_need_a_restart(before, after), (std::vector<std::string>{"server.port", "signals"}));
}

TEST(SettingsTest, EveryDeclarationIsCompleteAndItsBoundsHold) {
  for (const SettingDeclaration& declaration : setting_declarations()) {
    EXPECT_TRUE(declaration.english.ends_with('.')) << declaration.name;
    EXPECT_TRUE(declaration.chinese.ends_with("。")) << declaration.name;
    ASSERT_NE(declaration.field, nullptr);
    EXPECT_EQ(declaration.least.empty(), declaration.most.empty()) << declaration.name;
    if (declaration.least.empty()) continue;
    Settings scratch = default_settings();
    scratch.signals.emplace_back();
    scratch.shared_costs.emplace_back();
    scratch.tenants.emplace_back();
    EXPECT_TRUE(write_setting(declaration, declaration.least, {}, scratch).has_value()) << declaration.name;
    EXPECT_TRUE(write_setting(declaration, declaration.most, {}, scratch).has_value()) << declaration.name;
  }
}

TEST(SettingsTest, NumbersThatAreNoneAreRefused) {
  for (const char* scale : {"nan", "inf", "1e400", "0x10", "1 2", "''"}) {
    const std::string text = "signals: [{metric: a, signal: b, scale: " + std::string(scale) + "}]\n";
    EXPECT_FALSE(parse_settings(text, "a.yaml").has_value()) << scale;
  }
  EXPECT_FALSE(parse_settings("ledger: {stranded_cpu_millis: 9999999999999999}\n", "a.yaml").has_value());
  EXPECT_FALSE(parse_settings("store: {memory_limit: 9999999999TiB}\n", "a.yaml").has_value());
}

TEST(SettingsTest, OversizedAndBinaryFilesAreRefused) {
  const Result<Settings> large = parse_settings(std::string(kYamlBytesMax + 1, '#'), "large.yaml");
  ASSERT_FALSE(large.has_value());
  EXPECT_EQ(large.error().code, Code::kTooLarge);
  EXPECT_FALSE(parse_settings(std::string_view("log:\0", 5), "zero.yaml").has_value());
  EXPECT_FALSE(parse_settings(std::string(5000, '['), "deep.yaml").has_value());
  EXPECT_EQ(load_settings("/nowhere/at/all.yaml").error().code, Code::kNotFound);
}

// A small fuzzer that needs no sanitizer build: bytes of a valid file changed, dropped and doubled.
TEST(SettingsTest, DamagedFilesAreRefusedOrRead) {
  const std::string good =
      "server: {port: 1, address: \"127.0.0.1\"}\nsignals:\n  - {metric: a, signal: b, scale: 0.5}\n"
      "dimensions:\n  team: {labels: [a, b], rules: [{namespace: x*, value: y}], default: z}\n";
  constexpr std::string_view kBytes = "{}[]:,-&*!|>'\"%@`#\n\t \\a1\xc3\xa9\xff";
  std::uint64_t state = 1;
  int refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::size_t at = (state >> 33) % text.size();
      const char byte = kBytes[(state >> 20) % kBytes.size()];
      if (state >> 63 != 0) {
        text[at] = byte;
      } else {
        text.insert(at, 1, byte);
      }
    }
    const Result<Settings> settings = parse_settings(text, "damaged.yaml");
    if (settings) continue;
    ++refused;
    EXPECT_TRUE(settings.error().message.starts_with("damaged.yaml")) << settings.error().message;
  }
  EXPECT_GT(refused, 1000);
}

TEST(SettingsTest, TheCaretStandsBelowTheValue) {
  const Result<Settings> settings = parse_settings("log:\n  level: loud\n", "a.yaml");
  ASSERT_FALSE(settings.has_value());
  EXPECT_EQ(settings.error().message,
            "a.yaml:2: log.level: not one of debug, info, warn, error: loud\n"
            "  2 |   level: loud\n"
            "    |          ^");
}

TEST(NearestTest, SwapsAndTyposAreNearAndStrangersAreNot) {
  EXPECT_EQ(edit_distance("port", "prot"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  constexpr std::string_view kNames[] = {"port", "threads", "address"};
  EXPECT_EQ(nearest_name("prot", kNames), "port");
  EXPECT_EQ(nearest_name("adress", kNames), "address");
  EXPECT_EQ(nearest_name("zebra", kNames), "");
}

}  // namespace
}  // namespace seedance
