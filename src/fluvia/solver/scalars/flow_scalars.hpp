// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Sums of a scalar over all nodes of the fluid, or of a solid, by the volumes for which they stand
/// (ScalarWays::volume). Values in its unit, volumes and times in lattice units.
struct ScalarSummary {
  double mean = 0, least = 0, most = 0;
  double content = 0;  ///< sum of T over the volume
  double source = 0;   ///< what sources add in a step
  bool finite = true;  ///< false if any value is NaN or infinite
};

/// Sums over some of the nodes; values lie above ScalarMethod::reference.
struct ScalarPart {
  double volume = 0, value = 0, source = 0, least = 0, most = 0;
  bool finite = true;
};
/// Of all nodes, from parts that have one at least, added in their order.
ScalarSummary summary_of(std::span<const ScalarPart> parts, double reference);

/// What passes a surface: unit of the scalar times volume of a node a step; positive = into the fluid.
struct ScalarPassage {
  double rate = 0;
  double area = 0;  ///< of the links that it cuts, in faces of a node
};

/// The scalars of a flow at its current time, in the order of Plan::scalars.
class FlowScalars {
 public:
  virtual ~FlowScalars() = default;
  /// At a node, by its canonical index. Thread-safe.
  [[nodiscard]] virtual double value(std::size_t scalar, std::uint64_t node) const = 0;
  [[nodiscard]] virtual ScalarSummary summary(std::size_t scalar) const = 0;
  /// What passed the surface from outside in the last step, its way by the flow included; nothing before the first. Of
  /// what comes into solids as much as the fluid would take up.
  [[nodiscard]] virtual ScalarPassage through(std::size_t scalar, int surface) const = 0;
  /// Of the solid with this number in ScalarMethod::solids.
  [[nodiscard]] virtual ScalarSummary summary_in(std::size_t scalar, std::size_t solid) const = 0;
  /// At a node of the box in a solid; none elsewhere. Thread-safe.
  [[nodiscard]] virtual std::optional<double> value_in_solid(std::size_t scalar, const Int3& node) const = 0;
  /// What passed the surface from a solid into the fluid in the last step.
  [[nodiscard]] virtual ScalarPassage from_solid(std::size_t scalar, int surface) const = 0;
  /// Gives a surface that prescribes a value, a flux or an ambient value another one from now on, in the unit that the
  /// case gives it in. Throws Error(input) if it prescribes none.
  virtual void set_surface(std::size_t scalar, int surface, double value) = 0;
};

}  // namespace fluvia
