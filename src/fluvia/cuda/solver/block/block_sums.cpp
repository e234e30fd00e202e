// SPDX-License-Identifier: Apache-2.0
// BlockReaders: sums over nodes and links, by tiles (solver/blocks/tile_sums.hpp).
#include <algorithm>
#include <iterator>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/block/block_readers.hpp"
#include "fluvia/cuda/solver/block/live_copy.hpp"

namespace fluvia::cuda {

template <class T>
BlockReaders<T>::BlockReaders(const BlockKernels& on, const PreparedCase& prepared, DeviceArrays& arrays)
    : on_(on),
      is_monitored_(prepared.setup.monitored),
      pieces_(prepared.pieces),
      summed_{arrays.give(pieces_, "pieces of sums"), arrays.give(on.storage_indices, "storage indices of tiles"),
              static_cast<std::uint32_t>(on.block.tiles.first)},
      sums_(on.device, prepared.sums_bytes(), "sums") {
  for (std::size_t s = 0; s < prepared.monitored.size(); ++s) {
    MonitoredTiles& known = monitored_.emplace_back();
    update_copy(on.device, on.channel.stream, prepared.monitored[s], {}, "monitored links", known.on_gpu);
    known.tiles = prepared.monitored_tiles[s];
    known.nodes = nodes_with_links(prepared.monitored[s]);
  }
}

template <class T>
TileSums<FlowSum> BlockReaders<T>::sums(const FlowView<T>& flow, const FlowTotals&) const {
  on_.device.make_current();
  const Stream& stream = flow.channel.stream;
  std::vector<kernels::NodeSums> sums(pieces_.size());
  if (!sums.empty()) {
    on_.launch(flow, KernelKind::sum_tiles, static_cast<unsigned>(sums.size()), flow.physics, summed_,
               sums_.template data<kernels::NodeSums>());
    sums_.download(stream, sums.data(), sums.size() * sizeof(sums[0]));
    stream.synchronize();
  }
  TileSums<FlowSum> all;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const kernels::NodeSums& sum = sums[k];
    FlowSum of_piece;
    of_piece.mass = sum.mass;
    std::copy_n(sum.momentum, 3, of_piece.momentum);
    of_piece.kinetic_energy = sum.kinetic_energy;
    of_piece.fastest_squared = sum.max_speed_squared;
    if (sum.max_speed_squared >= 0) of_piece.fastest_node = on_.node_of(sum.max_speed_node);
    if (sum.bad_node != FlowSum::none) of_piece.bad_node = on_.node_of(sum.bad_node);
    all.push_back({pieces_[k].first, static_cast<int>(pieces_[k].level), of_piece});
  }
  return reduced(all, on_.block.tiles);
}

template <class T>
std::vector<kernels::LinkSums> BlockReaders<T>::sum_links(const FlowView<T>& flow, int surface,
                                                          const Real3& center) const {
  if (!is_monitored_[surface])
    throw Error(ExitCode::internal, "no links were kept for surface '" + on_.shared_geometry->surfaces[surface] + "'");
  on_.device.make_current();
  const MonitoredTiles& monitored = monitored_[surface];
  std::vector<kernels::LinkSums> sums(monitored.tiles.size());
  if (sums.empty()) return sums;
  on_.launch(flow, KernelKind::sum_links, static_cast<unsigned>(sums.size()), flow.physics,
             monitored.on_gpu.template data<kernels::MonitoredTile>(), center[0], center[1], center[2],
             sums_.template data<kernels::LinkSums>());
  sums_.download(flow.channel.stream, sums.data(), sums.size() * sizeof(sums[0]));
  flow.channel.stream.synchronize();
  return sums;
}

template <class T>
TileSums<ForceSum> BlockReaders<T>::sums(const FlowView<T>& flow, const ForceOnSurface& what) const {
  const auto [surface, center] = what;
  const double volume = on_.nodes.node_volume();  // S3 eq. 10
  const std::vector<kernels::LinkSums> links = sum_links(flow, surface, center);
  TileSums<ForceSum> forces;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& [tile, faces, twelfths] = monitored_[surface].tiles[k];
    if (faces == 0) continue;
    ForceSum sum;
    for (int a = 0; a < 3; ++a) {
      sum.force[a] = volume * links[k].force[a] / faces;
      sum.torque[a] = volume * links[k].torque[a] / faces;
    }
    if (!forces.empty() && forces.back().first == tile)
      forces.back().value = forces.back().value + sum;
    else
      forces.push_back({tile, 0, sum});
  }
  return reduced(forces, on_.block.tiles);
}

template <class T>
TileSums<OpeningSum> BlockReaders<T>::sums(const FlowView<T>& flow, const FlowThroughOpening& what) const {
  const int surface = on_.shared_geometry->openings[what.opening].surface;
  const std::vector<kernels::LinkSums> links = sum_links(flow, surface, {});
  TileSums<OpeningSum> flows;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& [tile, faces, twelfths] = monitored_[surface].tiles[k];
    OpeningSum sum{links[k].flow * twelfths / 12, 0, 0};
    if (faces == 1) {  // nodes with links that openings share have others of their own
      sum.pressure = core::sound_speed_squared * links[k].density_deviation;
      sum.nodes = monitored_[surface].nodes[k];
    }
    if (!flows.empty() && flows.back().first == tile)
      flows.back().value = flows.back().value + sum;
    else
      flows.push_back({tile, 0, sum});
  }
  return reduced(flows, on_.block.tiles);
}

template class BlockReaders<float>;
template class BlockReaders<double>;

}  // namespace fluvia::cuda
