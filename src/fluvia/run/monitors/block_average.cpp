// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/block_average.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fluvia {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

namespace {

constexpr std::size_t fewest_blocks = 16;  ///< blocks of a level that can confirm a plateau
constexpr std::size_t levels_to_confirm = 2;

struct Level {
  std::size_t blocks = 0;
  double error = 0;
  [[nodiscard]] double uncertainty() const { return error / std::sqrt(2.0 * static_cast<double>(blocks - 1)); }
};

/// Mean square of the deviation from the mean.
double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

BlockAverage block_average(std::span<const double> samples) {
  BlockAverage result;
  if (samples.size() < 2) return result;
  std::vector<double> blocks(samples.begin(), samples.end());
  const double variance = variance_of(blocks);
  std::vector<Level> levels;
  while (blocks.size() >= 4 || levels.empty()) {
    levels.push_back({blocks.size(), std::sqrt(variance_of(blocks) / static_cast<double>(blocks.size() - 1))});
    for (std::size_t k = 0; k < blocks.size() / 2; ++k) blocks[k] = 0.5 * (blocks[2 * k] + blocks[2 * k + 1]);
    blocks.resize(blocks.size() / 2);
  }
  std::size_t last = 0;  // the deepest level that can confirm
  while (last + 1 < levels.size() && levels[last + 1].blocks >= fewest_blocks) ++last;
  for (std::size_t k = 0; k + levels_to_confirm <= last && !result.plateau; ++k) {
    const bool grows = std::any_of(
        levels.begin() + static_cast<std::ptrdiff_t>(k) + 1, levels.begin() + static_cast<std::ptrdiff_t>(last) + 1,
        [&](const Level& deeper) { return deeper.error - levels[k].error > 2 * deeper.uncertainty(); });
    if (grows) continue;
    result.plateau = true;
    result.block = std::size_t{1} << k;
    // The error is the largest of three levels, since tests of noisy numbers end a little early.
    result.error = std::max({levels[k].error, levels[k + 1].error, levels[k + 2].error});
  }
  if (!result.plateau)
    for (const Level& level : levels) result.error = std::max(result.error, level.error);
  result.independent =
      result.error > 0 ? 1 + variance / (result.error * result.error) : static_cast<double>(samples.size());
  return result;
}

}  // namespace fluvia
