// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/layers/no_fluid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/labels.hpp"
#include "fluvia/geometry/image/mask.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/stl_layers.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::geometry {
namespace {

using Kind = LayerInput::Kind;

/// What an input is, and what to look at if it leaves no fluid.
struct Statement {
  std::string what, advice;
};

Statement of_voxels(const Case& c) {
  const Case::Voxels& voxels = *c.geometry.voxels;
  const LabelCounts found = count_labels(voxels, c.directory);
  std::string rule;
  if (voxels.fluid_labels) rule = fmt::format("fluid_labels = [{}]", fmt::join(*voxels.fluid_labels, ", "));
  if (voxels.fluid_below) rule = fmt::format("fluid_below = {}", format_real(*voxels.fluid_below));
  if (voxels.fluid_above) rule = fmt::format("fluid_above = {}", format_real(*voxels.fluid_above));
  return {fmt::format("geometry.voxels ({}), {}; {}", voxels.file.string(), rule, found.line(voxels)),
          found.fluid == 0 ? "name labels, or a threshold, that voxels of the image have"
                           : "the part of the image that lies in the box has no fluid: check crop_from, crop_size, "
                             "domain.origin and domain.nodes"};
}

Statement of_mask(const Case& c) {
  const Case::Mask& mask = *c.geometry.mask;
  const GreyImage image = read_image(resolve(c.directory, mask.file));
  const auto [least, most] = std::minmax_element(image.pixels.begin(), image.pixels.end());
  return {fmt::format("geometry.mask ({}), threshold = {}, white_is_fluid = {}; grey values from {} to {}",
                      mask.file.string(), mask.threshold, mask.white_is_fluid, *least, *most),
          "choose a threshold between the grey values of fluid and solid, and the side of it that is fluid"};
}

/// A surface from files: where it lies, and how large it is beside the nodes.
Statement of_surfaces(const Case& c, const Grid& grid, bool inside, std::size_t index) {
  BoundingBox box;
  std::string files;
  double unit = 1;
  std::size_t body = 0;
  for (const Case::Stl& stl : c.geometry.stl) {
    if (c.moves(stl.name) || encloses_fluid(stl) != inside || (!inside && body++ != index)) continue;
    files += (files.empty() ? "" : ", ") + stl.file.string();
    unit = stl.unit;
    for (const auto& triangle : read_surface(resolve(c.directory, stl.file), stl.part))
      for (const Real3& corner : triangle) box.add(stl.unit * corner + stl.translate);
  }
  const Real3 size = (1 / grid.spacing) * (box.upper - box.lower);
  return {fmt::format(
              "geometry.stl ({}), fluid = \"{}\", unit = {}; it reaches from {} to {}, {:.3g} x {:.3g} x {:.3g} nodes",
              files, inside ? "inside" : "outside", format_real(unit), format_point(box.lower), format_point(box.upper),
              size[0], size[1], size[2]),
          inside ? "no node lies inside of it: check geometry.stl.unit, translate, units.spacing and the file"
                 : "the whole box lies inside of it: check geometry.stl.unit and translate; for a flow inside of the "
                   "surface set fluid = \"inside\""};
}

Statement statement(const Case& c, const Grid& grid, const LayerInput& input) {
  switch (input.kind) {
    case Kind::generator:
      return {fmt::format("geometry.generator ({})", c.geometry.generator->kind),
              "check its diameter and porosity, and units.spacing"};
    case Kind::voxels:
      return of_voxels(c);
    case Kind::mask:
      return of_mask(c);
    case Kind::enclosing:
    case Kind::body:
      return of_surfaces(c, grid, input.kind == Kind::enclosing, input.index);
    case Kind::shape: {
      const Case::Shape& shape = c.geometry.shapes[input.index];
      return {fmt::format("geometry.shapes[{}] ({}), operation = \"{}\"", input.index,
                          shape.name.empty() ? shape.kind : shape.name, shape.operation),
              "it fills what was fluid: check its place and size, or whether its operation is to be \"fluid\""};
    }
    case Kind::disc:
      return {"openings: a disc", "the solid behind a disc fills what was fluid: check its center"};
  }
  return {};
}

}  // namespace

std::string why_no_fluid(const Case& c, const Grid& grid, const LayerStack& layers,
                         const std::vector<LayerInput>& inputs) {
  constexpr std::size_t most_lines = 6;
  const std::vector<std::uint64_t> left = layers.fluid_after_each(grid.size);
  std::vector<std::size_t> changes;  // layers that change the number of fluid nodes, and the last one
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (left[i + 1] != left[i] || i + 1 == inputs.size()) changes.push_back(i);
  std::string text = fmt::format(
      "\n  the box, from {} to {}: {} fluid nodes", format_point(grid.origin),
      format_point(to_case(grid, {1.0 * grid.size[0], 1.0 * grid.size[1], 1.0 * grid.size[2]})), left.front());
  const std::size_t first = changes.size() > most_lines ? changes.size() - most_lines : 0;
  if (first > 0) text += fmt::format("\n  {} other inputs", first);
  std::string advice;
  for (std::size_t k = first; k < changes.size(); ++k) {
    const std::size_t i = changes[k];
    const Statement input = statement(c, grid, inputs[i]);
    text += fmt::format("\n  then {}: {} fluid nodes", input.what, left[i + 1]);
    if (left[i + 1] == 0 && (left[i] > 0 || advice.empty())) advice = "\n  " + input.advice;
  }
  return text + advice;
}

}  // namespace fluvia::geometry
