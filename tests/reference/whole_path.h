// One server without a network: intake, books and ledger in memory, fed with text as an import is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/books.h"
#include "app/intake/text_import.h"

namespace seedance {

class WholePath {
 public:
  PriceBook book = PriceBook::built_in();

  explicit WholePath(BooksOptions options = {}) {
    IntakeOptions intake_options;
    intake_options.accept_any_age = true;
    intake_ = SampleIntake::open("", Catalogue{}, intake_options, clock_, counters_).value();
    books_ = std::make_unique<Books>(*intake_, ledger_, std::move(options));
  }

  // OpenMetrics text with time stamps.
  IntakeAnswer import(const std::string& text) {
    TextImport importer(*intake_);
    EXPECT_TRUE(importer.feed(text).has_value());
    const auto report = importer.finish();
    EXPECT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->answer.samples_refused, 0u) << report->answer.first_reason;
    return report->answer;
  }
  ClusterHour gather(TimePoint hour) const { return books_->gather(hour, book); }
  std::vector<LedgerRow> rows() {
    EXPECT_TRUE(books_->settle(book, true).has_value());
    return ledger_.read_rows({TimePoint::min(), TimePoint::max()}).value();
  }
  const SampleIntake& intake() const { return *intake_; }

 private:
  ManualClock clock_{time_from_seconds(1'796'047'200)};
  Counters counters_;
  std::unique_ptr<SampleIntake> intake_;
  Ledger ledger_{std::make_unique<MemoryLedger>()};
  std::unique_ptr<Books> books_;
};

// Lines of OpenMetrics text, one sample each, at whole seconds.
class MetricLines {
 public:
  MetricLines& at(std::int64_t second, const std::string& series, const std::string& value) {
    text_ += series + " " + value + " " + std::to_string(second) + "\n";
    return *this;
  }
  // A level that is seen every `every_s` seconds, at both ends too.
  MetricLines& hold(std::int64_t from_s, std::int64_t to_s, const std::string& series, const std::string& value = "1", std::int64_t every_s = 60) {
    for (std::int64_t t = from_s; t <= to_s; t += every_s) at(t, series, value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace seedance
