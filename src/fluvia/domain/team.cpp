// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/team.hpp"

#include <algorithm>

namespace fluvia::domain {

namespace {

std::vector<PartSolver*> pointers_to(const std::vector<std::unique_ptr<PartSolver>>& parts) {
  std::vector<PartSolver*> pointers;
  for (const auto& part : parts) pointers.push_back(part.get());
  return pointers;
}

/// The tiles of a request that a part owns.
struct OwnTiles {
  std::uint64_t first = 0, count = 0;
  std::uint64_t nodes_before = 0, nodes = 0;  ///< of the range asked for before the first own one, and own ones
};
OwnTiles read_tiles(const PartSolver& part, ByteReader& request) {
  const auto first = request.get<std::uint64_t>(), count = request.get<std::uint64_t>();
  const NodeMap& nodes = part.geometry().nodes;
  const TileRange& own = part.subdomain().tiles;
  OwnTiles tiles;
  tiles.first = std::max(first, own.first);
  const std::uint64_t end = std::min(first + count, own.end);
  if (tiles.first >= end) return {};
  tiles.count = end - tiles.first;
  tiles.nodes_before = nodes.nodes_of(first, tiles.first - first);
  tiles.nodes = nodes.nodes_of(tiles.first, tiles.count);
  return tiles;
}

Bytes moments_of(const PartSolver& part, ByteReader& request) {
  const OwnTiles tiles = read_tiles(part, request);
  const auto with_stress = request.get<bool>();
  Moments m;
  if (tiles.count > 0) part.moments(tiles.first, tiles.count, with_stress, m);
  return ByteWriter().put(m.density).put(m.velocity).put(m.stress).take();
}

Bytes populations_of(const PartSolver& part, ByteReader& request) {
  const OwnTiles tiles = read_tiles(part, request);
  const auto direction = request.get<int>(), bytes = request.get<int>();
  Bytes populations(tiles.nodes * static_cast<std::uint64_t>(bytes));
  if (tiles.count > 0) part.save_populations(direction, tiles.first, tiles.count, populations);
  return populations;
}

void load(PartSolver& part, ByteReader& request) {
  const OwnTiles tiles = read_tiles(part, request);
  const auto direction = request.get<int>();
  const auto bytes = static_cast<std::uint64_t>(request.get<int>());
  if (tiles.count > 0)
    part.load_populations(direction, tiles.first, tiles.count,
                          request.rest().subspan(tiles.nodes_before * bytes, tiles.nodes * bytes));
}

Bytes memory_of(const PartSolver& part) {
  const std::vector<double> memory = part.condition_memory();
  const auto [first, end] = part.own_memory();
  return ByteWriter().put(std::span<const double>(memory).subspan(first, end - first)).take();
}

}  // namespace

Bytes answer(PartSolver& part, ByteReader request) {
  switch (request.get<Request>()) {
    case Request::flow_sums:
      return ByteWriter().put(part.flow_sums()).take();
    case Request::force_sums: {
      const auto surface = request.get<int>();
      return ByteWriter().put(part.force_sums(surface, request.get<Real3>())).take();
    }
    case Request::opening_sums:
      return ByteWriter().put(part.opening_sums(request.get<int>())).take();
    case Request::moments:
      return moments_of(part, request);
    case Request::save_populations:
      return populations_of(part, request);
    case Request::load_populations:
      load(part, request);
      return {};
    case Request::condition_memory:
      return memory_of(part);
    case Request::set_condition_memory:
      part.set_condition_memory(request.get_all<double>());
      return {};
    case Request::set_boundary_value: {
      const auto surface = request.get<int>();
      part.set_boundary_value(surface, request.get<double>());
      return {};
    }
    case Request::set_profile_time:
      return ByteWriter().put(part.set_profile_time(request.get<double>())).take();
    case Request::set_wall_supply:
      return ByteWriter().put(part.set_wall_supply(request.get<double>())).take();
    case Request::resume_at:
      part.resume_at(request.get<std::int64_t>());
      return {};
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

std::vector<Bytes> LocalTeam::ask(const Bytes& request) {
  std::vector<Bytes> answers;
  for (const auto& part : parts_) answers.push_back(answer(*part, ByteReader(request)));
  return answers;
}

}  // namespace fluvia::domain
