// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/pictures.hpp"

#include <map>

#include "fluvia/output/pictures/slice_picture.hpp"

namespace fluvia {

std::vector<std::filesystem::path> write_slices(const OutputContext& output,
                                                const std::vector<Case::Output::Slice>& slices,
                                                const std::string& title, const std::filesystem::path& folder,
                                                const std::string& suffix, const std::vector<Field>& extra) {
  std::vector<std::filesystem::path> files;
  std::map<std::string, int> used;
  for (const Case::Output::Slice& slice : slices) {
    std::string name = "slice-" + slice.field + "-" + "xyz"[slice.axis];
    if (const int again = used[name]++; again > 0) name += "-" + std::to_string(again + 1);
    for (auto& file : write_slice(output, slice, folder / (name + suffix), title, extra))
      files.push_back(std::move(file));
  }
  return files;
}

}  // namespace fluvia
