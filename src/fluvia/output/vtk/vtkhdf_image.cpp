// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "fluvia/output/vtk/vtkhdf_parts.hpp"

namespace fluvia {
namespace {

constexpr std::uint8_t hidden_point = 2;  // vtkDataSetAttributes::HIDDENPOINT
constexpr hsize_t chunk_points = 1u << 15;

/// Number of points along an axis. The readers of VTK 9.2 crash on images that are flat along an axis: a flat one is
/// written as two equal planes, on the two faces of its cells.
hsize_t points_along(const Sampling& sampling, std::size_t axis) {
  return std::max<hsize_t>(static_cast<hsize_t>(sampling.count[axis]), 2);
}

/// Part of an image: the samples of one slab.
struct ImagePart {
  std::array<hsize_t, 3> start{}, count{};  ///< z, y, x
  Int3 copies{1, 1, 1};                     ///< x, y, z: 2 along flat axes
  [[nodiscard]] hsize_t points() const { return count[0] * count[1] * count[2]; }

  ImagePart(const Sampling& sampling, const FieldEvaluator::Slab& slab) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      count[2 - axis] = points_along(sampling, axis);
      if (sampling.count[axis] == 1) copies[axis] = 2;
    }
    const auto axis = static_cast<std::size_t>(slab_axis(sampling.dimension));
    if (copies[axis] == 2) return;
    start[2 - axis] = static_cast<hsize_t>(slab.first_sample);
    count[2 - axis] = static_cast<hsize_t>(slab.last_sample - slab.first_sample);
  }
  /// Calls `visit` with the index in the part of each of the sample's points.
  template <class Visit>
  void for_each_point(const Int3& cell, const Visit& visit) const {
    for (int dz = 0; dz < copies[2]; ++dz) {
      for (int dy = 0; dy < copies[1]; ++dy) {
        for (int dx = 0; dx < copies[0]; ++dx) {
          const hsize_t x = static_cast<hsize_t>(cell[0] + dx) - start[2];
          const hsize_t y = static_cast<hsize_t>(cell[1] + dy) - start[1];
          const hsize_t z = static_cast<hsize_t>(cell[2] + dz) - start[0];
          visit(x + count[2] * (y + count[1] * z));
        }
      }
    }
  }
};

/// Extents of a dataset: z, y, x and, for vectors, the components.
std::vector<hsize_t> extents(const std::array<hsize_t, 3>& values, int components, hsize_t last) {
  std::vector<hsize_t> result(values.begin(), values.end());
  if (components > 1) result.push_back(last);
  return result;
}

HdfLayout layout_of(const Sampling& sampling, int components, int compression) {
  std::array<hsize_t, 3> shape{}, chunk{};
  hsize_t room = chunk_points;
  for (std::size_t i = 3; i-- > 0;) {
    shape[i] = points_along(sampling, 2 - i);
    chunk[i] = std::clamp<hsize_t>(room, 1, shape[i]);
    room /= chunk[i];
  }
  const auto depth = static_cast<hsize_t>(components);
  return {.shape = extents(shape, components, depth),
          .chunk = extents(chunk, components, depth),
          .compression = compression};
}

/// An array that is written part by part.
class PointArray {
 public:
  PointArray(const HdfOutputFile& file, hid_t group, const Field& field, const Sampling& sampling, int compression)
      : components_(field.components),
        dataset_(file, group, field.name, H5T_NATIVE_FLOAT, layout_of(sampling, field.components, compression)) {}

  void write(const ImagePart& part, const std::vector<FieldSample>& samples, const std::vector<float>& values) {
    const auto depth = static_cast<hsize_t>(components_);
    image_.assign(part.points() * depth, 0.0f);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      part.for_each_point(samples[i].cell, [&](hsize_t point) {
        for (hsize_t c = 0; c < depth; ++c) image_[point * depth + c] = values[i * depth + c];
      });
    }
    dataset_.write(extents(part.start, components_, 0), extents(part.count, components_, depth), image_.data());
  }

 private:
  int components_;
  HdfDataset dataset_;
  std::vector<float> image_;
};

void write_ghosts(HdfDataset& dataset, const ImagePart& part, const std::vector<FieldSample>& samples) {
  std::vector<std::uint8_t> ghosts(part.points(), hidden_point);
  for (const FieldSample& sample : samples) {
    part.for_each_point(sample.cell, [&](hsize_t point) { ghosts[point] = 0; });
  }
  dataset.write(extents(part.start, 1, 0), extents(part.count, 1, 1), ghosts.data());
}

}  // namespace

void write_vtk_image(const HdfOutputFile& file, hid_t root, FieldEvaluator& evaluator, const Sampling& sampling,
                     int compression) {
  // Nodes are points, because the readers of VTK 9.2 (ParaView 5.11) know no cell data in images.
  std::vector<double> first_point;
  std::vector<std::int64_t> extent;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool flat = sampling.count[axis] == 1;
    first_point.push_back(sampling.origin[axis] + (flat ? 0 : 0.5 * sampling.spacing[axis]));
    extent.push_back(0);
    extent.push_back(static_cast<std::int64_t>(points_along(sampling, axis)) - 1);
  }
  file.attribute(root, "WholeExtent", extent);
  file.attribute(root, "Origin", first_point);
  file.attribute(root, "Spacing", std::vector<double>(sampling.spacing.begin(), sampling.spacing.end()));
  file.attribute(root, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});

  const HdfHandle group = file.create_group(root, "PointData");
  std::vector<std::unique_ptr<PointArray>> arrays;
  for (const Field& field : evaluator.fields()) {
    arrays.push_back(std::make_unique<PointArray>(file, group.get(), field, sampling, compression));
  }
  HdfDataset ghosts(file, group.get(), "vtkGhostType", H5T_NATIVE_UINT8, layout_of(sampling, 1, compression));
  std::vector<float> values;
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    const ImagePart part(sampling, slab);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      evaluator.evaluate(i, values);
      arrays[i]->write(part, evaluator.samples(), values);
    }
    write_ghosts(ghosts, part, evaluator.samples());
  }
}

}  // namespace fluvia
