// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/voxel_request.hpp"

namespace fluvia::geometry {

/// Voxels whose values lie in a range, both ends included for whole numbers, else the lower one only.
struct HistogramBin {
  double from = 0, to = 0;
  double share = 0;  ///< of all voxels
};

/// What an image is: of voxels, or a mask.
struct ImageSurvey {
  std::filesystem::path path;
  const FileFormat* format = nullptr;
  const ImageFormat* opener = nullptr;  ///< nullptr for raw images and text
  ImageHeader header;
  LabelCounts labels;
  std::vector<HistogramBin> histogram;  ///< of grey images; empty where there are few labels

  /// A type that holds all values: that of the file; of text the smallest that does.
  [[nodiscard]] ElementType plain_type() const;
};

/// Reads an image as a whole and says what is in it. Throws Error(usage) for a raw image without a shape, Error(input).
ImageSurvey survey_image(const VoxelRequest& request);

/// The voxels of an image in layers along z, x fastest, as numbers of plain_type() with the lowest byte first,
/// whichever way they lie in the file.
class OrderedLayers {
 public:
  /// Throws Error(input), Error(resource).
  explicit OrderedLayers(const ImageSurvey& survey);
  /// The next layer, from z = 0 on.
  const std::vector<unsigned char>& next();
  [[nodiscard]] const ElementType& type() const { return type_; }

 private:
  void put(unsigned char* target, const unsigned char* source) const;

  const ImageSurvey& survey_;
  ElementType type_;
  LayerReader reader_;
  std::vector<unsigned char> whole_;  ///< of images whose layers lie along x
  std::vector<unsigned char> layer_;
  int z_ = 0;
};

/// Writes an image in the format that the name of `target` says: .raw, .nrrd, .npy, or .png of a flat image whose
/// values are whole numbers from 0 to 255. Returns a line that says what else has to be known to read it; empty if
/// nothing. `voxel`: its edge, m, where it is known. Throws Error(usage) for other names, Error(input) for what the
/// format cannot hold.
std::string write_image(const ImageSurvey& survey, std::optional<double> voxel, const std::filesystem::path& target);

/// Extensions of the formats that write_image() knows, for messages.
std::string written_image_extensions();

}  // namespace fluvia::geometry
