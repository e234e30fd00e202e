// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/pictures.hpp"

#include <map>
#include <optional>

#include "fluvia/output/levels/flow_view.hpp"

namespace fluvia {

std::vector<std::filesystem::path> write_slices(const OutputContext& output,
                                                const std::vector<Case::Output::Slice>& slices,
                                                const std::string& title, const std::filesystem::path& folder,
                                                const std::string& suffix, const std::vector<Field>& extra,
                                                const WallVelocities& velocities, SeriesRanges& ranges) {
  std::vector<std::filesystem::path> files;
  std::map<std::string, int> used;
  for (const Case::Output::Slice& slice : slices) {
    std::string name = "slice-" + slice.field + "-" + "xyz"[slice.axis];
    if (const int again = used[name]++; again > 0) name += "-" + std::to_string(again + 1);
    const auto before = ranges.find(name);
    std::optional<ValueRange> range = before == ranges.end() ? std::optional<ValueRange>() : before->second;
    const auto fits = [&](const Grid& grid) { return slice_stride(grid, slice.axis) == 1; };
    const auto write = [&](const OutputContext& finest, const std::vector<Field>& others) {
      return write_slice(finest, slice, folder / (name + suffix), title, others, {velocities(finest), &range});
    };
    for (auto& file : read_finest(output, region_of(slice, output.grid), extra, write, fits))
      files.push_back(std::move(file));
    if (range) ranges[name] = *range;
  }
  return files;
}

}  // namespace fluvia
