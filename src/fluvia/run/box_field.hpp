// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "fluvia/geometry/map/box_array.hpp"
#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Writes a field at all nodes of the box that are wanted, fluid or in solids in which it spreads, NaN elsewhere; x
/// fastest.
template <class Value, class Wanted>
void fill_box(const OutputContext& output, const Field& field, std::span<Value> values, const Wanted& wanted) {
  const Sampling sampling = make_sampling(output.grid, 1, std::nullopt);
  FieldEvaluator evaluator(output, sampling, {field});
  const auto depth = static_cast<std::size_t>(field.components);
  const BoxArray box(sampling.count);
  std::fill(values.begin(), values.end(), std::numeric_limits<Value>::quiet_NaN());
  std::vector<Value> slab_values;
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    evaluator.evaluate(0, slab_values);
    const std::vector<FieldSample>& samples = evaluator.samples();
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (wanted(samples[i].node))
        std::copy_n(slab_values.begin() + static_cast<std::ptrdiff_t>(i * depth), depth,
                    values.begin() + static_cast<std::ptrdiff_t>(box(samples[i].cell) * depth));
  }
  if (!field.in_solids) return;
  for (int z = 0; z < sampling.count[2]; ++z)
    for (int y = 0; y < sampling.count[1]; ++y)
      for (int x = 0; x < sampling.count[0]; ++x)
        if (const std::optional<double> value = wanted({x, y, z}) ? field.in_solids({x, y, z}) : std::nullopt)
          values[box({x, y, z})] = static_cast<Value>(*value);
}

}  // namespace fluvia
