// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/vtk/vtp.hpp"

#include <fmt/format.h>

#include <bit>
#include <span>

#include "fluvia/base/atomic_file.hpp"

namespace fluvia {
namespace {

static_assert(std::endian::native == std::endian::little, "the file says that its numbers are little-endian");

/// The appended part of the file, to which arrays are added.
class Appended {
 public:
  /// Adds an array; returns the element that describes it.
  template <class T>
  std::string add(const std::string& type, const std::string& attributes, const std::vector<T>& values) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
    std::string element =
        fmt::format("<DataArray type=\"{}\" {} format=\"appended\" offset=\"{}\"/>\n", type, attributes, offset_);
    offset_ += sizeof(std::uint64_t) + bytes.size();
    parts_.push_back(bytes);
    return element;
  }
  void write(AtomicFile& file) const {
    for (const auto& part : parts_) {
      const std::uint64_t size = part.size();
      file.write(std::as_bytes(std::span(&size, 1)));
      file.write(part);
    }
  }

 private:
  std::vector<std::span<const std::byte>> parts_;
  std::uint64_t offset_ = 0;
};

}  // namespace

void write_vtp(const TriangleSurface& surface, double time, const std::filesystem::path& path) {
  std::vector<float> points;
  for (const Real3& p : surface.points) {
    for (const double x : p) points.push_back(static_cast<float>(x));
  }
  std::vector<std::int64_t> corners, ends;
  for (const auto& triangle : surface.triangles) {
    corners.insert(corners.end(), triangle.begin(), triangle.end());
    ends.push_back(static_cast<std::int64_t>(corners.size()));
  }
  const std::vector<double> times{time};
  Appended data;
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
  text += "<FieldData>\n" + data.add("Float64", "Name=\"TimeValue\" NumberOfTuples=\"1\"", times) + "</FieldData>\n";
  text += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfPolys=\"{}\">\n", surface.points.size(),
                      surface.triangles.size());
  text += "<Points>\n" + data.add("Float32", "NumberOfComponents=\"3\"", points) + "</Points>\n";
  text += "<Polys>\n" + data.add("Int64", "Name=\"connectivity\"", corners) +
          data.add("Int64", "Name=\"offsets\"", ends) + "</Polys>\n<CellData>\n";
  for (const TriangleSurface::Array& array : surface.arrays) {
    text += data.add("Float32", fmt::format("Name=\"{}\" NumberOfComponents=\"{}\"", array.name, array.components),
                     array.values);
  }
  text += "</CellData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  AtomicFile file(path);
  file.write(text);
  data.write(file);
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

}  // namespace fluvia
