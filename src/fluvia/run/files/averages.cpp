// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/averages.hpp"

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {
const std::string prefix = "average_";
const std::string count_key = "average_count";
}  // namespace

Averages::Averages(const std::vector<std::string>& requested, const OutputContext& output)
    : units_(output.units), grid_(output.grid) {
  for (const std::string& name : requested) bases_.push_back(find_field(name, output));
  const std::uint64_t nodes = output.state.geometry().nodes.fluid_nodes;
  for (const Field& base : bases_)
    sums_.push_back({prefix + base.name, base.components, base.unit, std::vector<double>(nodes * base.components, 0.0),
                     base.at_wall, base.is_axial});
}

void Averages::sample(const FlowState& state) {
  if (empty()) return;
  FieldEvaluator evaluator({state, units_, grid_}, make_sampling(grid_, 1, {}), bases_);
  std::vector<float> values;
  for (const auto& slab : evaluator.slabs()) {
    evaluator.load(slab);
    const auto& samples = evaluator.samples();
    for (std::size_t f = 0; f < sums_.size(); ++f) {
      Sum& sum = sums_[f];
      evaluator.evaluate(f, values);
      for (std::size_t k = 0; k < samples.size(); ++k)
        for (int a = 0; a < sum.components; ++a)
          sum.values[samples[k].index * sum.components + a] += values[k * sum.components + a];
    }
  }
  ++count_;
}

std::vector<Field> Averages::fields() const {
  std::vector<Field> result;
  for (const Sum& sum : sums_)
    result.push_back(make_array_field(
        sum.name, sum.components, sum.unit,
        [this, &sum](std::uint64_t index, double* out) {
          for (int a = 0; a < sum.components; ++a)
            out[a] = sum.values[index * sum.components + a] / static_cast<double>(count_);
        },
        sum.at_wall, sum.is_axial));
  return result;
}

void Averages::save(MonitorState& state) const {
  if (empty()) return;
  state[count_key] = {static_cast<double>(count_)};
  for (const Sum& sum : sums_) state[sum.name] = sum.values;
}

void Averages::restore(const MonitorState& state) {
  const auto count = state.find(count_key);
  if (empty() || count == state.end()) return;
  for (Sum& sum : sums_) {
    const auto stored = state.find(sum.name);
    if (stored == state.end() || stored->second.size() != sum.values.size())
      throw_input("checkpoint: it holds no sums for output field '" + sum.name +
                  "'; resume with the fields that the run was started with");
    sum.values = stored->second;
  }
  count_ = static_cast<std::uint64_t>(count->second.at(0));
}

}  // namespace fluvia
