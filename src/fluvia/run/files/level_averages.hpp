// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/levels/flow_view.hpp"

namespace fluvia {

/// Time averages of output fields at the nodes that each level of refinement computes, as Averages has them of the
/// coarsest level everywhere. Of a flow on one level it is empty.
class LevelAverages {
 public:
  /// `requested`: Case::Output::averaged_fields(). `flow`: with the levels; it must outlive the averages, and is what
  /// is sampled.
  LevelAverages(const std::vector<std::string>& requested, const FlowState& flow);
  void sample();
  /// The averages of all samples at the nodes of a level; they refer to this object.
  [[nodiscard]] std::vector<Field> fields(std::size_t level) const;
  void save(MonitorState& state) const;
  /// Goes on from stored averages. Throws Error(input) if they have another size, or are of other levels.
  void restore(const MonitorState& state);

 private:
  struct Sum {
    Field field;
    std::string key;  ///< in checkpoints
    std::vector<double> values;
  };
  struct Level {
    std::optional<FlowView> view;  ///< where a field reads what lies around nodes of the level
    std::vector<Sum> sums;
  };
  [[nodiscard]] std::vector<double> values(std::size_t level, const Field& field) const;

  const FlowState& flow_;
  std::vector<Level> levels_;
  std::uint64_t count_ = 0;
};

}  // namespace fluvia
