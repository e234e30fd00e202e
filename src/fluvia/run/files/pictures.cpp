// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/pictures.hpp"

#include <map>
#include <utility>

namespace fluvia {

std::optional<FlowView> view_of_picture(const OutputContext& output, const Case::Output::Slice& slice) {
  return FlowView::finest(output.state, region_of(slice, output.grid),
                          [&](const Grid& grid) { return slice_stride(grid, slice.axis) == 1; });
}

std::vector<std::filesystem::path> write_slices(const OutputContext& output,
                                                const std::vector<Case::Output::Slice>& slices,
                                                const std::string& title, const std::filesystem::path& folder,
                                                const std::string& suffix, const std::vector<Field>& extra,
                                                const FieldsOfPicture& own, const WallVelocities& velocities,
                                                SeriesRanges& ranges) {
  std::vector<std::filesystem::path> files;
  std::map<std::string, int> used;
  for (std::size_t k = 0; k < slices.size(); ++k) {
    const Case::Output::Slice& slice = slices[k];
    std::string name = "slice-" + slice.field + "-" + "xyz"[slice.axis];
    if (const int again = used[name]++; again > 0) name += "-" + std::to_string(again + 1);
    const auto before = ranges.find(name);
    std::optional<ValueRange> range = before == ranges.end() ? std::optional<ValueRange>() : before->second;
    const std::optional<FlowView> view = view_of_picture(output, slice);
    const OutputContext seen = view ? view->output() : output;
    std::vector<Field> fields = view ? view->fields_of_coarsest(extra) : extra;
    for (Field& field : own(k)) {
      std::erase_if(fields, [&](const Field& other) { return other.name == field.name; });
      fields.push_back(std::move(field));
    }
    for (auto& file : write_slice(seen, slice, folder / (name + suffix), title, fields, {velocities(seen), &range}))
      files.push_back(std::move(file));
    if (range) ranges[name] = *range;
  }
  return files;
}

}  // namespace fluvia
