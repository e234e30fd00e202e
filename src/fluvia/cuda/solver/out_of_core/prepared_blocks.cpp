// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/out_of_core/prepared_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fluvia/base/parallel.hpp"
#include "fluvia/cuda/solver/out_of_core/block_streaming.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cuda {

namespace {

/// More parts than this are mostly what lies beside them.
constexpr int most_streamed_blocks = 128;

template <class Bytes>
std::uint64_t largest(const std::vector<PreparedCase>& parts, const Bytes& bytes) {
  std::uint64_t most = 0;
  for (const PreparedCase& part : parts) most = std::max(most, (part.*bytes)());
  return most;
}

template <class Bytes>
std::uint64_t sum(const std::vector<PreparedCase>& parts, const Bytes& bytes) {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                         [&](std::uint64_t all, const PreparedCase& part) { return all + (part.*bytes)(); });
}

/// Where a layer of tiles that holds fluid begins.
struct LayerStart {
  std::uint64_t tile, stored_before;
};

/// Layers of tiles that hold fluid.
struct Layers {
  std::vector<LayerStart> starts;  ///< and the end of the last
  double halo = 1;                 ///< what a part stores of a layer beside its own
};

Layers layers_of(const NodeMap& nodes, const Scheme& scheme) {
  const int axis = nodes.dimension - 1;
  const bool compact = scheme.is_compact();
  Layers layers;
  if (compact) layers.halo = 1.0 / tile_shape(nodes.dimension)[static_cast<std::size_t>(axis)];
  int layer = -1;
  const auto start = [&](std::uint64_t tile, std::uint64_t nodes_before, int layers_before) {
    layers.starts.push_back({tile, compact ? nodes_before : static_cast<std::uint64_t>(layers_before)});
  };
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    if (tile.position[axis] == layer) continue;
    layer = tile.position[axis];
    start(t, tile.first_node, layer);
  }
  start(nodes.tiles.size(), nodes.fluid_nodes, layer + 1);
  return layers;
}

int most_parts(const std::vector<LayerStart>& starts) {
  return std::min(most_streamed_blocks, static_cast<int>(starts.size()) - 1);
}

/// First layers of so many intervals, and the end of the last: as equal as layers allow in what they store.
std::vector<std::size_t> cut_equally(const std::vector<LayerStart>& starts, int parts) {
  const auto count = static_cast<std::uint64_t>(parts), layers = static_cast<std::uint64_t>(starts.size()) - 1;
  const std::uint64_t first = starts.front().stored_before, all = starts.back().stored_before - first;
  std::vector<std::size_t> cuts = {0};
  std::uint64_t at = 0;
  for (std::uint64_t k = 1; k < count; ++k) {
    const double wanted = static_cast<double>(first) + static_cast<double>(all) * static_cast<double>(k) / parts;
    const auto distance = [&](std::uint64_t layer) {
      return std::abs(static_cast<double>(starts[layer].stored_before) - wanted);
    };
    ++at;  // at least one layer each, here and in those to come
    while (at + 1 <= layers - (count - k) && distance(at + 1) < distance(at)) ++at;
    cuts.push_back(at);
  }
  cuts.push_back(layers);
  return cuts;
}

}  // namespace

std::uint64_t PreparedBlocks::slot_bytes() const {
  return largest(parts, &PreparedCase::population_bytes);
}

std::uint64_t PreparedBlocks::references_bytes() const {
  return largest(parts, &PreparedCase::references_bytes);
}

std::uint64_t PreparedBlocks::exchange_bytes() const {
  return largest(parts, &PreparedCase::exchange_bytes);
}

std::uint64_t PreparedBlocks::host_bytes() const {
  return sum(parts, &PreparedCase::own_population_bytes);
}

std::uint64_t PreparedBlocks::resident_bytes() const {
  return sum(parts, &PreparedCase::resident_bytes) + references_bytes() + exchange_bytes();
}

std::uint64_t PreparedBlocks::total_bytes() const {
  return BlockStreaming::slots * slot_bytes() + resident_bytes();
}

int most_blocks_of(const NodeMap& nodes, const Scheme& scheme) {
  return most_parts(layers_of(nodes, scheme).starts);
}

std::vector<std::uint64_t> cut_layers(const NodeMap& nodes, const Scheme& scheme, int parts) {
  const std::vector<LayerStart> starts = layers_of(nodes, scheme).starts;
  std::vector<std::uint64_t> cuts;
  for (const std::size_t layer : cut_equally(starts, parts)) cuts.push_back(starts[layer].tile);
  return cuts;
}

PreparedBlocks prepare_blocks(const Problem& problem, const Plan& plan, int parts) {
  const std::vector<std::uint64_t> cuts = cut_layers(problem.geometry.nodes, *plan.scheme, parts);
  const std::vector<Int3>& velocities = plan.flow().lattice->velocities;
  PreparedBlocks blocks;
  blocks.parts.resize(static_cast<std::size_t>(parts));
  constexpr int at_a_time = 8;  // each looks at all cut links of the domain meanwhile
  for_each_in_parallel(
      parts, 1,
      [&](std::int64_t part) {
        const Block block =
            make_block(problem.geometry.nodes, velocities, cuts, static_cast<int>(part), plan.steps_per_pass);
        blocks.parts[static_cast<std::size_t>(part)] = prepare_case(problem, plan, &block);
      },
      at_a_time);
  return blocks;
}

namespace {

/// What parts would take by what other numbers of them do, since preparing them takes long.
class BlocksEstimate {
 public:
  /// `whole`: what a domain in one piece takes besides populations.
  BlocksEstimate(const Layers& layers, std::uint64_t whole) : layers_(layers), whole_(static_cast<double>(whole)) {}

  void learn(const PreparedBlocks& known) {
    const Point point = {static_cast<int>(known.parts.size()), static_cast<double>(known.resident_bytes())};
    per_width_ = static_cast<double>(known.slot_bytes()) / width(point.parts);
    const Point origin = {0, whole_ + static_cast<double>(known.references_bytes() + known.exchange_bytes())};
    const auto slope_from = [&](const Point& other) {
      return (point.resident - other.resident) / (point.parts - other.parts);
    };
    // Borders differ: between two numbers near each other that may be most of the difference.
    per_part_ = std::max(0.0, slope_from(origin));
    if (last_.parts > 0) per_part_ = std::clamp(slope_from(last_), per_part_ / 2, per_part_);
    last_ = point;
  }
  [[nodiscard]] double bytes(int parts) const {
    return static_cast<double>(BlockStreaming::slots) * per_width_ * width(parts) + last_.resident +
           per_part_ * (parts - last_.parts);
  }
  /// The fewest parts more than `few` that `memory` seems to hold; if none are, those that take the least, or 0.
  [[nodiscard]] int more_than(int few, double memory) const {
    int least = 0;
    for (int parts = few + 1; parts <= most_parts(layers_.starts); ++parts) {
      if (bytes(parts) <= memory) return parts;
      if (bytes(parts) < bytes(least == 0 ? few : least)) least = parts;
    }
    return least;
  }

 private:
  struct Point {
    int parts;
    double resident;
  };
  /// What the largest part stores, in the units of LayerStart::stored_before, with its halo on either side.
  [[nodiscard]] double width(int parts) const {
    const std::vector<LayerStart>& starts = layers_.starts;
    const std::vector<std::size_t> cuts = cut_equally(starts, parts);
    std::uint64_t largest = 0;
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
      largest = std::max(largest, starts[cuts[k + 1]].stored_before - starts[cuts[k]].stored_before);
    const auto all = static_cast<double>(starts.back().stored_before - starts.front().stored_before);
    return static_cast<double>(largest) + 2 * layers_.halo * all / static_cast<double>(starts.size() - 1);
  }

  const Layers& layers_;
  double whole_, per_width_ = 0, per_part_ = 0;
  Point last_ = {0, 0};
};

}  // namespace

PreparedBlocks prepare_fewest_blocks(const Problem& problem, const Plan& plan, std::uint64_t memory) {
  const Scheme& scheme = *plan.scheme;
  const Layers layers = layers_of(problem.geometry.nodes, scheme);
  const int most = most_parts(layers.starts);
  if (most < 2) return {};
  const std::uint64_t whole = plan.geometry_bytes + plan.boundary_bytes;
  // No fewer: they store no less than fluid nodes, and beside them no less than a domain in one piece.
  const double fluid =
      static_cast<double>(problem.geometry.nodes.fluid_nodes) * plan.bytes_per_update / 2 * scheme.copies;
  const double room = memory > whole ? static_cast<double>(memory - whole) : 1;
  int too_few =
      static_cast<int>(std::clamp(std::ceil(BlockStreaming::slots * fluid / room), 2.0, static_cast<double>(most))) - 1;
  BlocksEstimate estimate(layers, whole);
  const auto prepare = [&](int parts) {
    PreparedBlocks blocks = prepare_blocks(problem, plan, parts);
    estimate.learn(blocks);
    return blocks;
  };
  PreparedBlocks blocks = prepare(too_few + 1);
  const auto parts = [&] { return static_cast<int>(blocks.parts.size()); };
  while (blocks.total_bytes() > memory) {
    too_few = parts();
    const int more = estimate.more_than(too_few, static_cast<double>(memory));
    if (more == 0) return blocks;
    blocks = {};  // before others take as much memory
    blocks = prepare(more);
  }
  // An estimate may have said too many.
  constexpr double error = 0.03;
  for (int few = parts() - 1; few > too_few; --few) {
    if (estimate.bytes(few) > (1 + error) * static_cast<double>(memory)) continue;
    PreparedBlocks fewer = prepare(few);
    if (fewer.total_bytes() <= memory) blocks = std::move(fewer);
  }
  return blocks;
}

void plan_blocks(const PreparedBlocks& prepared, bool snapshots, Plan& plan) {
  const std::vector<PreparedCase>& parts = prepared.parts;
  plan.domain = {static_cast<int>(parts.size()), BlockPlace::streamed};
  plan.host_bytes = prepared.host_bytes();
  plan.transfer_bytes = 2 * plan.host_bytes / static_cast<std::uint64_t>(plan.steps_per_pass);
  plan.population_bytes = BlockStreaming::slots * prepared.slot_bytes();
  plan.geometry_bytes = sum(parts, &PreparedCase::geometry_bytes);
  plan.boundary_bytes = sum(parts, &PreparedCase::boundary_bytes);
  plan.other_bytes = prepared.resident_bytes() - plan.geometry_bytes - plan.boundary_bytes;
  plan.snapshot_bytes = snapshots ? sum(parts, &PreparedCase::snapshot_bytes) : 0;
  plan.snapshot_fits = plan.snapshot_bytes == 0;
  plan.staging_bytes = prepared.exchange_bytes();
}

}  // namespace fluvia::cuda
