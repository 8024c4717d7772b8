// Interned strings: an index instead of a copy, for names that repeat a million times.
//
// Not thread-safe: one owner, who locks. Views stay valid as long as the table lives.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace seedance {

using Symbol = std::uint32_t;  // 0 is the empty string

class SymbolTable {
 public:
  SymbolTable() { intern(""); }
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  Symbol intern(std::string_view text) {
    if (const auto at = index_.find(text); at != index_.end()) return at->second;
    const auto symbol = static_cast<Symbol>(texts_.size());
    texts_.emplace_back(text);
    index_.emplace(texts_.back(), symbol);
    return symbol;
  }
  std::string_view text(Symbol symbol) const { return texts_[symbol]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, Symbol> index_;
};

}  // namespace seedance
