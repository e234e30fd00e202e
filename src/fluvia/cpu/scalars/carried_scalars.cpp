// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/scalars/carried_scalars.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace fluvia::cpu {

template <class T>
CarriedScalars<T>::CarriedScalars(const Problem& problem, const std::vector<ScalarMethod>& methods, Block& block,
                                  const StorageIndexOf& storage_index_of, std::uint64_t groups, int threads)
    : methods_(methods),
      size_(groups * group_lanes),
      nodes_(block.tiles.count() == problem.geometry.nodes.tiles.size() ? problem.geometry.nodes : of_block_),
      time_step_(problem.units.time_step) {
  const NodeMap& all = problem.geometry.nodes;
  const bool is_whole = &nodes_ == &all;
  if (!is_whole) of_block_ = stored_nodes(all, block);
  const ScalarNodes nodes = is_whole ? ScalarNodes(all) : ScalarNodes(all, of_block_, block);
  own_ = {all.tiles[block.tiles.first].first_node, all.nodes_of(block.tiles.first, block.tiles.count())};
  shift_ = nodes.first_own() - own_.first;
  storage_.resize(nodes_.fluid_nodes);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t t = 0; t < nodes_.tiles.size(); ++t) {
    std::uint64_t n = nodes_.tiles[t].first_node;
    for (std::uint64_t rest = nodes_.tiles[t].mask; rest != 0; rest &= rest - 1, ++n)
      storage_[n] =
          static_cast<std::uint32_t>(storage_index_of(nodes_.node_position(nodes_.tiles[t], std::countr_zero(rest))));
  }
  if (!is_whole) list_halo(all, nodes);
  for (std::size_t k = 0; k < methods_.size(); ++k) {
    fields_.emplace_back(problem, k);
    transports_.push_back(make_scalar_transport<T>(problem, methods_[k], fields_[k],
                                                   {nodes, storage_, size_, all, block.tiles}, threads));
    acts_ = acts_ || methods_[k].expansion != 0;
  }
  list_levels(all, storage_index_of, block);
  of_block_.directory = {};  // its tiles are not looked up any more
  for (std::size_t axis = 0; axis < 3; ++axis)
    gravity_[axis] =
        static_cast<T>(problem.units.acceleration(problem.settings.physics.gravity[static_cast<int>(axis)]));
  initialise();
}

template <class T>
void CarriedScalars<T>::list_levels(const NodeMap& all, const StorageIndexOf& storage_index_of, Block& block) {
  for (std::size_t k = 0; k < block.neighbours.size(); ++k) {
    Neighbour& neighbour = block.neighbours[k];
    if (neighbour.scalar == Neighbour::of_flow) continue;
    const ScalarTransport<T>& of = *transports_[static_cast<std::size_t>(neighbour.scalar)];
    const auto move = [&](std::vector<HaloPopulation>& list, std::vector<std::uint32_t>& elements) {
      for (const HaloPopulation& p : list)
        elements.push_back(static_cast<std::uint32_t>(
            of.element(p.direction, storage_index_of(all.node_position(all.tiles[p.tile], p.bit)))));
      std::vector<HaloPopulation>().swap(list);
    };
    move(neighbour.leaves, levels_[k].leaves);
    move(neighbour.arrives, levels_[k].arrives);
  }
}

template <class T>
void CarriedScalars<T>::list_halo(const NodeMap& all, const ScalarNodes& nodes) {
  for (const NodeMap::Tile& tile : nodes_.tiles) {
    std::uint64_t n = tile.first_node;
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++n)
      if (!nodes.owns(n))
        halo_.emplace_back(
            static_cast<std::uint64_t>(all.node_index(nodes_.node_position(tile, std::countr_zero(rest)))), n);
  }
}

template <class T>
void CarriedScalars<T>::initialise() {
  set_step(0);
  for (std::size_t k = 0; k < transports_.size(); ++k)
    transports_[k]->initialise(nodes_, fields_[k], velocity_.empty() ? nullptr : velocity_.data());
  velocity_ = {};
}

template <class T>
void CarriedScalars<T>::append_solid_arrays(std::vector<NodeArray>& arrays) const {
  for (std::size_t k = 0; k < transports_.size(); ++k)
    if (!methods_[k].solids.empty()) append_solid_array(methods_[k], transports_[k]->solid_nodes(), arrays);
}

template <class T>
std::pair<std::size_t, std::uint64_t> CarriedScalars<T>::place_of(std::size_t row) const {
  if (row < transports_.size()) return {row, shift_};
  std::size_t behind = row - transports_.size(), scalar = 0;
  while (methods_[scalar].solids.empty() || behind-- > 0) ++scalar;
  return {scalar, nodes_.fluid_nodes};
}

template <class T>
void CarriedScalars<T>::load(std::size_t row, int component, const EntryRange& entries, std::span<const std::byte> in) {
  const auto [scalar, shift] = place_of(row);
  ScalarTransport<T>& to = *transports_[scalar];
  if (halo_.empty() || row >= transports_.size()) return to.load(component, {shift + entries.first, entries.count}, in);
  const std::uint64_t end = entries.first + entries.count, first_own = std::max(entries.first, own_.first),
                      end_own = std::min(end, own_.first + own_.count);
  const auto from = [&](std::uint64_t node) { return in.subspan((node - entries.first) * sizeof(T)); };
  if (first_own < end_own) to.load(component, {shift + first_own, end_own - first_own}, from(first_own));
  for (auto node = std::lower_bound(halo_.begin(), halo_.end(), std::pair{entries.first, std::uint64_t{0}});
       node != halo_.end() && node->first < end; ++node)
    to.load(component, {node->second, 1}, from(node->first));
}

template <class T>
bool CarriedScalars<T>::is_finite(std::uint64_t node) const {
  return std::all_of(transports_.begin(), transports_.end(),
                     [&](const auto& transport) { return std::isfinite(transport->excess(storage_[node + shift_])); });
}

template <class T>
double CarriedScalars<T>::value(std::size_t scalar, std::uint64_t node) const {
  return methods_[scalar].reference + static_cast<double>(transports_[scalar]->excess(storage_[node + shift_]));
}

template <class T>
void CarriedScalars<T>::set_step(std::int64_t step) {
  const double time = time_step_ * static_cast<double>(step);
  for (std::size_t k = 0; k < transports_.size(); ++k) {
    fields_[k].set_time(time);
    transports_[k]->set_time(time, nodes_, fields_[k]);
  }
}

template class CarriedScalars<float>;
template class CarriedScalars<double>;

}  // namespace fluvia::cpu
