// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia::validation {

namespace {

/// The keys of a region that say where it is.
std::vector<std::string> places_of(const Case::Refine& region) {
  std::vector<std::string> given;
  if (region.box) given.emplace_back("box");
  if (!region.around.empty()) given.emplace_back("around");
  if (region.shape) given.emplace_back("shape");
  if (!region.surface.empty()) given.emplace_back("surface");
  if (region.gap) given.emplace_back("gap");
  return given;
}

void check_region(const Case& c, const std::string& path, const Case::Refine& region) {
  const std::vector<std::string> places = places_of(region);
  if (places.empty())
    fail(c, path, "none of 'box', 'around', 'shape', 'surface' and 'gap' is given; one says where the region is");
  if (places.size() > 1)
    fail(c, path, "'" + join(places, "' and '") + "' contradict each other; give one of them, or several regions");
  if (region.around.empty()) refuse_unused(c, path, {"distance"}, "without 'around'");
  if (c.moves(region.around))
    fail(c, path + ".around",
         "'" + region.around + "' moves, and regions stay; give a box or a shape that takes in all of its way");
  if (region.surface.empty()) refuse_unused(c, path, {"unit"}, "without 'surface'");
  if (region.shape) check_form(c, *region.shape, path + ".shape");
  if (!region.surface.empty() && c.domain.dimension == 2)
    fail(c, path + ".surface", "'" + region.surface.string() + "' is for 3D cases; give 'box' or 'shape'");
  if (!region.box) return;
  const auto& [lower, upper] = *region.box;
  for (int axis = 0; axis < c.domain.dimension; ++axis)
    if (!(lower[axis] < upper[axis]))
      fail(c, path + ".box",
           "the upper corner must lie above the lower one, but along " + names::axes[static_cast<std::size_t>(axis)] +
               " '" + std::to_string(upper[axis]) + "' is not above '" + std::to_string(lower[axis]) + "'");
}

}  // namespace

void check_refine(const Case& c) {
  for (std::size_t k = 0; k < c.refine.size(); ++k) check_region(c, "refine[" + std::to_string(k) + "]", c.refine[k]);
}

}  // namespace fluvia::validation
