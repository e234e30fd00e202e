// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
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
  /// Added in a step in a solid, by its number in Case::solids; 0 of those in which this scalar does not spread.
  [[nodiscard]] double source_in(std::size_t solid, const Int3& node) const noexcept {
    return solid_sources_[solid].at(node).number;
  }
  [[nodiscard]] bool has_source_in(std::size_t solid) const { return !solid_sources_[solid].empty(); }
  /// Whether sources change with the time.
  [[nodiscard]] bool source_changes() const { return source_changes_; }
  /// Sources are those of this time, case units, from now on; at first those of time 0.
  void set_time(double time) { *time_ = time; }
  /// Looks at all fluid nodes. Returns warnings; throws Error(input) where a value is no finite number.
  [[nodiscard]] std::vector<std::string> check(const Problem& problem) const;

 private:
  NodeSources initial_, source_;
  std::vector<NodeSources> solid_sources_;
  std::shared_ptr<double> time_ = std::make_shared<double>(0.0);
  bool source_changes_ = false;
};

}  // namespace fluvia
