// Storage that only grows: copies small runs of values into large chunks and hands out pointers that stay valid.
//
// A table of a million series would otherwise pay one heap block (16 to 32 bytes of overhead) for every string it keeps.
// Nothing is ever given back alone; `clear()` forgets everything but keeps one chunk, so that a reused arena does not
// allocate again. Only for trivially copyable types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace seedance {

template <typename T>
class Arena {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Arena(std::size_t chunk_size = std::size_t{64} * 1024) : chunk_size_(chunk_size) {}

  // A copy that lives as long as the arena, or until `clear()`.
  std::span<const T> copy(std::span<const T> values) {
    if (values.empty()) return {};
    if (chunks_.empty() || chunks_.back().size - used_ < values.size()) add_chunk(values.size());
    T* const target = chunks_.back().data.get() + used_;
    std::copy(values.begin(), values.end(), target);
    used_ += values.size();
    return {target, values.size()};
  }

  void clear() {
    if (chunks_.size() > 1) chunks_.resize(1);
    used_ = 0;
    bytes_ = chunks_.empty() ? 0 : chunks_.front().size * sizeof(T);
  }

  std::size_t bytes() const { return bytes_; }  // of all chunks

 private:
  struct Chunk {
    std::unique_ptr<T[]> data;
    std::size_t size = 0;
  };

  void add_chunk(std::size_t least) {
    const std::size_t size = std::max(least, chunk_size_);
    chunks_.push_back({std::unique_ptr<T[]>(new T[size]), size});
    used_ = 0;
    bytes_ += size * sizeof(T);
  }

  std::size_t chunk_size_;
  std::size_t used_ = 0;  // values taken from the last chunk
  std::size_t bytes_ = 0;
  std::vector<Chunk> chunks_;
};

}  // namespace seedance
