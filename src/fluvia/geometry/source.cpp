// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia {

namespace {

Case stl_case(const GeometrySource& s) {
  Case c;
  geometry::BoundingBox box;
  for (const auto& triangle : geometry::read_surface(s.file))
    for (const Real3& corner : triangle) box.add(corner);
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis) longest = std::max(longest, box.upper[axis] - box.lower[axis]);
  if (!(longest > 0))
    throw_input(fmt::format("{}: all corners of its triangles lie at ({:.6g}, {:.6g}, {:.6g}); expected a surface",
                            s.file.string(), box.lower[0], box.lower[1], box.lower[2]));
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

Case voxel_case(const GeometrySource& s, std::string* found) {
  geometry::VoxelRequest request = s.voxels;
  request.file = s.file;
  const geometry::JudgedVoxels judged = geometry::judge_voxels(request);
  if (found != nullptr) *found = judged.labels.line(judged.voxels);
  Case c;
  c.domain.dimension = judged.voxels.shape[2] == 1 ? 2 : 3;
  c.geometry.voxels = judged.voxels;
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

Case GeometrySource::make_case(std::string* found) const {
  if (geometry::extension_of(file) == ".toml") return read_case(file);
  if (geometry::is_surface_file(file)) return stl_case(*this);
  if (geometry::is_voxel_image(file)) return voxel_case(*this, found);
  if (geometry::is_mask(file)) return mask_case(*this);
  throw Error(
      ExitCode::usage,
      fmt::format("geometry: '{}' is not a case (.toml), a surface ({}), an image of voxels ({}) or a mask ({})",
                  file.string(), geometry::surface_extensions(), geometry::image_extensions(),
                  geometry::mask_extensions()));
}

}  // namespace fluvia
