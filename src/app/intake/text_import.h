// Imports OpenMetrics text with time stamps, plain or gzip, through the same door as remote write.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/intake/sample_intake.h"

namespace seedance {

struct TextImportReport {
  std::uint64_t lines = 0;
  std::uint64_t samples = 0;
  IntakeAnswer answer;  // summed
};

class TextImport {
 public:
  explicit TextImport(SampleIntake& intake, const SampleSource& source = {});
  ~TextImport();

  // A piece of the file, of any size; gzip is recognised by its first two bytes. The first error ends the import; what came before it
  // has been kept, and importing the mended file again counts nothing twice.
  Result<void> feed(std::string_view bytes);
  Result<TextImportReport> finish();

  std::uint64_t samples() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole file; `on_progress` gets bytes read so far and in all.
Result<TextImportReport> import_text_file(SampleIntake& intake, const std::string& path,
                                          const std::function<void(std::uint64_t, std::uint64_t)>& on_progress);

}  // namespace seedance
