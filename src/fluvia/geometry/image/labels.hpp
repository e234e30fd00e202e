// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "fluvia/geometry/image/files/layer_reader.hpp"
#include "fluvia/geometry/image/voxels.hpp"

namespace fluvia::geometry {

/// Which values the voxels of an image have, and how often.
struct LabelCounts {
  std::map<double, std::uint64_t> counts;  ///< by value; as far as they were counted
  bool more = false;                       ///< there are more different values than were counted
  double least = 0, most = 0;
  std::uint64_t voxels = 0, fluid = 0;  ///< all, and those that the case calls fluid

  [[nodiscard]] double share(double value) const;
  /// Whether there are so few values that they are labels, not grey.
  [[nodiscard]] bool few() const;
  /// One line: every label with its share and which are fluid, or for a grey image its range.
  [[nodiscard]] std::string line(const Case::Voxels& rule) const;
};

/// Counts the values that `reader` gives of an image, from its first layer to its end, and those that are fluid. Throws
/// Error(input).
LabelCounts count_values(LayerReader& reader, const ImageHeader& header, const std::function<bool(double)>& is_fluid);

/// Counts the values of the whole image. Throws like read_voxels().
LabelCounts count_labels(const Case::Voxels& voxels, const std::filesystem::path& directory);

/// Throws Error(usage) for a command line that does not say which voxels of an image are fluid where 0 does not go
/// without saying, or that names labels which no voxel has. `said`: labels or thresholds were given. Messages name the
/// options --pore, --below, --above.
void check_labels(const Case::Voxels& voxels, const LabelCounts& found, bool said);

/// The edge of a voxel in metres, and what has to be said of it.
struct VoxelEdge {
  double metres = 0;
  std::string note;  ///< where the header says something else; a line, or empty
};

/// The edge that --voxel gives (`given`), which comes before what the header says, or that of the header. Throws
/// Error(usage) where there is neither.
VoxelEdge voxel_edge(const ImageHeader& header, std::optional<double> given);

}  // namespace fluvia::geometry
