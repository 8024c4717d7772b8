#include "net/pem_file.h"

#include <fstream>
#include <sstream>

namespace seedance {

Result<std::string> read_pem_file(const std::string& file, std::string_view what) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  if (!in || out.str().empty()) {
    return fail(Code::kInvalid, "cannot read the " + std::string(what) + ": " + file, "check the path and the rights of the file");
  }
  return out.str();
}

}  // namespace seedance
