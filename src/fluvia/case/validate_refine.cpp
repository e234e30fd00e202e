// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "fluvia/case/names.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia::validation {

namespace {

void check_region(const Case& c, const std::string& path, const Case::Refine& region) {
  if (region.box.has_value() == !region.around.empty())
    fail(c, path,
         region.box ? "'box' and 'around' contradict each other; give one of them"
                    : "neither 'box' nor 'around' is given; one of them says where the region is");
  if (!region.box) return;
  if (c.given(path + ".distance")) fail(c, path + ".distance", "means nothing without 'around'; remove it");
  const auto& [lower, upper] = *region.box;
  for (int axis = 0; axis < c.domain.dimension; ++axis)
    if (!(lower[axis] < upper[axis]))
      fail(c, path + ".box",
           "the upper corner must lie above the lower one, but along " + names::axes[static_cast<std::size_t>(axis)] +
               " '" + std::to_string(upper[axis]) + "' is not above '" + std::to_string(lower[axis]) + "'");
}

/// Refuses what is not made of several levels yet, so that nobody takes numbers for what they are not.
void check_use(const Case& c) {
  const auto refuse = [&](const std::string& key, const std::string& what) {
    fail(c, key, what + " is not possible with [[refine]] yet; remove it");
  };
  for (std::size_t k = 0; k < c.output.slices.size(); ++k)
    if (c.output.slices[k].quantity() == "average_wall_shear_stress")
      refuse("output.slice[" + std::to_string(k) + "].field", "'" + c.output.slices[k].field + "'");
  if (c.monitors.permeability_axis) refuse("monitor.permeability_axis", "the permeability");
  for (const std::string& part : c.monitors.force_parts)
    if (part == "integral") refuse("monitor.force_parts", "'integral'");
}

}  // namespace

void check_refine(const Case& c) {
  for (std::size_t k = 0; k < c.refine.size(); ++k) check_region(c, "refine[" + std::to_string(k) + "]", c.refine[k]);
  if (!c.refine.empty()) check_use(c);
}

}  // namespace fluvia::validation
