// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "fluvia/output/vtkhdf_parts.hpp"

namespace fluvia {
namespace {

constexpr std::uint8_t hidden_cell = 32;  // vtkDataSetAttributes::HIDDENCELL
constexpr hsize_t chunk_cells = 1u << 15;

/// Part of an image: all cells with first <= index along the slab axis < last.
struct Block {
  std::array<hsize_t, 3> start, count;  ///< z, y, x
  [[nodiscard]] hsize_t cells() const { return count[0] * count[1] * count[2]; }
};

Block block_of(const Sampling& sampling, const FieldEvaluator::Slab& slab) {
  Block block{};
  for (std::size_t i = 0; i < 3; ++i) block.count[i] = static_cast<hsize_t>(sampling.count[2 - i]);
  const auto axis = static_cast<std::size_t>(2 - slab_axis(sampling.dimension));
  block.start[axis] = static_cast<hsize_t>(slab.first_sample);
  block.count[axis] = static_cast<hsize_t>(slab.last_sample - slab.first_sample);
  return block;
}

/// Index of a sample inside a block.
hsize_t cell_in_block(const Block& block, const Int3& cell) {
  const hsize_t x = static_cast<hsize_t>(cell[0]) - block.start[2], y = static_cast<hsize_t>(cell[1]) - block.start[1],
                z = static_cast<hsize_t>(cell[2]) - block.start[0];
  return x + block.count[2] * (y + block.count[1] * z);
}

HdfLayout layout_of(const Sampling& sampling, int components, int compression) {
  HdfLayout layout;
  layout.compression = compression;
  hsize_t room = chunk_cells;
  for (int axis = 0; axis < 3; ++axis) {
    const auto extent = static_cast<hsize_t>(sampling.count[axis]);
    const hsize_t length = std::clamp<hsize_t>(room, 1, extent);
    layout.shape.insert(layout.shape.begin(), extent);
    layout.chunk.insert(layout.chunk.begin(), length);
    room /= length;
  }
  if (components > 1) {
    layout.shape.push_back(static_cast<hsize_t>(components));
    layout.chunk.push_back(static_cast<hsize_t>(components));
  }
  return layout;
}

/// One cell array being written block by block.
class CellArray {
 public:
  CellArray(const HdfOutputFile& file, hid_t group, const Field& field, const Sampling& sampling, int compression)
      : components_(static_cast<hsize_t>(field.components)),
        dataset_(file, group, field.name, H5T_NATIVE_FLOAT, layout_of(sampling, field.components, compression)) {}

  void write(const Block& block, const std::vector<FieldSample>& samples, const std::vector<float>& values) {
    image_.assign(block.cells() * components_, 0.0f);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const hsize_t cell = cell_in_block(block, samples[i].cell);
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * components_), components_,
                  image_.begin() + static_cast<std::ptrdiff_t>(cell * components_));
    }
    std::vector<hsize_t> start(block.start.begin(), block.start.end()), count(block.count.begin(), block.count.end());
    if (components_ > 1) {
      start.push_back(0);
      count.push_back(components_);
    }
    dataset_.write(start, count, image_.data());
  }

 private:
  hsize_t components_;
  HdfDataset dataset_;
  std::vector<float> image_;
};

void write_ghosts(HdfDataset& dataset, const Block& block, const std::vector<FieldSample>& samples) {
  std::vector<std::uint8_t> ghosts(block.cells(), hidden_cell);
  for (const FieldSample& sample : samples) ghosts[cell_in_block(block, sample.cell)] = 0;
  dataset.write({block.start.begin(), block.start.end()}, {block.count.begin(), block.count.end()}, ghosts.data());
}

}  // namespace

void write_vtk_image(const HdfOutputFile& file, hid_t root, FieldEvaluator& evaluator, const Sampling& sampling,
                     int compression) {
  // A 2D domain is written one cell thick: VTKHDF 1.0 readers expect cell extents of an image to be at least 1.
  file.attribute(root, "WholeExtent",
                 std::vector<std::int64_t>{0, sampling.count[0], 0, sampling.count[1], 0, sampling.count[2]});
  file.attribute(root, "Origin", std::vector<double>(sampling.origin.begin(), sampling.origin.end()));
  file.attribute(root, "Spacing", std::vector<double>(sampling.spacing.begin(), sampling.spacing.end()));
  file.attribute(root, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});

  const HdfHandle group = file.create_group(root, "CellData");
  std::vector<std::unique_ptr<CellArray>> arrays;
  for (const Field& field : evaluator.fields()) {
    arrays.push_back(std::make_unique<CellArray>(file, group.get(), field, sampling, compression));
  }
  HdfDataset ghosts(file, group.get(), "vtkGhostType", H5T_NATIVE_UINT8, layout_of(sampling, 1, compression));
  std::vector<float> values;
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    const Block block = block_of(sampling, slab);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      evaluator.evaluate(i, values);
      arrays[i]->write(block, evaluator.samples(), values);
    }
    write_ghosts(ghosts, block, evaluator.samples());
  }
}

}  // namespace fluvia
