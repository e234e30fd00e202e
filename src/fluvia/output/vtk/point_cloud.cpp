// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/vtk/point_cloud.hpp"

#include <numeric>

#include "fluvia/hdf5/output_file.hpp"

// Layout: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
namespace fluvia {
namespace {

void write_vectors(const HdfOutputFile& file, hid_t group, const std::string& name, const std::vector<Real3>& vectors) {
  HdfDataset dataset(file, group, name, H5T_NATIVE_DOUBLE, {.shape = {vectors.size(), 3}, .chunk = {}});
  if (!vectors.empty()) dataset.write({0, 0}, {vectors.size(), 3}, vectors.data());
}

/// One kind of cells, of which there are `count`, each with one point.
void write_cells(const HdfOutputFile& file, hid_t root, const char* kind, std::int64_t count) {
  const HdfHandle group = file.create_group(root, kind);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count) + 1);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  write_dataset(file, group.get(), "Offsets", numbers);
  numbers.pop_back();
  write_dataset(file, group.get(), "Connectivity", numbers);
  write_dataset(file, group.get(), "NumberOfCells", std::vector<std::int64_t>{count});
  write_dataset(file, group.get(), "NumberOfConnectivityIds", std::vector<std::int64_t>{count});
}

}  // namespace

void write_point_cloud(const std::filesystem::path& path, const PointCloud& cloud) {
  HdfOutputFile file(path);
  const HdfHandle root = file.create_group(file.id(), "VTKHDF");
  file.attribute(root.get(), "Version", std::vector<std::int64_t>{2, 0});
  file.attribute(root.get(), "Type", "PolyData");
  const HdfHandle field_data = file.create_group(root.get(), "FieldData");
  write_dataset(file, field_data.get(), "TimeValue", std::vector<double>{cloud.time});
  const auto count = static_cast<std::int64_t>(cloud.places.size());
  write_dataset(file, root.get(), "NumberOfPoints", std::vector<std::int64_t>{count});
  write_vectors(file, root.get(), "Points", cloud.places);
  write_cells(file, root.get(), "Vertices", count);
  for (const char* kind : {"Lines", "Polygons", "Strips"}) write_cells(file, root.get(), kind, 0);
  const HdfHandle point_data = file.create_group(root.get(), "PointData");
  write_dataset(file, point_data.get(), "id", cloud.ids);
  write_dataset(file, point_data.get(), "age", cloud.ages);
  write_vectors(file, point_data.get(), "velocity", cloud.velocities);
  write_dataset(file, point_data.get(), "stuck", cloud.stuck);
  file.commit();
}

}  // namespace fluvia
