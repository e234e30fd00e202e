// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/analysis.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia::geometry {
namespace {

constexpr int narrow_width = 4;
constexpr std::size_t most_examples = 10;

/// Counts by bin, summed over all members of a communicator: count(bins, node) adds what a node with cut links of D3Q19
/// (2D: D2Q9) has.
template <class Count>
std::vector<std::uint64_t> count_at_cuts(const NodeMap& nodes, int bins, const std::vector<Int3>& offsets,
                                         const Count& count, Communicator& communicator) {
  std::vector<std::vector<std::uint64_t>> parts(link_slices, std::vector<std::uint64_t>(bins, 0));
  for_each_node_with_cuts(nodes, offsets, nodes.share_of(communicator),
                          [&](int slice, const NodeWithCuts& node) { count(parts[slice], node); });
  std::vector<std::uint64_t> counts(bins, 0);
  for (const auto& part : parts)
    for (int i = 0; i < bins; ++i) counts[i] += part[i];
  communicator.sum(counts);
  return counts;
}

/// The links that are surveyed, whatever the lattice: those of D3Q19, or D2Q9.
std::vector<Int3> surveyed_links(const NodeMap& nodes) {
  constexpr int squared_length = 2;
  return neighbour_offsets(nodes.dimension, squared_length);
}

/// The fluid that lies along an axis from a node on.
struct FreeWay {
  int steps = 0;  ///< further fluid nodes before solid or a plane of symmetry, or the most if farther or open
  bool ends_at_mirror = false;
};

/// Looks at `most` nodes from a node on.
FreeWay free_way(const NodeMap& nodes, const std::array<bool, 6>& open_faces, Int3 node, int axis, int side,
                 int most = narrow_width) {
  Int3 offset{};
  offset[axis] = side;
  for (int steps = 0; steps < most; ++steps) {
    if (nodes.barring_surface(node, offset) >= 0) return {steps};
    node[axis] += side;
    const bool outside = node[axis] < 0 || node[axis] >= nodes.size[axis];
    if (outside && !nodes.periodic[axis]) {
      const std::size_t face = static_cast<std::size_t>(2 * axis + (side < 0 ? 0 : 1));
      if (nodes.mirrors[face]) return {steps, true};
      return {open_faces[face] ? most : steps};
    }
    if (!nodes.is_fluid(node)) return {steps};
  }
  return {most};
}

/// Fluid nodes along an axis between two solid ones, or between one and its mirror image.
struct Run {
  int axis = 0;
  Int3 first{}, last{};
  int mirror = 0;  ///< side of a plane of symmetry at an end, -1 or 1, behind which the run goes on; 0: none
  [[nodiscard]] int nodes() const { return (mirror != 0 ? 2 : 1) * (last[axis] - first[axis] + 1); }
};

/// Normal of the wall that ends a run at a solid (or outside) node: towards the fluid beside it, on the run's side.
Real3 outlook(const NodeMap& nodes, const Int3& solid, int axis, int towards) {
  const int reach = 2, flat = nodes.dimension == 3 ? reach : 0;
  Real3 sum{};
  for (int z = -flat; z <= flat; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const Int3 offset{x, y, z};
        if (offset[axis] * towards < 0) continue;
        const NodeMap::Landing seen = nodes.land({solid[0] + x, solid[1] + y, solid[2] + z});
        if (!seen.inside || !nodes.is_fluid(seen.node)) continue;
        sum = sum + Real3{1.0 * x, 1.0 * y, 1.0 * z};
      }
  return sum;
}

/// Whether the walls at both ends of a run face each other. Across the top of a round wall, both look down.
bool is_gap(const NodeMap& nodes, const Run& run) {
  Int3 low = run.first, high = run.last;
  --low[run.axis];
  ++high[run.axis];
  Real3 a = run.mirror < 0 ? Real3{} : outlook(nodes, low, run.axis, 1);
  Real3 b = run.mirror > 0 ? Real3{} : outlook(nodes, high, run.axis, -1);
  if (run.mirror != 0) {
    Real3& image = run.mirror < 0 ? a : b;
    image = run.mirror < 0 ? b : a;
    image[run.axis] = -image[run.axis];
  }
  return dot(a, b) < -0.5 * norm(a) * norm(b);
}

/// Width of a run from wall to wall, in nodes.
double width_of(const Run& run, const std::function<double(const Int3&, const Int3&)>& distance_of) {
  if (!distance_of) return run.nodes();
  Int3 step{};
  const auto to_wall = [&](const Int3& node, int side) {
    step[run.axis] = side;
    return run.mirror == side ? 0.5 : distance_of(node, step);  // half-way to the mirror image of the node
  };
  const double width = run.last[run.axis] - run.first[run.axis] + to_wall(run.last, 1) + to_wall(run.first, -1);
  return run.mirror != 0 ? 2 * width : width;
}

/// Calls visit(run) for the runs through a node that are narrow.
template <class Visit>
void visit_narrow_runs(const NodeMap& nodes, const std::array<bool, 6>& open_faces, const Int3& node,
                       const Visit& visit) {
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    const FreeWay below = free_way(nodes, open_faces, node, axis, -1);
    if (below.steps >= narrow_width - 1) continue;
    const FreeWay above = free_way(nodes, open_faces, node, axis, 1);
    if (below.ends_at_mirror && above.ends_at_mirror) continue;  // images without end
    Run run{axis, node, node, below.ends_at_mirror ? -1 : above.ends_at_mirror ? 1 : 0};
    run.first[axis] -= below.steps;
    run.last[axis] += above.steps;
    if (run.nodes() < narrow_width) visit(run);
  }
}

/// Narrow passages in a tenth of the list of tiles, or in a piece of it.
struct NarrowTenth {
  std::uint64_t nodes = 0, gap_nodes = 0;
  Int3 example{};        ///< the first node, if there is any
  double narrowest = 0;  ///< width of the narrowest gap, nodes; 0: there is none
  Int3 narrowest_node{};

  /// Adds what was found in the piece behind this one.
  void append(const NarrowTenth& next) {
    if (nodes == 0) example = next.example;
    nodes += next.nodes;
    gap_nodes += next.gap_nodes;
    if (next.narrowest > 0 && (narrowest == 0 || next.narrowest < narrowest)) {
      narrowest = next.narrowest;
      narrowest_node = next.narrowest_node;
    }
  }
};

/// Number of the tenth that a tile belongs to: tenth k begins at tile total * k / 10.
std::size_t tenth_of(std::uint64_t tile, std::uint64_t total) {
  std::size_t k = 0;
  while (k + 1 < most_examples && tile >= total * (k + 1) / most_examples) ++k;
  return k;
}

}  // namespace

std::uint64_t count_boundary_nodes(const NodeMap& nodes, Communicator& communicator) {
  const auto count = [](std::vector<std::uint64_t>& counts, const NodeWithCuts&) { ++counts[0]; };
  return count_at_cuts(nodes, 1, surveyed_links(nodes), count, communicator)[0];
}

std::vector<std::uint64_t> count_cut_links(const NodeMap& nodes, int bins,
                                           const std::function<int(const Int3& node, const Int3& offset)>& bin_of,
                                           Communicator& communicator) {
  const std::vector<Int3> offsets = surveyed_links(nodes);
  const auto count = [&](std::vector<std::uint64_t>& counts, const NodeWithCuts& at) {
    at.for_each_cut([&](std::size_t k) {
      if (const int bin = bin_of(at.node, offsets[k]); bin >= 0) ++counts[bin];
    });
  };
  return count_at_cuts(nodes, bins, offsets, count, communicator);
}

std::array<bool, 6> find_wet_faces(const NodeMap& nodes, Communicator& communicator) {
  const TileRange own = nodes.share_of(communicator);
  std::array<std::uint64_t, 6> count{};
  for (std::uint64_t t = own.first; t < own.end; ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    bool inner = true;
    for (int axis = 0; axis < nodes.dimension; ++axis)
      inner = inner && tile.position[axis] > 0 && tile.position[axis] + 1 < nodes.tiles_in_box[axis];
    if (inner) continue;
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
      const Int3 node = nodes.node_position(tile, std::countr_zero(rest));
      for (int axis = 0; axis < 3; ++axis) {
        count[static_cast<std::size_t>(2 * axis)] += node[axis] == 0;
        count[static_cast<std::size_t>(2 * axis + 1)] += node[axis] == nodes.size[axis] - 1;
      }
    }
  }
  communicator.sum(count);
  std::array<bool, 6> wet{};
  for (std::size_t face = 0; face < 6; ++face) wet[face] = count[face] > 0;
  return wet;
}

NarrowPassages find_narrow_passages(const NodeMap& nodes, const std::array<bool, 6>& open_faces,
                                    const std::function<double(const Int3& node, const Int3& offset)>& distance_of,
                                    Communicator& communicator, const std::function<int(const Int3& node)>& level_of) {
  // Each entry is for a tenth of the list of tiles, whatever the number of threads and members.
  std::vector<NarrowTenth> tenths(most_examples);
  const std::uint64_t total = nodes.tiles.size();
  const TileRange own = nodes.share_of(communicator);
  constexpr std::uint64_t slices = 64;
  std::vector<std::vector<NarrowTenth>> found(slices, tenths);
#pragma omp parallel for schedule(dynamic)
  for (std::uint64_t slice = 0; slice < slices; ++slice) {
    const std::uint64_t end = own.first + own.count() * (slice + 1) / slices;
    for (std::uint64_t t = own.first + own.count() * slice / slices; t < end; ++t) {
      // Every run through a full tile is at least as long as the tile is wide.
      if (nodes.tiles[t].mask == ~std::uint64_t{0}) continue;
      NarrowTenth& tenth = found[slice][tenth_of(t, total)];
      for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1) {
        const Int3 node = nodes.node_position(nodes.tiles[t], std::countr_zero(rest));
        NarrowTenth here;
        const double finer = level_of ? std::exp2(level_of(node)) : 1;
        visit_narrow_runs(nodes, open_faces, node, [&](const Run& run) {
          if (finer * run.nodes() >= narrow_width) return;
          here.nodes = 1;
          here.example = node;
          if (!is_gap(nodes, run)) return;
          here.gap_nodes = 1;
          const double width = finer * width_of(run, distance_of);
          if (here.narrowest == 0 || width < here.narrowest) {
            here.narrowest = width;
            here.narrowest_node = node;
          }
        });
        tenth.append(here);
      }
    }
  }
  for (std::size_t k = 0; k < most_examples; ++k)
    for (const auto& slice : found) tenths[k].append(slice[k]);
  const std::vector<NarrowTenth> all = communicator.join(std::move(tenths));
  NarrowPassages result;
  for (std::size_t k = 0; k < most_examples; ++k) {
    NarrowTenth tenth;
    for (std::size_t member = 0; member < all.size() / most_examples; ++member)
      tenth.append(all[member * most_examples + k]);
    result.nodes += tenth.nodes;
    result.gap_nodes += tenth.gap_nodes;
    if (tenth.narrowest > 0 && (result.narrowest == 0 || tenth.narrowest < result.narrowest)) {
      result.narrowest = tenth.narrowest;
      result.narrowest_node = tenth.narrowest_node;
    }
    if (tenth.nodes > 0) result.examples.push_back(tenth.example);
  }
  return result;
}

std::vector<Gap> find_gaps(const NodeMap& nodes, const std::array<bool, 6>& open_faces,
                           const std::function<double(const Int3& node, const Int3& offset)>& distance_of,
                           double most) {
  const int reach = static_cast<int>(std::ceil(most)) + 1;
  constexpr std::uint64_t slices = 64;
  std::vector<std::vector<Gap>> found(slices);
#pragma omp parallel for schedule(dynamic)
  for (std::uint64_t slice = 0; slice < slices; ++slice)
    for (std::uint64_t t = nodes.tiles.size() * slice / slices; t < nodes.tiles.size() * (slice + 1) / slices; ++t)
      for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1) {
        const Int3 node = nodes.node_position(nodes.tiles[t], std::countr_zero(rest));
        for (int axis = 0; axis < nodes.dimension; ++axis) {
          const FreeWay below = free_way(nodes, open_faces, node, axis, -1, 1);
          if (below.steps > 0) continue;  // not the first node of its run
          const FreeWay above = free_way(nodes, open_faces, node, axis, 1, reach);
          if (above.steps >= reach || (below.ends_at_mirror && above.ends_at_mirror)) continue;
          Run run{axis, node, node, below.ends_at_mirror ? -1 : above.ends_at_mirror ? 1 : 0};
          run.last[axis] += above.steps;
          if (!is_gap(nodes, run)) continue;
          const double width = width_of(run, distance_of);
          if (width < most) found[slice].push_back({axis, run.first, run.last, width});
        }
      }
  std::vector<Gap> all;
  for (const auto& slice : found) all.insert(all.end(), slice.begin(), slice.end());
  return all;
}

}  // namespace fluvia::geometry
