// A disk that is full: samples are refused with "later", nothing acknowledged is lost, and it goes on when there is room again.
// A limit on the size of files stands for the full disk: the write fails in the same place with the same consequences.
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "app/intake/sample_intake.h"
#include "app/made_samples.h"

namespace seedance {
namespace {

class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(FullDiskTest, RefusesUntilThereIsRoomAndLosesNothingThatWasAcknowledged) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "seedance_full_disk";
  std::filesystem::remove_all(folder);
  ManualClock clock(time_from_millis(kMadeHourMs + 3'600'000));
  Counters counters;
  const auto open = [&] { return SampleIntake::open(folder.string(), Catalogue{}, {}, clock, counters).value(); };
  MadeSamples samples;
  samples.node("n1", "m5.xlarge", 4, 16, 0, 3'000);
  const std::vector<std::string> bodies = samples.bodies();
  std::size_t acknowledged = 0;
  {
    const std::unique_ptr<SampleIntake> intake = open();
    std::size_t refused = 0;
    {
      const FileSizeLimit limit(8 << 10);
      for (const std::string& body : bodies) {
        const Result<IntakeAnswer> answer = intake->take(body);
        if (answer) {
          acknowledged += answer->samples_kept;
          continue;
        }
        ++refused;
        EXPECT_EQ(answer.error().code, Code::kExhausted) << answer.error().message;
      }
      EXPECT_FALSE(intake->is_log_writable());
    }
    EXPECT_GT(acknowledged, 0u);
    EXPECT_GT(refused, 0u);
    EXPECT_EQ(intake->kept_samples(), acknowledged) << "what was refused is not kept";
    const Result<IntakeAnswer> later = intake->take(bodies.back());
    ASSERT_TRUE(later) << later.error().message;
    acknowledged += later->samples_kept;
    EXPECT_TRUE(intake->is_log_writable());
  }
  EXPECT_EQ(open()->kept_samples(), acknowledged) << "after a restart";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace seedance
