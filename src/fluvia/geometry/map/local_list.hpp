// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"

namespace fluvia {

/// A list of which a process may hold some intervals only, by the numbers that items have in the whole list: a rank
/// knows its part of a domain and what is around it. The list is whole until hold() is called; then nothing is added
/// any more.
template <class Item>
class LocalList {
 public:
  using value_type = Item;

  LocalList() = default;
  LocalList(std::vector<Item> items) : items_(std::move(items)) {}

  /// Number of items of the whole list, held or not.
  [[nodiscard]] std::uint64_t size() const { return is_whole() ? items_.size() : size_; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] bool is_whole() const { return pieces_.empty(); }
  [[nodiscard]] std::uint64_t capacity() const { return items_.capacity(); }
  /// An item by its number in the whole list. Throws Error(internal) if it is not held.
  const Item& operator[](std::uint64_t number) const { return items_[index_of(number)]; }
  Item& operator[](std::uint64_t number) { return items_[index_of(number)]; }
  [[nodiscard]] bool holds(std::uint64_t number) const {
    return is_whole() ? number < items_.size() : find(number) != nullptr;
  }

  /// begin() and end() go over the items that are held.
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }
  [[nodiscard]] auto begin() { return items_.begin(); }
  [[nodiscard]] auto end() { return items_.end(); }

  void reserve(std::uint64_t count) { items_.reserve(count); }
  void shrink_to_fit() { items_.shrink_to_fit(); }
  void assign(std::uint64_t count, const Item& item) { items_.assign(count, item); }
  void push_back(const Item& item) { items_.push_back(item); }
  [[nodiscard]] const Item& back() const { return items_.back(); }

  struct Interval {
    std::uint64_t first, end;
  };
  /// Forgets all items outside of these intervals, which ascend and do not touch. There must be one.
  void hold(const std::vector<Interval>& intervals) {
    std::vector<Item> kept;
    std::vector<Piece> pieces;
    for (const Interval& interval : intervals) {
      pieces.push_back({interval.first, interval.end, kept.size()});
      for (std::uint64_t k = interval.first; k < interval.end; ++k) kept.push_back((*this)[k]);
    }
    kept.shrink_to_fit();
    size_ = size();
    items_ = std::move(kept);
    pieces_ = std::move(pieces);
  }
  /// The intervals of first .. end - 1 that are held.
  [[nodiscard]] std::vector<Interval> held(std::uint64_t first, std::uint64_t end) const {
    if (is_whole()) return {{first, end}};
    std::vector<Interval> result;
    for (const Piece& piece : pieces_)
      if (std::max(first, piece.first) < std::min(end, piece.end))
        result.push_back({std::max(first, piece.first), std::min(end, piece.end)});
    return result;
  }

  bool operator==(const LocalList& other) const {
    return size() == other.size() && pieces_ == other.pieces_ && items_ == other.items_;
  }

 private:
  struct Piece {
    std::uint64_t first, end, place;  ///< the interval in the whole list; where its first item is held
    bool operator==(const Piece&) const = default;
  };
  [[nodiscard]] const Piece* find(std::uint64_t number) const {
    for (const Piece& piece : pieces_)
      if (number >= piece.first && number < piece.end) return &piece;
    return nullptr;
  }
  [[nodiscard]] std::uint64_t index_of(std::uint64_t number) const {
    if (is_whole()) return number;
    const Piece* const piece = find(number);
    if (piece == nullptr) throw Error(ExitCode::internal, "a part of the domain looks at what lies far from it");
    return piece->place + (number - piece->first);
  }

  std::vector<Item> items_;
  std::vector<Piece> pieces_;
  std::uint64_t size_ = 0;  ///< length of the whole list, if that is not held
};

}  // namespace fluvia
