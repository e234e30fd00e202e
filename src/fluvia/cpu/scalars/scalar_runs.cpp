// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/scalars/scalar_runs.hpp"

#include <fmt/format.h>

#include <limits>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/storage/step_access.hpp"

namespace fluvia::cpu {

void ScalarRuns::find(const ScalarWays& ways, const ScalarMethod& scalar, std::span<const std::uint32_t> storage,
                      const std::vector<std::uint32_t>& numbers) {
  const std::uint64_t indices = numbers.size();
  const auto directions = static_cast<std::uint64_t>(scalar.lattice->directions);
  if (indices * directions > std::numeric_limits<std::uint32_t>::max())
    throw_resource(fmt::format("scalar '{}': {} nodes are too many for 32-bit numbers of places; use fewer",
                               scalar.name, indices));
  constexpr auto lanes_of_group = static_cast<std::uint64_t>(group_lanes);
  const std::uint64_t groups = indices / lanes_of_group, nodes = storage.size();
  first_.reserve(groups + 1);
  lanes_.resize(groups);
  for (std::uint64_t group = 0; group < groups; ++group) {
    first_.push_back(runs_.size());
    for (std::uint64_t i = 1; i < directions; ++i) {
      ScalarRun* last = nullptr;
      for (std::uint64_t lane = 0; lane < lanes_of_group; ++lane) {
        const std::uint32_t n = numbers[group * lanes_of_group + lane];
        if (n == no_node) {
          last = nullptr;
          continue;
        }
        lanes_[group] = static_cast<std::uint8_t>(lane + 1);
        const std::uint64_t target = ways.target[(i - 1) * nodes + n];
        const auto place = static_cast<std::uint32_t>(target / nodes * indices + storage[target % nodes]);
        if (last != nullptr && last->place + last->count == place) {
          ++last->count;
          continue;
        }
        runs_.push_back({place, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(lane), 1});
        last = &runs_.back();
      }
    }
  }
  first_.push_back(runs_.size());
  runs_.shrink_to_fit();
}

}  // namespace fluvia::cpu
