// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/prepared_turns.hpp"

#include <algorithm>
#include <numeric>

#include "fluvia/cuda/solver/turns.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia::cuda {

namespace {

/// More parts than this are mostly what lies beside them.
constexpr int most_turns = 128;

template <class Bytes>
std::uint64_t largest(const std::vector<PreparedCase>& parts, const Bytes& bytes) {
  std::uint64_t most = 0;
  for (const PreparedCase& part : parts) most = std::max(most, (part.*bytes)());
  return most;
}

template <class Bytes>
std::uint64_t sum(const std::vector<PreparedCase>& parts, const Bytes& bytes) {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                         [&](std::uint64_t all, const PreparedCase& part) { return all + (part.*bytes)(); });
}

/// Where layers of tiles that hold fluid begin, and the end of the last.
struct LayerStart {
  std::uint64_t tile, stored_before;
};

std::vector<LayerStart> layer_starts(const NodeMap& nodes, const Scheme& scheme) {
  const int axis = nodes.dimension - 1;
  std::vector<LayerStart> starts;
  int layer = -1;
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    if (tile.position[axis] == layer) continue;
    layer = tile.position[axis];
    starts.push_back({t, scheme.is_compact() ? tile.first_node : static_cast<std::uint64_t>(layer)});
  }
  starts.push_back(
      {nodes.tiles.size(), scheme.is_compact() ? nodes.fluid_nodes : static_cast<std::uint64_t>(layer) + 1});
  return starts;
}

}  // namespace

std::uint64_t PreparedTurns::slot_bytes() const {
  return largest(parts, &PreparedCase::population_bytes);
}

std::uint64_t PreparedTurns::references_bytes() const {
  return largest(parts, &PreparedCase::references_bytes);
}

std::uint64_t PreparedTurns::exchange_bytes() const {
  return largest(parts, &PreparedCase::exchange_bytes);
}

std::uint64_t PreparedTurns::host_bytes() const {
  return sum(parts, &PreparedCase::own_population_bytes);
}

std::uint64_t PreparedTurns::resident_bytes() const {
  return sum(parts, &PreparedCase::resident_bytes) + references_bytes() + exchange_bytes();
}

std::uint64_t PreparedTurns::total_bytes() const {
  return Turns::slots * slot_bytes() + resident_bytes();
}

bool takes_turns(const Scheme& scheme) {
  return is_splittable(scheme) && !scheme.is_fused();
}

int most_parts_in_turn(const NodeMap& nodes, const Scheme& scheme) {
  return std::min(most_turns, static_cast<int>(layer_starts(nodes, scheme).size()) - 1);
}

std::vector<std::uint64_t> cut_layers(const NodeMap& nodes, const Scheme& scheme, int parts) {
  const std::vector<LayerStart> starts = layer_starts(nodes, scheme);
  const auto count = static_cast<std::uint64_t>(parts), layers = static_cast<std::uint64_t>(starts.size()) - 1;
  const std::uint64_t first = starts.front().stored_before, all = starts.back().stored_before - first;
  std::vector<std::uint64_t> cuts = {0};
  std::uint64_t at = 0;
  for (std::uint64_t k = 1; k < count; ++k) {
    const double wanted = static_cast<double>(first) + static_cast<double>(all) * static_cast<double>(k) / parts;
    const auto distance = [&](std::uint64_t layer) {
      return std::abs(static_cast<double>(starts[layer].stored_before) - wanted);
    };
    ++at;  // at least one layer each, here and in those to come
    while (at + 1 <= layers - (count - k) && distance(at + 1) < distance(at)) ++at;
    cuts.push_back(starts[at].tile);
  }
  cuts.push_back(starts.back().tile);
  return cuts;
}

PreparedTurns prepare_turns(const Case& c, const Units& units, const Geometry& geometry, const Plan& plan, int parts) {
  const std::vector<std::uint64_t> cuts = cut_layers(geometry.nodes, parse_scheme(plan.scheme), parts);
  const std::vector<Int3> velocities = lattice_velocities(plan.lattice);
  PreparedTurns turns;
  for (int part = 0; part < parts; ++part) {
    const Subdomain subdomain = make_subdomain(geometry.nodes, velocities, cuts, part);
    turns.parts.push_back(prepare_case(c, units, geometry, plan, &subdomain));
  }
  return turns;
}

PreparedTurns prepare_fewest_turns(const Case& c, const Units& units, const Geometry& geometry, const Plan& plan,
                                   std::uint64_t memory) {
  const Scheme& scheme = parse_scheme(plan.scheme);
  const int most = most_parts_in_turn(geometry.nodes, scheme);
  // So many that three slots fit beside what stays.
  const auto enough = [&](std::uint64_t populations, std::uint64_t resident) {
    if (resident >= memory) return most;
    const std::uint64_t room = memory - resident, count = (Turns::slots * populations + room - 1) / room;
    return static_cast<int>(std::clamp<std::uint64_t>(count, 2, static_cast<std::uint64_t>(std::max(most, 2))));
  };
  // At least so many: they store no less than fluid nodes, and beside them no less than a domain in one piece.
  const auto fluid = static_cast<double>(geometry.nodes.fluid_nodes) * plan.bytes_per_update / 2 * scheme.copies;
  int count = enough(static_cast<std::uint64_t>(fluid), plan.geometry_bytes + plan.boundary_bytes);
  while (true) {
    if (count > most) return {};
    PreparedTurns turns = prepare_turns(c, units, geometry, plan, count);
    if (turns.total_bytes() <= memory || count == most || turns.resident_bytes() >= memory) return turns;
    // With more parts these get smaller by as much at most, and what stays does not.
    count = std::max(count + 1, enough(turns.slot_bytes() * static_cast<std::uint64_t>(count), turns.resident_bytes()));
  }
}

void plan_turns(const PreparedTurns& prepared, bool snapshots, Plan& plan) {
  const std::vector<PreparedCase>& parts = prepared.parts;
  plan.turns = static_cast<int>(parts.size());
  plan.host_bytes = prepared.host_bytes();
  plan.transfer_bytes = 2 * plan.host_bytes;
  plan.population_bytes = Turns::slots * prepared.slot_bytes();
  plan.geometry_bytes = sum(parts, &PreparedCase::geometry_bytes);
  plan.boundary_bytes = sum(parts, &PreparedCase::boundary_bytes);
  plan.other_bytes = prepared.resident_bytes() - plan.geometry_bytes - plan.boundary_bytes;
  plan.snapshot_bytes = snapshots ? sum(parts, &PreparedCase::snapshot_bytes) : 0;
  plan.snapshot_fits = plan.snapshot_bytes == 0;
  plan.staging_bytes = prepared.exchange_bytes();
}

}  // namespace fluvia::cuda
