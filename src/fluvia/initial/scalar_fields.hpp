// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/initial/node_sources.hpp"

namespace fluvia {

/// What a case gives a scalar node by node: with what it begins and what is added in every step. Values in the unit of
/// the scalar.
class ScalarFields {
 public:
  /// Reads formulas and files of scalar number `scalar`. Throws Error(input) for what is none, or is no number
  /// somewhere in the fluid; Error(resource) where values outgrow the memory.
  ScalarFields(const Problem& problem, std::size_t scalar);

  [[nodiscard]] double initial(const Int3& node) const noexcept { return initial_.at(node).number; }
  [[nodiscard]] bool has_source() const { return !source_.empty(); }
  /// Added in a step.
  [[nodiscard]] double source(const Int3& node) const noexcept { return source_.at(node).number; }
  /// Looks at all fluid nodes. Returns warnings; throws Error(input) where a value is no finite number.
  [[nodiscard]] std::vector<std::string> check(const Problem& problem) const;

 private:
  NodeSources initial_, source_;
};

}  // namespace fluvia
