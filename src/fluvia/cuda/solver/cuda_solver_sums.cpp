// SPDX-License-Identifier: Apache-2.0
// CudaSolver: sums over nodes and links, by tiles (solver/blocks/tile_sums.hpp).
#include <algorithm>
#include <iterator>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
void CudaSolver<T>::monitor(const PreparedCase& prepared) {
  for (std::size_t s = 0; s < prepared.monitored.size(); ++s) {
    MonitoredTiles& known = monitored_.emplace_back();
    known.on_gpu = arrays_.give(prepared.monitored[s], "monitored links");
    known.tiles = prepared.monitored_tiles[s];
    for (const kernels::MonitoredTile& tile : prepared.monitored[s])
      known.nodes.push_back(static_cast<std::uint32_t>(
          std::count_if(std::begin(tile.directions), std::end(tile.directions), [](auto d) { return d != 0; })));
  }
}

template <class T>
TileSums<FlowSum> CudaSolver<T>::summed(const FlowTotals&) const {
  device_.make_current();
  std::vector<kernels::NodeSums> sums(pieces_.size());
  if (!sums.empty()) {
    launch(brought(), KernelKind::sum_tiles, static_cast<unsigned>(sums.size()), physics_, summed_,
           sums_.template data<kernels::NodeSums>());
    sums_.download(channel_.stream, sums.data(), sums.size() * sizeof(sums[0]));
    channel_.stream.synchronize();
  }
  TileSums<FlowSum> all;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const kernels::NodeSums& sum = sums[k];
    FlowSum flow;
    flow.mass = sum.mass;
    std::copy_n(sum.momentum, 3, flow.momentum);
    flow.kinetic_energy = sum.kinetic_energy;
    flow.fastest_squared = sum.max_speed_squared;
    if (sum.max_speed_squared >= 0) flow.fastest_node = node_of(sum.max_speed_node);
    if (sum.bad_node != FlowSum::none) flow.bad_node = node_of(sum.bad_node);
    all.push_back({pieces_[k].first, static_cast<int>(pieces_[k].level), flow});
  }
  return reduced(all, block_.tiles);
}

template <class T>
std::vector<kernels::LinkSums> CudaSolver<T>::sum_links(int surface, const Real3& center) const {
  if (!is_monitored_[surface])
    throw Error(ExitCode::internal, "no links were kept for surface '" + geometry_.surfaces[surface] + "'");
  device_.make_current();
  const MonitoredTiles& monitored = monitored_[surface];
  std::vector<kernels::LinkSums> sums(monitored.tiles.size());
  if (sums.empty()) return sums;
  launch(brought(), KernelKind::sum_links, static_cast<unsigned>(sums.size()), physics_, monitored.on_gpu, center[0],
         center[1], center[2], sums_.template data<kernels::LinkSums>());
  sums_.download(channel_.stream, sums.data(), sums.size() * sizeof(sums[0]));
  channel_.stream.synchronize();
  return sums;
}

template <class T>
TileSums<ForceSum> CudaSolver<T>::summed(const ForceOnSurface& what) const {
  const auto [surface, center] = what;
  const double volume = geometry_.nodes.node_volume();  // S3 eq. 10
  const std::vector<kernels::LinkSums> links = sum_links(surface, center);
  TileSums<ForceSum> sums;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& [tile, faces, twelfths] = monitored_[surface].tiles[k];
    if (faces == 0) continue;
    ForceSum sum;
    for (int a = 0; a < 3; ++a) {
      sum.force[a] = volume * links[k].force[a] / faces;
      sum.torque[a] = volume * links[k].torque[a] / faces;
    }
    if (!sums.empty() && sums.back().first == tile)
      sums.back().value = sums.back().value + sum;
    else
      sums.push_back({tile, 0, sum});
  }
  return reduced(sums, block_.tiles);
}

template <class T>
TileSums<OpeningSum> CudaSolver<T>::summed(const FlowThroughOpening& what) const {
  const int surface = geometry_.openings[what.opening].surface;
  const std::vector<kernels::LinkSums> links = sum_links(surface, {});
  TileSums<OpeningSum> sums;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& [tile, faces, twelfths] = monitored_[surface].tiles[k];
    OpeningSum sum{links[k].flow * twelfths / 12, 0, 0};
    if (faces == 1) {  // nodes with links that openings share have others of their own
      sum.pressure = core::sound_speed_squared * links[k].density_deviation;
      sum.nodes = monitored_[surface].nodes[k];
    }
    if (!sums.empty() && sums.back().first == tile)
      sums.back().value = sums.back().value + sum;
    else
      sums.push_back({tile, 0, sum});
  }
  return reduced(sums, block_.tiles);
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
