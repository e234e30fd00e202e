// SPDX-License-Identifier: Apache-2.0
// Fields as other programs and earlier runs leave them: .npy and VTKHDF.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>

#include "fluvia/hdf5/output_file.hpp"
#include "fluvia/initial/npy_file.hpp"
#include "fluvia/initial/vtkhdf_file.hpp"
#include "fluvia/output/vtk/vtkhdf.hpp"
#include "output/fake_solver.hpp"
#include "support/npy.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

class Npy : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& bytes, bool packed = false) {
    std::filesystem::path file = folder_.path() / "field.npy";
    if (packed) {
      const gzFile out = gzopen(file.c_str(), "wb");
      gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
      gzclose(out);
    } else {
      std::ofstream(file, std::ios::binary) << bytes;
    }
    return file;
  }
  std::string refusal(const std::string& bytes) {
    return error_of(ExitCode::input, [&] { read_npy(write(bytes)); });
  }

 private:
  TemporaryFolder folder_;
};

const std::string six = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }\n";
const std::vector<float> numbers = {1, 2, -3.5f, 4, 5, 1e-30f};

TEST_F(Npy, IsReadWhateverItsVersionAndWidth) {
  for (const int version : {1, 2, 3})
    for (const bool wide : {false, true})
      for (const bool packed : {false, true}) {
        std::string text = six;
        if (wide) text.replace(text.find("f4"), 2, "f8");
        const std::string values =
            wide ? bytes_of(std::vector<double>(numbers.begin(), numbers.end())) : bytes_of(numbers);
        const NpyArray array = read_npy(write(npy_header(text, version) + values, packed));
        EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{1, 2, 3}));
        EXPECT_EQ(array.values, numbers);
      }
  const NpyArray line =
      read_npy(write(npy_header("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}") + bytes_of(numbers)));
  EXPECT_EQ(line.shape, std::vector<std::uint64_t>{6});
}

TEST_F(Npy, SaysWhatIsWrong) {
  const auto with = [](const char* from, const char* to) {
    std::string text = six;
    text.replace(text.find(from), std::strlen(from), to);
    return npy_header(text) + bytes_of(numbers);
  };
  EXPECT_CONTAINS(refusal("PK\x03\x04 an archive"), "field.npy: is no array of numpy.save()");
  EXPECT_CONTAINS(refusal(npy_header(six, 9)), "version 9");
  EXPECT_CONTAINS(refusal(npy_header(six).substr(0, 30)), "is cut off");
  EXPECT_CONTAINS(refusal(npy_header(six) + bytes_of(numbers).substr(1)), "is cut off");
  EXPECT_CONTAINS(refusal(npy_header(six) + bytes_of(numbers) + "."), "goes on behind its last value");
  EXPECT_CONTAINS(refusal(with("<f4", ">f4")), "values of type '>f4'");
  EXPECT_CONTAINS(refusal(with("<f4", "<i4")), "values of type '<i4'");
  EXPECT_CONTAINS(refusal(with("False", "True")), "numpy.ascontiguousarray()");
  EXPECT_CONTAINS(refusal(with("(1, 2, 3)", "(1, 0, 3)")), "holds no values");
  EXPECT_CONTAINS(refusal(with("(1, 2, 3)", "(1, 2, x)")), "has the shape (1,2,x)");
  EXPECT_CONTAINS(refusal(with("(1, 2, 3)", "6")), "has the shape 6");
  EXPECT_CONTAINS(refusal(with("(1, 2, 3)", "(4294967296, 4294967296, 16)")), "is cut off");
  EXPECT_CONTAINS(refusal(with("'shape'", "'size'")), "has no 'shape'");
  EXPECT_NE(error_of(ExitCode::input, [] { read_npy("/nowhere/field.npy"); }), "");
}

bool ball(const Int3& x) {
  return std::hypot(x[0] - 4, x[1] - 4, x[2] - 3) < 4;
}

Real3 linear(const Int3& x) {
  return {0.01 * x[0], -0.02 * x[1] + 0.01, 0.001 * x[2] * x[0]};
}

struct Written {
  explicit Written(int dimension, const std::string& kind, std::function<bool(const Int3&)> fluid = ball,
                   const Real3& at = {2, -1, 0.5})
      : solver(dimension, dimension == 2 ? Int3{9, 8, 1} : Int3{9, 8, 7}, fluid),
        origin(at),
        file(folder.path() / "fields.vtkhdf") {
    solver.velocity = linear;
    Case::Output settings;
    settings.vtk = kind;
    settings.fields = {"velocity", "pressure"};
    const Grid grid = grid_of(solver, dx, origin);
    Units units;
    units.spacing = dx;
    write_vtkhdf({solver, units, grid}, settings, file);
  }
  [[nodiscard]] Real3 position(const Int3& x) const {
    return {origin[0] + (x[0] + 0.5) * dx, origin[1] + (x[1] + 0.5) * dx, origin[2] + (x[2] + 0.5) * dx};
  }
  static constexpr double dx = 0.25;
  TemporaryFolder folder;
  FakeSolver solver;
  Real3 origin;
  std::filesystem::path file;
};

TEST(VtkHdfInput, HasAtEveryNodeWhatWasWrittenThere) {
  for (const int dimension : {2, 3})
    for (const char* kind : {"image", "unstructured"}) {
      SCOPED_TRACE(std::string(kind) + " " + std::to_string(dimension));
      const auto fluid = [dimension](const Int3& x) { return dimension == 2 ? (x[0] + 2 * x[1]) % 5 != 0 : ball(x); };
      const Written written(dimension, kind, fluid);
      const RegularSamples samples = read_vtkhdf(written.file, "velocity", 3);
      const Int3& size = written.solver.shape.nodes.size;
      for (int z = 0; z < size[2]; ++z)
        for (int y = 0; y < size[1]; ++y)
          for (int x = 0; x < size[0]; ++x) {
            const std::optional<Real3> value = samples.at(written.position({x, y, z}));
            ASSERT_EQ(value.has_value(), fluid({x, y, z})) << x << " " << y << " " << z;
            const Real3 expected = linear({x, y, z});  // in lattice units; one step takes 1
            for (int axis = 0; value && axis < dimension; ++axis)
              EXPECT_NEAR((*value)[axis], expected[axis] * Written::dx, 1e-8);
          }
    }
}

TEST(VtkHdfInput, IsLinearBetweenItsPoints) {
  for (const char* kind : {"image", "unstructured"}) {
    const Written written(3, kind, everywhere);
    const RegularSamples samples = read_vtkhdf(written.file, "Velocity", 3);
    Real3 between = written.position({3, 2, 4});
    between[0] += 0.3 * Written::dx;
    between[1] += 0.6 * Written::dx;
    const auto value = samples.at(between);
    ASSERT_TRUE(value);
    EXPECT_NEAR((*value)[0], 0.01 * 3.3 * Written::dx, 1e-8);
    EXPECT_NEAR((*value)[1], (-0.02 * 2.6 + 0.01) * Written::dx, 1e-8);
    EXPECT_NEAR((*value)[2], 0.001 * 4 * 3.3 * Written::dx, 1e-8);
    // Up to one spacing beyond the last point, as it is there; nothing farther away.
    Real3 beyond = written.position({8, 2, 4});
    beyond[0] += 0.9 * Written::dx;
    ASSERT_TRUE(samples.at(beyond));
    EXPECT_NEAR((*samples.at(beyond))[0], 0.08 * Written::dx, 1e-8);
    beyond[0] += 0.2 * Written::dx;
    EXPECT_FALSE(samples.at(beyond));
    Real3 before = written.position({0, 2, 4});
    before[0] -= 1.1 * Written::dx;
    EXPECT_FALSE(samples.at(before));
  }
}

std::string refusal(const std::filesystem::path& file, const std::string& name = "velocity", int components = 3) {
  return error_of(ExitCode::input, [&] { read_vtkhdf(file, name, components); });
}

TEST(VtkHdfInput, SaysWhatIsWrong) {
  const Written image(3, "image"), cells(3, "unstructured");
  EXPECT_CONTAINS(refusal(image.file, "temperature", 1), "has no array 'temperature' (it has: 'pressure', 'velocity'");
  EXPECT_CONTAINS(refusal(cells.file, "temperature", 1), "has no array 'temperature' (it has: 'pressure', 'velocity'");
  EXPECT_CONTAINS(refusal(image.file, "pressure", 3), "'pressure' does not have the shape (7, 8, 9, 3)");
  EXPECT_CONTAINS(refusal(cells.file, "velocity", 1), "'velocity' does not have the shape");
  const std::filesystem::path text = image.folder.path() / "text.vtkhdf";
  std::ofstream(text) << "not HDF5";
  EXPECT_CONTAINS(refusal(text), "not a readable HDF5 file");
  EXPECT_NE(refusal(image.folder.path() / "missing.vtkhdf"), "");
  EXPECT_NE(refusal(image.folder.path()), "");
}

/// What HDF5 itself finds nothing wrong with.
TEST(VtkHdfInput, RefusesNumbersThatMeanNothing) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "image.vtkhdf";
  struct Image {
    std::string type = "ImageData";
    std::vector<std::int64_t> extent = {0, 1, 0, 2, 0, 3};
    std::vector<double> origin = {0, 0, 0}, spacing = {1, 1, 1}, direction = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool steps = false;
  };
  const auto refused = [&](const Image& image) {
    {
      HdfOutputFile file(path);
      const HdfHandle root = file.create_group(file.id(), "VTKHDF");
      file.attribute(root.get(), "Type", image.type);
      file.attribute(root.get(), "WholeExtent", image.extent);
      file.attribute(root.get(), "Origin", image.origin);
      file.attribute(root.get(), "Spacing", image.spacing);
      file.attribute(root.get(), "Direction", image.direction);
      if (image.steps) file.create_group(root.get(), "Steps");
      const HdfHandle points = file.create_group(root.get(), "PointData");
      HdfDataset values(file, points.get(), "pressure", H5T_NATIVE_FLOAT, {.shape = {4, 3, 2}, .chunk = {}});
      values.write({0, 0, 0}, {4, 3, 2}, std::vector<float>(24, 1).data());
      file.commit();
    }
    return refusal(path, "pressure", 1);
  };
  EXPECT_EQ(refused({}), "");
  EXPECT_CONTAINS(refused({.type = "PolyData"}), "type 'PolyData'");
  EXPECT_CONTAINS(refused({.steps = true}), "holds several times");
  EXPECT_CONTAINS(refused({.extent = {0, 1, 0, 2}}), "'WholeExtent' does not hold 6 numbers");
  EXPECT_CONTAINS(refused({.extent = {0, 1, 2, 0, 0, 3}}), "'WholeExtent' 2 to 0 along y");
  EXPECT_CONTAINS(refused({.extent = {0, 1 << 20, 0, 2, 0, 3}}), "'WholeExtent' 0 to 1048576 along x");
  EXPECT_CONTAINS(refused({.extent = {INT64_MIN, INT64_MAX, 0, 2, 0, 3}}), "along x");
  EXPECT_CONTAINS(refused({.extent = {0, 1, 0, 2, 0, 4}}), "'pressure' does not have the shape (5, 3, 2)");
  EXPECT_CONTAINS(refused({.spacing = {1, 0, 1}}), "spacings above 0");
  EXPECT_CONTAINS(refused({.origin = {1, NAN, 1}}), "no finite numbers");
  EXPECT_CONTAINS(refused({.direction = {0, 1, 0, 1, 0, 0, 0, 0, 1}}), "axes other than x, y, z");
}

/// Cells given by hand: corners in units of the lattice, a value each.
struct Cells {
  std::vector<double> points;
  std::vector<std::int64_t> ids, offsets = {0};
  std::vector<float> values;
  void add(const Real3& low, const Real3& high, float value) {
    for (int c = 0; c < 8; ++c) {
      ids.push_back(static_cast<std::int64_t>(points.size() / 3));
      for (int axis = 0; axis < 3; ++axis) points.push_back(c >> axis & 1 ? high[axis] : low[axis]);
    }
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
    values.push_back(value);
  }
  void write(const std::filesystem::path& path) const {
    HdfOutputFile file(path);
    const HdfHandle root = file.create_group(file.id(), "VTKHDF");
    file.attribute(root.get(), "Type", "UnstructuredGrid");
    HdfDataset corners(file, root.get(), "Points", H5T_NATIVE_DOUBLE, {.shape = {points.size() / 3, 3}, .chunk = {}});
    corners.write({0, 0}, {points.size() / 3, 3}, points.data());
    write_dataset(file, root.get(), "Connectivity", ids);
    write_dataset(file, root.get(), "Offsets", offsets);
    const HdfHandle data = file.create_group(root.get(), "CellData");
    write_dataset(file, data.get(), "pressure", values);
    file.commit();
  }
};

TEST(VtkHdfInput, RefusesCellsThatAreNotOnOneLattice) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "cells.vtkhdf";
  const auto refused = [&](const Cells& cells) {
    cells.write(path);
    return refusal(path, "pressure", 1);
  };
  Cells good;
  good.add({0, 0, 0}, {1, 1, 1}, 3);
  good.add({4, 1, 0}, {5, 2, 1}, 5);
  EXPECT_EQ(refused(good), "");
  const RegularSamples samples = read_vtkhdf(path, "pressure", 1);
  EXPECT_EQ((*samples.at({4.5, 1.5, 0.5}))[0], 5);
  EXPECT_FALSE(samples.at({2.5, 0.5, 0.5}));
  Cells larger = good;
  larger.add({6, 0, 0}, {8, 1, 1}, 1);
  EXPECT_CONTAINS(refused(larger), "cells of different sizes");
  Cells shifted = good;
  shifted.add({6.5, 0, 0}, {7.5, 1, 1}, 1);
  EXPECT_CONTAINS(refused(shifted), "do not lie on one lattice");
  Cells twice = good;
  twice.add({4, 1, 0}, {5, 2, 1}, 6);
  EXPECT_CONTAINS(refused(twice), "two cells in one place");
  Cells far = good;
  far.add({2e6, 0, 0}, {2e6 + 1, 1, 1}, 1);
  EXPECT_CONTAINS(refused(far), "cells along x");
  Cells wrong = good;
  wrong.ids[9] = 16;
  EXPECT_CONTAINS(refused(wrong), "cell 1 has a corner 16, of 16 points");
  wrong = good;
  wrong.offsets[1] = 17;
  EXPECT_CONTAINS(refused(wrong), "'Offsets' of cell 0 mean no corners");
  wrong = good;
  wrong.points[4] = INFINITY;
  EXPECT_CONTAINS(refused(wrong), "point 1 is nowhere");
  wrong = good;
  wrong.offsets.pop_back();
  EXPECT_CONTAINS(refused(wrong), "'Offsets' does not have the shape (3)");
}

/// HDF5 1.10 trusts a file. Whatever it does with a damaged one, this program goes on.
TEST(VtkHdfInput, OutlivesWhateverDamagedFilesDoToHdf5) {
  const Written written(3, "unstructured");
  const std::string whole = content_of(written.file);
  int refused = 0, tried = 0;
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 150, ++tried) {
    std::string damaged = whole;
    for (std::size_t k = at; k < std::min(at + 4, whole.size()); ++k) damaged[k] = static_cast<char>(~damaged[k]);
    std::ofstream(written.file, std::ios::binary) << damaged;
    refused += !refusal(written.file).empty();
    std::ofstream(written.file, std::ios::binary) << whole.substr(0, at);
    EXPECT_NE(refusal(written.file), "");
  }
  EXPECT_GT(refused, tried / 20);
}

}  // namespace
}  // namespace fluvia::test
