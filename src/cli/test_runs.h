// The command line run in the test's own process: words in, texts and exit status out; and a server that says what a test wants.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_cli.h"
#include "net/http_server.h"

namespace seedance {

struct CliOutcome {
  int status = 0;
  std::string out;
  std::string err;
};

inline CliOutcome run_words(std::vector<std::string> words, std::map<std::string, std::string> environment = {}, bool on_terminal = false) {
  words.insert(words.begin(), "seedancectl");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  std::ostringstream out;
  std::ostringstream err;
  CliStreams streams{out, err};
  streams.out_is_terminal = on_terminal;
  streams.version = "1.2.3";
  streams.environment = [&](const std::string& name) { return environment[name]; };
  const int status = run_cli(static_cast<int>(argv.size()), argv.data(), streams);
  return {status, out.str(), err.str()};
}

// A folder that is gone with the test.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "seedance-cli-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name = {}) const { return name.empty() ? path_ : path_ + "/" + name; }

 private:
  std::string path_;
};

// A server that answers one path with one text and keeps what it was asked.
class CannedServer {
 public:
  CannedServer(std::string path, HttpResponse response) : path_(std::move(path)), response_(std::move(response)) {
    server_ = HttpServer::start({}, [this](const HttpRequest& request) { return answer(request); }).value();
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
  HttpRequest last() {
    server_->stop();
    return last_;
  }

 private:
  HttpResponse answer(const HttpRequest& request) {
    last_ = request;
    if (request.path != path_) return {404, "application/problem+json", R"({"title":"Not found","detail":"no such path"})"};
    return response_;
  }
  std::string path_;
  HttpResponse response_;
  HttpRequest last_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace seedance
