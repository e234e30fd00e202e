// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/passes.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cuda/layout/boundary_arrays.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/exchanged_links.hpp"

namespace fluvia::cuda {
namespace {

/// Planes of each part of the march, as equal as they can be, of about the wanted number.
unsigned planes_of_part(unsigned planes, unsigned wanted) {
  const unsigned parts = std::max(1u, (planes + wanted / 2) / wanted);
  return (planes + parts - 1) / parts;
}

}  // namespace

PassLayout::PassLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles)
    : DenseBoxLayout(nodes, s, roles), steps_(s.steps_per_pass), tile_(pass_tile(s, s.steps_per_pass)) {
  const auto along = static_cast<unsigned>(nodes.size[nodes.dimension - 1]);
  planes_ = s.pass.planes > 0 ? planes_of_part(along, static_cast<unsigned>(s.pass.planes)) : along;
  for (int axis = 0; axis + 1 < nodes.dimension; ++axis) ends_ |= nodes.periodic[axis] ? 0u : 1u << axis;
  s.mirrors = tile_.stages > 1 && (s.mirrors || nodes.has_mirrors());
  value_bytes_ = pass_value_bytes(s);
  if (s.mirrors) mark_mirrors(nodes, facts_of_lattice(s.lattice).velocities);
}

std::uint64_t PassLayout::bytes() const {
  return DenseBoxLayout::bytes() + record_bytes_ + mirrored_bytes_;
}

/// Marks nodes beside planes of symmetry. Their links are cut for storage, so they have words.
void PassLayout::mark_mirrors(const NodeMap& nodes, const std::vector<Int3>& velocities) {
  const kernels::DenseBox& box = arrays_.box;
  for (std::size_t face = 0; face < nodes.mirrors.size(); ++face) mirrors_ |= nodes.mirrors[face] ? 1u << face : 0u;
  mirrored_.assign(arrays_.words.size(), 0);
  for (const ExchangedPair& pair : exchanged_pairs(nodes, velocities))
    for (const ExchangedEnd& end : {pair.first, pair.second}) {
      const Int3 x = nodes.node_position(nodes.tiles[end.tile], end.bit);
      const std::uint64_t row = static_cast<std::uint64_t>(x[1]) + static_cast<std::uint64_t>(box.size[1]) * x[2];
      const std::uint32_t block = arrays_.segments[row * box.row_words + x[0] / kernels::segment_nodes];
      const std::uint64_t word =
          static_cast<std::uint64_t>(block) * kernels::segment_nodes + x[0] % kernels::segment_nodes;
      arrays_.words[word] |= kernels::mirror_bit;
      mirrored_[word] |= 1u << end.direction;
    }
  mirrored_bytes_ = mirrored_.size() * sizeof(mirrored_[0]);
}

/// Marks nodes with boundary conditions. Nodes whose links are cut have words; others get them: in sponges, and
/// upstream of an opening.
void PassLayout::mark_conditions(const BoundaryArrays& boundaries) {
  if (tile_.stages == 1 || boundaries.records.empty()) return;
  const kernels::DenseBox& box = arrays_.box;
  const std::size_t words = arrays_.words.size();
  records_.assign(words, kernels::none);
  const Int3 tiles = {static_cast<int>(box.tiles[0]), static_cast<int>(box.tiles[1]), static_cast<int>(box.tiles[2])};
  for_each_first_record(boundaries, tiles, tile_.dimension, [&](const Int3& x, std::uint32_t record) {
    const std::uint64_t row = static_cast<std::uint64_t>(x[1]) + static_cast<std::uint64_t>(box.size[1]) * x[2];
    std::uint32_t& block = arrays_.segments[row * box.row_words + x[0] / kernels::segment_nodes];
    if (block == kernels::none) {
      block = static_cast<std::uint32_t>(arrays_.words.size() / kernels::segment_nodes);
      arrays_.words.resize(arrays_.words.size() + kernels::segment_nodes, 0);
      records_.resize(arrays_.words.size(), kernels::none);
    }
    const std::uint64_t word =
        static_cast<std::uint64_t>(block) * kernels::segment_nodes + x[0] % kernels::segment_nodes;
    arrays_.words[word] |= kernels::record_bit;
    records_[word] = record;
  });
  record_bytes_ = (records_.size() + arrays_.words.size() - words) * sizeof(std::uint32_t);
}

void PassLayout::place_arrays(ArrayStore& store) {
  DenseBoxLayout::place_arrays(store);
  arguments_ = {.records = store.give(records_, "nodes with conditions"),
                .planes = planes_,
                .first = 0,
                .end = 0,
                .mirrors = mirrors_,
                .mirrored = store.give(mirrored_, "links to planes of symmetry"),
                .ends = ends_};
  records_ = {};
  mirrored_ = {};
}

LaunchShape PassLayout::pass_shape(const kernels::PassTile& tile, unsigned planes) const {
  const auto pieces = [](unsigned count, unsigned size) { return (count + size - 1) / size; };
  const kernels::DenseBox& box = arrays_.box;
  const unsigned rows = tile.dimension == 3 ? pieces(box.size[1], static_cast<unsigned>(tile.depth)) : 1;
  return {{pieces(box.size[0], static_cast<unsigned>(tile.width)), rows, pieces(planes, planes_)},
          {static_cast<unsigned>(tile.threads())},
          shared_bytes(tile)};
}

void PassLayout::append_passes(const StepAddresses& at, StepShare share, const kernels::PassTile& tile, KernelKind kind,
                               Program& program) const {
  for_each_layers(share, [&](unsigned first, unsigned end) {
    kernels::PassArguments arguments = arguments_;
    arguments.first = first;
    arguments.end = end;
    program.push_back({.kernel = kind,
                       .shape = pass_shape(tile, end - first),
                       .geometry = geometry(at),
                       .more = Argument(arguments)});
  });
}

PassSlide PassLayout::make_slide(const NodeMap& nodes, unsigned least_blocks) const {
  const int last = nodes.dimension - 1;
  const kernels::DenseBox& box = arrays_.box;
  const auto along = static_cast<std::uint64_t>(nodes.size[last]);
  const PassSlide::March march = {along, std::uint64_t{box.pitch} * (last == 2 ? box.size[1] : 1), nodes.periodic[last],
                                  planes_, steps_};
  return {march, pass_shape(tile_, static_cast<unsigned>(along)).blocks, least_blocks};
}

void PassLayout::append_in_order(const PassSlide& slide, const StepAddresses& at, StepShare share,
                                 const kernels::PassTile& tile, KernelKind kind, Program& program) const {
  if (share == StepShare::interior) return;
  const auto layers = stepped_layers();
  program.push_back({.kernel = kind,
                     .shape = pass_shape(tile, layers.second - layers.first),
                     .geometry = geometry(at),
                     .more = Argument(slide.arguments(arguments_, layers, at.update))});
}

void PassLayout::append_pass(const StepAddresses& at, StepShare share, Program& program) const {
  append_passes(at, share, tile_, KernelKind::pass, program);
}

}  // namespace fluvia::cuda
