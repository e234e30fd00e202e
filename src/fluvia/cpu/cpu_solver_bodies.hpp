// SPDX-License-Identifier: Apache-2.0
// CpuSolver: bodies that move (solver/bodies/moving_bodies.hpp). Included only by the files that instantiate it.
//
// A body covers nodes that have storage as all others, and are at rest. What a node beside it sends along a cut link is
// replaced, as it is stored, by what comes back (BodyExchange::give_back). When all have been stepped it lies where the
// covered node would read it, and changes places with what that node sent, as over a sheet
// (solver/links/exchanged_links.hpp): so covered nodes get what they sent, and stay at rest. Where both ends of a link
// are fluid, and a body lies between them, what comes back to each of them changes places in the same way.
#pragma once
#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "fluvia/core/moments.hpp"
#include "fluvia/cpu/cpu_solver.hpp"
#include "fluvia/cpu/cpu_solver_sums.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
void CpuSolver<Groups, Format>::collide_beside_bodies(std::uint64_t group, GroupPopulations& p, int lanes) const {
  GroupPopulations before, after;
  const int directions = access().directions;
  std::fill_n(before.f, directions * group_lanes, T(0));
  for (int i = 0; i < directions; ++i) {
    before.in[i] = before.f + i * group_lanes;
    before.out[i] = after.f + i * group_lanes;
    std::memcpy(before.f + i * group_lanes, p.in[i], sizeof(T) * static_cast<std::size_t>(lanes));
  }
  collide_at_walls(group, p, lanes);
  if (has_walls(group))  // these have replaced some of what leaves
    physics_.collide(physics_.rates, before.in, before.out, lanes, parameters_);
  else
    for (int i = 0; i < directions; ++i)
      std::memcpy(after.f + i * group_lanes, p.out[i], sizeof(T) * static_cast<std::size_t>(lanes));
  body_exchange_.give_back(group, directions, static_cast<T>(walls_.supply.per_weight), before.f, after.f, p.out);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::place_bodies(std::int64_t step) {
  if (bodies_.empty()) return;
  bodies_.start_at(step);
  body_exchange_.forget();
  settle_bodies();
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::move_bodies() {
  if (bodies_.empty()) return;
  const std::vector<BodyLink>& links = bodies_.links();
  const StepAccess& step = access();
  Storage* const populations = current();
#pragma omp parallel for schedule(static) num_threads(plan_.threads) if (links.size() > 256)
  for (std::size_t k = 0; k < links.size(); ++k) {
    const BodyLink& link = links[k];
    if (link.is_through && link.direction > core::opposite(link.direction)) continue;  // its end does
    std::swap(populations[exchanged_element(link.node, core::opposite(link.direction), step, false)],
              populations[exchanged_element(link.end, link.direction, step, false)]);
  }
  bodies_.move_to(time_step_);
  refill_uncovered();
  settle_bodies();
}

/// Puts nodes that are covered from now on to rest, and takes the links of the step to come.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::settle_bodies() {
  if (!bodies_.have_moved()) return body_exchange_.keep();
  GroupPopulations rest;
  std::fill_n(rest.f, access().directions * group_lanes, T(0));
  for (const Int3& node : bodies_.newly_covered()) put_node(node, rest);
  body_exchange_.take(bodies_.links(), groups_.count(), access(), weights_,
                      [this](const Int3& node) { return storage_index_of(node); });
}

/// Stores what arrives at a node, which is in its lane of the block.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::put_node(const Int3& node, const GroupPopulations& block) {
  const std::uint64_t index = storage_index_of(node);
  open(index / group_lanes)
      .template put<Format>(access(), current(), all_directions(access()), block.f,
                            std::uint64_t{1} << index % group_lanes);
}

/// Gives nodes that were covered the mean density and stress of their neighbours that are fluid at both times, and the
/// velocity of the body that covered them (Grad's approximation, docs/decisions/0053).
template <class Groups, class Format>
void CpuSolver<Groups, Format>::refill_uncovered() {
  struct Known {
    double density = 0, stress[6] = {};
  };
  std::map<std::uint64_t, Known> known;  // by storage index, so that each group is loaded once
  for (const Int3& node : bodies_.neighbours()) known[storage_index_of(node)];
  const StepAccess& step = access();
  GroupPopulations f, equilibrium;
  alignas(64) MomentBlock<T> m;
  std::uint64_t loaded = ~std::uint64_t{0};
  for (auto& [index, of] : known) {
    const auto lane = static_cast<int>(index % group_lanes);
    if (index / group_lanes != loaded) {
      loaded = index / group_lanes;
      load_complete(loaded, f);
      physics_.moments(physics_.rates, f.f, parameters_, m);
    }
    of.density = 1 + static_cast<double>(m.density_deviation[lane]);
    physics_.equilibrium(of.density, {m.velocity[0][lane], m.velocity[1][lane], m.velocity[2][lane]}, lane,
                         equilibrium.f);
    for (int i = 1; i < step.directions; ++i) {
      const int at = i * group_lanes + lane;
      const double apart = static_cast<double>(f.f[at]) - static_cast<double>(equilibrium.f[at]);
      for (int k = 0; k < 6; ++k)
        of.stress[k] += step.c[i][core::tensor_row[k]] * step.c[i][core::tensor_column[k]] * apart;
    }
  }
  for (const UncoveredNode& node : bodies_.uncovered()) {
    Known mean;
    for (std::uint32_t k = 0; k < node.count; ++k) {
      const Known& of = known.at(storage_index_of(bodies_.neighbours()[node.first + k]));
      mean.density += of.density / node.count;
      for (int s = 0; s < 6; ++s) mean.stress[s] += of.stress[s] / node.count;
    }
    if (node.count == 0) mean.density = 1;
    const auto lane = static_cast<int>(storage_index_of(node.node) % group_lanes);
    physics_.equilibrium(mean.density, {node.velocity[0], node.velocity[1], node.velocity[2]}, lane, f.f);
    for (int i = 0; i < step.directions; ++i) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) {
        const int a = core::tensor_row[k], b = core::tensor_column[k];
        const double part = step.c[i][a] * step.c[i][b] - (a == b ? core::sound_speed_squared : 0);
        sum += (a == b ? 1 : 2) * part * mean.stress[k];
      }
      f.f[i * group_lanes + lane] += static_cast<T>(4.5 * weights_[static_cast<std::size_t>(i)] * sum);
    }
    put_node(node.node, f);
  }
}

/// What a body took from the fluid in the last step, in the frame of its surface; 0 before the first one.
template <class Groups, class Format>
TileSums<ForceSum> CpuSolver<Groups, Format>::summed_over_body(int body, const Real3& center) const {
  const NodeMap& nodes = geometry_.nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  const auto& exchanged = body_exchange_.last();
  std::map<std::uint32_t, ForceSum> sums;
  for (std::size_t k = 0; k < exchanged.size(); ++k) {
    const BodyLink& link = bodies_.last_links()[k];
    if (link.body != body) continue;
    const auto [sent, returned] = exchanged[k];
    const signed char* const c = streaming_.step[0].c[link.direction];
    Real3 force;
    for (int a = 0; a < 3; ++a) force[a] = (sent + returned) * c[a] - (sent - returned) * link.velocity[a];
    const Int3& x = link.node;
    ForceSum& sum = sums[nodes.directory[nodes.directory_index({x[0] / shape[0], x[1] / shape[1], x[2] / shape[2]})]];
    sum.force = sum.force + force;
    sum.torque = sum.torque + cross(link.place - center, force);
  }
  return tile_sums(sums, block_.tiles);
}

}  // namespace fluvia::cpu
