// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/level_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "fluvia/backend/device_plan.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/parallel.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"

namespace fluvia {

namespace {

/// What "auto" takes where levels do not fit otherwise: one copy of fluid nodes, of which all is moved once a step.
const std::string smallest_scheme = "compact-aa";

/// More parts than this are mostly what lies beside them.
constexpr int most_parts = 128;

/// Bytes of the populations of each level, before it is prepared.
std::vector<double> estimated_populations(const PreparedLevels& levels) {
  std::vector<double> bytes;
  for (std::size_t l = 0; l < levels.plans.size(); ++l) {
    const Plan& plan = levels.plans[l];
    const NodeMap& nodes = levels.divided.levels[l].geometry.nodes;
    const auto stored = static_cast<double>(plan.scheme->is_compact() ? nodes.fluid_nodes : nodes.box_nodes());
    bytes.push_back(stored * static_cast<double>(plan.flow().lattice->velocities.size()) * plan.format->storage_bytes *
                    plan.scheme->copies);
  }
  return bytes;
}

/// Of several parts, that of the largest.
Plan plan_of_all(const PreparedLevels& levels, const Case& c, const LevelDevice& device) {
  const LatticeFacts& lattice = *levels.plans.front().flow().lattice;
  std::optional<Plan> largest;
  for (int part = 0; part < device.domain().blocks; ++part) {
    const ConnectedLevels connected =
        connect_levels(levels.divided, lattice, levels.links, device.domain(), device.packs_values(), {part});
    std::vector<Plan> own = levels.plans;
    for (std::size_t l = 0; l < own.size(); ++l)
      device.prepare(levels.divided.levels[l].problem(), connected.blocks[l].front(), own[l]);
    Plan all = joined_plan(levels.divided, own);
    for (std::size_t l = 0; l < levels.links.size(); ++l) {
      all.other_bytes += device.exchange_bytes(connected.shares[l].front(), own[l]);
      all.levels[l + 1].exchanged = levels.links[l].size() << l;
    }
    if (!largest || all.total_bytes() > largest->total_bytes()) largest = std::move(all);
  }
  largest->refusal = device.refusal(c, *largest);
  return std::move(*largest);
}

/// Whether the levels of a case can take turns: scalars and bodies are not streamed.
bool takes_turns(const Case& c, const LevelDevice& device) {
  return device.turning() != nullptr && c.scalars.empty() && c.bodies.empty();
}

}  // namespace

FittingLevels fit_levels(const Problem& problem, const LevelDevice& device, PreparedLevels& levels) {
  FittingLevels fitting{plan_of_all(levels, problem.settings, device), nullptr};
  if (fitting.plan.refusal.empty() || !takes_turns(problem.settings, device)) return fitting;
  Case c = problem.settings;
  std::string reason = fitting.plan.reason;
  if (c.numerics.scheme == "auto") {
    reason =
        fmt::format("scheme {}: {}, chosen for its speed, does not fit", smallest_scheme, fitting.plan.scheme_name());
    c.numerics.scheme = smallest_scheme;
    levels = prepare_levels(problem.with(c), device, {});
    levels.plans.front().reason = reason;
    fitting.plan = plan_of_all(levels, c, device);
    if (fitting.plan.refusal.empty()) return fitting;
  }
  FittingLevels turns{fitting.plan, nullptr};
  const LevelTurns found = find_turns(levels, c, device, turns.plan);
  turns.plan.reason = std::move(reason);
  if (turns.plan.refusal.empty()) turns.device = device.in_turns(found);
  return turns;
}

FittingLevels fit_levels_if_needed(const Problem& problem, const LevelDevice& device, PreparedLevels& levels) {
  if (!takes_turns(problem.settings, device)) return {};
  // Populations are most of what large levels take, buffers of what small ones do.
  constexpr auto buffers_of_level = static_cast<std::uint64_t>(256 * mebibyte);
  Plan most = joined_plan(levels.divided, levels.plans);
  for (const double populations : estimated_populations(levels))
    most.other_bytes += 2 * static_cast<std::uint64_t>(populations) + buffers_of_level;
  if (device.refusal(problem.settings, most).empty()) return {};
  FittingLevels fitting = fit_levels(problem, device, levels);
  if (!fitting.plan.refusal.empty()) throw_resource(fitting.plan.refusal);
  return fitting;
}

namespace {

/// What the parts of a level take of a GPU.
struct LevelBytes {
  std::uint64_t populations = 0, geometry = 0, boundaries = 0;
  std::uint64_t all = 0;      ///< if they stay
  std::uint64_t turning = 0;  ///< if they are streamed, without what they share
  std::uint64_t host = 0;     ///< of their populations at one time
  std::uint64_t staging = 0;  ///< of their buffers for exchange with the host, if they stay
  // The largest of any part.
  std::uint64_t slot = 0, references = 0, exchange = 0;

  void add(const cuda::PreparedCase& part) {
    populations += part.population_bytes();
    geometry += part.geometry_bytes();
    boundaries += part.boundary_bytes();
    all += part.total_bytes();
    turning += part.resident_bytes();
    host += part.own_population_bytes();
    staging += part.exchange_bytes();
    slot = std::max(slot, part.population_bytes());
    references = std::max(references, part.references_bytes());
    exchange = std::max(exchange, part.exchange_bytes());
  }
};

/// All levels in so many parts, some of them streamed: a bit for each level in `streamed`.
class Turns {
 public:
  Turns(const PreparedLevels& levels, const LevelDevice& device, int parts) : levels_(levels), parts_(parts) {
    std::vector<int> numbers(static_cast<std::size_t>(parts));
    std::iota(numbers.begin(), numbers.end(), 0);
    ConnectedLevels connected = connect_levels(levels.divided, *levels.plans.front().flow().lattice, levels.links,
                                               {parts, BlockPlace::streamed}, device.packs_values(), numbers);
    for (std::size_t l = 0; l < connected.shares.size(); ++l)
      for (const domain::LevelShare& share : connected.shares[l])
        between_ += device.exchange_bytes(share, levels.plans[l]);
    connected.shares.clear();
    for (std::size_t l = 0; l < levels.plans.size(); ++l) {
      LevelBytes& bytes = bytes_.emplace_back();
      constexpr int at_a_time = 8;  // each looks at all cut links of the level meanwhile
      for_each_in_parallel(
          parts, 1,
          [&](std::int64_t part) {
            const cuda::PreparedCase prepared =
                cuda::prepare_case(levels.divided.levels[l].problem(), levels.plans[l],
                                   &connected.blocks[l][static_cast<std::size_t>(part)]);
#pragma omp critical(fluvia_level_bytes)
            bytes.add(prepared);
          },
          at_a_time);
    }
  }

  /// Bytes on the GPU, and those that are moved to it in a step of the coarsest level.
  [[nodiscard]] std::uint64_t total(unsigned streamed) const {
    const LevelTurns shared = turns(streamed);
    std::uint64_t sum =
        between_ + cuda::BlockStreaming::slots * shared.slot_bytes + shared.references_bytes + shared.exchange_bytes;
    for (std::size_t l = 0; l < bytes_.size(); ++l) sum += shared.streamed[l] ? bytes_[l].turning : bytes_[l].all;
    return sum;
  }
  [[nodiscard]] std::uint64_t moved(unsigned streamed) const {
    std::uint64_t sum = 0;
    for (std::size_t l = 0; l < bytes_.size(); ++l)
      if ((streamed >> l & 1) != 0) sum += bytes_[l].host << l;
    return sum;
  }
  [[nodiscard]] LevelTurns turns(unsigned streamed) const {
    LevelTurns turns;
    turns.parts = parts_;
    for (std::size_t l = 0; l < bytes_.size(); ++l) {
      turns.streamed.push_back((streamed >> l & 1) != 0);
      if (!turns.streamed[l]) continue;
      turns.slot_bytes = std::max(turns.slot_bytes, bytes_[l].slot);
      turns.references_bytes = std::max(turns.references_bytes, bytes_[l].references);
      turns.exchange_bytes = std::max(turns.exchange_bytes, bytes_[l].exchange);
    }
    return turns;
  }
  [[nodiscard]] Plan plan(unsigned streamed) const {
    const LevelTurns shared = turns(streamed);
    std::vector<Plan> own = levels_.plans;
    for (std::size_t l = 0; l < own.size(); ++l) {
      own[l].population_bytes = shared.streamed[l] ? bytes_[l].host : bytes_[l].populations;
      own[l].geometry_bytes = bytes_[l].geometry;
      own[l].boundary_bytes = bytes_[l].boundaries;
      own[l].other_bytes = 0;
      own[l].snapshot_bytes = 0;
      own[l].staging_bytes = shared.streamed[l] ? 0 : bytes_[l].staging;
    }
    Plan all = joined_plan(levels_.divided, own);
    all.domain = {parts_, BlockPlace::streamed};
    all.population_bytes = cuda::BlockStreaming::slots * shared.slot_bytes;
    all.staging_bytes += shared.exchange_bytes;
    for (std::size_t l = 0; l < own.size(); ++l) {
      all.levels[l].is_streamed = shared.streamed[l];
      if (l > 0) all.levels[l].exchanged = levels_.links[l - 1].size() << (l - 1);
      if (shared.streamed[l])
        all.host_bytes += bytes_[l].host;
      else
        all.population_bytes += bytes_[l].populations;
    }
    all.transfer_bytes = 2 * moved(streamed);
    all.other_bytes = total(streamed) - all.population_bytes - all.geometry_bytes - all.boundary_bytes;
    return all;
  }
  /// Of all choices of what is streamed, all that fit if any do, that which moves the fewest bytes; else the smallest.
  [[nodiscard]] unsigned best(std::uint64_t memory) const {
    const unsigned choices = 1U << bytes_.size();
    unsigned best = choices - 1;
    for (unsigned streamed = 1; streamed < choices; ++streamed) {
      const bool fits = total(streamed) <= memory, best_fits = total(best) <= memory;
      if (fits != best_fits ? fits : fits ? moved(streamed) < moved(best) : total(streamed) < total(best))
        best = streamed;
    }
    return best;
  }

 private:
  const PreparedLevels& levels_;
  int parts_;
  std::uint64_t between_ = 0;  ///< of what passes between levels
  std::vector<LevelBytes> bytes_;
};

/// Bytes that so many parts would take at least: `populations` of each level, `besides` of all.
double least_bytes(const std::vector<double>& populations, double besides, int parts) {
  double least = -1;
  for (unsigned streamed = 1; streamed < 1U << populations.size(); ++streamed) {
    double staying = 0, largest = 0;
    for (std::size_t l = 0; l < populations.size(); ++l)
      if ((streamed >> l & 1) != 0)
        largest = std::max(largest, populations[l]);
      else
        staying += populations[l];
    const double bytes = besides + staying + cuda::BlockStreaming::slots * largest / parts;
    if (least < 0 || bytes < least) least = bytes;
  }
  return least;
}

/// The most parts that all levels can have.
int most_parts_of(const LevelProblems& divided) {
  std::size_t most = most_parts;
  for (const LevelProblem& level : divided.levels) most = std::min(most, level.geometry.nodes.tiles.size());
  return static_cast<int>(most);
}

std::string refusal_of(const Plan& plan, const cuda::Device& device, std::uint64_t memory) {
  const auto needed = static_cast<double>(plan.total_bytes()), available = static_cast<double>(memory);
  if (plan.total_bytes() > memory)
    return fmt::format(
        "{} needs {:.1f} MiB for levels of refinement even if they are streamed through it in {} parts, of which "
        "{:.1f} "
        "MiB are populations that are there at a time and the rest stays there, but it may take {:.1f} MiB. What would "
        "fit: a larger limit or spacing, smaller regions in [[refine]], or numerics.device = \"cpu\"",
        device.label(), needed / mebibyte, plan.domain.blocks, static_cast<double>(plan.population_bytes) / mebibyte,
        available / mebibyte);
  const std::uint64_t host = available_memory();
  if (plan.host_bytes <= host) return "";
  return fmt::format(
      "levels of refinement need {:.1f} MiB of host memory, from where they are streamed, but {:.1f} MiB are free. "
      "What "
      "would fit: fewer bytes with numerics.format = \"fp16s\", a larger spacing, or smaller regions in [[refine]]",
      static_cast<double>(plan.host_bytes) / mebibyte, static_cast<double>(host) / mebibyte);
}

}  // namespace

LevelTurns turns_of(const PreparedLevels& levels, const LevelDevice& device, int parts,
                    const std::vector<bool>& streamed) {
  unsigned wanted = 0;
  for (std::size_t l = 0; l < streamed.size(); ++l) wanted |= streamed[l] ? 1U << l : 0U;
  return Turns(levels, device, parts).turns(wanted);
}

LevelTurns find_turns(const PreparedLevels& levels, const Case& c, const LevelDevice& on, Plan& all) {
  const cuda::Device& device = *on.turning();
  const std::uint64_t memory = cuda::memory_for_streaming(c, device);
  const int most = most_parts_of(levels.divided);
  const auto besides = static_cast<double>(all.geometry_bytes + all.boundary_bytes);
  int parts = std::min(2, most);
  while (parts < most && least_bytes(estimated_populations(levels), besides, parts) > static_cast<double>(memory))
    ++parts;
  LevelTurns found;
  std::uint64_t least = 0;  // bytes
  // More parts have smaller slots, but more beside these.
  constexpr int most_in_vain = 2;
  for (int in_vain = 0; in_vain < most_in_vain; parts = std::min(most, parts + std::max(1, parts / 4))) {
    const Turns turns(levels, on, parts);
    const unsigned streamed = turns.best(memory);
    const std::uint64_t total = turns.total(streamed);
    if (least == 0 || total < least) {
      least = total;
      found = turns.turns(streamed);
      all = turns.plan(streamed);
      in_vain = 0;
    } else {
      ++in_vain;
    }
    if (total <= memory || parts == most) break;
  }
  all.refusal = refusal_of(all, device, memory);
  return found;
}

}  // namespace fluvia
