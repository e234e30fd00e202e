// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/initial/node_sources.hpp"

namespace fluvia {

/// The body force per mass that differs from node to node, beside the uniform one (docs/decisions/0056).
class AccelerationField {
 public:
  /// Reads the file that the case names. Throws Error as NodeSources does.
  explicit AccelerationField(const Problem& problem);

  /// True if the case has none.
  [[nodiscard]] bool empty() const { return sources_.empty(); }
  /// The acceleration of a node, lattice units: 0 where a file has no value. May be called by OpenMP's threads.
  [[nodiscard]] Real3 at(const Int3& node) const noexcept { return sources_.at(node).vector; }

  /// Looks at all fluid nodes; members of a communicator take a part each, and throw and warn alike. Throws
  /// Error(input) if the field is no finite number somewhere, or accelerates the fluid beyond run.max_mach within a
  /// step. Returns warnings: nodes of which a file knows nothing, and a field that is 0 everywhere.
  [[nodiscard]] std::vector<std::string> check(const Problem& problem) const;

 private:
  NodeSources sources_;
};

}  // namespace fluvia
