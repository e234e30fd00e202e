// SPDX-License-Identifier: Apache-2.0
// What the populations of a scalar exchange with neighbouring blocks, and with other levels of refinement.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia::cpu {

/// Bytes of the messages to and from a neighbour.
struct ScalarMessage {
  std::size_t leaving = 0, arriving = 0;
};

template <class T>
class ScalarBorders {
 public:
  ScalarBorders() = default;
  /// `store(place)`: replaces a place by its element of memory.
  template <class Store>
  ScalarBorders(std::vector<ScalarBorder> borders, const Store& store) : borders_(std::move(borders)) {
    for (ScalarBorder& border : borders_) {
      std::for_each(border.arrives.begin(), border.arrives.end(), store);
      std::for_each(border.leaves.begin(), border.leaves.end(), store);
      for (ScalarJoint& joint : border.joints) std::for_each_n(joint.back, 2, store);
    }
  }

  /// Numbers of the joints between the fluid of a neighbour and solids.
  [[nodiscard]] std::span<const std::uint32_t> at_solids(std::size_t neighbour) const {
    if (neighbour >= borders_.size()) return {};
    return borders_[neighbour].at_solids;
  }

  [[nodiscard]] ScalarMessage message(std::size_t neighbour) const {
    if (neighbour >= borders_.size()) return {};
    return {borders_[neighbour].leaves.size() * sizeof(T), borders_[neighbour].arrives.size() * sizeof(T)};
  }
  void pack(std::size_t neighbour, const T* populations, std::byte* out) const {
    if (neighbour >= borders_.size()) return;
    for (const std::uint32_t place : borders_[neighbour].leaves) {
      std::memcpy(out, populations + place, sizeof(T));
      out += sizeof(T);
    }
  }
  /// Then takes the step of what passes between cells on both sides.
  void unpack(std::size_t neighbour, const std::byte* in, T* populations) const {
    if (neighbour >= borders_.size()) return;
    for (const std::uint32_t place : borders_[neighbour].arrives) {
      std::memcpy(populations + place, in, sizeof(T));
      in += sizeof(T);
    }
    for (const ScalarJoint& joint : borders_[neighbour].joints)
      core::pass_between(populations[joint.back[0]], populations[joint.back[1]], static_cast<T>(joint.capacity[0]),
                         static_cast<T>(joint.capacity[1]), static_cast<T>(joint.part));
  }

 private:
  std::vector<ScalarBorder> borders_;  ///< by neighbours of the block, with elements of memory
};

/// Populations that pass between levels, as BlockSolver has those of the flow: numbers in fp64. By elements of memory.
template <class T>
struct ScalarLevelBorder {
  std::vector<std::uint32_t> arrives, leaves;

  void pack(const T* populations, std::byte* out) const {
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const auto number = static_cast<double>(populations[leaves[k]]);
      std::memcpy(out + k * sizeof(double), &number, sizeof(double));
    }
  }
  void unpack(const std::byte* in, T* populations) const {
    for (std::size_t k = 0; k < arrives.size(); ++k) {
      double number = 0;
      std::memcpy(&number, in + k * sizeof(double), sizeof(double));
      populations[arrives[k]] = static_cast<T>(number);
    }
  }
  void exchange(std::span<double> leaving, std::span<const double> numbers, std::span<const std::uint32_t> chosen,
                T* populations) const {
    for (std::size_t k = 0; k < arrives.size(); ++k) {
      leaving[k] = static_cast<double>(populations[arrives[k]]);
      if (chosen[k] != BlockSolver::stays) populations[arrives[k]] = static_cast<T>(numbers[chosen[k]]);
    }
  }
};

}  // namespace fluvia::cpu
