// SPDX-License-Identifier: Apache-2.0
// A VTKHDF file, sound as HDF5, of which the input says what is in it: types, shapes and numbers that mean nothing.
// Files that are no sound HDF5 are read in a process of their own (base/apart.hpp), which may end as it likes.
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "fluvia/hdf5/handle.hpp"
#include "fluvia/initial/vtkhdf_file.hpp"
#include "fuzz/input.hpp"

namespace {

using fluvia::HdfHandle;

/// Takes the input apart, front to back; zeros where it has ended.
class Bytes {
 public:
  Bytes(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}
  std::uint8_t next() { return at_ < end_ ? *at_++ : 0; }
  [[nodiscard]] bool done() const { return at_ == end_; }
  /// Small numbers mostly, extreme ones sometimes.
  double number() {
    const std::uint8_t first = next();
    if (first < 0xf0) return first % 16 - 2;
    std::uint8_t raw[8];
    for (std::uint8_t& byte : raw) byte = next();
    double value = 0;
    std::memcpy(&value, raw, sizeof value);
    return value;
  }
  std::int64_t integer() {
    const std::uint8_t first = next();
    if (first < 0xf0) return first % 16 - 2;
    std::int64_t value = 0;
    for (int k = 0; k < 8; ++k) value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << 8 | next());
    return value;
  }

 private:
  const std::uint8_t *at_, *end_;
};

hid_t type_of(std::uint8_t byte) {
  switch (byte % 5) {
    case 0:
      return H5T_NATIVE_INT64;
    case 1:
      return H5T_NATIVE_DOUBLE;
    case 2:
      return H5T_NATIVE_FLOAT;
    case 3:
      return H5T_NATIVE_UINT8;
    default:
      return H5T_C_S1;
  }
}

std::vector<hsize_t> shape_of(Bytes& bytes) {
  std::vector<hsize_t> shape(bytes.next() % 5);
  for (hsize_t& extent : shape) extent = bytes.next() % 10;
  return shape;
}

HdfHandle space_of(const std::vector<hsize_t>& shape) {
  return fluvia::HdfHandle(
      shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
      H5Sclose);
}

std::size_t count_of(const std::vector<hsize_t>& shape) {
  std::size_t count = 1;
  for (const hsize_t extent : shape) count *= extent;
  return count;
}

void add_attribute(hid_t object, const char* name, Bytes& bytes) {
  const hid_t type = type_of(bytes.next());
  const std::vector<hsize_t> shape = shape_of(bytes);
  const HdfHandle space = space_of(shape),
                  made(H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const std::size_t count = count_of(shape);
  std::vector<double> numbers(count);
  std::vector<std::int64_t> integers(count);
  if (!made.valid() || count == 0 || type == H5T_C_S1) return;
  if (type == H5T_NATIVE_INT64) {
    std::generate(integers.begin(), integers.end(), [&] { return bytes.integer(); });
    H5Awrite(made.get(), H5T_NATIVE_INT64, integers.data());
  } else {
    std::generate(numbers.begin(), numbers.end(), [&] { return bytes.number(); });
    H5Awrite(made.get(), H5T_NATIVE_DOUBLE, numbers.data());
  }
}

void add_dataset(hid_t group, const char* name, Bytes& bytes) {
  const hid_t type = type_of(bytes.next());
  const std::vector<hsize_t> shape = shape_of(bytes);
  const HdfHandle space = space_of(shape),
                  made(H5Dcreate2(group, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const std::size_t count = count_of(shape);
  if (!made.valid() || count == 0 || type == H5T_C_S1) return;
  std::vector<std::int64_t> values(count);
  std::generate(values.begin(), values.end(), [&] { return bytes.integer(); });
  H5Dwrite(made.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void add_text(hid_t object, const char* name, const std::string& text) {
  const HdfHandle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), text.size());
  const HdfHandle made(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  H5Awrite(made.get(), type.get(), text.c_str());
}

void write(const std::filesystem::path& path, Bytes& bytes) {
  const HdfHandle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose),
      root(H5Gcreate2(file.get(), "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const char* types[] = {"ImageData", "UnstructuredGrid", "ImageData", "PolyData"};
  add_text(root.get(), "Type", types[bytes.next() % 4]);
  const char* attributes[] = {"WholeExtent", "Origin", "Spacing", "Direction"};
  const char* datasets[] = {"Points", "Connectivity", "Offsets", "NumberOfCells", "Steps"};
  const char* arrays[] = {"velocity", "vtkGhostType", "pressure"};
  const HdfHandle points(
      H5Gcreate2(root.get(), bytes.next() % 2 ? "PointData" : "CellData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Gclose);
  while (!bytes.done()) {
    const std::uint8_t what = bytes.next();
    if (what % 3 == 0) add_attribute(root.get(), attributes[what / 3 % 4], bytes);
    if (what % 3 == 1) add_dataset(root.get(), datasets[what / 3 % 5], bytes);
    if (what % 3 == 2) add_dataset(points.get(), arrays[what / 3 % 3], bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fluvia::HdfSilence silence;
  const std::filesystem::path path = fluvia::fuzz::file_of(nullptr, 0);
  Bytes input(bytes, std::min<std::size_t>(size, 4096));
  write(path, input);
  for (const int components : {1, 3})
    fluvia::fuzz::expect_refusal_or_success([&] { fluvia::read_sound_vtkhdf(path, "velocity", components); });
  return 0;
}
