// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "fluvia/output/vtk/vtkhdf_parts.hpp"

namespace fluvia {
namespace {

constexpr std::uint8_t vtk_pixel = 8, vtk_voxel = 11;
constexpr hsize_t chunk_rows = 1u << 15;

/// Numbers the corners of cells in the order in which they are met. Corners are kept in blocks of 4^3, made where cells
/// are and dropped once no later cell can touch them: memory follows the fluid cells of one slab.
class CornerNumbers {
 public:
  CornerNumbers(const Sampling& sampling) : axis_(slab_axis(sampling.dimension)) {
    for (int i = 0; i < 3; ++i) blocks_[i] = i == axis_ ? 1 : sampling.count[i] / 4 + 1;
  }
  /// States that from now on only corners at `lowest` or above along the slab axis will be asked for.
  void forget_below(int lowest) { layers_.erase(layers_.begin(), layers_.lower_bound(lowest / 4)); }
  /// The corner's number; `is_new` tells whether it was met for the first time.
  std::int64_t number(const Int3& corner, bool& is_new) {
    Layer& layer = layers_[corner[axis_] / 4];
    if (layer.directory.empty()) layer.directory.assign(directory_size(), -1);
    Int3 block{corner[0] / 4, corner[1] / 4, corner[2] / 4};
    block[axis_] = 0;
    std::int32_t& entry =
        layer.directory[static_cast<std::size_t>(block[0]) +
                        static_cast<std::size_t>(blocks_[0]) *
                            (static_cast<std::size_t>(block[1]) +
                             static_cast<std::size_t>(blocks_[1]) * static_cast<std::size_t>(block[2]))];
    if (entry < 0) {
      entry = static_cast<std::int32_t>(layer.blocks.size());
      layer.blocks.emplace_back().fill(-1);
    }
    const auto local = static_cast<std::size_t>(corner[0] % 4 + 4 * (corner[1] % 4 + 4 * (corner[2] % 4)));
    std::int64_t& id = layer.blocks[static_cast<std::size_t>(entry)][local];
    is_new = id < 0;
    if (is_new) id = next_++;
    return id;
  }
  [[nodiscard]] std::int64_t count() const { return next_; }

 private:
  struct Layer {
    std::vector<std::int32_t> directory;
    std::vector<std::array<std::int64_t, 64>> blocks;
  };
  [[nodiscard]] std::size_t directory_size() const {
    return static_cast<std::size_t>(blocks_[0]) * static_cast<std::size_t>(blocks_[1]) *
           static_cast<std::size_t>(blocks_[2]);
  }
  int axis_;
  Int3 blocks_{};
  std::map<int, Layer> layers_;
  std::int64_t next_ = 0;
};

HdfLayout rows_of(hsize_t components, int compression) {
  HdfLayout layout{.shape = {0}, .chunk = {chunk_rows}, .compression = compression, .extendable = true};
  if (components > 1) {
    layout.shape.push_back(components);
    layout.chunk.push_back(components);
  }
  return layout;
}

/// Points, connectivity, offsets and types of the cells of a mesh.
class Mesh {
 public:
  Mesh(const HdfOutputFile& file, hid_t root, const Sampling& sampling, int compression)
      : sampling_(sampling),
        numbers_(sampling),
        points_(file, root, "Points", H5T_NATIVE_DOUBLE, rows_of(3, compression)),
        connectivity_(file, root, "Connectivity", H5T_NATIVE_INT64, rows_of(1, compression)),
        offsets_(file, root, "Offsets", H5T_NATIVE_INT64, rows_of(1, compression)),
        types_(file, root, "Types", H5T_NATIVE_UINT8, rows_of(1, compression)),
        corners_(sampling.dimension == 2 ? 4 : 8) {
    const std::int64_t zero = 0;
    offsets_.append(1, &zero);
  }

  void append(const FieldEvaluator::Slab& slab, const std::vector<FieldSample>& samples) {
    numbers_.forget_below(slab.first_sample);
    std::vector<double> points;
    std::vector<std::int64_t> connectivity, offsets;
    connectivity.reserve(samples.size() * static_cast<std::size_t>(corners_));
    for (const FieldSample& sample : samples) {
      for (int c = 0; c < corners_; ++c) add_corner(sample.cell, c, points, connectivity);
      offsets.push_back((++cells_) * corners_);
    }
    const std::vector<std::uint8_t> types(samples.size(), sampling_.dimension == 2 ? vtk_pixel : vtk_voxel);
    points_.append(points.size() / 3, points.data());
    connectivity_.append(connectivity.size(), connectivity.data());
    offsets_.append(offsets.size(), offsets.data());
    types_.append(types.size(), types.data());
  }

  void finish() {
    for (HdfDataset* dataset : {&points_, &connectivity_, &offsets_, &types_}) dataset->finish();
  }

  [[nodiscard]] std::int64_t points() const { return numbers_.count(); }
  [[nodiscard]] std::int64_t cells() const { return cells_; }
  [[nodiscard]] std::int64_t connectivity_ids() const { return cells_ * corners_; }

 private:
  /// Adds a corner of a cell: pixels and voxels count their corners with x fastest.
  void add_corner(const Int3& cell, int c, std::vector<double>& points, std::vector<std::int64_t>& connectivity) {
    const Int3 corner{cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1)};
    bool is_new = false;
    connectivity.push_back(numbers_.number(corner, is_new));
    if (!is_new) return;
    for (int axis = 0; axis < 3; ++axis) {
      points.push_back(sampling_.origin[axis] + corner[axis] * sampling_.spacing[axis]);
    }
    // Pixels of a 2D domain lie in the middle of its one layer of nodes.
    if (sampling_.dimension == 2) points.back() = sampling_.origin[2] + 0.5 * sampling_.spacing[2];
  }

  Sampling sampling_;
  CornerNumbers numbers_;
  HdfDataset points_, connectivity_, offsets_, types_;
  int corners_;
  std::int64_t cells_ = 0;
};

}  // namespace

void write_vtk_unstructured(const HdfOutputFile& file, hid_t root, FieldEvaluator& evaluator, const Sampling& sampling,
                            int compression) {
  Mesh mesh(file, root, sampling, compression);
  const HdfHandle group = file.create_group(root, "CellData");
  std::vector<std::unique_ptr<HdfDataset>> arrays;
  for (const Field& field : evaluator.fields()) {
    arrays.push_back(std::make_unique<HdfDataset>(file, group.get(), field.name, H5T_NATIVE_FLOAT,
                                                  rows_of(static_cast<hsize_t>(field.components), compression)));
  }
  std::vector<float> values;
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    if (evaluator.samples().empty()) continue;
    mesh.append(slab, evaluator.samples());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      evaluator.evaluate(i, values);
      arrays[i]->append(evaluator.samples().size(), values.data());
    }
  }
  mesh.finish();
  for (const auto& array : arrays) array->finish();
  write_dataset(file, root, "NumberOfPoints", std::vector<std::int64_t>{mesh.points()});
  write_dataset(file, root, "NumberOfCells", std::vector<std::int64_t>{mesh.cells()});
  write_dataset(file, root, "NumberOfConnectivityIds", std::vector<std::int64_t>{mesh.connectivity_ids()});
}

}  // namespace fluvia
