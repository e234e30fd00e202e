// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/host_level_exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia::domain {

namespace {

std::byte* bytes_of(std::vector<double>& numbers) {
  return reinterpret_cast<std::byte*>(numbers.data());
}

/// Calls body(k) for k = 0 ... count - 1, by several threads if that is worth it.
template <class Body>
void for_each_index(std::size_t count, int threads, const Body& body) {
  constexpr std::size_t worth_threads = 4096;
  const auto end = static_cast<std::int64_t>(count);
#pragma omp parallel for schedule(static) num_threads(threads) if (count > worth_threads && threads > 1)
  for (std::int64_t k = 0; k < end; ++k) body(static_cast<std::size_t>(k));
}

}  // namespace

HostLevelPair::HostLevelPair(const LevelShare& share, int scalar, BlockSolver& coarse, BlockSolver& fine, int threads)
    : coarse_(&coarse),
      fine_(&fine),
      to_fine_(neighbour_of(coarse, fine.block().level, scalar)),
      to_coarse_(neighbour_of(fine, coarse.block().level, scalar)),
      threads_(threads),
      leaving_(share.links.leaving),
      continued_(share.links.continued),
      transfers_(share.links.transfers),
      place_gains_(share.links.place_gains),
      link_gains_(share.links.link_gains),
      forces_(share.links.forces),
      coarse_values_(share.links.coarse_reads.size()),
      fine_values_(fine.plan().steps_per_pass > 1 ? 2 : 1, std::vector<double>(share.links.fine_places.size())),
      moved_(share.links.transfers.size()),
      sums_(share.links.links.size() - 1),
      share_(1.0 / (1 << coarse.geometry().nodes.dimension)) {
  check_sizes(share);
  list_children(share.links);
  list_entering(share.links);
  list_links(share.links);
}

void HostLevelPair::check_sizes(const LevelShare& share) const {
  if (coarse_->message_bytes(to_fine_).leaving != share.own_reads * sizeof(double) ||
      coarse_->message_bytes(to_fine_).arriving != share.own_writes * sizeof(double) ||
      fine_->message_bytes(to_coarse_).leaving != share.own_places * sizeof(double))
    throw Error(ExitCode::internal, "two levels do not agree about what crosses between them");
}

void HostLevelPair::list_children(const LevelLinks& links) {
  for (const LevelLinks::Source& source : links.sources) {
    Source& own = sources_.emplace_back(Source{source.at, source.first_child, source.upper, source.lower, {}});
    for (std::size_t a = 0; a < 3; ++a) own.part[a] = static_cast<float>(source.part[a]);  // 0, 1/2 or 1
  }
  std::map<std::array<double, 3>, std::uint32_t> known;
  for (std::uint32_t k = 0; k < links.children.size(); ++k) {
    const LevelLinks::Child& child = links.children[k];
    const auto [offset, is_new] = known.try_emplace(child.offset, static_cast<std::uint32_t>(known.size()));
    if (is_new) offsets_.push_back(child.offset);
    offset_of_.push_back(offset->second);
  }
}

void HostLevelPair::list_entering(const LevelLinks& links) {
  for (auto& list : entering_) list.assign(links.fine_places.size(), BlockSolver::stays);
  for (std::uint32_t k = 0; k < links.children.size(); ++k)
    if (const LevelLinks::Child& child = links.children[k]; child.place != LevelLinks::none)
      entering_[child.step][child.place] = k;
  for (const LevelLinks::Passing& passing : links.passing) {
    entering_[1][passing.to] = static_cast<std::uint32_t>(links.children.size() + passing_.size());
    passing_.push_back(passing);
  }
  carried_.resize(links.children.size() + links.passing.size());
}

void HostLevelPair::list_links(const LevelLinks& links) {
  links_ = links.links;
  for (const LevelLinks::LinkChild& child : links.link_children)
    link_children_.push_back(2 * child.child + (child.gained ? 1 : 0));
}

/// What the wall adds in this step, of which its speed may be a part.
double HostLevelPair::amount(const LevelLinks::WallGain& gain) const {
  return fine_->motion_of(static_cast<int>(gain.surface)).scale * gain.value;
}

void HostLevelPair::read() {
  coarse_->pack(to_fine_, bytes_of(coarse_values_));
}

void HostLevelPair::explode() {
  for_each_index(sources_.size() - 1, threads_, [&](std::size_t n) {
    const Source& source = sources_[n];
    const double value = coarse_values_[source.at];
    std::array<double, 3> slope;
    for (std::size_t a = 0; a < 3; ++a)
      slope[a] = source.part[a] * (coarse_values_[source.upper[a]] - coarse_values_[source.lower[a]]);
    for (std::uint32_t k = source.first_child; k < sources_[n + 1].first_child; ++k) {
      const std::array<double, 3>& offset = offsets_[offset_of_[k]];
      carried_[k] = value + offset[0] * slope[0] + offset[1] * slope[1] + offset[2] * slope[2];
    }
  });
  for_each_index(sums_.size(), threads_, [&](std::size_t k) {
    const LevelLinks::CoarseLink &link = links_[k], &next = links_[k + 1];
    double sum = link.streamed == LevelLinks::none ? 0 : coarse_values_[link.streamed];
    for (std::uint32_t n = link.first_child; n < next.first_child; ++n)
      sum += ((link_children_[n] & 1U) != 0 ? share_ : -share_) * carried_[link_children_[n] >> 1];
    sums_[k] = sum;
  });
  got_.clear();
  count_forces(forces_.of_children, carried_);
}

void HostLevelPair::count_forces(const std::vector<LevelLinks::WallForce>& list, const std::vector<double>& numbers) {
  for (const LevelLinks::WallForce& force : list) {
    const Real3 momentum = numbers[force.number] * force.momentum;
    ForceSum& sum = got_[force.surface][force.tile];
    sum = sum + ForceSum{momentum, fluvia::cross(force.at, momentum)};
  }
}

void HostLevelPair::add_force(const ForceOnSurface& what, TileSums<ForceSum>& sums) const {
  const auto of_surface = got_.find(static_cast<std::uint32_t>(what.surface));
  if (of_surface == got_.end()) return;
  for (const auto& [tile, got] : of_surface->second) {
    ForceSum sum = got;
    add_gains(forces_, of_surface->first, tile, fine_->motion_of(what.surface).scale, sum);
    sums.push_back({tile, 0, {sum.force, sum.torque - fluvia::cross(what.center, sum.force)}});
  }
}

void HostLevelPair::cross(int step) {
  fine_->exchange(to_coarse_, fine_values_of(step), carried_, entering_[static_cast<std::size_t>(step)]);
  if (step == 1) add_gains_of_places();
}

void HostLevelPair::add_gains_of_places() {
  for (const LevelLinks::WallGain& gain : place_gains_)
    fine_->unpack_number(to_coarse_, gain.to, carried_[entering_[1][gain.to]] + amount(gain));
}

void HostLevelPair::cross_in_pass() {
  const BlockSolver::ExchangeInPass steps[] = {{fine_values_of(0), entering_[0]}, {fine_values_of(1), entering_[1]}};
  fine_->exchange_in_pass(to_coarse_, carried_, steps);
}

void HostLevelPair::enter_after_pass() {
  for (const LevelLinks::Passing& passing : passing_)
    fine_->unpack_number(to_coarse_, passing.to, carried_[entering_[1][passing.to]]);
  add_gains_of_places();
}

void HostLevelPair::gather(int step) {
  const auto s = static_cast<std::size_t>(step);
  const std::vector<std::uint32_t>& leaving = leaving_[s];
  const std::vector<double>& values = fine_values_of(step);
  for_each_index(sums_.size(), threads_, [&](std::size_t k) {
    const std::uint32_t first = links_[k].first_leaving[s], end = links_[k + 1].first_leaving[s];
    for (std::uint32_t n = first; n < end; ++n) sums_[k] += share_ * values[leaving[n]];
  });
  count_forces(forces_.of_leaving[s], values);
  const std::size_t children = carried_.size() - passing_.size();
  if (step == 0) {
    for (const LevelLinks::WallGain& gain : link_gains_) sums_[gain.to] += amount(gain);
    for (std::size_t k = 0; k < passing_.size(); ++k) carried_[children + k] = values[passing_[k].from];
  }
  if (step == 1)
    for (const LevelLinks::Continued& continued : continued_) {
      const double near = values[continued.near];
      fine_->unpack_number(to_coarse_, continued.place,
                           continued.far == LevelLinks::none ? near : 2 * near - values[continued.far]);
    }
}

void HostLevelPair::end() {
  count_forces(forces_.of_links, sums_);
  for (std::size_t k = 0; k < moved_.size(); ++k) moved_[k] = transfers_[k].part * sums_[transfers_[k].from];
  for (std::size_t k = 0; k < moved_.size(); ++k) {
    sums_[transfers_[k].from] -= moved_[k];
    sums_[transfers_[k].to] += moved_[k];
  }
  coarse_->unpack(to_fine_, bytes_of(sums_));
}

TileSums<ForceSum> HostLevelExchange::force_between_levels(std::size_t level, const ForceOnSurface& what) {
  TileSums<ForceSum> sums;
  for (const HostLevelPair& part : interfaces_[level].front().parts) part.add_force(what, sums);
  return sums;
}

std::unique_ptr<Exchange> MemoryLinks::halos(const std::vector<BlockSolver*>& parts) const {
  return std::make_unique<MemoryExchange>(parts);
}

std::unique_ptr<ValueExchange> MemoryLinks::values(std::vector<PlaceMessages> messages) const {
  return std::make_unique<MemoryValues>(std::move(messages));
}

std::vector<std::span<double>> HostLevelExchange::Interface::coarse_values() {
  std::vector<std::span<double>> values;
  for (HostLevelPair& part : parts) values.push_back(part.coarse_values());
  return values;
}

std::vector<std::span<double>> HostLevelExchange::Interface::fine_values(int step) {
  std::vector<std::span<double>> values;
  for (HostLevelPair& part : parts) values.push_back(part.fine_values(step));
  return values;
}

void HostLevelExchange::Interface::leave_coarse() {
  for (HostLevelPair& part : parts) part.read();
  coarse->start(coarse_values());
}

void HostLevelExchange::Interface::cross(int step) {
  if (step == 0) {
    coarse->wait(coarse_values());
    for (HostLevelPair& part : parts) part.explode();
  } else {
    gather(0);
  }
  for (HostLevelPair& part : parts) part.cross(step);
  fine->start(fine_values(step));
  if (step == 1) gather(1);
}

void HostLevelExchange::Interface::gather(int step) {
  fine->wait(fine_values(step));
  for (HostLevelPair& part : parts) part.gather(step);
}

void HostLevelExchange::Interface::begin_pass() {
  coarse->wait(coarse_values());
  for (HostLevelPair& part : parts) {
    part.explode();
    part.cross_in_pass();
  }
}

void HostLevelExchange::Interface::end_pass() {
  for (const int step : {0, 1}) {
    fine->start(fine_values(step));
    gather(step);
    if (step == 0)
      for (HostLevelPair& part : parts) part.enter_after_pass();
  }
}

HostLevelExchange::HostLevelExchange(const std::vector<std::vector<BlockSolver*>>& levels,
                                     const std::vector<std::vector<LevelShare>>& shares, const PartLinks& links,
                                     int threads) {
  for (const std::vector<BlockSolver*>& parts : levels) levels_.push_back({Schedule(parts), links.halos(parts)});
  for (std::size_t l = 0; l < shares.size(); ++l) {
    std::vector<Interface>& between = interfaces_.emplace_back();
    for (int scalar = Neighbour::of_flow; scalar < shares[l].front().scalar_count(); ++scalar) {
      Interface& interface = between.emplace_back();
      std::vector<PlaceMessages> coarse, fine;
      for (std::size_t p = 0; p < shares[l].size(); ++p) {
        const LevelShare& share = shares[l][p].of(scalar);
        interface.parts.emplace_back(share, scalar, *levels[l][p], *levels[l + 1][p], threads);
        coarse.push_back(share.coarse);
        fine.push_back(share.fine);
      }
      interface.coarse = links.values(std::move(coarse));
      interface.fine = links.values(std::move(fine));
    }
  }
}

void HostLevelExchange::begin_step(std::size_t level, int step) {
  levels_[level].schedule.cycle(*levels_[level].halos, 1);
  if (level > 0)
    for (Interface& interface : interfaces_[level - 1]) interface.cross(step);
  if (level < interfaces_.size())
    for (Interface& interface : interfaces_[level]) interface.leave_coarse();
}

bool HostLevelExchange::takes_pass(std::size_t level) const {
  return levels_[level].schedule.blocks().front()->plan().steps_per_pass > 1;
}

void HostLevelExchange::pass(std::size_t level) {
  for (Interface& interface : interfaces_[level - 1]) interface.begin_pass();
  levels_[level].schedule.cycle(*levels_[level].halos, 2);
  for (Interface& interface : interfaces_[level - 1]) interface.end_pass();
}

void HostLevelExchange::end_step(std::size_t level) {
  if (level == interfaces_.size()) return;
  for (Interface& interface : interfaces_[level])
    for (HostLevelPair& part : interface.parts) part.end();
}

}  // namespace fluvia::domain
