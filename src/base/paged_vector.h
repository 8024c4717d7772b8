// A vector that grows by pages: a million values never lie in memory twice while it grows, and at most one page is room to spare.
//
// A page is there when its first value is. References stay valid. Not thread-safe: one owner, who locks.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace seedance {

template <typename T>
class PagedVector {
 public:
  void push_back(T value) {
    if (size_ % kPage == 0) pages_.push_back(std::make_unique<T[]>(kPage));
    pages_.back()[size_ % kPage] = std::move(value);
    ++size_;
  }
  T& operator[](std::size_t index) { return pages_[index / kPage][index % kPage]; }
  const T& operator[](std::size_t index) const { return pages_[index / kPage][index % kPage]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t bytes() const { return pages_.size() * (kPage * sizeof(T) + sizeof(pages_[0])); }

 private:
  static constexpr std::size_t kPage = 4'096;

  std::vector<std::unique_ptr<T[]>> pages_;
  std::size_t size_ = 0;
};

}  // namespace seedance
