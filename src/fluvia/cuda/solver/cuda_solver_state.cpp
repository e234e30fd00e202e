// SPDX-License-Identifier: Apache-2.0
// CudaSolver: initial state, moments, monitors, canonical populations.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
std::uint64_t CudaSolver<T>::node_of(std::uint64_t id) const {
  const NodeMap::Tile& tile = geometry_.nodes.tiles[id / kernels::nodes_per_tile];
  const std::uint64_t below = (std::uint64_t{1} << id % kernels::nodes_per_tile) - 1;
  return tile.first_node + static_cast<std::uint64_t>(std::popcount(tile.mask & below));
}

template <class T>
std::uint32_t CudaSolver<T>::place_of(std::uint64_t tile) const {
  if (block_.tiles.contains(tile)) return places_[tile - block_.tiles.first];
  const auto found = std::lower_bound(halo_.begin(), halo_.end(), tile,
                                      [](const auto& of_halo, std::uint64_t t) { return of_halo.tile < t; });
  if (found == halo_.end() || found->tile != tile)
    throw Error(ExitCode::internal, "a part of the domain is asked for a tile that it does not store");
  return found->place;
}

template <class T>
void CudaSolver<T>::initialise(const InitialState& state) {
  device_.make_current();
  put_back();
  time_step_ = updates_ = 0;
  layout_->reset(arrays_);
  kept_.clear(channel_.stream);
  if (streamed_ && border_) border_->arriving.fill(channel_.stream, 0);  // of the flow before
  const NodeMap& nodes = geometry_.nodes;
  std::vector<double> values;
  for_each_stored(0, nodes.tiles.size(), [&](std::uint64_t next, std::uint64_t tile_count) {
    for_each_chunk(channel_, next, tile_count, [&](std::uint64_t, unsigned count, std::uint64_t size) {
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
      channel_.exchange.upload(channel_.stream, values.data(), values.size() * sizeof(double));
      launch(brought(), KernelKind::place_equilibrium, count,
             channel_.references.template data<const kernels::TileReference>(),
             channel_.exchange.template data<const double>(), size);
      is_changed_ = true;
      channel_.stream.synchronize();
    });
  });
}

template <class T>
void CudaSolver<T>::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  read_moments(brought(), first_tile, tile_count, with_stress, out);
}

template <class T>
void CudaSolver<T>::read_moments(const Source& source, std::uint64_t first_tile, std::uint64_t tile_count,
                                 bool with_stress, Moments& out) const {
  const NodeMap& nodes = geometry_.nodes;
  const std::uint64_t total = nodes.nodes_of(first_tile, tile_count);
  out.resize(total, with_stress);
  const Channel& channel = source.channel;
  const T* const values = channel.host.template data<const T>();
  for_each_chunk(channel, first_tile, tile_count, [&](std::uint64_t first, unsigned count, std::uint64_t size) {
    launch(source, KernelKind::moments, count, source.physics,
           channel.references.template data<const kernels::TileReference>(), channel.exchange.template data<T>(), size,
           with_stress ? 1 : 0);
    channel.exchange.download(channel.stream, channel.host.data(), size * Moments::numbers(with_stress) * sizeof(T));
    channel.stream.synchronize();
    for (std::uint64_t k = 0; k < size; ++k) {
      out.density[first + k] = 1 + static_cast<double>(values[k]);
      for (int a = 0; a < 3; ++a) out.velocity[first + k][a] = values[(1 + a) * size + k];
      if (with_stress)
        for (int a = 0; a < 6; ++a) out.stress[first + k][a] = values[(4 + a) * size + k];
    }
  });
}

template <class T>
void CudaSolver<T>::save(const ArrayRange& range, std::span<std::byte> out) const {
  if (range.array == flow_populations) return save_populations(range, out);
  device_.make_current();
  kept_.save(channel_.stream, range, entries_of(range), updates_, out);
}

template <class T>
void CudaSolver<T>::load(const ArrayRange& range, std::span<const std::byte> in) {
  if (range.array == flow_populations) return load_populations(range, in);
  device_.make_current();
  const EntryRange entries = entries_of(range);
  if (streamed_ && entries.count > 0) {  // what has arrived goes there before, and not again
    bring();
    is_changed_ = true;
  }
  kept_.load(channel_.stream, range, entries, updates_, in);
}

template <class T>
void CudaSolver<T>::save_populations(const ArrayRange& range, std::span<std::byte> out) const {
  const auto value = static_cast<std::size_t>(facts_.storage_bytes);
  for_each_stored(range.first_tile, range.tile_count, [&](std::uint64_t begin, std::uint64_t stored) {
    const std::uint64_t before = geometry_.nodes.nodes_of(range.first_tile, begin - range.first_tile);
    read_populations(brought(), {range.array, range.component, begin, stored}, out.subspan(before * value));
  });
}

template <class T>
void CudaSolver<T>::read_populations(const Source& source, const ArrayRange& range, std::span<std::byte> out) const {
  const auto value = static_cast<std::size_t>(facts_.storage_bytes);
  const Channel& channel = source.channel;
  for_each_chunk(channel, range.first_tile, range.tile_count,
                 [&](std::uint64_t first, unsigned count, std::uint64_t size) {
                   launch(source, KernelKind::save_direction, count,
                          channel.references.template data<const kernels::TileReference>(), range.component,
                          channel.exchange.data());
                   channel.exchange.download(channel.stream, channel.host.data(), size * value);
                   channel.stream.synchronize();
                   std::memcpy(out.data() + first * value, channel.host.data(), size * value);
                 });
}

template <class T>
void CudaSolver<T>::load_populations(const ArrayRange& range, std::span<const std::byte> in) {
  const auto value = static_cast<std::size_t>(facts_.storage_bytes);
  for_each_stored(range.first_tile, range.tile_count, [&](std::uint64_t begin, std::uint64_t stored) {
    const std::byte* const values =
        in.data() + geometry_.nodes.nodes_of(range.first_tile, begin - range.first_tile) * value;
    for_each_chunk(channel_, begin, stored, [&](std::uint64_t first, unsigned count, std::uint64_t size) {
      channel_.exchange.upload(channel_.stream, values + first * value, size * value);
      launch(brought(), KernelKind::load_direction, count,
             channel_.references.template data<const kernels::TileReference>(), range.component,
             static_cast<const void*>(channel_.exchange.data()));
      is_changed_ = true;
      channel_.stream.synchronize();
    });
  });
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
