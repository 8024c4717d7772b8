#include "pricing/price_book.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/time_text.h"

namespace seedance {
namespace {

constexpr std::string_view kHeader = "provider,region,zone,instance_type,node,capacity_kind,price_hr,valid_from,source\n";

PriceBook book_of(const std::string& lines) {
  PriceBook book;
  const auto imported = book.import_csv(std::string(kHeader) + lines, "prices.csv");
  EXPECT_TRUE(imported && imported->refused.empty()) << lines;
  return book;
}

PriceQuestion ask(std::string zone = "us-east-1a", std::string zone_id = "use1-az1") {
  return {"aws", "us-east-1", std::move(zone), std::move(zone_id), "p4d.24xlarge", "node-7", "on-demand"};
}

std::int64_t millis_of_price(const PriceBook& book, const PriceQuestion& question, const char* at = "2026-11-30") {
  const auto answer = book.price_of(question, *parse_time(at));
  return answer ? answer->entry.rate.nanos_per_unit_hour / 1'000'000 : -1;
}

TEST(PriceBookTest, NearerPlacesWin) {
  const std::string type = "aws,,,p4d.24xlarge,,on-demand,20,,a\n";
  const std::string region = "aws,us-east-1,,p4d.24xlarge,,on-demand,21,,b\n";
  const std::string zone = "aws,us-east-1,us-east-1a,p4d.24xlarge,,on-demand,22,,c\n";
  const std::string node = ",,,,node-7,,23,,d\n";
  EXPECT_EQ(millis_of_price(book_of(type), ask()), 20'000);
  EXPECT_EQ(millis_of_price(book_of(region + type), ask()), 21'000);
  EXPECT_EQ(millis_of_price(book_of(zone + region + type), ask()), 22'000);
  EXPECT_EQ(millis_of_price(book_of(node + zone + region + type), ask()), 23'000);
}

TEST(PriceBookTest, OtherPlacesDoNotCount) {
  EXPECT_EQ(millis_of_price(book_of("aws,eu-west-1,,p4d.24xlarge,,on-demand,21,,\n"), ask()), -1);
  EXPECT_EQ(millis_of_price(book_of("aws,us-east-1,us-east-1b,p4d.24xlarge,,on-demand,21,,\n"), ask()), -1);
  EXPECT_EQ(millis_of_price(book_of("gcp,us-east-1,,p4d.24xlarge,,on-demand,21,,\n"), ask()), -1);
  EXPECT_EQ(millis_of_price(book_of(",,,,node-8,,23,,\n"), ask()), -1);
}

TEST(PriceBookTest, ZoneIdsAndZoneNamesBothNameAZone) {
  const PriceBook book = book_of("aws,us-east-1,use1-az1,p4d.24xlarge,,on-demand,22,,\naws,us-east-1,us-east-1b,p4d.24xlarge,,on-demand,24,,\n");
  EXPECT_EQ(millis_of_price(book, ask()), 22'000);
  EXPECT_EQ(millis_of_price(book, ask("us-east-1b", "use1-az9")), 24'000);
}

TEST(PriceBookTest, LaterImportsWinAmongEquals) {
  EXPECT_EQ(millis_of_price(book_of("aws,us-east-1,,p4d.24xlarge,,on-demand,20,,\naws,us-east-1,,p4d.24xlarge,,on-demand,21,,\n"), ask()), 21'000);
}

TEST(PriceBookTest, HistoryAnswersByTheTimeAsked) {
  const PriceBook book = book_of(
      "aws,us-east-1,,p4d.24xlarge,,on-demand,32,2025-01-01,old\n"
      "aws,us-east-1,,p4d.24xlarge,,on-demand,22,2026-06-01,new\n");
  EXPECT_EQ(millis_of_price(book, ask(), "2025-12-31"), 32'000);
  EXPECT_EQ(millis_of_price(book, ask(), "2026-05-31T23:59:59Z"), 32'000);
  EXPECT_EQ(millis_of_price(book, ask(), "2026-06-01"), 22'000);
}

TEST(PriceBookTest, TimeBeforeTheFirstPriceUsesTheFirstAndSaysSo) {
  const PriceBook book = book_of("aws,us-east-1,,p4d.24xlarge,,on-demand,32,2025-01-01,old\naws,us-east-1,,p4d.24xlarge,,on-demand,22,2026-06-01,new\n");
  const auto answer = book.price_of(ask(), *parse_time("2024-01-01"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->entry.rate.nanos_per_unit_hour, 32'000'000'000);
  EXPECT_EQ(answer->source, "old of 2025-01-01 (first price known, used for earlier time)");
}

TEST(PriceBookTest, SpotIsNeverAnsweredWithTheListPrice) {
  PriceQuestion question = ask();
  question.capacity_kind = "spot";
  EXPECT_EQ(millis_of_price(book_of("aws,us-east-1,,p4d.24xlarge,,on-demand,22,,\n"), question), -1);
  const PriceBook book = book_of("aws,us-east-1,,p4d.24xlarge,,on-demand,22,,\naws,us-east-1,,p4d.24xlarge,,spot,7.5,,\n");
  EXPECT_EQ(millis_of_price(book, question), 7'500);
  EXPECT_EQ(book.price_of(question, TimePoint{})->list->rate.nanos_per_unit_hour, 22'000'000'000) << "the list price comes along";
}

TEST(PriceBookTest, ReservedPaysTheListPriceUntilTheBillComes) {
  PriceQuestion question = ask();
  question.capacity_kind = "reserved";
  const auto answer = book_of("aws,us-east-1,,p4d.24xlarge,,on-demand,22,,list\n").price_of(question, TimePoint{});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->source, "list, commitment not known");
}

TEST(PriceBookTest, UnknownTypeIsNotFoundAndSaysWhatToImport) {
  const auto answer = PriceBook::built_in().price_of({"aws", "us-east-1", "", "", "p99.metal", "", "on-demand"}, TimePoint{});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::kNotFound);
  EXPECT_NE(answer.error().message.find("p99.metal"), std::string::npos);
  EXPECT_NE(answer.error().hint.find("prices import"), std::string::npos);
}

TEST(PriceBookTest, BuiltInBookKnowsTheThreeClouds) {
  const PriceBook book = PriceBook::built_in();
  EXPECT_EQ(book.price_of({"aws", "us-east-1", "", "", "p4d.24xlarge", "", "on-demand"}, TimePoint{})->entry.rate.nanos_per_unit_hour, 21'957'642'000);
  for (const std::string_view provider : {"aws", "gcp", "azure"}) {
    EXPECT_TRUE(std::ranges::any_of(book.entries(), [&](const PriceEntry& e) { return e.provider == provider && e.gpu_millis > 0; })) << provider;
  }
}

TEST(PriceBookTest, CardsAreCountedInThousandths) {
  PriceBook book;
  const auto imported = book.import_csv("instance_type,price_hr,gpus\nwhole,1,8\neighth,1,0.125\nsixth,1,0.16667\nnegative,1,-1\nwords,1,two\n", "p.csv");
  ASSERT_TRUE(imported);
  ASSERT_EQ(book.entries().size(), 3u);
  EXPECT_EQ(book.entries()[0].gpu_millis, 8'000);
  EXPECT_EQ(book.entries()[1].gpu_millis, 125);
  EXPECT_EQ(book.entries()[2].gpu_millis, 167) << "rounded";
  ASSERT_EQ(imported->refused.size(), 2u);
  EXPECT_EQ(imported->refused[0], "p.csv:5: amount is absurd: -1");
}

TEST(PriceBookTest, UnitRatesComeFromPlainInstances) {
  const UnitRates rates = PriceBook::built_in().unit_rates("aws", "us-east-1");
  EXPECT_EQ(rates.cpu.nanos_per_unit_hour, 33'000'000);
  EXPECT_EQ(rates.memory.nanos_per_unit_hour, 3'750'000);
}

TEST(PriceBookTest, UnitRatesOfAnUnknownCloudAreStatedDefaults) {
  const UnitRates rates = PriceBook().unit_rates("somewhere", "");
  EXPECT_GT(rates.cpu.nanos_per_unit_hour, 0);
  EXPECT_FALSE(rates.source.empty());
}

TEST(PriceImportTest, AbsurdPricesWithoutAPlaceAreRefusedToo) {
  PriceBook book = PriceBook::built_in();
  const auto report = book.import_csv("instance_type,on_demand_usd_hr\np4d.24xlarge,9999\np4d.24xlarge,18.5\n", "mine.csv");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->accepted, 1u);
  ASSERT_EQ(report->refused.size(), 1u);
  EXPECT_NE(report->refused[0].find("mine.csv:2"), std::string::npos) << report->refused[0];
}

TEST(PriceImportTest, AbsurdPricesAreRefusedAndListedWithTheirLine) {
  PriceBook book = PriceBook::built_in();
  const std::size_t before = book.entries().size();
  const auto imported = book.import_csv(
      "provider,region,instance_type,on_demand_usd_hr\n"
      "aws,us-east-1,p4d.24xlarge,21.5\n"
      "aws,us-east-1,p4d.24xlarge,2195.7642\n"
      "aws,us-east-1,p4d.24xlarge,0.0021\n"
      "aws,us-east-1,p4d.24xlarge,0\n",
      "mine.csv");
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->accepted, 1u);
  ASSERT_EQ(imported->refused.size(), 3u);
  EXPECT_EQ(imported->refused[0], "mine.csv:3: price is 30 times or more off the book: p4d.24xlarge 2195.764200000");
  EXPECT_TRUE(imported->refused[1].starts_with("mine.csv:4: "));
  EXPECT_TRUE(imported->refused[2].starts_with("mine.csv:5: "));
  EXPECT_EQ(book.entries().size(), before + 1);
}

TEST(PriceImportTest, DeepSpotDiscountsAreBelieved) {
  PriceBook book = PriceBook::built_in();
  const auto imported = book.import_csv("provider,region,zone_id,instance_type,on_demand_usd_hr,spot_usd_hr\naws,us-east-1,use1-az4,p5.48xlarge,55.04,10.24\n", "s.csv");
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->accepted, 2u);
}

TEST(PriceImportTest, BadLinesAreRefusedOneByOne) {
  PriceBook book;
  const auto imported = book.import_csv(
      "instance_type,price_hr,currency,valid_from\n"
      "a,1.5,,\n"
      "b,cheap,,\n"
      "c,-1,,\n"
      "d,,,\n"
      ",2,,\n"
      "e,1,DOLLARS,\n"
      "f,1,,yesterday\n"
      "g,9999999999,,\n"
      "h,1,EUR,2026-01-01\n",
      "p.csv");
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->accepted, 2u);
  ASSERT_EQ(imported->refused.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_TRUE(imported->refused[i].starts_with("p.csv:" + std::to_string(i + 3) + ": ")) << imported->refused[i];
}

TEST(PriceImportTest, CapacityKindsAreReadAsPeopleWriteThem) {
  PriceBook book;
  const auto imported = book.import_csv("instance_type,price_hr,capacity_kind\na,1,Spot\nb,2,ON_DEMAND\nc,3,OnDemand\nd,4,Reserved\ne,5,preemptible\n", "p.csv");
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->accepted, 4u);
  EXPECT_EQ(book.entries()[0].capacity_kind, "spot");
  EXPECT_EQ(book.entries()[1].capacity_kind, "on-demand");
  EXPECT_EQ(book.entries()[2].capacity_kind, "on-demand");
  EXPECT_EQ(book.entries()[3].capacity_kind, "reserved");
  EXPECT_EQ(imported->refused.at(0), "p.csv:6: capacity kind is not on-demand, spot or reserved: preemptible");
}

TEST(PriceImportTest, FilesThatAreNoPriceListsAreErrors) {
  for (const char* text : {"", "\n\n", "a,b,c\n1,2,3\n", "instance_type,colour\nx,red\n", "price_hr\n1\n", "instance_type,price_hr\n\"open,1\n"}) {
    PriceBook book;
    EXPECT_FALSE(book.import_csv(text, "p.csv")) << text;
    EXPECT_TRUE(book.entries().empty());
  }
}

TEST(PriceImportTest, HugeFilesAreRefusedUnread) {
  PriceBook book;
  EXPECT_EQ(book.import_csv(std::string((64u << 20) + 1, 'x'), "p.csv").error().code, Code::kTooLarge);
}

TEST(PriceImportTest, ColumnOrderCaseAndMarksDoNotMatter) {
  PriceBook book;
  const auto imported = book.import_csv("\xef\xbb\xbfPrice_Hr,note,Instance_Type\r\n3.5,\"a, b\",x1\r\n", "p.csv");
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->accepted, 1u);
  EXPECT_EQ(book.entries()[0].rate.nanos_per_unit_hour, 3'500'000'000);
}

TEST(PriceImportTest, OneLineMayGiveListAndSpot) {
  PriceBook book;
  EXPECT_EQ(book.import_csv("instance_type,on_demand_usd_hr,spot_usd_hr\nx,3,1\n", "p.csv")->accepted, 2u);
  EXPECT_EQ(book.entries()[0].capacity_kind, "on-demand");
  EXPECT_EQ(book.entries()[1].capacity_kind, "spot");
}

}  // namespace
}  // namespace seedance
