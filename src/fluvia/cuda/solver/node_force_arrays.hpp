// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/initial/acceleration_field.hpp"

namespace fluvia::cuda {

/// Body forces of single nodes as kernels::NodeForces has them.
struct NodeForceArrays {
  std::vector<std::uint32_t> numbers;
  std::vector<double> values;

  NodeForceArrays() = default;
  /// Forces of the fluid nodes of `tiles`, numbers of tiles of `nodes`. `storage_indices`: how many there are;
  /// `storage_index`: that of a node.
  NodeForceArrays(const AccelerationField& field, const NodeMap& nodes, std::span<const std::uint32_t> tiles,
                  std::uint64_t storage_indices, const std::function<std::uint64_t(const Int3&)>& storage_index);

  template <class T>
  [[nodiscard]] std::vector<T> values_as() const {
    return std::vector<T>(values.begin(), values.end());
  }
  /// What they take as numbers of so many bytes.
  [[nodiscard]] std::uint64_t bytes(int bytes_of_number) const {
    return numbers.size() * sizeof(std::uint32_t) + values.size() * static_cast<std::uint64_t>(bytes_of_number);
  }
};

}  // namespace fluvia::cuda
