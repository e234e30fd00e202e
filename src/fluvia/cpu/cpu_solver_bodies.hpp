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
#include <optional>
#include <utility>

#include "fluvia/cpu/cpu_solver.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
void CpuSolver<Groups, Format>::collide_beside_bodies(std::uint64_t group, GroupPopulations& p, int lanes) const {
  typename BodyExchange<T>::Before before;
  const int directions = access().directions;
  body_exchange_.look_before(group, directions, p.in, before);
  const auto supply = static_cast<T>(walls_.supply.per_weight);
  if (!has_walls(group)) {
    collide_at_walls(group, p, lanes);
    return body_exchange_.give_back(group, supply, before, p.out, p.out);
  }
  // Walls replace some of what leaves, so that the collision is done again for the links of bodies.
  GroupPopulations arrived, after;
  for (int i = 0; i < directions; ++i) {
    arrived.in[i] = arrived.f + i * group_lanes;
    arrived.out[i] = after.out[i] = after.f + i * group_lanes;
    std::memcpy(arrived.f + i * group_lanes, p.in[i], sizeof(T) * static_cast<std::size_t>(lanes));
  }
  collide_at_walls(group, p, lanes);
  physics_.collide(physics_.rates, arrived.in, arrived.out, lanes, parameters_);
  body_exchange_.give_back(group, supply, before, after.out, p.out);
}

/// Before a part forgets what is far from it.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::make_bodies(const Problem& problem) {
  bodies_ = MovingBodies(problem, plan_.flow().lattice->velocities, plan_.threads);
  if (bodies_.empty()) return;
  bodies_.start_at(0);
  body_exchange_.weigh(bodies_.links(), weights_);
  bodies_.keep_to(block_);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::place_bodies(std::int64_t step) {
  if (bodies_.empty()) return;
  bodies_.start_at(step);
  body_exchange_.forget();
  settle_bodies();
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::exchange_over_body_links() {
  const StepAccess& step = access();
  Storage* const populations = current();
  // Populations lie far apart: many are asked for before the first is needed.
  constexpr std::size_t ahead = 256;
  for (const std::vector<BodyLink>* const list : {&bodies_.links(), &bodies_.links_of_others()}) {
    const std::vector<BodyLink>& links = *list;
#pragma omp parallel for schedule(static) num_threads(plan_.threads) if (links.size() > ahead)
    for (std::size_t first = 0; first < links.size(); first += ahead) {
      Storage* pairs[ahead][2];
      std::size_t count = 0;
      for (std::size_t k = first; k < std::min(first + ahead, links.size()); ++k) {
        const BodyLink& link = links[k];
        if (link.is_at_wall) continue;  // what comes back from a wall lies where its node reads it already
        const Int3 end = bodies_.end_of(link);
        if (link.is_through && link.direction > core::opposite(link.direction) && bodies_.part().owns(end))
          continue;  // its end does
        pairs[count][0] =
            populations + exchanged_element(bodies_.node_of(link), core::opposite(link.direction), step, false);
        pairs[count][1] = populations + exchanged_element(end, link.direction, step, false);
        for (const Storage* const each : pairs[count]) __builtin_prefetch(each, 1);
        ++count;
      }
      for (std::size_t k = 0; k < count; ++k) std::swap(*pairs[k][0], *pairs[k][1]);
    }
  }
}

/// Bodies move on to the step that has been reached when what they feel is known: of those that are free from all
/// parts, which is a round of its own. All parts move them alike.
template <class Groups, class Format>
Bytes CpuSolver<Groups, Format>::say(int round) {
  if (round == 0) exchange_over_body_links();
  ByteWriter said;
  if (round + 1 < rounds()) {
    for (const TileSums<ForceSum>& share :
         shares_felt_by_bodies(bodies_, block_.tiles, plan_.flow().lattice->velocities, body_exchange_.now()))
      said.put(share);
    return said.take();
  }
  bodies_.move_to(time_step_, felt_by_bodies_);
  look_beside_uncovered();
  for (const Int3& node : bodies_.neighbours_of_others()) said.put(node).put(beside_uncovered(node));
  return said.take();
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::hear(int round, std::span<const Bytes> said) {
  if (round + 1 < rounds()) {
    std::vector<TileSums<ForceSum>> shares(static_cast<std::size_t>(bodies_.count()));
    for (const Bytes& of_part : said) {
      ByteReader reader(of_part);
      for (TileSums<ForceSum>& share : shares) reader.append_all(share);
    }
    felt_by_bodies_ = felt_of_shares(shares);
    return;
  }
  for (const Bytes& of_part : said)
    for (ByteReader reader(of_part); !reader.rest().empty();) {
      const auto node = reader.get<Int3>();
      auto beside = reader.get<BesideUncovered>();
      if (bodies_.part().owns(node) || !bodies_.part().sees(node)) continue;
      const std::optional<NodeMap::Node> at = geometry_.nodes.find_fluid(node);
      if (!at || !contains(block_.halo, at->tile, at->bit)) continue;
      beside.index = storage_index_of(node);
      beside_uncovered_.push_back(beside);
    }
  refill_uncovered();
  settle_bodies();
}

/// Puts nodes that are covered from now on to rest, and takes the links of the step to come.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::settle_bodies() {
  body_exchange_.finish_step();
  if (!bodies_.have_moved()) return;
  GroupPopulations rest;
  std::fill_n(rest.f, access().directions * group_lanes, T(0));
  for (const Int3& node : bodies_.newly_covered()) put_node(node, rest);
  take_body_links();
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::take_body_links() {
  body_exchange_.take(bodies_, groups_.count(), weights_, [this](const Int3& node) { return storage_index_of(node); });
}

/// Stores what arrives at a node, which is in its lane of the block.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::put_node(const Int3& node, const GroupPopulations& block) {
  const std::uint64_t index = storage_index_of(node);
  open(index / group_lanes)
      .template put<Format>(access(), current(), all_directions(access()), block.f,
                            std::uint64_t{1} << index % group_lanes);
}

/// Finds what nodes of this part have that lie beside nodes which were covered.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::look_beside_uncovered() {
  auto& known = beside_uncovered_;  // by storage index, so that each group is loaded once
  known.clear();
  for (const std::vector<Int3>* const nodes : {&bodies_.neighbours(), &bodies_.neighbours_of_others()})
    for (const Int3& node : *nodes)
      if (bodies_.part().owns(node)) known.push_back({storage_index_of(node), 0, {}});
  const auto by_index = [](const BesideUncovered& a, const BesideUncovered& b) { return a.index < b.index; };
  std::sort(known.begin(), known.end(), by_index);
  known.erase(std::unique(known.begin(), known.end(),
                          [](const BesideUncovered& a, const BesideUncovered& b) { return a.index == b.index; }),
              known.end());
  const StepAccess& step = access();
  GroupPopulations f, equilibrium;
  alignas(64) MomentBlock<T> m;
  std::uint64_t loaded = ~std::uint64_t{0};
  for (BesideUncovered& of : known) {
    const std::uint64_t index = of.index;
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
      core::add_to_stress(step.c[i], apart, of.stress);
    }
  }
}

template <class Groups, class Format>
auto CpuSolver<Groups, Format>::beside_uncovered(const Int3& node) const -> const BesideUncovered& {
  return *std::lower_bound(beside_uncovered_.begin(), beside_uncovered_.end(), storage_index_of(node),
                           [](const BesideUncovered& of, std::uint64_t index) { return of.index < index; });
}

/// Gives nodes that were covered the mean density and stress of their neighbours that are fluid at both times, and the
/// velocity of the body that covered them (Grad's approximation, docs/decisions/0053).
template <class Groups, class Format>
void CpuSolver<Groups, Format>::refill_uncovered() {
  std::sort(beside_uncovered_.begin(), beside_uncovered_.end(),
            [](const BesideUncovered& a, const BesideUncovered& b) { return a.index < b.index; });
  const StepAccess& step = access();
  GroupPopulations f;
  for (const UncoveredNode& node : bodies_.uncovered()) {
    BesideUncovered mean{};
    for (std::uint32_t k = 0; k < node.count; ++k) {
      const BesideUncovered& of = beside_uncovered(bodies_.neighbours()[node.first + k]);
      mean.density += of.density / node.count;
      for (int s = 0; s < 6; ++s) mean.stress[s] += of.stress[s] / node.count;
    }
    if (node.count == 0) mean.density = 1;
    const auto lane = static_cast<int>(storage_index_of(node.node) % group_lanes);
    physics_.equilibrium(mean.density, {node.velocity[0], node.velocity[1], node.velocity[2]}, lane, f.f);
    for (int i = 0; i < step.directions; ++i) {
      f.f[i * group_lanes + lane] +=
          static_cast<T>(core::part_of_stress(step.c[i], weights_[static_cast<std::size_t>(i)], mean.stress));
    }
    put_node(node.node, f);
  }
}

}  // namespace fluvia::cpu
