// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/pictures.hpp"

#include <map>
#include <optional>
namespace fluvia {

std::vector<std::filesystem::path> write_slices(const OutputContext& output,
                                                const std::vector<Case::Output::Slice>& slices,
                                                const std::string& title, const std::filesystem::path& folder,
                                                const std::string& suffix, const std::vector<Field>& extra,
                                                const WallVelocity& velocity_of, SeriesRanges& ranges) {
  std::vector<std::filesystem::path> files;
  std::map<std::string, int> used;
  for (const Case::Output::Slice& slice : slices) {
    std::string name = "slice-" + slice.field + "-" + "xyz"[slice.axis];
    if (const int again = used[name]++; again > 0) name += "-" + std::to_string(again + 1);
    const auto before = ranges.find(name);
    std::optional<ValueRange> range = before == ranges.end() ? std::optional<ValueRange>() : before->second;
    for (auto& file : write_slice(output, slice, folder / (name + suffix), title, extra, {velocity_of, &range}))
      files.push_back(std::move(file));
    if (range) ranges[name] = *range;
  }
  return files;
}

}  // namespace fluvia
