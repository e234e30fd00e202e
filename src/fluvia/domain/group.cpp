// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/group.hpp"

#include <algorithm>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/domain/domain_state.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::domain {

namespace {

std::vector<BlockSolver*> pointers_to(const std::vector<std::unique_ptr<BlockSolver>>& parts) {
  std::vector<BlockSolver*> pointers;
  for (const auto& part : parts) pointers.push_back(part.get());
  return pointers;
}

void put_moments(const BlockSolver& part, ByteReader& request, ByteWriter& out) {
  const auto first = request.get<std::uint64_t>(), count = request.get<std::uint64_t>();
  const OwnTiles tiles = own_tiles(part, first, count);
  const auto with_stress = request.get<bool>();
  Moments m;
  if (tiles.count > 0) part.moments(tiles.first, tiles.count, with_stress, m);
  out.reserve(m.density.size() * Moments::numbers(with_stress) * sizeof(double) + 64);
  Moments::for_each_array(m, [&](const auto& array) { out.put(array); });
}

}  // namespace

std::uint64_t number_bytes(const FlowState& state, const ArrayRange& range) {
  return static_cast<std::uint64_t>(storage_bytes(state.arrays()[range.array].format(state.plan().format->name)));
}

OwnTiles own_tiles(const BlockSolver& part, std::uint64_t first_tile, std::uint64_t tile_count) {
  const NodeMap& nodes = part.geometry().nodes;
  const TileRange& own = part.block().tiles;
  OwnTiles tiles;
  tiles.first = std::max(first_tile, own.first);
  const std::uint64_t end = std::min(first_tile + tile_count, own.end);
  if (tiles.first >= end) return {};
  tiles.count = end - tiles.first;
  tiles.nodes = nodes.nodes_of(tiles.first, tiles.count);
  return tiles;
}

std::span<std::byte> own_numbers(const NodeMap& nodes, const BlockSolver& part, const OwnTiles& tiles,
                                 const ArrayRange& range, std::span<std::byte> all) {
  const NodeArray& array = part.arrays()[range.array];
  const std::uint64_t bytes = number_bytes(part, range);
  const EntryRange before = array.entries(nodes, range.first_tile, tiles.first - range.first_tile),
                   own = array.entries(nodes, tiles.first, tiles.count);
  return all.subspan(before.count * bytes, own.count * bytes);
}

void save_own(const NodeMap& nodes, const FlowState& state, const BlockSolver& part, const ArrayRange& range,
              std::span<std::byte> out) {
  const OwnTiles tiles = own_tiles(part, range.first_tile, range.tile_count);
  if (tiles.count > 0)
    state.save({range.array, range.component, tiles.first, tiles.count}, own_numbers(nodes, part, tiles, range, out));
}

void load_held(BlockSolver& part, const ArrayRange& range, std::uint64_t first_entry, std::span<const std::byte> in) {
  const NodeArray& array = part.arrays()[range.array];
  // Where all nodes have numbers, a part knows the tiles that it holds; what few nodes have, it has of all tiles.
  if (array.over != Over::fluid_nodes) return part.load(range, in);
  const NodeMap& nodes = part.geometry().nodes;
  const std::uint64_t bytes = number_bytes(part, range);
  for (const auto& held : nodes.tiles.held(range.first_tile, range.first_tile + range.tile_count)) {
    const std::uint64_t before = nodes.tiles[held.first].first_node - first_entry;
    part.load({range.array, range.component, held.first, held.end - held.first}, in.subspan(before * bytes));
  }
}

void answer(BlockSolver& part, ByteReader request, ByteWriter& out) {
  switch (request.get<Request>()) {
    case Request::observable:
      std::visit([&](const auto& sums) { out.put(sums); }, part.sums_of(request.get<Observable>()));
      return;
    case Request::moments:
      return put_moments(part, request, out);
    case Request::load: {
      const auto range = request.get<ArrayRange>();
      const auto first_entry = request.get<std::uint64_t>();
      return load_held(part, range, first_entry, request.rest());
    }
    case Request::change:
      out.put(part.apply(request.get<FlowChange>()));
      return;
    case Request::set_values_ahead: {
      std::vector<BoundaryValues> values(request.get<std::uint64_t>());
      for (BoundaryValues& of_step : values) {
        request.append_all(of_step.values);
        of_step.profile_time = request.get<double>();
      }
      return part.set_values_ahead(values);
    }
    case Request::resume_at:
      return part.resume_at(request.get<std::int64_t>());
    default:
      throw Error(ExitCode::internal, "a part of the domain was asked what it does not know");
  }
}

LocalGroup::LocalGroup(std::vector<std::unique_ptr<BlockSolver>> parts, std::unique_ptr<Exchange> exchange)
    : parts_(std::move(parts)), schedule_(pointers_to(parts_)), exchange_(std::move(exchange)) {
  if (!exchange_) exchange_ = std::make_unique<MemoryExchange>(schedule_.blocks());
}

void LocalGroup::initialise(const Solver::InitialState& state) {
  for (const auto& part : parts_) part->initialise(state);
}

std::vector<Answer> LocalGroup::ask(const Bytes& request) {
  std::vector<Answer> answers;
  for (const auto& part : parts_) {
    ByteWriter writer;
    answer(*part, ByteReader(request), writer);
    answers.push_back({writer.take(), 0});
  }
  return answers;
}

void LocalGroup::save(const ArrayRange& range, std::span<std::byte> out) {
  for (const auto& part : parts_) save_own(own().geometry().nodes, *part, *part, range, out);
}

void LocalGroup::load(const ArrayRange& range, std::span<const std::byte> in) {
  const EntryRange entries =
      own().arrays()[range.array].entries(own().geometry().nodes, range.first_tile, range.tile_count);
  for (const auto& part : parts_) load_held(*part, range, entries.first, in);
}

std::unique_ptr<FlowState> LocalGroup::snapshot() {
  std::vector<DomainState::Share> shares;
  for (const auto& part : parts_) {
    shares.push_back({part.get(), part->snapshot()});
    if (!shares.back().state) return nullptr;
  }
  return std::make_unique<DomainState>(std::move(shares));
}

}  // namespace fluvia::domain
