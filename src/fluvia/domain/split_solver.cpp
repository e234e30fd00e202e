// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/split_solver.hpp"

#include <cstring>

#include "fluvia/solver/scheme.hpp"

namespace fluvia::domain {

namespace {

/// The shares of all parts, which own ascending tiles.
template <class Value>
TileSums<Value> joined(const std::vector<Bytes>& answers) {
  TileSums<Value> sums;
  for (const Bytes& bytes : answers) {
    const TileSums<Value> share = ByteReader(bytes).get_all<TileSum<Value>>();
    sums.insert(sums.end(), share.begin(), share.end());
  }
  return sums;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

ByteWriter begin(Request request) {
  ByteWriter writer;
  writer.put(request);
  return writer;
}

}  // namespace

SplitSolver::SplitSolver(std::unique_ptr<Team> team, int parts) : team_(std::move(team)), plan_(team_->own().plan()) {
  plan_.parts = parts;
}

void SplitSolver::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  out.density.clear();
  out.velocity.clear();
  out.stress.clear();
  for (const Bytes& bytes :
       team_->ask(begin(Request::moments).put(first_tile).put(tile_count).put(with_stress).take())) {
    ByteReader reader(bytes);
    append(out.density, reader.get_all<double>());
    append(out.velocity, reader.get_all<Real3>());
    append(out.stress, reader.get_all<std::array<double, 6>>());
  }
}

Totals SplitSolver::totals() const {
  return totals_of(joined<FlowSum>(team_->ask(begin(Request::flow_sums).take())), geometry().nodes.node_volume());
}

SurfaceForce SplitSolver::surface_force(int surface, const Real3& center) const {
  const auto sums = joined<ForceSum>(team_->ask(begin(Request::force_sums).put(surface).put(center).take()));
  return team_->own().surface_force_of(surface, center, total(sums));
}

OpeningFlow SplitSolver::opening_flow(int opening) const {
  return opening_flow_of(joined<OpeningSum>(team_->ask(begin(Request::opening_sums).put(opening).take())),
                         geometry().nodes.node_volume());
}

void SplitSolver::set_boundary_value(int surface, double value) {
  team_->tell(begin(Request::set_boundary_value).put(surface).put(value).take());
}

bool SplitSolver::set_profile_time(double time) {
  const Bytes answer = team_->tell(begin(Request::set_profile_time).put(time).take());
  return ByteReader(answer).get<bool>();
}

double SplitSolver::set_wall_supply(double mass) {
  const Bytes answer = team_->tell(begin(Request::set_wall_supply).put(mass).take());
  return ByteReader(answer).get<double>();
}

void SplitSolver::save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                   std::span<std::byte> out) const {
  std::size_t at = 0;
  for (const Bytes& bytes : team_->ask(begin(Request::save_populations)
                                           .put(first_tile)
                                           .put(tile_count)
                                           .put(direction)
                                           .put(storage_bytes(plan_.format))
                                           .take())) {
    if (!bytes.empty()) std::memcpy(out.data() + at, bytes.data(), bytes.size());
    at += bytes.size();
  }
}

void SplitSolver::load_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                   std::span<const std::byte> in) {
  Bytes request = begin(Request::load_populations)
                      .put(first_tile)
                      .put(tile_count)
                      .put(direction)
                      .put(storage_bytes(plan_.format))
                      .take();
  request.insert(request.end(), in.begin(), in.end());
  team_->tell(request);
}

std::vector<double> SplitSolver::condition_memory() const {
  std::vector<double> memory;
  for (const Bytes& bytes : team_->ask(begin(Request::condition_memory).take()))
    append(memory, ByteReader(bytes).get_all<double>());
  return memory;
}

void SplitSolver::set_condition_memory(std::span<const double> memory) {
  team_->tell(begin(Request::set_condition_memory).put(memory).take());
}

void SplitSolver::resume_at(std::int64_t time_step) {
  team_->tell(begin(Request::resume_at).put(time_step).take());
}

}  // namespace fluvia::domain
