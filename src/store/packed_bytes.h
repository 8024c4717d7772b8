// A string of bytes for tables of millions of them: short ones need no heap, longer ones grow by a quarter, and it takes 28 bytes itself.
//
// std::string takes 32, holds 15 without the heap and doubles. Not copyable; moved from, it is empty.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

namespace seedance {

class PackedBytes {
 public:
  PackedBytes() = default;
  explicit PackedBytes(std::string_view bytes) { append(bytes); }
  PackedBytes(PackedBytes&& other) noexcept { take(other); }
  PackedBytes& operator=(PackedBytes&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~PackedBytes() { release(); }

  void append(std::string_view bytes) {
    if (bytes.size() > capacity_ - size_) grow(size_ + bytes.size());
    if (!bytes.empty()) std::memcpy(begin() + size_, bytes.data(), bytes.size());
    size_ += static_cast<std::uint32_t>(bytes.size());
  }
  std::string_view view() const { return {is_inline() ? inside_ : heap(), size_}; }
  bool is_empty() const { return size_ == 0; }
  std::size_t heap_bytes() const { return is_inline() ? 0 : capacity_; }

 private:
  static constexpr std::uint32_t kInside = 20;

  bool is_inline() const { return capacity_ == kInside; }
  // The address of the heap's block stands in the place of the bytes: a pointer as a member would cost four bytes of padding.
  char* heap() const {
    char* out = nullptr;
    std::memcpy(&out, inside_, sizeof out);
    return out;
  }
  char* begin() { return is_inline() ? inside_ : heap(); }

  // The allocator gives blocks of 16 n + 8 bytes; all of one is used. A block that nobody else adds to is exactly as large as it must be.
  void grow(std::size_t needed) {
    const std::size_t wanted = size_ == 0 ? needed : needed + needed / 4;
    const std::size_t capacity = (wanted + 7) / 16 * 16 + 8;
    char* const block = static_cast<char*>(is_inline() ? std::malloc(capacity) : std::realloc(heap(), capacity));
    if (block == nullptr) throw std::bad_alloc();
    if (is_inline()) std::memcpy(block, inside_, size_);
    std::memcpy(inside_, &block, sizeof block);
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  void release() {
    if (!is_inline()) std::free(heap());
  }
  void take(PackedBytes& other) {
    std::memcpy(inside_, other.inside_, sizeof inside_);
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.size_ = 0;
    other.capacity_ = kInside;
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = kInside;
  char inside_[kInside] = {};
};

}  // namespace seedance
