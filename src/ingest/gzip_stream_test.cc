#include "ingest/gzip_stream.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace seedance {
namespace {

std::string gzipped(std::string_view plain) {
  z_stream zlib{};
  EXPECT_EQ(deflateInit2(&zlib, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&zlib, plain.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  zlib.avail_in = static_cast<uInt>(plain.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&zlib, Z_FINISH), Z_STREAM_END);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

Result<std::string> gunzip(std::string_view packed, std::size_t limit, std::size_t piece = SIZE_MAX) {
  std::string plain;
  GunzipStream stream(limit);
  const auto keep = [&](std::string_view bytes) -> Result<void> {
    plain += bytes;
    return {};
  };
  for (; !packed.empty(); packed.remove_prefix(std::min(piece, packed.size()))) TRY(stream.feed(packed.substr(0, piece), keep));
  TRY(stream.finish());
  return plain;
}

TEST(GzipStreamTest, PiecesOfAnySizeGiveTheSame) {
  const std::string plain = std::string(200'000, 'a') + "end";
  const std::string packed = gzipped(plain);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, packed.size()}) {
    const auto result = gunzip(packed, plain.size(), piece);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(*result, plain);
  }
}

TEST(GzipStreamTest, MembersFollowEachOther) { EXPECT_EQ(gunzip(gzipped("one ") + gzipped("two"), 100), "one two"); }

TEST(GzipStreamTest, OverTheLimitIsRefused) {
  EXPECT_EQ(gunzip(gzipped(std::string(100'001, 'a')), 100'000).error().code, Code::kTooLarge);
}

TEST(GzipStreamTest, EveryTruncationIsInvalid) {
  const std::string packed = gzipped("a few words that are packed");
  for (std::size_t length = 0; length < packed.size(); ++length) {
    const auto result = gunzip(packed.substr(0, length), 1000);
    ASSERT_FALSE(result) << length;
    EXPECT_EQ(result.error().code, Code::kInvalid);
  }
}

TEST(GzipStreamTest, DamageIsNoticedByTheChecksum) {
  std::string packed = gzipped("a few words that are packed");
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
  EXPECT_EQ(gunzip(packed, 1000).error().code, Code::kInvalid);
}

TEST(GzipStreamTest, ErrorOfTheTakerEndsTheStream) {
  GunzipStream stream(1000);
  const auto refuse = [](std::string_view) -> Result<void> { return fail(Code::kDenied, "no more"); };
  EXPECT_EQ(stream.feed(gzipped("x"), refuse).error().code, Code::kDenied);
}

TEST(GzipStreamTest, TellsGzipByItsFirstBytes) {
  EXPECT_TRUE(is_gzip(gzipped("")));
  EXPECT_FALSE(is_gzip("# HELP"));
  EXPECT_FALSE(is_gzip(""));
}

}  // namespace
}  // namespace seedance
