// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "fluvia/geometry/image/files/image_file.hpp"

namespace fluvia::geometry {

/// The voxels of an image, layer by layer along its slowest axis, with everything that its header claims checked
/// against what is there: before memory is asked for, and at its end.
class LayerReader {
 public:
  /// `format`: nullptr for a raw image. Throws Error(input), Error(resource).
  LayerReader(const std::filesystem::path& file, const ImageFormat* format, const ImageHeader& header);
  /// The elements of the next layer, row by row. Throws Error(input) where the file ends before.
  const unsigned char* next();
  /// Throws Error(input) if the file goes on after the last layer.
  void expect_end();

 private:
  [[noreturn]] void wrong_size(const std::string& found) const;
  const ImageHeader header_;
  std::unique_ptr<ElementSource> source_;
  std::vector<unsigned char> layer_;
  std::uint64_t taken_ = 0;
};

}  // namespace fluvia::geometry
