// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/walls/law_stress.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/solver/links/node_records.hpp"

namespace fluvia {

namespace {

using core::WallFunction;

/// The record of a surface at a node; null if the surface cuts none of its links.
const NodeRecord* find_record(const std::vector<NodeRecord>& records, const NodeMap::Node& node, int surface) {
  const auto place = [](const NodeRecord& r) { return std::tuple(r.tile, r.bit); };
  const std::tuple wanted(node.tile, node.bit);
  auto at =
      std::partition_point(records.begin(), records.end(), [&](const NodeRecord& r) { return place(r) < wanted; });
  for (; at != records.end() && place(*at) == wanted; ++at)
    if (at->surface == surface && at->links.directions != 0 && !(at->links.damping > 0)) return &*at;
  return nullptr;
}

/// The record of a patch's surface at the node beside the patch, or else at the node around it that lies nearest.
const NodeRecord* record_beside(const NodeMap& nodes, const std::vector<NodeRecord>& records, const WallPlace& patch) {
  if (const auto own = nodes.find_fluid(patch.node))
    if (const NodeRecord* record = find_record(records, *own, patch.surface)) return record;
  const NodeRecord* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 27; ++k) {
    const Int3 node{patch.node[0] + k % 3 - 1, patch.node[1] + k / 3 % 3 - 1, patch.node[2] + k / 9 - 1};
    const Real3 away = Real3{node[0] + 0.5, node[1] + 0.5, node[2] + 0.5} - patch.point;
    if (dot(away, away) >= least) continue;
    const auto there = nodes.find_fluid(node);
    const NodeRecord* record = there ? find_record(records, *there, patch.surface) : nullptr;
    if (record == nullptr) continue;
    nearest = record;
    least = dot(away, away);
  }
  return nearest;
}

/// The stress along a wall with the unit vector `n` out of the fluid, from what core::WallFunction keeps: that which
/// its next step takes.
template <class Normal>
Real3 stress_of_next_step(const double* own, const double* sampled, const Normal& n, double distance, double viscosity,
                          double sand_grain) {
  const int step = static_cast<int>(own[WallFunction::steps]);
  if (step == 0) return {};
  const double* const velocity = sampled + WallFunction::velocities + (step % 2 == 0 ? 3 : 0);
  const Real3 u{velocity[0], velocity[1], velocity[2]}, normal{n[0], n[1], n[2]};
  const Real3 along = u - dot(u, normal) * normal;
  const double* const kept = own + WallFunction::mean_velocity;
  const double mean = step == 1 ? norm(along) : norm(Real3{kept[0], kept[1], kept[2]});
  const double friction = core::friction_velocity(mean, distance, viscosity, sand_grain);
  return friction > 0 ? (friction * friction / mean) * along : Real3{};
}

}  // namespace

bool LawStress::is_needed(const Case& c) {
  return std::any_of(c.boundaries.begin(), c.boundaries.end(),
                     [](const Case::Boundary& b) { return facts_of_boundary(b.type).models_friction; });
}

LawStress::LawStress(const Problem& problem, const Plan& plan, const WallMesh& mesh)
    : mesh_(mesh), viscosity_(plan.flow().parameters.shear_viscosity), places_(mesh.patches.size()) {
  const BoundarySetup setup = make_boundary_setup(problem, plan.flow().lattice->name);
  const std::vector<NodeRecord> records = node_records(setup);
  const NodeMap& nodes = problem.geometry.nodes;
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(places_.size()); ++k) {
    const WallPlace& patch = mesh_.patches[k];
    const core::SurfaceState& surface = setup.surfaces[static_cast<std::size_t>(patch.surface)];
    if (!core::boundary_facts(surface.kind).models_friction) continue;
    const NodeRecord* const record = record_beside(nodes, records, patch);
    if (record == nullptr) continue;
    const core::CutLinks& links = record->links;
    if (links.normal[0] == 0 && links.normal[1] == 0 && links.normal[2] == 0) continue;  // an edge, which bounces back
    Place& place = places_[k];
    const bool above = links.opening.upstream != core::no_memory;
    place.own = links.memory;
    place.sampled = above ? links.opening.upstream : links.memory;
    std::copy_n(links.normal, 3, place.normal);
    place.distance = links.opening.depth + (above ? links.opening.upstream_distance : 0);
    place.sand_grain = surface.values[WallFunction::sand_grain];
  }
}

void LawStress::replace(const FlowState& state, std::span<WallLoad> loads) const {
  std::vector<double> kept(state.arrays()[condition_numbers].size);
  state.save({condition_numbers, 0, 0, state.geometry().nodes.tiles.size()}, std::as_writable_bytes(std::span(kept)));
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(places_.size()); ++k) {
    const Place& place = places_[k];
    if (place.own == none) continue;
    const Real3 stress = stress_of_next_step(&kept[place.own], &kept[place.sampled], place.normal, place.distance,
                                             viscosity_, place.sand_grain);
    if (dot(stress, stress) == 0) continue;
    const Real3& n = mesh_.patches[k].normal;
    loads[k].shear = stress - dot(stress, n) * n;
  }
}

std::uint64_t LawStress::planned_bytes(const Problem& problem, std::size_t patches) {
  return patches * sizeof(Place) + count_boundaries(problem, lattice_of(problem.settings)).memory * sizeof(double);
}

}  // namespace fluvia
