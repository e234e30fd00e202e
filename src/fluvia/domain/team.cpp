// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/team.hpp"

#include <algorithm>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/domain/split_state.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::domain {

namespace {

std::vector<PartSolver*> pointers_to(const std::vector<std::unique_ptr<PartSolver>>& parts) {
  std::vector<PartSolver*> pointers;
  for (const auto& part : parts) pointers.push_back(part.get());
  return pointers;
}

void put_moments(const PartSolver& part, ByteReader& request, ByteWriter& out) {
  const auto first = request.get<std::uint64_t>(), count = request.get<std::uint64_t>();
  const OwnTiles tiles = own_tiles(part, first, count);
  const auto with_stress = request.get<bool>();
  Moments m;
  if (tiles.count > 0) part.moments(tiles.first, tiles.count, with_stress, m);
  out.reserve(m.density.size() * (sizeof(double) + sizeof(Real3)) + m.stress.size() * sizeof(m.stress[0]) + 64);
  out.put(m.density).put(m.velocity).put(m.stress);
}

}  // namespace

OwnTiles own_tiles(const PartSolver& part, std::uint64_t first_tile, std::uint64_t tile_count) {
  const NodeMap& nodes = part.geometry().nodes;
  const TileRange& own = part.subdomain().tiles;
  OwnTiles tiles;
  tiles.first = std::max(first_tile, own.first);
  const std::uint64_t end = std::min(first_tile + tile_count, own.end);
  if (tiles.first >= end) return {};
  tiles.count = end - tiles.first;
  tiles.nodes = nodes.nodes_of(tiles.first, tiles.count);
  return tiles;
}

std::span<std::byte> own_populations(const NodeMap& nodes, const PartSolver& part, const OwnTiles& tiles,
                                     std::uint64_t first_tile, std::span<std::byte> all) {
  const auto bytes = static_cast<std::uint64_t>(part.plan().storage_bytes());
  return all.subspan(nodes.nodes_of(first_tile, tiles.first - first_tile) * bytes, tiles.nodes * bytes);
}

void save_own(const NodeMap& nodes, const FlowState& state, const PartSolver& part, int direction,
              std::uint64_t first_tile, std::uint64_t tile_count, std::span<std::byte> out) {
  const OwnTiles tiles = own_tiles(part, first_tile, tile_count);
  if (tiles.count > 0)
    state.save_populations(direction, tiles.first, tiles.count, own_populations(nodes, part, tiles, first_tile, out));
}

void load_held(PartSolver& part, int direction, std::uint64_t first, std::uint64_t count, std::uint64_t first_node,
               std::span<const std::byte> in) {
  const NodeMap& nodes = part.geometry().nodes;
  const auto bytes = static_cast<std::uint64_t>(part.plan().storage_bytes());
  for (const auto& held : nodes.tiles.held(first, first + count)) {
    const std::uint64_t before = nodes.tiles[held.first].first_node - first_node;
    part.load_populations(direction, held.first, held.end - held.first, in.subspan(before * bytes));
  }
}

void answer(PartSolver& part, ByteReader request, ByteWriter& out) {
  switch (request.get<Request>()) {
    case Request::observable:
      std::visit([&](const auto& sums) { out.put(sums); }, part.sums_of(request.get<Observable>()));
      return;
    case Request::moments:
      return put_moments(part, request, out);
    case Request::load_populations: {
      const auto direction = request.get<int>();
      const auto first = request.get<std::uint64_t>(), count = request.get<std::uint64_t>();
      const auto first_node = request.get<std::uint64_t>();
      return load_held(part, direction, first, count, first_node, request.rest());
    }
    case Request::condition_memory: {
      const std::vector<double> memory = part.condition_memory();
      const auto [first, end] = part.own_memory();
      out.put(std::span<const double>(memory).subspan(first, end - first));
      return;
    }
    case Request::set_condition_memory:
      return part.set_condition_memory(request.get_all<double>());
    case Request::set_boundary_value: {
      const auto surface = request.get<int>();
      return part.set_boundary_value(surface, request.get<double>());
    }
    case Request::set_profile_time:
      out.put(part.set_profile_time(request.get<double>()));
      return;
    case Request::set_values_ahead: {
      std::vector<BoundaryValues> values(request.get<std::uint64_t>());
      for (BoundaryValues& of_step : values) {
        request.append_all(of_step.values);
        of_step.profile_time = request.get<double>();
      }
      return part.set_values_ahead(values);
    }
    case Request::set_wall_mass_correction:
      out.put(part.set_wall_mass_correction(request.get<double>()));
      return;
    case Request::resume_at:
      return part.resume_at(request.get<std::int64_t>());
    default:
      throw Error(ExitCode::internal, "a part of the domain was asked what it does not know");
  }
}

LocalTeam::LocalTeam(std::vector<std::unique_ptr<PartSolver>> parts, std::unique_ptr<Exchange> exchange)
    : parts_(std::move(parts)), pointers_(pointers_to(parts_)), exchange_(std::move(exchange)) {
  if (!exchange_) exchange_ = std::make_unique<MemoryExchange>(pointers_);
}

void LocalTeam::initialise(const Solver::InitialState& state) {
  for (const auto& part : parts_) part->initialise(state);
}

std::vector<Answer> LocalTeam::ask(const Bytes& request) {
  std::vector<Answer> answers;
  for (const auto& part : parts_) {
    ByteWriter writer;
    answer(*part, ByteReader(request), writer);
    answers.push_back({writer.take(), 0});
  }
  return answers;
}

void LocalTeam::save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                 std::span<std::byte> out) {
  for (const auto& part : parts_)
    save_own(own().geometry().nodes, *part, *part, direction, first_tile, tile_count, out);
}

void LocalTeam::load_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                 std::span<const std::byte> in) {
  const std::uint64_t first_node = own().geometry().nodes.tiles[first_tile].first_node;
  for (const auto& part : parts_) load_held(*part, direction, first_tile, tile_count, first_node, in);
}

std::unique_ptr<FlowState> LocalTeam::snapshot() {
  std::vector<SplitState::Share> shares;
  for (const auto& part : parts_) {
    shares.push_back({part.get(), part->snapshot()});
    if (!shares.back().state) return nullptr;
  }
  return std::make_unique<SplitState>(std::move(shares));
}

}  // namespace fluvia::domain
