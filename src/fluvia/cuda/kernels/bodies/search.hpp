// SPDX-License-Identifier: Apache-2.0
// Which links bodies cut, found on a GPU by the formulas of core/boundary/body_parts.hpp from the nodes that they cover
// (docs/decisions/0068): as MovingBodies finds them, where products and sums are rounded one by one. A block of 64
// threads takes a piece of a tile.
#pragma once
#include "fluvia/cuda/kernels/bodies/arguments.hpp"
#include "fluvia/cuda/kernels/state.hpp"

namespace fluvia::cuda::kernels {

namespace detail {
FLUVIA_FUNCTION core::Triple middle_of(const int (&node)[3]) {
  return {{node[0] + 0.5, node[1] + 0.5, node[2] + 0.5}};
}

/// What a body covers, and what is fluid or covered, in a tile and those beside it; nothing in what is none of those
/// around the body.
struct MasksBeside {
  static constexpr int count = 27;
  Uint64 covered[count], fluid[count];  ///< along x, y, z

  /// Takes those of one of them.
  __device__ void take(const SearchedBodies& all, const BodyPiece& piece, int which) {
    const SearchedBody& body = all.bodies[piece.body];
    const int beside[3] = {which % 3 - 1, which / 3 % 3 - 1, which / 9 - 1};
    int left = static_cast<int>(piece.tile), tile = 0, stride = 1;
    bool is_there = true;
    for (int a = 0; a < 3; ++a) {
      const int at = left % body.size[a] + beside[a];
      is_there = is_there && at >= 0 && at < body.size[a];
      tile += stride * at;
      stride *= body.size[a];
      left /= body.size[a];
    }
    covered[which] = is_there ? all.covered[body.first_tile + static_cast<Uint32>(tile)] : 0;
    fluid[which] = is_there ? all.fluid[body.first_tile + static_cast<Uint32>(tile)] : 0;
  }
};

/// This thread's node of a piece, and its links to a body.
template <class Lattice>
class BesideBody {
 public:
  __device__ BesideBody(const SearchedBodies& all, const BodyPiece& piece)
      : all_(all), body_(all.bodies[piece.body]), is_fluid_((piece.mask >> threadIdx.x & 1u) != 0) {
    const int bit = static_cast<int>(threadIdx.x);
    const int local[3] = {bit % edge, bit / edge % edge, bit / (edge * edge)};
    int left = static_cast<int>(piece.tile);
    for (int a = 0; a < 3; ++a) {
      node_[a] = piece.first[a] + local[a];
      first_[a] = body_.low[a] + shape(a) * (left % body_.size[a]);
      left /= body_.size[a];
    }
  }
  /// Whether it is a node of fluid that the body does not cover.
  __device__ bool is_open(const MasksBeside& masks) const { return is_fluid_ && !is_in(masks.covered, {0, 0, 0}); }

  /// Looks for the parts of the body that the tile can reach.
  __device__ void look_around() {
    core::Triple middle;
    for (int a = 0; a < 3; ++a) middle.x[a] = first_[a] + 0.5 * shape(a);
    middle = in_rest(middle);
    for (Uint32 p = 0; p < body_.part_count; ++p)
      core::visit_part(all_.parts[body_.first_part + p], [&](const auto& part) {
        if (part.distance(middle) > body_.reach) return;
        parts_ |= Uint64{1} << p % 64;
        has_chords_ = has_chords_ || part.may_have_chords(middle, body_.reach);
      });
  }

  /// Directions of links that the body cuts.
  __device__ void find_directions(const MasksBeside& masks, BodyNode& found) const {
    if (parts_ == 0) return;
    Uint32 others = 0;
    for (int k = 1; k < Lattice::Q; ++k) {
      if (is_in(masks.covered, body_.links[k].c))
        found.directions |= 1u << k;
      else if (has_chords_ && is_in(masks.fluid, body_.links[k].c))
        others |= 1u << k;
    }
    if (others == 0) return;
    const core::Triple from = in_rest(middle_of(node_));
    Uint32 with_chords = 0;
    for_each_part([&](const auto& part) { with_chords |= part.with_chords(from, ways(), others & ~with_chords); });
    core::detail::for_each_bit(with_chords, [&](int k) {
      core::Chord chord;
      if (find_chord(k, chord)) found.through |= 1u << k;
    });
    found.directions |= found.through;
  }

  template <class T>
  __device__ BodyLinkNumbers<T> numbers_of(int k, bool is_through) const {
    const SearchedLink& link = body_.links[k];
    const core::Triple place = middle_of(node_), arm = place - body_.center;
    const core::Triple &v = body_.velocity, &w = body_.angular_velocity;
    const core::Triple there =
        v + core::Triple{{w[1] * arm[2] - w[2] * arm[1], w[2] * arm[0] - w[0] * arm[2], w[0] * arm[1] - w[1] * arm[0]}};
    const double speed = link.c[0] * there[0] + link.c[1] * there[1] + link.c[2] * there[2];
    const double part = is_through ? part_through(k) : entry(k, in_rest(place));
    return {static_cast<T>(core::detail::larger(core::least_part_of_link, part)), static_cast<T>(link.factor * speed)};
  }

 private:
  static constexpr int edge = Lattice::D == 3 ? 4 : 8;
  __device__ static constexpr int shape(int axis) { return axis < Lattice::D ? edge : 1; }

  __device__ void end_of(int k, int (&end)[3]) const {
    for (int a = 0; a < 3; ++a) end[a] = node_[a] + body_.links[k].c[a];
  }
  /// Whether the node that a way leads to from this one, which is fluid, is one of those that masks tell.
  __device__ bool is_in(const Uint64 (&masks)[MasksBeside::count], const int (&way)[3]) const {
    int tile = 0, bit = 0;
    for (int a = 2; a >= 0; --a) {
      const int at = node_[a] - first_[a] + way[a];
      const int beside = at < 0 ? -1 : at < shape(a) ? 0 : 1;
      tile = 3 * tile + beside + 1;
      bit = bit * shape(a) + at - beside * shape(a);
    }
    return (masks[tile] >> bit & 1u) != 0;
  }
  /// Where a place of the body at its pose was before it moved.
  __device__ core::Triple in_rest(const core::Triple& place) const {
    const core::Triple arm = place - body_.center;
    return body_.rest_center +
           core::Triple{{core::dot(body_.axes[0], arm), core::dot(body_.axes[1], arm), core::dot(body_.axes[2], arm)}};
  }
  __device__ auto ways() const {
    return [links = body_.links](int k) -> const core::LinkWay& { return links[k].way; };
  }
  /// Calls visit(part) for parts that the tile can reach.
  template <class Visit>
  __device__ void for_each_part(const Visit& visit) const {
    for (Uint32 p = 0; p < body_.part_count; ++p)
      if ((parts_ >> p % 64 & 1u) != 0) core::visit_part(all_.parts[body_.first_part + p], visit);
  }

  /// What a link to another node of fluid has in the body. Both ends ask for the way from the same one.
  __device__ bool find_chord(int k, core::Chord& all) const {
    const int back = core::opposite(k);
    int begin[3] = {node_[0], node_[1], node_[2]};
    if (back < k) end_of(k, begin);
    const core::Triple from = in_rest(middle_of(begin));
    const core::LinkWay& way = body_.links[k < back ? k : back].way;
    bool has_one = false;
    for_each_part([&](const auto& part) {
      core::Chord own;
      if (!part.chord(part.seen_from(from), way, own)) return;
      all.entry = has_one ? core::detail::lesser(all.entry, own.entry) : own.entry;
      all.exit = has_one ? core::detail::larger(all.exit, own.exit) : own.exit;
      has_one = true;
    });
    return has_one;
  }
  __device__ double part_through(int k) const {
    core::Chord chord{0, 0};
    find_chord(k, chord);
    return k < core::opposite(k) ? chord.entry : 1 - chord.exit;
  }
  /// The part at which a link to a node that the body covers first meets its surface.
  __device__ double entry(int k, const core::Triple& from) const {
    const core::LinkWay& way = body_.links[k].way;
    double entry = core::no_entry;
    for_each_part([&](const auto& part) {
      core::Chord chord;
      if (part.chord(part.seen_from(from), way, chord)) entry = core::detail::lesser(entry, chord.entry);
    });
    if (entry < core::no_entry) return core::detail::larger(core::detail::lesser(entry, 1.0), 0.0);
    // A way that just touches the surface.
    return core::find_root([&](double part_of_way) {
      const core::Triple place = from + part_of_way * way.along;
      double least = core::endless_way;
      for (Uint32 p = 0; p < body_.part_count; ++p)
        core::visit_part(all_.parts[body_.first_part + p],
                         [&](const auto& part) { least = core::detail::lesser(least, part.distance(place)); });
      return least;
    });
  }

  const SearchedBodies& all_;
  const SearchedBody& body_;
  int node_[3], first_[3];  ///< of the grid: the node, and the first one of its tile around the body
  bool is_fluid_, has_chords_ = false;
  Uint64 parts_ = 0;  ///< as BodyCuts::Around
};
}  // namespace detail

/// Finds the nodes of each piece that have links, and counts these. A block for each of SearchedBodies::beside.
template <class Spec>
__global__ void find_body_nodes(const SearchedBodies bodies, const FoundBodyNodes found) {
  __shared__ Uint32 counts[nodes_per_tile];
  __shared__ detail::MasksBeside masks;
  const BodyPiece piece = bodies.pieces[bodies.beside[blockIdx.x]];
  if (threadIdx.x < static_cast<unsigned>(detail::MasksBeside::count))
    masks.take(bodies, piece, static_cast<int>(threadIdx.x));
  __syncthreads();
  BodyNode node{0, 0, 0};
  detail::BesideBody<typename Spec::Lattice> beside(bodies, piece);
  if (beside.is_open(masks)) {
    beside.look_around();
    beside.find_directions(masks, node);
  }
  counts[threadIdx.x] = static_cast<Uint32>(__popc(node.directions));
  __syncthreads();
  Uint64 mask = 0;
  Uint32 all = 0;
  for (Uint32 k = 0; k < static_cast<Uint32>(nodes_per_tile); ++k) {
    if (k == threadIdx.x) node.first = all;
    all += counts[k];
    mask |= static_cast<Uint64>(counts[k] != 0) << k;
  }
  found.nodes[blockIdx.x * nodes_per_tile + threadIdx.x] = node;
  if (threadIdx.x != 0) return;
  found.tiles[blockIdx.x] = {mask, piece.storage_index, 0};
  found.links[blockIdx.x] = all;
}

/// Numbers nodes and links of so many pieces. One block of numbering_threads, each of which takes some that follow each
/// other.
template <class Spec>
__global__ void __launch_bounds__(numbering_threads) number_body_links(const FoundBodyNodes found, Uint32 pieces) {
  __shared__ Uint32 nodes[numbering_threads], links[numbering_threads];
  const Uint32 each = (pieces + numbering_threads - 1) / numbering_threads;
  const Uint32 begin = threadIdx.x * each, end = begin + each < pieces ? begin + each : pieces;
  Uint32 own_nodes = 0, own_links = 0;
  for (Uint32 k = begin; k < end; ++k) {
    own_nodes += static_cast<Uint32>(__popcll(found.tiles[k].mask));
    own_links += found.links[k];
  }
  nodes[threadIdx.x] = own_nodes;
  links[threadIdx.x] = own_links;
  __syncthreads();
  for (Uint32 way = 1; way < numbering_threads; way *= 2) {  // sums of all up to this one
    const Uint32 more_nodes = threadIdx.x < way ? 0 : nodes[threadIdx.x - way];
    const Uint32 more_links = threadIdx.x < way ? 0 : links[threadIdx.x - way];
    __syncthreads();
    nodes[threadIdx.x] += more_nodes;
    links[threadIdx.x] += more_links;
    __syncthreads();
  }
  Uint32 next_node = nodes[threadIdx.x] - own_nodes, next_link = links[threadIdx.x] - own_links;
  for (Uint32 k = begin; k < end; ++k) {
    found.tiles[k].output = next_node;
    next_node += static_cast<Uint32>(__popcll(found.tiles[k].mask));
    const Uint32 own = found.links[k];
    found.links[k] = next_link;
    next_link += own;
  }
  if (threadIdx.x != numbering_threads - 1) return;
  found.totals[0] = nodes[threadIdx.x];
  found.totals[1] = links[threadIdx.x];
}

/// Lists nodes and links, if there is room for them. A block for each piece.
template <class Spec>
__global__ void list_body_links(const SearchedBodies bodies, const FoundBodyNodes found,
                                const BodyLists<Arithmetic<Spec>> lists) {
  if (found.totals[1] > lists.room) return;
  const TileReference tile = found.tiles[blockIdx.x];
  if ((tile.mask >> threadIdx.x & 1u) == 0) return;
  BodyNode node = found.nodes[blockIdx.x * nodes_per_tile + threadIdx.x];
  node.first += found.links[blockIdx.x];
  lists.nodes[detail::output_index(tile)] = node;
  detail::BesideBody<typename Spec::Lattice> beside(bodies, bodies.pieces[bodies.beside[blockIdx.x]]);
  beside.look_around();
  Uint32 link = node.first;
  core::detail::for_each_bit(node.directions, [&](int k) {
    lists.links[link++] = beside.template numbers_of<Arithmetic<Spec>>(k, (node.through >> k & 1u) != 0);
  });
}

}  // namespace fluvia::cuda::kernels
