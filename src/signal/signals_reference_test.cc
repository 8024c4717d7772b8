// docs/signals.md is the table that the program uses. SEEDANCE_UPDATE=1 writes it anew.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "signal/catalogue.h"

namespace seedance {
namespace {

std::string scale_text(const SignalBinding& binding) {
  std::ostringstream out;
  out << binding.scale;
  return binding.scale == 1 ? "" : "x " + out.str();
}

std::string signals_reference() {
  std::string out =
      "# Signals\n\n"
      "What Seedance reads, by the name on the wire. Counters are known with and without `_total`, DCGM names also in lower case. DCGM's\n"
      "blank values are missing, not numbers. More metrics: `signals:` in the configuration maps a name to one of the signals below.\n\n"
      "| metric | exporter | signal | unit | kind | value |\n|---|---|---|---|---|---|\n";
  constexpr std::string_view kKinds[] = {"gauge", "counter", "state"};
  const Catalogue catalogue;
  for (const SignalBinding& b : catalogue.bindings()) {
    const Signal& s = signal_of(b.signal);
    out += "| `" + b.metric + "` | " + b.exporter + " | " + std::string(s.name) + " | " + std::string(s.unit) + " | " +
           std::string(kKinds[static_cast<std::size_t>(s.kind)]) + " | " + scale_text(b) + " |\n";
  }
  return out;
}

TEST(SignalsReferenceTest, TheDocumentIsTheTable) {
  const std::string path = std::string(SEEDANCE_SOURCE_DIR) + "/docs/signals.md";
  if (std::getenv("SEEDANCE_UPDATE") != nullptr) std::ofstream(path) << signals_reference();
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), signals_reference()) << "run with SEEDANCE_UPDATE=1";
}

}  // namespace
}  // namespace seedance
