// The command line as a function, so that tests run it in their own process.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

namespace seedance {

// What a command sees of the process. Results go to `out`, everything else to `err`.
struct CliStreams {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::size_t columns = 80;
  std::string version = "dev";
  std::function<std::string(const std::string&)> environment = {};  // a variable's value, empty when it is not set

  std::string variable(const std::string& name) const { return environment ? environment(name) : std::string{}; }
};

// Standard streams, terminal and environment of this process.
CliStreams process_streams(std::string version);

// Exit status: 0 fine, 1 findings or differences (books that do not close, refused lines), 2 wrong use or bad input, 3 server, network or
// store.
int run_cli(int argc, char** argv, const CliStreams& streams);

}  // namespace seedance
