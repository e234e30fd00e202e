// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generate/generators.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/image_part.hpp"
#include "fluvia/geometry/image/mask.hpp"
#include "fluvia/geometry/image/voxels.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/stl_layers.hpp"

namespace fluvia {
namespace {

using namespace geometry;

constexpr int largest_size = 1 << 20;

double resolve_spacing(const Case& c) {
  if (c.units.system != "si") return 1;
  if (!c.spacing()) throw_input("units.spacing is missing; an SI case needs the metres per node");
  const double spacing = *c.spacing();
  if (!(spacing > 0) || !std::isfinite(spacing)) {
    throw_input(fmt::format("units.spacing is {}, expected a positive length in metres", spacing));
  }
  return spacing;
}

/// Nodes along one axis; sizes that do not fit an int become an Error instead of overflowing.
int checked_size(double nodes, int axis, const char* source) {
  if (!(nodes >= 1 && nodes <= largest_size)) {
    throw_input(
        fmt::format("{}: the box needs {:.6g} nodes along {}; 1 to {} are possible: check the unit of the files "
                    "and the spacing",
                    source, nodes, "xyz"[axis], largest_size));
  }
  return static_cast<int>(nodes);
}

/// Sets the box to that of the domain section; false if it gives none.
bool explicit_box(const Case& c, Grid& grid) {
  const auto& domain = c.domain;
  if (domain.nodes && domain.size) throw_input("domain: nodes and size contradict each other; give one of them");
  if (domain.nodes) {
    for (int axis = 0; axis < 3; ++axis) grid.size[axis] = checked_size((*domain.nodes)[axis], axis, "domain.nodes");
    if (grid.dimension == 2) grid.size[2] = 1;
    return true;
  }
  if (!domain.size) return false;
  for (int axis = 0; axis < grid.dimension; ++axis) {
    const double length = (*domain.size)[axis];
    if (!(length > 0) || !std::isfinite(length)) {
      throw_input(fmt::format("domain.size: {} along {}, expected a positive length", length, "xyz"[axis]));
    }
    grid.size[axis] = checked_size(std::max(1.0, std::round(length / grid.spacing)), axis, "domain.size");
  }
  if (grid.dimension == 2) grid.size[2] = 1;
  return true;
}

/// Refuses keys of raw images for a file whose header says the same.
void check_keys_of_header(const Case& c) {
  const std::filesystem::path& file = c.geometry.voxels->file;
  if (image_format(resolve(c.directory, file)) == nullptr) return;
  for (const char* name : {"bits", "type", "endian", "order"})
    if (const std::string key = std::string("geometry.voxels.") + name; c.given(key))
      throw_input(fmt::format("{}: {}: is for raw images, and the header of {} says it; remove the key", c.place(key),
                              key, file.string()));
}

void derive_from_image(const Case& c, Grid& grid) {
  if (c.geometry.voxels) {
    check_keys_of_header(c);
    const Case::Voxels voxels = described(*c.geometry.voxels, c.directory);
    const Int3 cells = image_part(voxels).box();
    for (int axis = 0; axis < 3; ++axis) {
      grid.size[axis] = checked_size(static_cast<double>(cells[axis]) * voxels.refine, axis, "geometry.voxels");
    }
    if (grid.dimension == 2 && voxels.shape[2] != 1) {
      throw_input(
          fmt::format("geometry.voxels: an image of {} layers along z does not fit a 2D case; set "
                      "domain.dimension = 3",
                      voxels.shape[2]));
    }
  } else {
    const auto& mask = *c.geometry.mask;
    if (mask.refine < 1 || mask.refine > 64) {
      throw_input(fmt::format("geometry.mask: refine is {}, expected 1 to 64 nodes per pixel", mask.refine));
    }
    const auto [width, height] = read_image_size(resolve(c.directory, mask.file));
    const Int3 cells = image_part(mask, width, height).box();
    for (int axis = 0; axis < 2; ++axis) {
      grid.size[axis] = checked_size(static_cast<double>(cells[axis]) * mask.refine, axis, "geometry.mask");
    }
    grid.size[2] = checked_size(mask.depth, 2, "geometry.mask: depth");
  }
  if (grid.dimension == 2) grid.size[2] = 1;
}

/// Refuses a surface whose size in nodes nobody can mean: most likely its unit was forgotten. The message says what
/// size other units would make of it.
void check_stl_unit(const Case& c, const BoundingBox& bounds, double spacing) {
  if (c.units.system != "si") return;
  double longest = 0, box = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double nodes = (bounds.upper[axis] - bounds.lower[axis]) / spacing;
    longest = std::max(longest, nodes);
    box *= std::max(1.0, nodes);
  }
  std::size_t entry = 0;  // the first entry that does not state its unit, which is the one to blame
  while (entry + 1 < c.geometry.stl.size() && c.given(fmt::format("geometry.stl[{}].unit", entry))) ++entry;
  const std::string key = fmt::format("geometry.stl[{}].unit", entry);
  const bool forgotten = !c.where.empty() && !c.given(key);
  constexpr double most_along_without_unit = 4096, most_nodes = 1e12, fewest_along = 3;
  if (longest >= fewest_along && box <= most_nodes && !(forgotten && longest > most_along_without_unit)) return;
  const double unit = c.geometry.stl[entry].unit;
  std::string sizes;
  for (const auto& [name, metres] : {std::pair{"m", 1.0}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}})
    sizes += fmt::format("{} {} ({}): {:.3g} m, {:.3g} nodes", sizes.empty() ? "" : ";", metres, name,
                         longest * spacing / unit * metres, longest / unit * metres);
  throw_input(fmt::format("{}: {}: {} makes the surface {:.3g} m long, {:.3g} nodes at units.spacing = {:.6g}; with{}",
                          c.place(key), key, forgotten ? "is missing, which" : fmt::format("'{}'", unit),
                          longest * spacing, longest, spacing, sizes));
}

void derive_from_stl(const BoundingBox& bounds, int padding, Grid& grid) {
  for (int axis = 0; axis < 3; ++axis) {
    const double extent = (bounds.upper[axis] - bounds.lower[axis]) / grid.spacing;
    grid.size[axis] = checked_size(std::max(1.0, std::ceil(extent - 1e-6)) + 2 * padding, axis, "geometry.stl");
    grid.origin[axis] = 0.5 * (bounds.lower[axis] + bounds.upper[axis]) - 0.5 * grid.spacing * grid.size[axis];
  }
  if (grid.dimension == 2) {
    grid.size[2] = 1;
    grid.origin[2] = 0.5 * (bounds.lower[2] + bounds.upper[2] - grid.spacing);
  }
}

bool encloses_fluid(const Case& c) {
  for (const auto& stl : c.geometry.stl) {
    if (stl.fluid == "inside") return true;
  }
  return false;
}

}  // namespace

Grid make_grid(const Case& c) {
  Grid grid;
  grid.dimension = c.domain.dimension;
  if (grid.dimension != 2 && grid.dimension != 3) {
    throw_input(fmt::format("domain.dimension is {}, expected 2 or 3", grid.dimension));
  }
  grid.spacing = resolve_spacing(c);
  grid.periodic = c.domain.periodic;
  if (grid.dimension == 2) grid.periodic[2] = true;
  const int padding = c.domain.padding;
  if (padding < 0 || padding > largest_size) {
    throw_input(fmt::format("domain.padding is {}, expected 0 to {} nodes", padding, largest_size));
  }
  const auto& g = c.geometry;
  if (explicit_box(c, grid)) {
    if (!c.domain.origin && encloses_fluid(c)) grid.origin = stl_bounds(c)->lower;
  } else if (g.voxels || g.mask) {
    derive_from_image(c, grid);
  } else if (!g.stl.empty()) {
    const BoundingBox bounds = *stl_bounds(c);
    check_stl_unit(c, bounds, grid.spacing);
    derive_from_stl(bounds, padding, grid);
  } else if (g.generator && is_vessel(*g.generator)) {
    grid.size = vessel_box(*g.generator, grid.spacing, padding, grid.dimension);
    for (int axis = 0; axis < 3; ++axis) checked_size(grid.size[axis], axis, "geometry.generator");
  } else {
    throw_input("domain: nothing gives the size of the box; set domain.nodes, or domain.size in case units");
  }
  if (c.domain.origin) grid.origin = *c.domain.origin;
  for (const double x : grid.origin) {
    if (!std::isfinite(x))
      throw_input(fmt::format("domain.origin is {}, expected finite numbers", format_point(grid.origin)));
  }
  return grid;
}

std::optional<int> flat_axis(const Case& c, const Int3& size) {
  if (c.domain.dimension < 3) return {};
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    const auto is_here = [&](const Case::Boundary& b) {
      return b.surface == name + "_min" || b.surface == name + "_max";
    };
    if (size[axis] <= 2 && !c.domain.periodic[axis] && std::none_of(c.boundaries.begin(), c.boundaries.end(), is_here))
      return axis;
  }
  return {};
}

}  // namespace fluvia
