// SPDX-License-Identifier: Apache-2.0
// CudaSolver: initial state, moments, monitors, canonical populations.
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
std::uint32_t CudaSolver<T>::place_of(std::uint64_t tile) const {
  if (!numbers_fluid_tiles(specification_.scheme))
    return static_cast<std::uint32_t>(geometry_.nodes.directory_index(geometry_.nodes.tiles[tile].position));
  return order_.empty() ? static_cast<std::uint32_t>(tile) : order_[tile];
}

template <class T>
std::uint64_t CudaSolver<T>::node_of(std::uint64_t id) const {
  const NodeMap& nodes = geometry_.nodes;
  const std::uint64_t place = id / kernels::nodes_per_tile;
  const std::uint64_t tile = !numbers_fluid_tiles(specification_.scheme) ? nodes.directory[place]
                             : canonical_.empty()                        ? place
                                                                         : canonical_[place];
  const NodeMap::Tile& t = nodes.tiles[tile];
  const std::uint64_t below = (std::uint64_t{1} << id % kernels::nodes_per_tile) - 1;
  return t.first_node + static_cast<std::uint64_t>(std::popcount(t.mask & below));
}

template <class T>
void CudaSolver<T>::initialise(const InitialState& state) {
  time_step_ = updates_ = 0;
  counters_.fill(stream_, 0);
  const NodeMap& nodes = geometry_.nodes;
  std::vector<double> values;
  std::uint64_t next = 0;
  for_each_chunk(0, nodes.tiles.size(), [&](std::uint64_t, unsigned count, std::uint64_t size) {
    values.resize(4 * size);
    std::uint64_t k = 0;
    for (std::uint64_t t = next; t < next + count; ++t)
      for (std::uint64_t bits = nodes.tiles[t].mask; bits; bits &= bits - 1, ++k) {
        double density = 1;
        Real3 u{};
        state(nodes.node_position(nodes.tiles[t], std::countr_zero(bits)), density, u);
        values[k] = density - 1;
        for (int a = 0; a < 3; ++a) values[(1 + a) * size + k] = u[a];
      }
    next += count;
    exchange_.upload(stream_, values.data(), values.size() * sizeof(double));
    launch(KernelKind::place_equilibrium, count, references_.template data<const kernels::TileReference>(),
           exchange_.template data<const double>(), size);
    stream_.synchronize();
  });
}

template <class T>
void CudaSolver<T>::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  const NodeMap& nodes = geometry_.nodes;
  const std::uint64_t total = nodes.nodes_of(first_tile, tile_count);
  out.density.resize(total);
  out.velocity.resize(total);
  out.stress.resize(with_stress ? total : 0);
  std::vector<T> values;
  for_each_chunk(first_tile, tile_count, [&](std::uint64_t first, unsigned count, std::uint64_t size) {
    launch(KernelKind::moments, count, physics_, references_.template data<const kernels::TileReference>(),
           exchange_.template data<T>(), size, with_stress ? 1 : 0);
    values.resize(size * (with_stress ? 10 : 4));
    exchange_.download(stream_, values.data(), values.size() * sizeof(T));
    stream_.synchronize();
    for (std::uint64_t k = 0; k < size; ++k) {
      out.density[first + k] = 1 + static_cast<double>(values[k]);
      for (int a = 0; a < 3; ++a) out.velocity[first + k][a] = values[(1 + a) * size + k];
      if (with_stress)
        for (int a = 0; a < 6; ++a) out.stress[first + k][a] = values[(4 + a) * size + k];
    }
  });
}

template <class T>
Totals CudaSolver<T>::totals() const {
  device_.make_current();
  launch(KernelKind::sum_nodes, sum_blocks, physics_, sums_.template data<kernels::NodeSums>());
  std::vector<kernels::NodeSums> parts(sum_blocks);
  sums_.download(stream_, parts.data(), parts.size() * sizeof(parts[0]));
  stream_.synchronize();
  const double volume = geometry_.nodes.node_volume();
  Totals total;
  double fastest = 0;
  std::uint64_t fastest_node = 0, bad = ~std::uint64_t{0};
  for (const kernels::NodeSums& part : parts) {
    total.mass += volume * part.mass;
    for (int a = 0; a < 3; ++a) total.momentum[a] += volume * part.momentum[a];
    total.kinetic_energy += volume * part.kinetic_energy;
    if (part.max_speed_squared > fastest || (part.max_speed_squared == fastest && part.max_speed_node < fastest_node)) {
      fastest = part.max_speed_squared;
      fastest_node = part.max_speed_node;
    }
    bad = std::min<std::uint64_t>(bad, part.bad_node);
  }
  total.max_speed = std::sqrt(fastest);
  if (fastest > 0) total.max_speed_node = node_of(fastest_node);
  total.finite = bad == ~std::uint64_t{0};
  if (!total.finite) total.bad_node = node_of(bad);
  return total;
}

template <class T>
kernels::LinkSums CudaSolver<T>::sum_links(int surface, const Real3& center) const {
  if (!is_monitored_[surface])
    throw Error(ExitCode::internal, "no links were kept for surface '" + geometry_.surfaces[surface] + "'");
  const double volume = geometry_.nodes.node_volume();  // S3 eq. 10
  kernels::LinkSums sum{};
  const Monitored& m = monitored_[surface];
  if (m.tile_count == 0) return sum;
  device_.make_current();
  launch(KernelKind::sum_links, m.tile_count, physics_, m.tiles, center[0], center[1], center[2],
         sums_.template data<kernels::LinkSums>());
  std::vector<kernels::LinkSums> parts(m.tile_count);
  sums_.download(stream_, parts.data(), parts.size() * sizeof(parts[0]));
  stream_.synchronize();
  for (const kernels::LinkSums& part : parts) {
    for (int a = 0; a < 3; ++a) {
      sum.force[a] += volume * part.force[a];
      sum.torque[a] += volume * part.torque[a];
    }
    sum.flow += volume * part.flow;
    sum.density_deviation += part.density_deviation;
  }
  return sum;
}

template <class T>
SurfaceForce CudaSolver<T>::surface_force(int surface, const Real3& center) const {
  const kernels::LinkSums sum = sum_links(surface, center);
  return wall_force({{sum.force[0], sum.force[1], sum.force[2]}, {sum.torque[0], sum.torque[1], sum.torque[2]}},
                    carried_[surface], surfaces_[surface].scale, center);
}

template <class T>
OpeningFlow CudaSolver<T>::opening_flow(int opening) const {
  const int surface = geometry_.openings[opening].surface;
  const kernels::LinkSums sum = sum_links(surface, {});
  const auto nodes = static_cast<double>(monitored_[surface].nodes);
  return {sum.flow, nodes > 0 ? sum.density_deviation * core::sound_speed_squared / nodes : 0};
}

template <class T>
void CudaSolver<T>::save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                     std::span<std::byte> out) const {
  const auto value = static_cast<std::size_t>(facts_.storage_bytes);
  for_each_chunk(first_tile, tile_count, [&](std::uint64_t first, unsigned count, std::uint64_t size) {
    launch(KernelKind::save_direction, count, references_.template data<const kernels::TileReference>(), direction,
           exchange_.data());
    exchange_.download(stream_, out.data() + first * value, size * value);
    stream_.synchronize();
  });
}

template <class T>
void CudaSolver<T>::load_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                     std::span<const std::byte> in) {
  const auto value = static_cast<std::size_t>(facts_.storage_bytes);
  for_each_chunk(first_tile, tile_count, [&](std::uint64_t first, unsigned count, std::uint64_t size) {
    exchange_.upload(stream_, in.data() + first * value, size * value);
    launch(KernelKind::load_direction, count, references_.template data<const kernels::TileReference>(), direction,
           static_cast<const void*>(exchange_.data()));
    stream_.synchronize();
  });
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
