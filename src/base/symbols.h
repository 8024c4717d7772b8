// Interned strings: an index instead of a copy, for names that repeat a million times.
//
// One owner interns and locks. `text` may be asked without the lock, by a thread that got the symbol under it: a text never moves and
// never changes. Views stay valid as long as the table lives.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/check.h"

namespace seedance {

using Symbol = std::uint32_t;  // 0 is the empty string

class SymbolTable {
 public:
  SymbolTable() : pages_(kPagesMax) { intern(""); }
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  Symbol intern(std::string_view text) {
    if (const auto at = index_.find(text); at != index_.end()) return at->second;
    const auto symbol = static_cast<Symbol>(size_);
    SEEDANCE_CHECK(size_ < kPagesMax * kPageTexts, "too many different names");
    std::unique_ptr<Page>& page = pages_[size_ / kPageTexts];
    if (!page) page = std::make_unique<Page>();
    std::string& kept = (*page)[size_ % kPageTexts];
    kept = text;
    index_.emplace(kept, symbol);
    ++size_;
    return symbol;
  }
  std::string_view text(Symbol symbol) const { return (*pages_[symbol / kPageTexts])[symbol % kPageTexts]; }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kPageTexts = 4'096;
  static constexpr std::size_t kPagesMax = 16'384;  // 67 million names; the pages' places are never moved
  using Page = std::array<std::string, kPageTexts>;

  std::vector<std::unique_ptr<Page>> pages_;
  std::size_t size_ = 0;
  std::unordered_map<std::string_view, Symbol> index_;
};

}  // namespace seedance
