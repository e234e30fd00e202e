// SPDX-License-Identifier: Apache-2.0
// The populations of one scalar on CPU threads: two copies in canonical order of the nodes, component by component.
// What is stored arrived at its node and lies above ScalarMethod::reference, so that any storage of the flow will do.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/node_array.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia::cpu {

/// Nodes that are stepped together: one vector loop.
inline constexpr std::uint64_t scalar_block = 64;

/// What the scalars of a flow have in common: velocities of the nodes in this step, [axis][node].
template <class T>
using NodeVelocities = const T*;

/// One scalar, whatever its lattice.
template <class T>
class ScalarTransport {
 public:
  virtual ~ScalarTransport() = default;
  /// Begins in equilibrium with the fields of the case and these velocities.
  virtual void initialise(const NodeMap& nodes, const ScalarFields& fields, NodeVelocities<T> velocity) = 0;
  virtual void step(NodeVelocities<T> velocity) = 0;
  /// Above the reference.
  [[nodiscard]] virtual T excess(std::uint64_t node) const = 0;
  /// Adds the buoyancy of the nodes, -expansion x excess, to `lift`.
  virtual void add_lift(T* lift) const = 0;
  virtual void save(int component, const EntryRange& entries, std::span<std::byte> out) const = 0;
  virtual void load(int component, const EntryRange& entries, std::span<const std::byte> in) = 0;
  [[nodiscard]] virtual ScalarSummary summary() const = 0;
  [[nodiscard]] virtual ScalarPassage through(int surface) const = 0;
  /// As FlowScalars has it; false if the surface prescribes nothing.
  virtual bool set_surface(int surface, double value) = 0;
};

template <class T>
std::unique_ptr<ScalarTransport<T>> make_scalar_transport(const Problem& problem, const ScalarMethod& method,
                                                          const ScalarFields& fields, int threads);

}  // namespace fluvia::cpu
