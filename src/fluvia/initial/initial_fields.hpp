// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/initial/node_sources.hpp"

namespace fluvia {

/// Density and velocity of a node before the first step, lattice units.
struct InitialNode {
  double density = 1;
  Real3 velocity{};
};

/// The flow before its first step: the sum of all that the case says of it, each a source that knows nothing of the
/// others: a uniform state, an analytic flow, formulas, files.
class InitialFields {
 public:
  /// Reads the files that the case names. Throws Error(input) for those that are missing, damaged or of another shape,
  /// and for formulas that are none; Error(resource) where values outgrow the memory.
  explicit InitialFields(const Problem& problem);

  /// True if there is nothing but fluid at rest.
  [[nodiscard]] bool at_rest() const { return sources_.empty(); }
  /// True if the fluid moves somewhere.
  [[nodiscard]] bool moves() const { return sources_.has_vectors(); }
  /// Density and velocity of a node. May be called by OpenMP's threads, in any order.
  [[nodiscard]] InitialNode at(const Int3& node) const noexcept;

  /// Looks at all fluid nodes; members of a communicator take a part each, and throw and warn alike. Throws
  /// Error(input) if a source gives what is no finite number, or if the sum of all is faster than run.max_mach or has a
  /// density that no fluid has. Returns warnings: nodes of which a file knows nothing, which start without it. Only
  /// formulas and files need this check: all else is checked by make_units().
  [[nodiscard]] std::vector<std::string> check(const Problem& problem) const;

 private:
  NodeSources sources_;  ///< numbers are deviations of the density, vectors are velocities
};

}  // namespace fluvia
