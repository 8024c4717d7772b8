#include "ingest/write_body.h"

#include <gtest/gtest.h>
#include <snappy.h>

namespace seedance {
namespace {

std::string packed(std::string_view plain) {
  std::string out;
  snappy::Compress(plain.data(), plain.size(), &out);
  return out;
}

TEST(WriteBodyTest, GivesBackWhatWasPacked) {
  const std::string plain(100'000, 'x');
  const auto result = decompress_snappy(packed(plain));
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, plain);
}

TEST(WriteBodyTest, OneZeroByteIsAnEmptyRequest) {
  const auto result = decompress_snappy(std::string_view("\0", 1));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->empty());
}

TEST(WriteBodyTest, NothingAtAllIsInvalid) { EXPECT_EQ(decompress_snappy("").error().code, Code::kInvalid); }

TEST(WriteBodyTest, FramedFormatIsInvalidAndNamed) {
  const auto result = decompress_snappy(std::string_view("\xff\x06\x00\x00sNaPpY\x00\x00", 12));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::kInvalid);
  EXPECT_NE(result.error().message.find("framed"), std::string::npos);
}

TEST(WriteBodyTest, DeclaredFourGibibytesAreRefusedBeforeAllocation) {
  EXPECT_EQ(decompress_snappy("\xff\xff\xff\xff\x0f????????").error().code, Code::kTooLarge);
}

TEST(WriteBodyTest, TheLimitItselfIsAllowed) {
  const std::string wire = packed(std::string(1000, 'y'));
  EXPECT_TRUE(decompress_snappy(wire, 1000));
  EXPECT_EQ(decompress_snappy(wire, 999).error().code, Code::kTooLarge);
}

TEST(WriteBodyTest, EveryTruncationIsInvalid) {
  const std::string wire = packed("a body that is not quite short enough to be a single literal, a body that repeats");
  for (std::size_t length = 0; length < wire.size(); ++length) {
    EXPECT_FALSE(decompress_snappy(std::string_view(wire).substr(0, length))) << length;
  }
}

TEST(WriteBodyTest, LengthOffByOneIsInvalid) {
  std::string wire = packed("twelve bytes");
  ++wire[0];
  EXPECT_EQ(decompress_snappy(wire).error().code, Code::kInvalid);
}

}  // namespace
}  // namespace seedance
