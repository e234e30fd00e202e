// SPDX-License-Identifier: Apache-2.0
// What bodies cover, and which links they cut.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {

namespace {

/// Surfaces that nearly touch a node count as this far from it, in parts of the link.
constexpr double least_part = 1e-3;

}  // namespace

/// Finds the links that a body cuts, in the band around its surface. A way between two nodes of fluid is asked for
/// once, and cut for both: what is found at one end for the other one is put where it belongs afterwards.
void MovingBodies::find_links(int number) {
  const Body& body = bodies_[index(number)];
  const BodyCover& cover = body.cover;
  const auto places = static_cast<std::int64_t>(cover.band().size());
  std::int64_t beside[32] = {};  // how far a neighbour lies from a node in the cover
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    beside[k] = (static_cast<std::int64_t>(velocities_[k][2]) * cover.size()[1] + velocities_[k][1]) * cover.size()[0] +
                velocities_[k][0];
  const std::size_t directions = velocities_.size();
  if (directions == 0) return;  // who only asks what is covered
  const double longest = *std::max_element(lengths_.begin(), lengths_.end());
  const bool is_alone = count() == 1;
  found_.resize(static_cast<std::size_t>(threads_));
  for (Found& found : found_)
    found.links.clear(), found.through.clear(), found.order.clear(), found.order_through.clear();
#pragma omp parallel num_threads(threads_) if (places > 4096)
  {
    const int team = omp_get_num_threads(), thread = omp_get_thread_num();
    Found& mine = found_[static_cast<std::size_t>(thread)];
    const auto order_of = [](std::size_t place, std::size_t direction) {
      return 32 * std::uint64_t{place} + direction;
    };
    for (std::int64_t at = places * thread / team; at < places * (thread + 1) / team; ++at) {
      const BodyCover::Place& of_band = cover.band()[static_cast<std::size_t>(at)];
      const std::size_t place = of_band.at;
      if (cover.kind(place) != BodyCover::near) continue;
      const double gap = cover.gap(place);
      if (gap > longest) continue;
      const Int3 node = cover.in_grid(of_band), here = fluid_.node_at(node);
      if (!is_alone && covered_by_others(body, here)) continue;
      const Real3 from = geometry::node_centre(node), own = body.in_rest(from);
      for (std::size_t k = 1; k < directions; ++k) {
        if (gap > lengths_[k]) continue;
        const auto there = static_cast<std::size_t>(static_cast<std::int64_t>(place) + beside[k]);
        const BodyCover::Kind kind = cover.kind(there);
        const auto back = static_cast<std::size_t>(core::opposite(static_cast<int>(k)));
        if (kind != BodyCover::covered && (kind != BodyCover::near || back < k || gap + cover.gap(there) > lengths_[k]))
          continue;
        const Int3& c = velocities_[k];
        const Int3 end{node[0] + c[0], node[1] + c[1], node[2] + c[2]};
        const auto link_at = [&](const Int3& start, double part, const Int3& at, const Int3& other, std::size_t along,
                                 bool is_through) {
          part = std::max(least_part, part);
          const Real3 met = geometry::node_centre(start) + part * geometry::link_vector(velocities_[along]);
          return BodyLink{at,
                          other,
                          met,
                          body.pose.velocity_at(met),
                          part,
                          static_cast<std::uint8_t>(along),
                          static_cast<std::uint8_t>(number),
                          is_through};
        };
        const Real3 other = body.in_rest(geometry::node_centre(end));
        if (kind == BodyCover::covered) {
          mine.links.push_back(link_at(node, body.shape.entry(own, other), here, fluid_.node_at(end), k, false));
          mine.order.push_back(order_of(place, k));
          continue;
        }
        const std::optional<Chord> chord = body.shape.chord(own, other);
        if (!chord) continue;
        const Int3 end_node = fluid_.node_at(end);
        if (!is_alone && covered_by_others(body, end_node)) continue;
        mine.through.push_back(link_at(node, chord->entry, here, end_node, k, true));
        mine.order_through.push_back(order_of(place, k));
        mine.through.push_back(link_at(end, 1 - chord->exit, end_node, here, back, true));
        mine.order_through.push_back(order_of(there, back));
      }
    }
  }
  gather_links();
}

/// Appends what threads have found to the links, in order: each copies what it found, and between these links through
/// the body that belong there.
void MovingBodies::gather_links() {
  std::vector<std::pair<std::uint64_t, const BodyLink*>> through;
  for (const Found& found : found_)
    for (std::size_t k = 0; k < found.through.size(); ++k)
      through.emplace_back(found.order_through[k], &found.through[k]);
  if (through.empty() && links_found_ == 0 && found_.size() == 1) {
    links_found_ = found_.front().links.size();
    return std::swap(links_, found_.front().links);
  }
  std::sort(through.begin(), through.end());
  // Where the links of each thread begin among those through the body, and among all.
  std::vector<std::size_t> first_through(found_.size() + 1, through.size()), first(found_.size() + 1, links_found_);
  for (std::size_t t = found_.size(); t-- > 0;) {
    const std::vector<std::uint64_t>& order = found_[t].order;
    first_through[t] = t == 0 ? 0
                       : order.empty()
                           ? first_through[t + 1]
                           : static_cast<std::size_t>(
                                 std::lower_bound(through.begin(), through.end(),
                                                  std::pair<std::uint64_t, const BodyLink*>(order.front(), nullptr)) -
                                 through.begin());
  }
  for (std::size_t t = 0; t < found_.size(); ++t)
    first[t + 1] = first[t] + found_[t].links.size() + first_through[t + 1] - first_through[t];
  links_found_ = first.back();
  if (links_.size() < links_found_) links_.resize(links_found_);
#pragma omp parallel for schedule(static, 1) num_threads(threads_) if (found_.size() > 1)
  for (std::size_t t = 0; t < found_.size(); ++t) {
    const Found& found = found_[t];
    std::size_t next = first_through[t], at = first[t];
    for (std::size_t k = 0; k < found.links.size(); ++k) {
      for (; next < first_through[t + 1] && through[next].first < found.order[k]; ++next)
        links_[at++] = *through[next].second;
      links_[at++] = found.links[k];
    }
    for (; next < first_through[t + 1]; ++next) links_[at++] = *through[next].second;
  }
}

/// Of links that two bodies cut between two nodes of fluid the one that is met first stays.
void MovingBodies::keep_nearest_of_through_links() {
  if (count() < 2) return;
  std::map<std::array<int, 4>, std::size_t> known;
  std::vector<bool> is_dropped(links_.size(), false);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const BodyLink& link = links_[k];
    if (!link.is_through) continue;
    const auto [at, is_new] = known.try_emplace({link.node[0], link.node[1], link.node[2], link.direction}, k);
    if (is_new) continue;
    const bool nearer = link.part < links_[at->second].part;
    is_dropped[nearer ? at->second : k] = true;
    if (nearer) at->second = k;
  }
  std::erase_if(links_,
                [&](const BodyLink& link) { return is_dropped[static_cast<std::size_t>(&link - links_.data())]; });
}

}  // namespace fluvia
