// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/levels/flow_view.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia {

namespace {

/// Nodes around a region that fields and fits to walls read.
constexpr int reach_of_fields = 5;

struct TileBox {
  Real3 lower{}, upper{};
};
TileBox box_of(const Grid& grid, const Int3& tile, int reach) {
  const Int3 shape = tile_shape(grid.dimension);
  TileBox box;
  for (int a = 0; a < grid.dimension; ++a) {
    box.lower[a] = grid.origin[a] + grid.spacing * (tile[a] * shape[a] - reach);
    box.upper[a] = grid.origin[a] + grid.spacing * ((tile[a] + 1) * shape[a] + reach);
  }
  return box;
}

/// Whether a box, or an image of it beyond periodic faces, touches a region.
bool touches_anywhere(const Grid& grid, const TileBox& box, const ReadRegion& touches) {
  Int3 images{0, 0, 0};
  for (int a = 0; a < grid.dimension; ++a) images[a] = grid.periodic[a] ? 1 : 0;
  for (int z = -images[2]; z <= images[2]; ++z)
    for (int y = -images[1]; y <= images[1]; ++y)
      for (int x = -images[0]; x <= images[0]; ++x) {
        const Real3 by{x * grid.size[0] * grid.spacing, y * grid.size[1] * grid.spacing,
                       z * grid.size[2] * grid.spacing};
        if (touches(box.lower + by, box.upper + by)) return true;
      }
  return false;
}

bool reaches(const FlowLevel& level, const ReadRegion& touches) {
  const auto& tiles = level.state->geometry().nodes.tiles;
  return std::any_of(tiles.begin(), tiles.end(), [&](const NodeMap::Tile& tile) {
    const TileBox box = box_of(level.grid, tile.position, 0);
    return touches(box.lower, box.upper);
  });
}

}  // namespace

ReadRegion region_of(const Case::Output::Slice& slice, const Grid& grid) {
  if (grid.dimension == 2) return [](const Real3&, const Real3&) { return true; };
  const int axis = slice.axis;
  const double middle = grid.origin[axis] + 0.5 * grid.size[axis] * grid.spacing;
  return [axis, position = slice.position.value_or(middle)](const Real3& lower, const Real3& upper) {
    return lower[axis] <= position && position <= upper[axis];
  };
}

ReadRegion region_of(const Case::Line& line, const Grid& grid) {
  return [from = line.from, along = line.to - line.from, dimension = grid.dimension](const Real3& lower,
                                                                                     const Real3& upper) {
    double first = 0, last = 1;  // parts of the line within the slabs of the box so far
    for (int a = 0; a < dimension; ++a) {
      if (along[a] == 0) {
        if (from[a] < lower[a] || from[a] > upper[a]) return false;
        continue;
      }
      const double one = (lower[a] - from[a]) / along[a], other = (upper[a] - from[a]) / along[a];
      first = std::max(first, std::min(one, other));
      last = std::min(last, std::max(one, other));
    }
    return first <= last;
  };
}

ReadRegion region_of(const Case::Plane& plane, const Grid& grid) {
  const Real3 normal = (1 / norm(plane.normal)) * plane.normal;
  return [normal, center = plane.center, radius = plane.radius, dimension = grid.dimension](const Real3& lower,
                                                                                            const Real3& upper) {
    double across = 0, reach = 0, distance = 0;
    for (int a = 0; a < dimension; ++a) {
      across += normal[a] * (0.5 * (lower[a] + upper[a]) - center[a]);
      reach += std::abs(normal[a]) * 0.5 * (upper[a] - lower[a]);
      const double beyond = std::max({0.0, lower[a] - center[a], center[a] - upper[a]});
      distance += beyond * beyond;
    }
    return std::abs(across) <= reach && (radius <= 0 || distance <= radius * radius);
  };
}

std::optional<FlowView> FlowView::finest(const FlowState& flow, const ReadRegion& touches,
                                         const std::function<bool(const Grid&)>& fits) {
  const auto levels = flow.levels();
  bool touched = false;
  for (int l = static_cast<int>(levels.size()) - 1; l > 0; --l) {
    const FlowLevel& level = levels[static_cast<std::size_t>(l)];
    touched = touched || reaches(level, touches);
    if (!touched || (fits && !fits(level.grid))) continue;
    const auto tiles = [&](const Int3& tile) {
      return touches_anywhere(level.grid, box_of(level.grid, tile, reach_of_fields), touches);
    };
    return FlowView(flow, flow.seen_at(l, tiles), level);
  }
  return {};
}

FlowView FlowView::of_level(const FlowState& flow, int level) {
  const FlowLevel& own = flow.levels()[static_cast<std::size_t>(level)];
  const NodeMap& nodes = own.state->geometry().nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  Int3 reach{0, 0, 0};
  for (int a = 0; a < nodes.dimension; ++a)
    reach[a] = std::min((reach_of_fields + shape[a] - 1) / shape[a], nodes.tiles_in_box[a]);
  const auto near = [&nodes, &reach](const Int3& tile) {
    for (int z = -reach[2]; z <= reach[2]; ++z)
      for (int y = -reach[1]; y <= reach[1]; ++y)
        for (int x = -reach[0]; x <= reach[0]; ++x)
          if (nodes.tile_at({tile[0] + x, tile[1] + y, tile[2] + z}) != empty_tile) return true;
    return false;
  };
  return {flow, flow.seen_at(level, near), own};
}

std::vector<double> values_at(const NodeMap& own, const OutputContext& output, const Field& field) {
  const auto depth = static_cast<std::size_t>(field.components);
  std::vector<double> all(depth * own.fluid_nodes), of_slab;
  FieldEvaluator evaluator(output, make_sampling(output.grid, 1, {}), {field});
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    evaluator.evaluate(0, of_slab);
    for (std::size_t k = 0; k < evaluator.samples().size(); ++k)
      if (const std::int64_t index = own.node_index(evaluator.samples()[k].node); index >= 0)
        std::copy_n(of_slab.begin() + static_cast<std::ptrdiff_t>(depth * k), depth,
                    all.begin() + static_cast<std::ptrdiff_t>(depth * static_cast<std::size_t>(index)));
  }
  return all;
}

std::vector<double> values_of_level(const FlowState& flow, int level, const Field& field) {
  const FlowView view = FlowView::of_level(flow, level);
  return values_at(flow.levels()[static_cast<std::size_t>(level)].state->geometry().nodes, view.output(), field);
}

std::vector<Field> FlowView::fields_of_coarsest(const std::vector<Field>& fields) const {
  std::vector<Field> seen = fields;
  const NodeMap& nodes = flow_->geometry().nodes;
  const int level = state_->level();
  for (Field& field : seen)
    field.evaluate = [evaluate = field.evaluate, &nodes, level, components = field.components](
                         const FieldContext& context, const FieldSample& sample, double* out) {
      FieldSample around = sample;
      for (int a = 0; a < nodes.dimension; ++a) around.node[a] >>= level;
      const std::int64_t index = nodes.node_index(around.node);
      std::fill_n(out, components, 0.0);
      if (index < 0) return;
      around.index = static_cast<std::uint64_t>(index);
      evaluate(context, around, out);
    };
  return seen;
}

}  // namespace fluvia
