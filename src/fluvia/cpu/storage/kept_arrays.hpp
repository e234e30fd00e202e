// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "fluvia/solver/node_array.hpp"
#include "fluvia/solver/saved_numbers.hpp"

namespace fluvia::cpu {

/// The arrays of a flow other than populations, which do not depend on the storage scheme: numbers of the arithmetic
/// type, component by component in canonical order, zero at first.
template <class T>
class KeptArrays {
 public:
  KeptArrays() = default;
  explicit KeptArrays(std::span<const NodeArray> arrays) {
    for (const NodeArray& array : arrays) {
      const bool kept = array.number == NumberType::arithmetic;
      arrays_.push_back({static_cast<std::size_t>(array.size), {}});
      arrays_.back().values.assign(kept ? static_cast<std::size_t>(array.components) * array.size : 0, T(0));
    }
  }
  /// The numbers of one row of the list of arrays.
  [[nodiscard]] T* of(std::size_t array) { return arrays_[array].values.data(); }
  void clear() {
    for (Array& array : arrays_) std::fill(array.values.begin(), array.values.end(), T(0));
  }
  /// Writes numbers as FlowState::save() does.
  void save(std::size_t array, int component, const EntryRange& entries, std::span<std::byte> out) const {
    save_numbers<T>({arrays_[array].values.data() + first(array, component, entries), entries.count}, out);
  }
  void load(std::size_t array, int component, const EntryRange& entries, std::span<const std::byte> in) {
    load_numbers<T>(in, {arrays_[array].values.data() + first(array, component, entries), entries.count});
  }

 private:
  struct Array {
    std::size_t size;  ///< numbers of a component
    std::vector<T> values;
  };
  [[nodiscard]] std::size_t first(std::size_t array, int component, const EntryRange& entries) const {
    return static_cast<std::size_t>(component) * arrays_[array].size + entries.first;
  }
  std::vector<Array> arrays_;
};

}  // namespace fluvia::cpu
