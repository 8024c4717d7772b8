// How results are to look: decided once from options, environment and terminal.
#pragma once

#include <cstddef>

#include "model/language.h"

namespace seedance {

struct Presentation {
  Language language = Language::kEnglish;
  bool on_terminal = false;    // fold long tables and fit them to `width`; piped output is never shortened
  std::size_t width = 80;
  bool colour = false;
  bool utf8 = false;           // the locale shows more than ASCII
  bool headers = true;
  bool quiet = false;          // errors only on stderr
};

}  // namespace seedance
