// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/dense_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia::cuda {
namespace {

using kernels::none;
using kernels::segment_nodes;

constexpr std::uint64_t slot_padding = 64 * 37;

/// The fluid nodes of the box, one bit each, rows padded to 64.
class BitRows {
 public:
  explicit BitRows(const NodeMap& nodes)
      : nodes_(nodes), words_((static_cast<std::uint64_t>(nodes.size[0]) + 63) / 64) {
    bits_.assign(words_ * nodes.size[1] * nodes.size[2], 0);
    const Int3 shape = tile_shape(nodes.dimension);
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (int r = 0; r < fluvia::nodes_per_tile / shape[0]; ++r) {
        const std::uint64_t row = tile.mask >> (r * shape[0]) & ((std::uint64_t{1} << shape[0]) - 1);
        if (row == 0) continue;
        const Int3 p = nodes.node_position(tile, r * shape[0]);
        bits_[row_of(p[1], p[2]) * words_ + p[0] / 64] |= row << (p[0] % 64);  // rows of tiles do not straddle words
      }
  }
  /// Bit of each of 32 nodes from x0 whose neighbour at (dx,dy,dz) is fluid.
  [[nodiscard]] std::uint32_t neighbours(int x0, int y, int z, const Int3& d) const {
    const int ny = wrapped(y + d[1], nodes_.size[1]), nz = wrapped(z + d[2], nodes_.size[2]);
    if ((ny != y + d[1] && !nodes_.periodic[1]) || (nz != z + d[2] && !nodes_.periodic[2])) return 0;
    const std::uint64_t row = row_of(ny, nz);
    const auto own = static_cast<std::uint32_t>(bits_[row * words_ + x0 / 64] >> (x0 % 64));
    if (d[0] == 0) return own;
    const int width = std::min(segment_nodes, nodes_.size[0] - x0);
    if (d[0] < 0) return own << 1 | bit(row, x0 - 1);
    return own >> 1 | bit(row, x0 + width) << (width - 1);
  }

 private:
  [[nodiscard]] std::uint64_t row_of(int y, int z) const { return y + static_cast<std::uint64_t>(nodes_.size[1]) * z; }
  [[nodiscard]] std::uint32_t bit(std::uint64_t row, int x) const {
    const int at = wrapped(x, nodes_.size[0]);
    if (at != x && !nodes_.periodic[0]) return 0;
    return static_cast<std::uint32_t>(bits_[row * words_ + at / 64] >> (at % 64) & 1);
  }
  const NodeMap& nodes_;
  std::uint64_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

DenseArrays make_dense_arrays(const NodeMap& nodes, const std::vector<Int3>& velocities) {
  const Int3 n = nodes.size;
  DenseArrays arrays;
  const auto row_words = static_cast<std::uint32_t>((n[0] + segment_nodes - 1) / segment_nodes);
  for (int axis = 0; axis < 3; ++axis) {
    arrays.box.size[axis] = static_cast<std::uint32_t>(n[axis]);
    arrays.box.tiles[axis] = static_cast<std::uint32_t>(nodes.tiles_in_box[axis]);
  }
  arrays.box.row_words = row_words;
  const int pitch = row_pitch(n[0]);
  arrays.box.pitch = static_cast<std::uint32_t>(pitch);
  const std::uint64_t elements = static_cast<std::uint64_t>(pitch) * n[1] * n[2];
  if (elements >> 32 != 0)
    throw_resource(
        fmt::format("numerics.scheme: a dense box on a GPU has at most 2^32 nodes, this one has {}; use a "
                    "compact scheme or a larger spacing",
                    elements));
  // Slots begin at multiples of 64 elements, but not a large power of two apart: they would share the banks of memory.
  arrays.stride = (elements + 63) / 64 * 64 + slot_padding;
  arrays.elements = arrays.stride * velocities.size();
  const BitRows rows(nodes);
  const std::int64_t row_count = static_cast<std::int64_t>(n[1]) * n[2];
  arrays.segments.assign(static_cast<std::uint64_t>(row_count) * row_words, none);
  // First mark, then number, then fill: the last two follow the order of the rows whatever the number of threads.
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < row_count; ++row)
    for (std::uint32_t s = 0; s < row_words; ++s) {
      const int x0 = static_cast<int>(s) * segment_nodes, y = static_cast<int>(row % n[1]),
                z = static_cast<int>(row / n[1]);
      const int width = std::min(segment_nodes, n[0] - x0);
      const std::uint32_t all = width == 32 ? 0xffffffffu : (1u << width) - 1;
      std::uint32_t fluid = all;
      for (const Int3& c : velocities) fluid &= rows.neighbours(x0, y, z, c);
      if (fluid != all) arrays.segments[row * row_words + s] = 0;
    }
  std::uint32_t blocks = 0;
  for (std::uint32_t& segment : arrays.segments)
    if (segment != none) segment = blocks++;
  arrays.words.assign(static_cast<std::uint64_t>(blocks) * segment_nodes, 0);
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < row_count; ++row)
    for (std::uint32_t s = 0; s < row_words; ++s) {
      const std::uint32_t block = arrays.segments[row * row_words + s];
      if (block == none) continue;
      const int x0 = static_cast<int>(s) * segment_nodes, y = static_cast<int>(row % n[1]),
                z = static_cast<int>(row / n[1]);
      std::uint32_t* words = arrays.words.data() + static_cast<std::uint64_t>(block) * segment_nodes;
      const std::uint32_t own = rows.neighbours(x0, y, z, {0, 0, 0});
      for (int lane = 0; lane < segment_nodes; ++lane)
        if ((own >> lane & 1u) == 0) words[lane] = kernels::not_fluid_bit;
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const Int3& c = velocities[i];
        std::uint32_t cut = own & ~rows.neighbours(x0, y, z, {-c[0], -c[1], -c[2]});
        for (; cut; cut &= cut - 1) words[std::countr_zero(cut)] |= 1u << i;
      }
    }
  return arrays;
}

DenseBoxLayout::DenseBoxLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles)
    : arrays_(make_dense_arrays(nodes, facts_of_lattice(s.lattice).velocities)),
      last_axis_(nodes.dimension - 1),
      cut_links_beside_(facts_of(s).cut_links_beside),
      copies_(static_cast<unsigned>(s.scheme.copies)),
      slots_(static_cast<unsigned>(facts_of(s).numbers)),
      threads_(static_cast<unsigned>(s.threads)),
      rows_(static_cast<unsigned>(s.rows)),
      nodes_per_thread_(static_cast<unsigned>(nodes_per_thread(s))),
      storage_bytes_(facts_of(s).storage_bytes),
      bytes_((arrays_.segments.size() + arrays_.words.size()) * sizeof(std::uint32_t)),
      slot_bytes_(0) {
  set_stride(arrays_.stride);
  arrays_.box.rows_ahead = rows_ahead(s);
  find_shares(nodes, roles);
}

std::uint32_t DenseBoxLayout::rows_ahead(const Specification& s) const {
  const Prefetch& prefetch = kernels_of(s.scheme).prefetch;
  const auto bytes = static_cast<std::uint64_t>(facts_of(s).storage_bytes);
  if (nodes_per_thread_ > 1 || copies_ * arrays_.elements * bytes < prefetch.least_bytes) return 0;
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(prefetch.bytes_ahead) /
                                    (arrays_.box.pitch * slots_ * bytes));
}

/// Finds the layers of a step's shares. A layer of tiles goes with the border if one of its tiles does, or one is of
/// the halo: nodes of the halo are stepped to no effect, but the step writes where messages bring the right
/// populations, and these are unpacked behind the border's step.
void DenseBoxLayout::find_shares(const NodeMap& nodes, const TileRoles& roles) {
  const auto size = static_cast<std::uint32_t>(nodes.size[last_axis_]);
  const auto thickness = static_cast<std::uint32_t>(tile_shape(nodes.dimension)[last_axis_]);
  shares_ = {{StepShare::all, 0, size}};
  if (roles.empty()) return;
  std::vector<TileRole> layers(static_cast<std::size_t>(nodes.tiles_in_box[last_axis_]), TileRole::halo);
  std::vector<bool> has_halo(layers.size(), false);
  for (std::size_t t = 0; t < roles.size(); ++t) {
    const auto k = static_cast<std::size_t>(nodes.tiles[t].position[last_axis_]);
    layers[k] = std::min(layers[k], roles[t]);
    if (roles[t] == TileRole::halo) has_halo[k] = true;
  }
  for (std::size_t k = 0; k < layers.size(); ++k)
    if (layers[k] == TileRole::interior && has_halo[k]) layers[k] = TileRole::border;
  for (std::uint32_t k = 0; k < layers.size(); ++k) {
    if (layers[k] == TileRole::halo) continue;
    const StepShare share = layers[k] == TileRole::border ? StepShare::border : StepShare::interior;
    const std::uint32_t first = k * thickness, end = std::min(size, first + thickness);
    if (shares_.back().share == share && shares_.back().end == first)
      shares_.back().end = end;
    else
      shares_.push_back({share, first, end});
  }
}

void DenseBoxLayout::set_stride(std::uint64_t stride) {
  arrays_.stride = stride;
  arrays_.elements = stride * slots_;
  slot_bytes_ = stride * static_cast<std::uint64_t>(storage_bytes_);
}

std::pair<std::uint32_t, std::uint32_t> DenseBoxLayout::stepped_layers() const {
  const Layers& first = shares_.size() == 1 ? shares_.front() : shares_[1];
  return {first.first, shares_.back().end};
}

Layout::Extent DenseBoxLayout::extent() const {
  return {copies_ * arrays_.elements, (copies_ - 1) * arrays_.elements};
}

/// Ranges, for each slot, of the layers that steps take, and if need be of those beside them, which wrap as in kernels.
std::vector<Range> DenseBoxLayout::own_elements() const {
  const std::uint64_t size = arrays_.box.size[last_axis_], beside = cut_links_beside_ ? 1 : 0;
  const std::uint64_t row = arrays_.box.pitch, layer = last_axis_ == 2 ? row * arrays_.box.size[1] : row;
  if (shares_.size() == 1) return Layout::own_elements();
  std::uint64_t first = stepped_layers().first, end = stepped_layers().second;
  std::vector<Range> layers;
  if (end - first + 2 * beside >= size) {
    layers = {{0, size}};
  } else {
    if (first < beside) layers.push_back({size - 1, 1});
    if (end + beside > size) layers.push_back({0, 1});
    first -= std::min(first, beside);
    end = std::min(end + beside, size);
    layers.push_back({first, end - first});
  }
  std::vector<Range> ranges;
  for (unsigned slot = 0; slot < slots_; ++slot)
    for (const Range& range : layers)
      ranges.push_back({slot * arrays_.stride + range.first * layer, range.count * layer});
  return ranges;
}

std::uint64_t DenseBoxLayout::wall_storage_index(const NodeMap&, const Int3& x) const {
  const std::uint64_t pitch = arrays_.box.pitch, rows = arrays_.box.size[1];
  return static_cast<std::uint64_t>(x[0]) +
         pitch * (static_cast<std::uint64_t>(x[1]) + rows * static_cast<std::uint64_t>(x[2]));
}

void DenseBoxLayout::place_arrays(ArrayStore& store) {
  arrays_.box.segments = store.give(arrays_.segments, "segments");
  arrays_.box.words = store.give(arrays_.words, "wall nodes");
  arrays_.segments = {};
  arrays_.words = {};
}

Argument DenseBoxLayout::geometry(const StepAddresses& at) const {
  kernels::DenseBox box = arrays_.box;
  for (unsigned slot = 0; slot < slots_; ++slot) {
    box.source[slot] = at.source + slot_bytes_ * slot;
    box.target[slot] = at.target + slot_bytes_ * slot;
  }
  box.end_row = box.size[1];
  return Argument(box);
}

void DenseBoxLayout::append_step(const StepAddresses& at, StepShare share, Program& program) const {
  const unsigned columns = (arrays_.box.size[0] + nodes_per_thread_ - 1) / nodes_per_thread_;
  const Dimensions block = block_of_rows(threads_, rows_, columns);
  for_each_layers(share, [&](unsigned first, unsigned end) {
    kernels::DenseBox box = geometry(at).as<kernels::DenseBox>();
    unsigned rows = arrays_.box.size[1], planes = 1;
    if (last_axis_ == 2) {
      box.first_layer = first;
      planes = end - first;
    } else {
      box.first_row = first;
      box.end_row = end;
      rows = end - first;
    }
    program.push_back({.shape = {{(columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y, planes}, block},
                       .geometry = Argument(box)});
  });
}

}  // namespace fluvia::cuda
