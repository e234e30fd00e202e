// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// The velocities of a flow at the nodes around given places, read tile by tile: a few points in a large flow cost
/// little, many of them as much as reading all of it.
class NearVelocities {
 public:
  explicit NearVelocities(const NodeMap& nodes);

  /// Forgets which places were asked for.
  void clear();
  /// Asks for the nodes as far as `reach` nodes from a place of the box.
  void want(const Real3& place, int reach);
  /// Reads what was asked for from the flow; what else values() has is of no use.
  void read(const FlowState& flow);
  /// Velocities of fluid nodes in canonical order, lattice units.
  [[nodiscard]] std::span<const Real3> values() const { return {values_.get(), nodes_.fluid_nodes}; }

 private:
  const NodeMap& nodes_;
  std::vector<char> wanted_;  ///< for each tile
  std::unique_ptr<Real3[]> values_;
  Moments buffer_;
};

}  // namespace fluvia
