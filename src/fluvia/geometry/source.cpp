// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/stl.hpp"
#include "fluvia/base/quantity.hpp"

namespace fluvia {

namespace {

/// Extension of a file without a trailing .gz, in lower case.
std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension() == ".gz" ? file.stem().extension().string() : file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char ch) { return std::tolower(ch); });
  return extension;
}

Case stl_case(const GeometrySource& s) {
  Case c;
  geometry::BoundingBox box;
  for (const auto& triangle : geometry::read_stl(s.file))
    for (const Real3& corner : triangle) box.add(corner);
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis) longest = std::max(longest, box.upper[axis] - box.lower[axis]);
  const double scale = s.unit.empty() ? 1.0 : parse_length_unit(s.unit, "--unit");
  c.units.system = "si";
  c.units.spacing = s.spacing > 0 ? s.spacing : longest * scale / s.nodes;
  Case::Stl stl;
  stl.file = std::filesystem::absolute(s.file);
  stl.unit = scale;
  stl.fluid = s.outside ? "outside" : "inside";
  c.geometry.stl.push_back(stl);
  c.geometry.allow_defects = true;
  return c;
}

Case voxel_case(const GeometrySource& s) {
  Case c;
  if (s.shape.size() != 3)
    throw Error(ExitCode::usage,
                fmt::format("geometry {}: a raw image needs its shape (--shape NX NY NZ)", s.file.string()));
  Case::Voxels voxels;
  voxels.file = std::filesystem::absolute(s.file);
  voxels.shape = {s.shape[0], s.shape[1], s.shape[2]};
  voxels.bits = s.bits;
  voxels.fluid_labels = s.fluid_labels;
  c.geometry.voxels = voxels;
  return c;
}

Case mask_case(const GeometrySource& s) {
  Case c;
  Case::Mask mask;
  mask.file = std::filesystem::absolute(s.file);
  c.domain.dimension = 2;
  c.geometry.mask = mask;
  return c;
}

}  // namespace

Case GeometrySource::make_case() const {
  const std::string extension = extension_of(file);
  if (extension == ".toml") return read_case(file);
  if (extension == ".stl") return stl_case(*this);
  if (extension == ".raw") return voxel_case(*this);
  if (extension == ".png" || extension == ".pgm") return mask_case(*this);
  throw Error(
      ExitCode::usage,
      fmt::format("geometry: '{}' is not a .toml case, .stl, .raw (or .gz of these), .png or .pgm", file.string()));
}

}  // namespace fluvia
