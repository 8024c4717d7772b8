// The price book of a running program: built in, imported files of the store, configured files; replaced as a whole.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/time_zone.h"
#include "json/value.h"
#include "model/ledger.h"
#include "pricing/price_book.h"

namespace seedance {

class PriceService {
 public:
  // `directory` empty: imports are not kept. Reads the files that were imported there before, then `configured_files`.
  static Result<std::unique_ptr<PriceService>> open(const std::string& directory, const std::vector<std::string>& configured_files,
                                                    PriceBookOptions options);

  std::shared_ptr<const PriceBook> book() const;  // any thread; an immutable snapshot

  // Reads everything anew, with other configured files. Nothing changes on an error.
  Result<void> reload(const std::vector<std::string>& configured_files, PriceBookOptions options);

  // Checks, keeps a copy under the directory, and puts the new book in force. Nothing changes on an error.
  Result<PriceImport> import_csv(std::string_view text, std::string_view file_name);

 private:
  PriceService(std::string directory, PriceBook book);
  std::string directory_;
  mutable std::mutex mutex_;  // guards book_ and next_file_
  std::shared_ptr<const PriceBook> book_;
  std::size_t next_file_ = 1;
};

struct PriceListQuestion {
  std::string provider;       // each empty: all
  std::string region;
  std::string instance_type;  // prefix
};
std::vector<PriceEntry> list_prices(const PriceBook& book, const PriceListQuestion& question);

// Prices and the zone in which their days are shown.
struct PriceList {
  std::vector<PriceEntry> entries;
  TimeZone zone;
};

Json price_list_json(const PriceList& list);
PriceList price_list_from_json(const Json& json);

// Why a node costs what it costs: what was known of it, which entry answered, how the price divides by each method.
struct PriceExplanation {
  std::string node;
  PriceQuestion question;
  bool is_priced = false;
  std::string source;         // or why there is no price
  std::string hint;
  std::string currency;
  HourlyRate rate;
  struct Division {
    SplitMethod method = SplitMethod::kResidual;
    HourlyRate per_core;
    HourlyRate per_gib;
    HourlyRate per_gpu;
    Money cpu, memory, gpu;   // per hour, sum = rate
  };
  std::vector<Division> divisions;
  std::int64_t cpu_millis = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpu_millis = 0;
};
// When the question has a node name that the ledger did not know, `complete_question` takes it for an instance type or a node of the
// book and fills in the place of its first entry; kNotFound when the book has neither.
Result<PriceQuestion> complete_question(const PriceBook& book, PriceQuestion question, const std::string& asked);
PriceExplanation explain_price(const PriceBook& book, const PriceQuestion& question, TimePoint at);
Json price_explanation_json(const PriceExplanation& explanation);
Result<PriceExplanation> price_explanation_from_json(const Json& json);

}  // namespace seedance
