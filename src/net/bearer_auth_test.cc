#include "net/bearer_auth.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace seedance {
namespace {

class BearerAuthTest : public testing::Test {
 protected:
  BearerAuthTest() : file_(std::filesystem::temp_directory_path() / ("seedance_tokens_test_" + std::to_string(getpid()))) {
    write("# tokens of the test\nread-token reader\nwrite-token writer  # the agent\n\nadmin-token admin\n");
  }
  ~BearerAuthTest() override { std::filesystem::remove(file_); }
  void write(std::string_view text) { std::ofstream(file_) << text; }

  const std::filesystem::path file_;
};

TEST_F(BearerAuthTest, TokenHasItsRoleAndAdminHasAll) {
  const auto auth = std::move(*BearerAuth::open(file_));
  EXPECT_TRUE(auth->authorize("Bearer read-token", Role::kReader));
  EXPECT_TRUE(auth->authorize("bearer write-token", Role::kWriter));
  for (const Role role : {Role::kReader, Role::kWriter, Role::kAdmin}) EXPECT_TRUE(auth->authorize("Bearer admin-token", role));
}

TEST_F(BearerAuthTest, ATokenMayHaveATenant) {
  write("a writer team-llm\nb writer # nobody's\n");
  const auto auth = std::move(*BearerAuth::open(file_));
  EXPECT_EQ(auth->tenant_of("Bearer a"), "team-llm");
  EXPECT_EQ(auth->tenant_of("Bearer b"), "");
  EXPECT_EQ(auth->tenant_of("Bearer c"), "");
  for (const char* bad : {"a writer team llm\n", "a writer team/llm\n"}) {
    write(bad);
    EXPECT_FALSE(BearerAuth::open(file_)) << bad;
  }
}

TEST_F(BearerAuthTest, RolesDoNotIncludeEachOther) {
  const auto auth = std::move(*BearerAuth::open(file_));
  const auto denied = auth->authorize("Bearer write-token", Role::kReader);
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, Code::kDenied);
  EXPECT_EQ(denied.error().message, "the token has role writer, needed is reader");
  EXPECT_EQ(auth->role_of("Bearer write-token"), Role::kWriter);
}

TEST_F(BearerAuthTest, AnythingElseIsDeniedWithoutRepeatingIt) {
  const auto auth = std::move(*BearerAuth::open(file_));
  for (const std::string_view header :
       {"", "Bearer", "Bearer ", "Basic read-token", "read-token", "Bearer read-toke", "Bearer read-token x"}) {
    const auto denied = auth->authorize(header, Role::kReader);
    ASSERT_FALSE(denied) << header;
    EXPECT_EQ(denied.error().code, Code::kDenied);
    EXPECT_EQ(denied.error().message.find("read-tok"), std::string::npos);
  }
}

TEST_F(BearerAuthTest, ChangedFileIsReadAgain) {
  const auto auth = std::move(*BearerAuth::open(file_));
  write("new-token reader\n");
  EXPECT_TRUE(auth->authorize("Bearer new-token", Role::kReader));
  EXPECT_FALSE(auth->authorize("Bearer read-token", Role::kReader));
}

TEST_F(BearerAuthTest, BrokenOrMissingFileKeepsTheOldTokens) {
  const auto auth = std::move(*BearerAuth::open(file_));
  write("read-token king\n");
  EXPECT_TRUE(auth->authorize("Bearer read-token", Role::kReader));
  std::filesystem::remove(file_);
  EXPECT_TRUE(auth->authorize("Bearer read-token", Role::kReader));
}

TEST_F(BearerAuthTest, EmptyFileAllowsNobody) {
  write("# nobody\n");
  const auto auth = std::move(*BearerAuth::open(file_));
  EXPECT_FALSE(auth->authorize("Bearer read-token", Role::kReader));
}

TEST_F(BearerAuthTest, MistakeInTheFileNamesTheLineNotTheToken) {
  write("a-token reader\nsecret-token king\n");
  const auto auth = BearerAuth::open(file_);
  ASSERT_FALSE(auth);
  EXPECT_NE(auth.error().message.find("line 2"), std::string::npos);
  EXPECT_EQ(auth.error().message.find("secret"), std::string::npos);
}

TEST_F(BearerAuthTest, MissingFileIsAnError) { EXPECT_FALSE(BearerAuth::open("/nowhere/tokens")); }

}  // namespace
}  // namespace seedance
