// A whole service in a folder of its own, with a clock that stands still and no network.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "api/routes.h"
#include "app/service.h"
#include "config/settings.h"

namespace seedance {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> next{0};
    path_ = std::filesystem::temp_directory_path() / ("seedance-test-" + std::to_string(::getpid()) + "-" + std::to_string(next++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct TestService {
  explicit TestService(TimePoint now, const std::function<void(Settings&)>& change = {}) : clock(now), service(make(change)), api(*service, nullptr) {}

  std::unique_ptr<Service> make(const std::function<void(Settings&)>& change) {
    Settings settings = default_settings();
    settings.store.directory = folder.path();
    if (change) change(settings);
    return Service::open(settings, clock, counters).value();
  }
  HttpResponse get(const std::string& path, HttpFields query = {}) {
    return api.handle({"GET", path, std::move(query), {}, "", "", "test"});
  }

  TemporaryFolder folder;
  ManualClock clock;
  Counters counters;
  std::unique_ptr<Service> service;
  Api api;
};

}  // namespace seedance
