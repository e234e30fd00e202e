// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/walls/wall_stress.hpp"

#include <algorithm>
#include <array>

#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {
namespace {

struct NodeState {
  double pressure = 0;
  std::array<double, 6> stress{};
};

}  // namespace

std::vector<WallStress::Part> WallStress::fit_all(const WallFit& fit) const {
  constexpr std::size_t patches_in_part = 1024;
  const std::size_t patches = mesh_.patches.size();
  std::vector<Part> parts((patches + patches_in_part - 1) / patches_in_part);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::int64_t p = 0; p < static_cast<std::int64_t>(parts.size()); ++p) {
    const std::size_t first = static_cast<std::size_t>(p) * patches_in_part;
    Neighbourhood neighbourhood;
    std::vector<WallFit::Term> terms;
    for (std::size_t k = first; k < std::min(patches, first + patches_in_part); ++k) {
      fit.find(mesh_.patches[k], neighbourhood, terms);
      for (const WallFit::Term& term : terms) {
        parts[p].nodes.push_back(term.image);
        parts[p].factors.push_back(static_cast<float>(term.factor));
      }
      parts[p].counts.push_back(static_cast<std::uint32_t>(terms.size()));
    }
  }
  return parts;
}

WallStress::WallStress(const Geometry& geometry, const WallMesh& mesh, const WallFit& fit) : mesh_(mesh) {
  const NodeMap& map = geometry.nodes;
  const std::vector<Part> parts = fit_all(fit);
  for (const Part& part : parts) nodes_.insert(nodes_.end(), part.nodes.begin(), part.nodes.end());
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  begin_.push_back(0);
  for (const Part& part : parts) {
    for (std::size_t k = 0; k < part.nodes.size(); ++k) {
      const auto slot = std::lower_bound(nodes_.begin(), nodes_.end(), part.nodes[k]) - nodes_.begin();
      terms_.push_back({static_cast<std::uint32_t>(slot), part.factors[k]});
    }
    for (const std::uint32_t count : part.counts) begin_.push_back(begin_.back() + count);
  }
  std::vector<std::uint64_t> tiles;
  for (const NodeImage& image : nodes_) {
    const auto after = std::partition_point(map.tiles.begin(), map.tiles.end(),
                                            [&](const NodeMap::Tile& tile) { return tile.first_node <= image.node(); });
    const auto tile = static_cast<std::uint64_t>(after - map.tiles.begin()) - 1;
    if (tiles.empty() || tiles.back() != tile) tiles.push_back(tile);
  }
  runs_ = tile_runs(tiles);
}

std::uint64_t WallStress::planned_bytes(const Geometry& geometry, const WallMesh& mesh) {
  const WallFit fit(geometry);
  std::vector<bool> needed(geometry.nodes.fluid_nodes, false);
  std::vector<NodeImage> images;  // mirror images, which are not nodes of the box
  std::uint64_t terms = 0;
  Neighbourhood neighbourhood;
  std::vector<WallFit::Term> found;
  for (const WallMesh::Patch& patch : mesh.patches) {
    fit.find(patch, neighbourhood, found);
    terms += found.size();
    for (const WallFit::Term& term : found) {
      if (term.image.is_reflected())
        images.push_back(term.image);
      else
        needed[term.image.node()] = true;
    }
  }
  std::sort(images.begin(), images.end());
  images.erase(std::unique(images.begin(), images.end()), images.end());
  const auto nodes = images.size() + static_cast<std::uint64_t>(std::count(needed.begin(), needed.end(), true));
  return nodes * sizeof(nodes_[0]) + (mesh.patches.size() + 1) * sizeof(begin_[0]) + terms * sizeof(Term);
}

std::uint64_t WallStress::bytes() const {
  return nodes_.size() * sizeof(nodes_[0]) + begin_.size() * sizeof(begin_[0]) + terms_.size() * sizeof(terms_[0]);
}

std::vector<WallLoad> WallStress::evaluate(const FlowState& state) const {
  const NodeMap& map = state.geometry().nodes;
  std::vector<NodeState> states(nodes_.size());
  Moments moments;
  std::size_t next = 0;
  for (const TileRun& run : runs_) {
    state.moments(run.first, run.count, true, moments);
    const std::uint64_t first = map.tiles[run.first].first_node, end = first + moments.density.size();
    for (; next < nodes_.size() && nodes_[next].node() < end; ++next) {
      const std::uint64_t at = nodes_[next].node() - first;
      const double density = moments.density[at];
      states[next] = {core::sound_speed_squared * (density - 1),
                      nodes_[next].seen(viscous_stress(state.plan(), map.dimension, density, moments.stress[at]))};
    }
  }
  std::vector<WallLoad> loads(mesh_.patches.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(loads.size()); ++k) {
    NodeState wall;
    for (std::uint64_t t = begin_[k]; t < begin_[k + 1]; ++t) {
      const NodeState& node = states[terms_[t].node];
      const double factor = terms_[t].factor;
      wall.pressure += factor * node.pressure;
      for (std::size_t m = 0; m < 6; ++m) wall.stress[m] += factor * node.stress[m];
    }
    loads[k] = load_of(wall.stress, wall.pressure, mesh_.patches[k].normal);
  }
  return loads;
}

}  // namespace fluvia
