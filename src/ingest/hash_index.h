// Finds the index of a thing from the hash of its content, eight bytes a slot.
//
// The things themselves stay where their owner keeps them, in a vector or an arena; this table only maps a 64-bit hash to
// their position and asks the owner whether the candidate is really equal. So a collision costs a comparison and is never
// a wrong answer, and the same table serves raw label blocks, label sets and strings. Open addressing with linear probing,
// at most three quarters full, grows by doubling; nothing is ever removed except by `clear()`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedance {

class HashIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The index whose hash is `hash` and for which `is_equal(index)` holds, or kNone.
  template <typename IsEqual>
  std::uint32_t find(std::uint64_t hash, IsEqual&& is_equal) const {
    if (slots_.empty()) return kNone;
    const std::uint32_t folded = fold(hash);
    for (std::size_t at = folded & mask(); slots_[at].index != kNone; at = (at + 1) & mask()) {
      if (slots_[at].hash == folded && is_equal(slots_[at].index)) return slots_[at].index;
    }
    return kNone;
  }

  // Brings the slot of a hash into the cache: a table of a million entries is slow only because of the wait for memory.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[fold(hash) & mask()]);
  }

  // The caller has just seen `find` answer kNone for this content.
  void insert(std::uint64_t hash, std::uint32_t index) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    place({fold(hash), index});
    ++count_;
  }

  void clear() {
    slots_.clear();
    count_ = 0;
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = kNone;
  };

  static std::uint32_t fold(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ (hash >> 32)); }
  std::size_t mask() const { return slots_.size() - 1; }

  void place(Slot slot) {
    std::size_t at = slot.hash & mask();
    while (slots_[at].index != kNone) at = (at + 1) & mask();
    slots_[at] = slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index != kNone) place(slot);
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t count_ = 0;
};

}  // namespace seedance
