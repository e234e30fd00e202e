// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/surface_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/shared_links.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {

namespace {

constexpr double sound_speed_squared = 1.0 / 3.0;

template <class Value>
void sort_unique(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The traction s.n dS, n pointing into the fluid.
Real3 traction(const std::array<double, 6>& stress, const Real3& area) {
  const auto& [xx, yy, zz, xy, yz, zx] = stress;
  return {xx * area[0] + xy * area[1] + zx * area[2], xy * area[0] + yy * area[1] + yz * area[2],
          zx * area[0] + yz * area[1] + zz * area[2]};
}

/// Value at the cut on a straight line through the values `distance` and one link more from it.
double extrapolate(double near, double far, double distance) {
  return near + distance * (near - far);
}

}  // namespace

SurfaceIntegrals::SurfaceIntegrals(const Solver& solver, const std::vector<int>& surfaces)
    : solver_(solver.stored()), surface_count_(surfaces.size()) {
  const auto levels = solver_.levels();
  if (levels.empty()) add_links(surfaces, nullptr, parts_.emplace_back());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    Part& part = parts_.emplace_back(Part{FlowView::of_level(solver_, static_cast<int>(l))});
    add_links(surfaces, &levels[l].state->geometry().nodes, part);
  }
}

const FlowState& SurfaceIntegrals::state_of(const Part& part) const {
  return part.view ? part.view->state() : solver_;
}

void SurfaceIntegrals::add_links(const std::vector<int>& surfaces, const NodeMap* own, Part& part) const {
  const FlowState& flow = state_of(part);
  const Geometry& geometry = flow.geometry();
  const NodeMap& map = geometry.nodes;
  const std::vector<Int3>& velocities = flow.plan().flow().lattice->velocities;
  const std::vector<double>& weights = flow.plan().flow().lattice->weights;
  const double of_level = std::exp2(flow.level() * (1 - map.dimension));
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    const Int3& c = velocities[i];
    part.areas.push_back(of_level * map.node_volume() * 6 * weights[i] *
                         Real3{double(c[0]), double(c[1]), double(c[2])});
  }
  std::vector<bool> wanted(geometry.surfaces.size(), false);
  for (const int surface : surfaces) wanted[surface] = true;
  const std::vector<bool> none(wanted.size(), false);
  const TileRange all{0, map.tiles.size()};
  std::vector<MeasuredLink> cut =
      measured_links(collect_cut_links(geometry, velocities, wanted),
                     find_shared_links(geometry, velocities, wanted, none, none, all), wanted, all);
  const auto node_of = [&](const CutLink& link) { return map.node_position(map.tiles[link.tile], link.bit); };
  if (own != nullptr) std::erase_if(cut, [&](const MeasuredLink& link) { return !own->is_fluid(node_of(link.at)); });

  std::vector<std::array<NodeImage, depth>> rows;  // [link], its nodes
  for (const auto& [link, faces, twelfths] : cut) {
    const Int3 x = node_of(link), &c = velocities[link.direction];
    std::array<NodeImage, depth>& row = rows.emplace_back();
    bool fluid = true;
    for (int k = 0; k < depth; ++k) {
      const auto image = NodeImage::at(map, {x[0] + k * c[0], x[1] + k * c[1], x[2] + k * c[2]});
      fluid = fluid && image;
      row[k] = fluid ? *image : row[k - 1];
    }
    part.nodes.insert(part.nodes.end(), row.begin(), row.end());
  }
  sort_unique(part.nodes);
  const auto slot = [&](const NodeImage& image) {
    return static_cast<std::uint32_t>(std::lower_bound(part.nodes.begin(), part.nodes.end(), image) -
                                      part.nodes.begin());
  };
  for (std::size_t k = 0; k < cut.size(); ++k) {
    const auto surface = std::find(surfaces.begin(), surfaces.end(), cut[k].at.surface) - surfaces.begin();
    part.links.push_back({static_cast<std::uint32_t>(surface),
                          {slot(rows[k][0]), slot(rows[k][1]), slot(rows[k][2])},
                          cut[k].at.direction,
                          cut[k].faces});
  }
  std::vector<std::uint64_t> tiles;
  for (const NodeImage& image : part.nodes) {
    const auto after = std::partition_point(map.tiles.begin(), map.tiles.end(),
                                            [&](const NodeMap::Tile& tile) { return tile.first_node <= image.node(); });
    tiles.push_back(static_cast<std::uint64_t>(after - map.tiles.begin()) - 1);
  }
  sort_unique(tiles);
  part.runs = tile_runs(tiles);
}

std::vector<SurfaceIntegrals::State> SurfaceIntegrals::load_states(const Part& part) const {
  const FlowState& flow = state_of(part);
  const NodeMap& map = flow.geometry().nodes;
  std::vector<State> states(part.nodes.size());
  Moments moments;
  std::size_t k = 0;
  for (const TileRun& run : part.runs) {
    flow.moments(run.first, run.count, true, moments);
    const std::uint64_t first = map.tiles[run.first].first_node, end = first + moments.density.size();
    for (; k < part.nodes.size() && part.nodes[k].node() < end; ++k) {
      const std::uint64_t at = part.nodes[k].node() - first;
      const double density = moments.density[at];
      states[k] = {sound_speed_squared * (density - 1),
                   part.nodes[k].seen(viscous_stress(flow.plan(), map.dimension, density, moments.stress[at]))};
    }
  }
  return states;
}

std::vector<ForceParts> SurfaceIntegrals::evaluate() const {
  std::vector<ForceParts> parts(surface_count_);
  for (const Part& part : parts_) {
    const std::vector<State> states = load_states(part);
    for (const Link& link : part.links) {
      ForceParts& sum = parts[link.surface];
      const Real3 area = (1.0 / link.faces) * part.areas[link.direction];
      const State &first = states[link.nodes[0]], &second = states[link.nodes[1]], &third = states[link.nodes[2]];
      sum.exchanged_pressure = sum.exchanged_pressure - first.pressure * area;
      sum.pressure = sum.pressure - extrapolate(first.pressure, second.pressure, 0.5) * area;
      std::array<double, 6> stress;
      for (std::size_t m = 0; m < 6; ++m) stress[m] = extrapolate(second.stress[m], third.stress[m], 1.5);
      sum.viscous = sum.viscous + traction(stress, area);
    }
  }
  return parts;
}

}  // namespace fluvia
