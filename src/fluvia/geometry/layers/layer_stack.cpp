// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/layers/layer_stack.hpp"

#include <bit>
#include <numeric>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::geometry {
namespace {

/// A part with no more layers than this is not halved: to ask them all takes as long as to look further.
constexpr std::size_t few_layers = 4;

}  // namespace

LayerStack::LayerStack(Layers layers, bool base_solid, int dimension, const Int3& size)
    : layers_(std::move(layers)), base_solid_(base_solid), dimension_(dimension) {
  const Int3 shape = tile_shape(dimension);
  Int3 low, high;  // one tile more at each side, for links out of the box
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = -1;
    high[axis] = (size[axis] + shape[axis] - 1) / shape[axis] + 1;
  }
  std::vector<std::uint32_t> all(layers_.size());
  std::iota(all.begin(), all.end(), 0u);
  parts_.emplace_back();
  fill(0, low, high, all);
}

void LayerStack::fill(std::uint32_t part, const Int3& low, const Int3& high,
                      const std::vector<std::uint32_t>& candidates) {
  const Int3 shape = tile_shape(dimension_);
  Int3 first, last;
  int longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    first[axis] = low[axis] * shape[axis];
    last[axis] = high[axis] * shape[axis] - 1;
    if (last[axis] - first[axis] > last[longest] - first[longest]) longest = axis;
  }
  std::vector<std::uint32_t> own;
  for (const std::uint32_t number : candidates)
    if (layers_[number]->may_decide(first, last)) own.push_back(number);
  // Halves along the longest side that has several tiles.
  for (int axis = 0; axis < 3; ++axis)
    if (high[longest] - low[longest] == 1 && high[axis] - low[axis] > 1) longest = axis;
  if (own.size() <= few_layers || high[longest] - low[longest] == 1) {
    parts_[part].first = numbers_.size();
    numbers_.insert(numbers_.end(), own.begin(), own.end());
    parts_[part].end = numbers_.size();
    return;
  }
  const auto halves = static_cast<std::uint32_t>(parts_.size());
  const int middle = low[longest] + (high[longest] - low[longest]) / 2;
  parts_.resize(parts_.size() + 2);
  parts_[part].axis = longest;
  parts_[part].middle = middle;
  parts_[part].halves = halves;
  Int3 end = high, begin = low;
  end[longest] = begin[longest] = middle;
  fill(halves, low, end, own);
  fill(halves + 1, begin, high, own);
}

LayerStack::Numbers LayerStack::layers_of_tile(const Int3& tile) const {
  const Part* part = parts_.data();
  while (part->axis >= 0) part = &parts_[part->halves + (tile[part->axis] < part->middle ? 0 : 1)];
  return {numbers_.data() + part->first, static_cast<std::size_t>(part->end - part->first)};
}

LayerStack::Numbers LayerStack::layers_at(const Int3& node) const {
  const Int3 shape = tile_shape(dimension_);
  Int3 tile;
  for (int axis = 0; axis < 3; ++axis) tile[axis] = node[axis] < 0 ? -1 : node[axis] / shape[axis];
  return layers_of_tile(tile);
}

LayerStack::Verdict LayerStack::decide(const Int3& node) const {
  const Numbers numbers = layers_at(node);
  for (std::size_t i = numbers.size(); i-- > 0;) {
    const Decision decision = layers_[numbers[i]]->decide(node);
    if (decision != Decision::none) return {static_cast<int>(numbers[i]), decision};
  }
  return {-1, base_solid_ ? Decision::solid : Decision::fluid};
}

std::uint64_t LayerStack::apply(const Int3& tile) const {
  std::uint64_t fluid = base_solid_ ? 0 : ~std::uint64_t{0};
  for (const std::uint32_t number : layers_of_tile(tile)) fluid = layers_[number]->apply(tile, fluid);
  return fluid;
}

std::vector<std::uint64_t> LayerStack::fluid_after_each(const Int3& size) const {
  // On the way a layer that is not asked for a tile leaves its number as it was.
  std::vector<std::int64_t> change(layers_.size() + 1, 0);
  const Int3 shape = tile_shape(dimension_);
  for (int z = 0; z * shape[2] < size[2]; ++z)
    for (int y = 0; y * shape[1] < size[1]; ++y)
      for (int x = 0; x * shape[0] < size[0]; ++x) {
        const std::uint64_t box = box_mask(dimension_, size, {x, y, z});
        std::uint64_t fluid = base_solid_ ? 0 : ~std::uint64_t{0};
        std::int64_t before = std::popcount(fluid & box);
        change[0] += before;
        for (const std::uint32_t number : layers_of_tile({x, y, z})) {
          fluid = layers_[number]->apply({x, y, z}, fluid);
          const std::int64_t now = std::popcount(fluid & box);
          change[number + 1] += now - before;
          before = now;
        }
      }
  std::vector<std::uint64_t> counts;
  std::int64_t sum = 0;
  for (const std::int64_t by : change) counts.push_back(static_cast<std::uint64_t>(sum += by));
  return counts;
}

}  // namespace fluvia::geometry
