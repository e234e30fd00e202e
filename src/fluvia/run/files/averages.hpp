// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Time averages of output fields: for every requested name "average_X" the mean of field X over the samples.
class Averages {
 public:
  /// `requested`: Case::Output::averaged_fields(). Units and grid of `output` must outlive the averages.
  Averages(const std::vector<std::string>& requested, const OutputContext& output);
  [[nodiscard]] bool empty() const { return sums_.empty(); }
  void sample(const FlowState& state);
  [[nodiscard]] bool sampled() const { return count_ > 0; }
  /// The averages of all samples as output fields; they refer to this object.
  [[nodiscard]] std::vector<Field> fields() const;
  void save(MonitorState& state) const;
  /// Goes on from stored averages. Throws Error(input) if they have another size.
  void restore(const MonitorState& state);

 private:
  struct Sum {
    std::string name;
    int components;
    std::string unit;
    std::vector<double> values;
    AtWall at_wall;
    bool is_axial;
  };
  const Units& units_;
  const Grid& grid_;
  std::vector<Field> bases_;
  std::vector<Sum> sums_;
  std::uint64_t count_ = 0;
};

}  // namespace fluvia
