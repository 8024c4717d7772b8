// A file layer in memory that forgets, for tests: after a power cut only what had been synced is certain.
//
// Of bytes behind the last sync a seeded part survives, page by page, in any order; the rest of the file's length reads as zeros or is
// gone. Files made, renamed or removed since their folder was synced are there or not. `fail_after(n)` lets n operations
// succeed and then fails everything: the moment at which the power goes, in the middle of whatever was being done.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "store/log/file_layer.h"

namespace seedance {

class ForgetfulFiles final : public FileLayer {
 public:
  void fail_after(std::size_t operations) {
    const std::lock_guard lock(mutex_);
    left_ = operations;
  }
  std::size_t operations() const {
    const std::lock_guard lock(mutex_);
    return operations_;
  }

  // What the disk holds when the power is back.
  void power_cut(std::mt19937_64& random) {
    const std::lock_guard lock(mutex_);
    left_ = SIZE_MAX;
    is_locked_ = false;
    std::map<std::string, std::shared_ptr<Node>> kept;
    // Each name that differs between the two folders took the change or not.
    for (const auto& [name, node] : on_disk_) {
      if (names_.contains(name) && names_.at(name) == node) kept.emplace(name, node);
      else if (random() % 2 == 0 && !names_.contains(name)) kept.emplace(name, node);
    }
    for (const auto& [name, node] : names_) {
      if (kept.contains(name)) continue;
      const auto old = on_disk_.find(name);
      if (random() % 2 == 0) kept.emplace(name, node);
      else if (old != on_disk_.end()) kept.emplace(name, old->second);
    }
    for (auto& [name, node] : kept) {
      auto survivor = std::make_shared<Node>();
      survivor->content = survivor->synced = after_cut(*node, random);
      node = survivor;
    }
    names_ = on_disk_ = kept;
  }

  Result<void> make_folder(const std::string&) override { return step(); }
  Result<std::vector<std::string>> list(const std::string& folder) override {
    TRY(step());
    const std::lock_guard lock(mutex_);
    std::vector<std::string> out;
    for (const auto& [name, node] : names_) {
      if (name.starts_with(folder + "/")) out.push_back(name.substr(folder.size() + 1));
    }
    return out;
  }
  Result<std::string> read(const std::string& path) override {
    TRY(step());
    const std::lock_guard lock(mutex_);
    const auto at = names_.find(path);
    if (at == names_.end()) return fail(Code::kNotFound, "no such file");
    return at->second->content;
  }
  Result<std::string> read_part(const std::string& path, std::uint64_t offset, std::size_t size) override {
    TRY_ASSIGN(const std::string all, read(path));
    return offset < all.size() ? all.substr(offset, size) : std::string{};
  }
  Result<std::unique_ptr<AppendFile>> open_append(const std::string& path) override {
    TRY(step());
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Node>& node = names_[path];
    if (!node) node = std::make_shared<Node>();
    return std::make_unique<File>(*this, node);
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    TRY(step());
    const std::lock_guard lock(mutex_);
    names_[to] = names_.at(from);
    names_.erase(from);
    return {};
  }
  Result<void> remove(const std::string& path) override {
    TRY(step());
    const std::lock_guard lock(mutex_);
    names_.erase(path);
    return {};
  }
  Result<void> sync_folder(const std::string&) override {
    TRY(step());
    const std::lock_guard lock(mutex_);
    on_disk_ = names_;
    return {};
  }
  Result<std::shared_ptr<void>> lock(const std::string&) override {
    TRY(step());
    const std::lock_guard lock(mutex_);
    if (is_locked_) return fail(Code::kConflict, "locked");
    is_locked_ = true;
    return std::shared_ptr<void>(nullptr, [this](void*) { is_locked_ = false; });
  }

 private:
  struct Node {
    std::string content;
    std::string synced;
  };
  class File final : public AppendFile {
   public:
    File(ForgetfulFiles& files, std::shared_ptr<Node> node) : files_(files), node_(std::move(node)) {}
    Result<void> append(std::string_view head, std::string_view body) override {
      const Result<void> done = files_.step();
      const std::lock_guard lock(files_.mutex_);
      // The power may go in the middle of a write.
      const std::string all = std::string(head) + std::string(body);
      node_->content += done ? all : all.substr(0, all.size() / 2);
      return done;
    }
    Result<void> cut(std::size_t size) override {
      TRY(files_.step());
      const std::lock_guard lock(files_.mutex_);
      node_->content.resize(size);
      return {};
    }
    Result<void> sync() override {
      TRY(files_.step());
      const std::lock_guard lock(files_.mutex_);
      node_->synced = node_->content;
      return {};
    }

   private:
    ForgetfulFiles& files_;
    std::shared_ptr<Node> node_;
  };

  Result<void> step() {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return fail(Code::kUnavailable, "the power is gone");
    if (left_ != SIZE_MAX) --left_;
    ++operations_;
    return {};
  }

  // The synced bytes, then pages of what came after: each there or zero, and the length anywhere between.
  static std::string after_cut(const Node& node, std::mt19937_64& random) {
    constexpr std::size_t kPage = 512;
    const bool was_cut = node.content.size() < node.synced.size();
    if (was_cut) return random() % 2 == 0 ? node.content : node.synced;
    std::string out = node.synced;
    const std::size_t more = node.content.size() - node.synced.size();
    const std::size_t length = node.synced.size() + (more == 0 ? 0 : random() % (more + 1));
    for (std::size_t at = node.synced.size(); at < length; at += kPage) {
      const std::size_t size = std::min(kPage, length - at);
      out += random() % 3 == 0 ? std::string(size, '\0') : node.content.substr(at, size);
    }
    return out;
  }

  mutable std::mutex mutex_;  // guards everything below
  std::map<std::string, std::shared_ptr<Node>> names_;    // as programs see the folders
  std::map<std::string, std::shared_ptr<Node>> on_disk_;  // as they were synced
  std::size_t left_ = SIZE_MAX;
  std::size_t operations_ = 0;
  bool is_locked_ = false;
};

}  // namespace seedance
