// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/classifier.hpp"

#include <fmt/format.h>

#include <bit>
#include <set>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/geometry/face_ranks.hpp"

namespace fluvia::geometry {
namespace {

/// Coordinates within a face: the two axes that are not the face's own.
Int3 face_cell(int face, const Int3& node) {
  return {node[(face / 2 + 1) % 3], node[(face / 2 + 2) % 3], 0};
}

}  // namespace

Conditions surface_conditions(const Case& c, const Grid& grid, const SurfaceNames& names) {
  Conditions conditions(names.list().size(), &core::boundary_facts(0));
  std::vector<bool> taken(conditions.size(), false);
  for (const Case::Boundary& boundary : c.boundaries) {
    const int surface = names.find(boundary.surface);
    if (surface < 0) {
      throw_input(fmt::format("boundary of surface \"{}\": there is no such surface; the case has {}{}",
                              boundary.surface, join(names.list()), did_you_mean(boundary.surface, names.list())));
    }
    if (surface < 6 && grid.periodic[surface / 2]) {
      throw_input(fmt::format("boundary of surface \"{}\": the {} axis is periodic{}, so this face has no boundary",
                              boundary.surface, "xyz"[surface / 2],
                              grid.dimension == 2 && surface / 2 == 2 ? " in 2D" : ""));
    }
    if (taken[surface]) {
      throw_input(fmt::format("boundary of surface \"{}\": given twice; keep one", boundary.surface));
    }
    taken[surface] = true;
    conditions[surface] = &facts_of_boundary(boundary.type);
  }
  return conditions;
}

Classifier::Classifier(const NodeMap& nodes, std::shared_ptr<const LayerStack> layers,
                       const std::array<int, 6>& face_surfaces, Conditions conditions, const FluidBeside& others)
    : size_(nodes.size),
      periodic_(nodes.periodic),
      mirrors_(nodes.mirrors),
      barred_(nodes.barred),
      layers_(std::move(layers)),
      face_surfaces_(face_surfaces),
      conditions_(std::move(conditions)) {
  std::array<const core::ConditionFacts*, 6> of_faces{};
  for (std::size_t face = 0; face < of_faces.size(); ++face)
    of_faces[face] = conditions_[static_cast<std::size_t>(face_surfaces_[face])];
  ranks_ = face_ranks(nodes.whole_size(), of_faces);
  const Int3 shape = tile_shape(nodes.dimension);
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    if (periodic_[axis]) continue;
    face_nodes_[face] = Bitmap({size_[(axis + 1) % 3], size_[(axis + 2) % 3], 1}, false);
  }
  const auto add = [&](const Int3& position, std::uint64_t mask) {
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2, plane = face % 2 == 0 ? 0 : size_[axis] - 1;
      if (periodic_[axis] || plane / shape[axis] != position[axis]) continue;
      for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const Int3 local = tile_local(nodes.dimension, std::countr_zero(rest));
        Int3 node;
        for (int a = 0; a < 3; ++a) node[a] = position[a] * shape[a] + local[a];
        if (node[axis] == plane) face_nodes_[face].set(face_cell(face, node));
      }
    }
  };
  for (const NodeMap::Tile& tile : nodes.tiles) add(tile.position, tile.mask);
  for (const FluidBeside::Tile& tile : others.tiles()) add(tile.position, tile.mask);
}

bool Classifier::fluid_on_face(int face, const Int3& node) const {
  return face_nodes_[face].get(face_cell(face, node));
}

int Classifier::inner_surface(const Int3& node, const Int3& offset, const Int3& far) const {
  if (layers_->empty()) return surface_id::wall;
  const LayerStack::Verdict at_far = layers_->decide(far), at_node = layers_->decide(node);
  if (at_far.decision != Decision::solid) {
    // The far end was fluid but has been dropped. It is connected neither directly nor around a corner, so one of the
    // nodes beside the link is solid.
    for (int axis = 0; axis < 3; ++axis) {
      Int3 step{};
      step[axis] = offset[axis];
      if (offset[axis] == 0 || step == offset) continue;
      Int3 beside = node;
      beside[axis] += offset[axis];
      if (beside[axis] < 0 || beside[axis] >= size_[axis]) {
        if (!periodic_[axis]) continue;
        beside[axis] = (beside[axis] + size_[axis]) % size_[axis];
      }
      if (layers_->decide(beside).decision == Decision::solid) return inner_surface(node, step, beside);
    }
    return surface_id::wall;
  }
  if (at_node.layer > at_far.layer && at_node.decision == Decision::fluid) {
    const int own = layers_->layer(at_node.layer).surface(node, offset, far);
    if (own != surface_id::wall) return own;
  }
  return at_far.layer < 0 ? surface_id::wall : layers_->layer(at_far.layer).surface(node, offset, far);
}

int Classifier::surface(const Int3& node, const Int3& offset) const {
  if (const int sheet = barred_ ? barred_->surface(node, offset) : -1; sheet >= 0) return sheet;
  Int3 far, inside_offset = offset, beside = node;
  int face = -1, best = -1, best_rank = 0, mirror = -1;
  constexpr int after_faces = 6;
  const auto consider = [&](int candidate, int rank) {
    const int priority = conditions_[candidate]->priority, least = best < 0 ? 0 : conditions_[best]->priority;
    if (best >= 0 && (priority > least || (priority == least && rank > best_rank))) return;
    best = candidate;
    best_rank = rank;
  };
  for (int axis = 0; axis < 3; ++axis) {
    far[axis] = node[axis] + offset[axis];
    if (far[axis] >= 0 && far[axis] < size_[axis]) {
      beside[axis] = far[axis];
    } else if (periodic_[axis]) {
      far[axis] = beside[axis] = (far[axis] + size_[axis]) % size_[axis];
    } else {
      const int left = 2 * axis + (far[axis] < 0 ? 0 : 1);
      inside_offset[axis] = 0;
      if (mirrors_[static_cast<std::size_t>(left)]) {
        mirror = left;
        far[axis] = node[axis];
        continue;
      }
      face = left;
      consider(face_surfaces_[face], ranks_[static_cast<std::size_t>(face)]);
    }
  }
  if (face < 0 && mirror >= 0 && inside_offset == Int3{}) return face_surfaces_[mirror];
  if (face < 0) return inner_surface(node, inside_offset, far);
  // Beside an opening in a face the solid around it goes on outside the box.
  if (inside_offset != Int3{} && conditions_[best]->acts && !fluid_on_face(face, beside)) {
    consider(inner_surface(node, inside_offset, beside), after_faces);
  }
  return best;
}

FluidBeside fluid_beside(const NodeMap& nodes, const LayerStack& layers) {
  std::set<Int3> positions;
  const Int3& count = nodes.tiles_in_box;
  const int depth = nodes.dimension == 3 ? 1 : 0;
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          Int3 there{tile.position[0] + x, tile.position[1] + y, tile.position[2] + z};
          bool inside = true;
          for (int a = 0; a < 3; ++a) {
            if (nodes.periodic[a]) there[a] = wrapped(there[a], count[a]);
            inside = inside && there[a] >= 0 && there[a] < count[a];
          }
          if (inside && nodes.tile_at(there) == empty_tile) positions.insert(there);
        }
  std::vector<FluidBeside::Tile> tiles;
  for (const Int3& position : positions) tiles.push_back({position, 0});
#pragma omp parallel for schedule(dynamic)
  for (std::size_t t = 0; t < tiles.size(); ++t)
    tiles[t].mask = layers.apply(tiles[t].position) & box_mask(nodes.dimension, nodes.size, tiles[t].position);
  std::erase_if(tiles, [](const FluidBeside::Tile& tile) { return tile.mask == 0; });
  return FluidBeside(std::move(tiles));
}

}  // namespace fluvia::geometry
