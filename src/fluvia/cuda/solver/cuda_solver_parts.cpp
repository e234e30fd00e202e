// SPDX-License-Identifier: Apache-2.0
// CudaSolver: what of the domain is on the GPU at a time: all of it, a slab, or, while it visits, what waits elsewhere.
#include <iterator>

#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
void CudaSolver<T>::make_parts(const PreparedCase& prepared, const kernels::Boundaries& boundaries,
                               const std::vector<const kernels::MonitoredTile*>& monitored) {
  const auto links_of = [&](std::size_t surface, const Range& range) {
    return Monitored{monitored[surface] + range.first, static_cast<unsigned>(range.count), range.first};
  };
  for (std::size_t s = 0; s < monitored.size(); ++s) {
    MonitoredTiles& known = monitored_.emplace_back();
    known.tiles = prepared.monitored_tiles[s];
    known.nodes = nodes_with_links(prepared.monitored[s]);
  }
  const auto pieces_of = [&](const Range& tiles) {
    Range range;
    for (std::size_t k = 0; k < pieces_.size(); ++k)
      if (pieces_[k].first >= tiles.first && pieces_[k].first < tiles.first + tiles.count) {
        if (range.count == 0) range.first = k;
        ++range.count;
      }
    return range;
  };
  if (prepared.slabs.empty()) {
    Part& all = parts_.emplace_back();
    all.boundaries = boundaries;
    all.tiles = {subdomain_.tiles.first, subdomain_.tiles.count()};
    all.pieces = pieces_of(all.tiles);
    for (std::size_t s = 0; s < monitored.size(); ++s)
      all.monitored.push_back(links_of(s, {0, prepared.monitored[s].size()}));
    return select(visiting_ ? parts_.size() : 0);
  }
  for (const Slab& slab : prepared.slabs.slabs) {
    Part& part = parts_.emplace_back();
    part.boundaries = boundaries;
    part.boundaries.tiles += slab.boundary_tiles.first;
    part.boundaries.tile_count = static_cast<std::uint32_t>(slab.boundary_tiles.count);
    part.first_place = slab.first_place;
    part.first_node = static_cast<std::uint32_t>(slab.first_plane * prepared.slabs.plane_nodes);
    part.tiles = slab.tiles;
    part.pieces = pieces_of(part.tiles);
    for (std::size_t s = 0; s < monitored.size(); ++s) part.monitored.push_back(links_of(s, slab.monitored[s]));
  }
  out_of_core_ = OutOfCorePopulations(device_, prepared.slabs, facts_.storage_bytes);
  select(parts_.size());
}

template <class T>
void CudaSolver<T>::select(std::size_t part) const {
  part_ = part;
  if (part == parts_.size()) return;
  physics_.boundaries = parts_[part].boundaries;
  physics_.rounding.first = first_node_ + parts_[part].first_node;
  physics_.walls.first_place = parts_[part].first_node;
}

template <class T>
void CudaSolver<T>::put_back() const {
  if (part_ == parts_.size() || (parts_.size() == 1 && !visiting_)) return;
  if (visiting_)
    end_visit();
  else if (part_is_changed_)
    out_of_core_.put_back(channel_.stream, populations_, updates_, part_);
  part_is_changed_ = false;
  select(parts_.size());
}

template <class T>
void CudaSolver<T>::bring(std::size_t part) const {
  if (part == part_) return;
  put_back();
  if (visiting_)
    begin_visit();
  else
    out_of_core_.fetch(channel_.stream, populations_, updates_, part);
  select(part);
}

template <class T>
void CudaSolver<T>::queue_slabs() const {
  const Stream& stream = channel_.stream;
  put_back();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    timed(&StepTimes::transfer, [&] { out_of_core_.before_step(stream, populations_, updates_, k); });
    select(k);
    queue_step();
    timed(&StepTimes::transfer, [&] { out_of_core_.after_step(stream, populations_, updates_, k); });
  }
  select(parts_.size());
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
