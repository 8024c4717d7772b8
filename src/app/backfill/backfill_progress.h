// How far a back-fill is, in a small file, so that the same command goes on where a killed one stopped.
//
// FOLDER/<hash of what is filled from where>.json, replaced as a whole and synced after every stretch of time that is durable at its
// target. A file of something else, of a later version or a damaged one counts as none: samples are a set, fetching them again is only
// slower.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "model/sample.h"

namespace seedance {

// One back-fill; two that differ in any of these know nothing of each other.
struct BackfillKey {
  std::string source;  // address of the Prometheus, without credentials
  std::string target;  // address of our server, empty for the store in which the file lies
  std::string window;  // as it was typed: "7d" goes on behind what an earlier "7d" has brought
  Labels labels;       // that are added to the series
};

class BackfillProgress {
 public:
  // Reads the file when there is one. `restart` forgets it.
  static Result<BackfillProgress> open(std::string folder, const BackfillKey& key, bool restart);

  // The time of which everything is durable at the target.
  const std::optional<Interval>& done() const { return done_; }
  Result<void> save(Interval done);

 private:
  std::string folder_;
  std::string name_;
  std::string key_;  // as JSON
  std::optional<Interval> done_;
};

// "http://user:secret@host:9090/" -> "http://host:9090"
std::string address_to_show(std::string_view url);

}  // namespace seedance
