#include "base/csv.h"

#include <random>

#include <gtest/gtest.h>

namespace seedance {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> rows_of(std::string_view text) {
  std::vector<Row> out;
  const auto read = read_csv(text, [&](std::size_t, const Row& fields) -> Result<void> {
    out.push_back(fields);
    return {};
  });
  EXPECT_TRUE(read) << read.error().message;
  return out;
}

std::vector<std::size_t> lines_of_rows(std::string_view text) {
  std::vector<std::size_t> out;
  ignore(read_csv(text, [&](std::size_t line, const Row&) -> Result<void> {
           out.push_back(line);
           return {};
         }), "only the lines are asked");
  return out;
}

Result<void> read_all(std::string_view text) {
  return read_csv(text, [](std::size_t, const Row&) -> Result<void> { return {}; });
}

TEST(CsvTest, ReadsPlainRows) {
  EXPECT_EQ(rows_of("a,b\n1,2\n"), (std::vector<Row>{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("a,b"), (std::vector<Row>{{"a", "b"}})) << "the last line may lack its end";
  EXPECT_TRUE(rows_of("").empty());
}

TEST(CsvTest, EmptyFieldsCount) {
  EXPECT_EQ(rows_of(",,\n"), (std::vector<Row>{{"", "", ""}}));
  EXPECT_EQ(rows_of("a,"), (std::vector<Row>{{"a", ""}}));
}

TEST(CsvTest, CarriageReturnsBelongToTheLineEnd) { EXPECT_EQ(rows_of("a,b\r\n1,2\r\n"), (std::vector<Row>{{"a", "b"}, {"1", "2"}})); }

TEST(CsvTest, ByteOrderMarkIsNotPartOfTheFirstName) { EXPECT_EQ(rows_of("\xef\xbb\xbfname\nx\n"), (std::vector<Row>{{"name"}, {"x"}})); }

TEST(CsvTest, QuotedFieldsHoldCommasQuotesAndLineEnds) {
  EXPECT_EQ(rows_of("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\n"), (std::vector<Row>{{"a,b", "say \"hi\"", "two\nlines"}}));
}

TEST(CsvTest, EmptyLinesAreSkippedAndStillCounted) {
  EXPECT_EQ(rows_of("a\n\n\r\nb\n"), (std::vector<Row>{{"a"}, {"b"}}));
  EXPECT_EQ(lines_of_rows("a\n\n\nb\n"), (std::vector<std::size_t>{1, 4}));
}

TEST(CsvTest, LineNumbersPassOverQuotedLineEnds) { EXPECT_EQ(lines_of_rows("h\n\"x\ny\nz\"\nlast\n"), (std::vector<std::size_t>{1, 2, 5})); }

TEST(CsvTest, OpenQuoteNamesTheLineWhereItBegan) {
  const auto read = read_all("a\n\"open\nand on\n");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("line 2"), std::string::npos) << read.error().message;
}

TEST(CsvTest, TextBehindAClosedQuoteIsAnError) { EXPECT_FALSE(read_all("\"a\"b,c\n")); }

TEST(CsvTest, HugeFieldsAndRowsAreRefused) {
  EXPECT_TRUE(read_all(std::string(65'536, 'x')));
  EXPECT_EQ(read_all(std::string(65'537, 'x')).error().code, Code::kTooLarge);
  EXPECT_TRUE(read_all(std::string(999, ',')));
  EXPECT_EQ(read_all(std::string(1'000, ',')).error().code, Code::kTooLarge);
}

TEST(CsvTest, FirstErrorOfTheReaderEndsIt) {
  int seen = 0;
  const auto read = read_csv("1\n2\n3\n", [&](std::size_t line, const Row&) -> Result<void> {
    ++seen;
    if (line == 2) return fail(Code::kInvalid, "no twos");
    return {};
  });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "no twos");
  EXPECT_EQ(seen, 2);
}

TEST(CsvFieldTest, FormulasAreMadeHarmless) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  EXPECT_EQ(csv_field("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_field("-2+3"), "'-2+3");
  EXPECT_EQ(csv_field("\tx"), "'\tx");
  EXPECT_EQ(csv_field("\rx"), "\"'\rx\"");
  EXPECT_EQ(csv_field("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
}

TEST(CsvFieldTest, NumbersStayNumbers) {
  for (const char* text : {"-5", "+5", "-0.000000001", "12,846.20", "0"}) EXPECT_EQ(csv_field(text).find('\''), std::string::npos) << text;
}

TEST(CsvFieldTest, QuotesOnlyWhenNeeded) {
  EXPECT_EQ(csv_field("team-a"), "team-a");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
}

TEST(CsvFieldTest, ReadGivesBackWhatWasWrittenForAnyBytes) {
  std::mt19937_64 random(6);
  constexpr std::string_view kAlphabet = "ab,\"\r\n \t;=+-@1.\x7f\xc3";
  for (int round = 0; round < 20'000; ++round) {
    Row row{"id"};
    std::string line = "id";
    for (std::size_t i = 1 + random() % 4; i > 0; --i) {
      std::string field;
      for (std::size_t k = random() % 8; k > 0; --k) field.push_back(kAlphabet[random() % kAlphabet.size()]);
      const std::string written = csv_field(field);
      line += "," + written;
      const bool defused = written.starts_with("'") || written.starts_with("\"'");
      row.push_back(defused && !field.starts_with("'") ? "'" + field : field);
    }
    ASSERT_EQ(rows_of(line + "\r\n"), (std::vector<Row>{row})) << line;
  }
}

}  // namespace
}  // namespace seedance
