// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/level_exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
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

std::size_t LevelExchange::neighbour_of(const BlockSolver& solver, int block) {
  const auto& neighbours = solver.block().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].block == block) return k;
  throw Error(ExitCode::internal, "two levels do not agree about being neighbours");
}

LevelExchange::LevelExchange(LevelLinks links, BlockSolver& coarse, BlockSolver& fine, int threads)
    : links_(std::move(links)),
      coarse_(&coarse),
      fine_(&fine),
      to_fine_(neighbour_of(coarse, fine.block().number)),
      to_coarse_(neighbour_of(fine, coarse.block().number)),
      threads_(threads),
      coarse_values_(links_.coarse_reads.size()),
      fine_values_(links_.fine_places.size()),
      carried_(links_.children.size()),
      passing_(links_.passing.size()),
      sums_(links_.coarse_writes.size()),
      share_(1.0 / (1 << coarse.geometry().nodes.dimension)) {
  if (coarse.message_bytes(to_fine_).leaving != coarse_values_.size() * sizeof(double) ||
      coarse.message_bytes(to_fine_).arriving != sums_.size() * sizeof(double) ||
      fine.message_bytes(to_coarse_).leaving != fine_values_.size() * sizeof(double))
    throw Error(ExitCode::internal, "two levels do not agree about what crosses between them");
  for (std::uint32_t k = 0; k < links_.children.size(); ++k)
    if (links_.children[k].place != LevelLinks::none)
      entering_[links_.children[k].step].push_back({k, links_.children[k].place});
  for (auto& list : entering_)
    std::sort(list.begin(), list.end(), [](const Entering& a, const Entering& b) { return a.place < b.place; });
  for (std::uint32_t k = 0; k < links_.passing.size(); ++k) arriving_[links_.passing[k].arrived].push_back(k);
}

void LevelExchange::explode() {
  coarse_->pack(to_fine_, bytes_of(coarse_values_));
  for_each_index(links_.sources.size() - 1, threads_, [&](std::size_t n) {
    const LevelLinks::Source& source = links_.sources[n];
    const double value = coarse_values_[source.at];
    std::array<double, 3> slope;
    for (std::size_t a = 0; a < 3; ++a)
      slope[a] = source.part[a] * (coarse_values_[source.upper[a]] - coarse_values_[source.lower[a]]);
    for (std::uint32_t k = source.first_child; k < links_.sources[n + 1].first_child; ++k) {
      const std::array<double, 3>& offset = links_.children[k].offset;
      carried_[k] = value + offset[0] * slope[0] + offset[1] * slope[1] + offset[2] * slope[2];
    }
  });
  for_each_index(sums_.size(), threads_, [&](std::size_t k) {
    const LevelLinks::CoarseLink &link = links_.links[k], &next = links_.links[k + 1];
    double sum = link.streamed == LevelLinks::none ? 0 : coarse_values_[link.streamed];
    for (std::uint32_t n = link.first_child; n < next.first_child; ++n) {
      const LevelLinks::LinkChild& child = links_.link_children[n];
      sum += (child.gained ? share_ : -share_) * carried_[child.child];
    }
    sums_[k] = sum;
  });
}

void LevelExchange::take_leaving(int step) {
  fine_->pack(to_coarse_, bytes_of(fine_values_));
  const auto s = static_cast<std::size_t>(step);
  const std::vector<std::uint32_t>& leaving = links_.leaving[s];
  for_each_index(sums_.size(), threads_, [&](std::size_t k) {
    const std::uint32_t first = links_.links[k].first_leaving[s], end = links_.links[k + 1].first_leaving[s];
    for (std::uint32_t n = first; n < end; ++n) sums_[k] += share_ * fine_values_[leaving[n]];
  });
  for (std::size_t k = 0; k < passing_.size(); ++k)
    if (links_.passing[k].left == step) passing_[k] = fine_values_[links_.passing[k].from];
}

void LevelExchange::put_entering(int step) {
  const auto s = static_cast<std::size_t>(step);
  for_each_index(entering_[s].size(), threads_,
                 [&](std::size_t n) { fine_values_[entering_[s][n].place] = carried_[entering_[s][n].child]; });
  for (const std::uint32_t k : arriving_[s]) fine_values_[links_.passing[k].to] = passing_[k];
  fine_->unpack(to_coarse_, bytes_of(fine_values_));
}

void LevelExchange::end() {
  std::vector<double> moved;
  moved.reserve(links_.transfers.size());
  for (const LevelLinks::Transfer& t : links_.transfers) moved.push_back(t.part * sums_[t.from]);
  for (std::size_t k = 0; k < moved.size(); ++k) {
    sums_[links_.transfers[k].from] -= moved[k];
    sums_[links_.transfers[k].to] += moved[k];
  }
  coarse_->unpack(to_fine_, bytes_of(sums_));
}

}  // namespace fluvia::domain
