// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/level_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

const std::string level_count_key = "average_count_of_levels";

bool looks_around(const Field& field) {
  return field.needs_neighbours || field.needs_walls;
}

}  // namespace

LevelAverages::LevelAverages(const std::vector<std::string>& requested, const FlowState& flow) : flow_(flow) {
  if (requested.empty()) return;
  for (std::size_t l = 0; l < flow.levels().size(); ++l) {
    const FlowLevel& of_flow = flow.levels()[l];
    Level& level = levels_.emplace_back();
    const std::uint64_t nodes = of_flow.state->geometry().nodes.fluid_nodes;
    for (const std::string& name : requested) {
      const Field field = find_field(name, OutputContext{*of_flow.state, of_flow.units, of_flow.grid});
      const auto depth = static_cast<std::uint64_t>(field.components);
      if (looks_around(field) && !level.view) level.view = FlowView::of_level(flow, static_cast<int>(l));
      level.sums.push_back(
          {field, fmt::format("average_{}_of_level_{}", name, l), std::vector<double>(nodes * depth, 0.0)});
    }
  }
}

std::vector<double> LevelAverages::values(std::size_t level, const Field& field) const {
  const FlowLevel& own = flow_.levels()[level];
  const std::optional<FlowView>& view = levels_[level].view;
  return values_at(own.state->geometry().nodes,
                   looks_around(field) ? view->output() : OutputContext{*own.state, own.units, own.grid}, field);
}

void LevelAverages::sample() {
  for (std::size_t l = 0; l < levels_.size(); ++l)
    for (Sum& sum : levels_[l].sums) {
      const std::vector<double> now = values(l, sum.field);
      std::transform(now.begin(), now.end(), sum.values.begin(), sum.values.begin(), std::plus<>());
    }
  ++count_;
}

std::vector<Field> LevelAverages::fields(std::size_t level) const {
  std::vector<Field> result;
  if (levels_.empty() || count_ == 0) return result;
  for (const Sum& sum : levels_[level].sums)
    result.push_back(make_array_field(
        "average_" + sum.field.name, sum.field.components, sum.field.unit,
        [this, &sum](std::uint64_t index, double* out) {
          const auto depth = static_cast<std::uint64_t>(sum.field.components);
          for (std::uint64_t a = 0; a < depth; ++a)
            out[a] = sum.values[index * depth + a] / static_cast<double>(count_);
        },
        sum.field.at_wall, sum.field.is_axial));
  return result;
}

void LevelAverages::save(MonitorState& state) const {
  if (levels_.empty()) return;
  state[level_count_key] = {static_cast<double>(count_)};
  for (const Level& level : levels_)
    for (const Sum& sum : level.sums) state[sum.key] = sum.values;
}

void LevelAverages::restore(const MonitorState& state) {
  const auto count = state.find(level_count_key);
  if (levels_.empty() || count == state.end()) return;
  for (Level& level : levels_)
    for (Sum& sum : level.sums) {
      const auto stored = state.find(sum.key);
      if (stored == state.end() || stored->second.size() != sum.values.size())
        throw_input(
            fmt::format("checkpoint: it holds no sums for 'average_{}' on the levels of this case; resume with the "
                        "fields and the regions that the run was started with",
                        sum.field.name));
      sum.values = stored->second;
    }
  count_ = static_cast<std::uint64_t>(count->second.at(0));
}

}  // namespace fluvia
