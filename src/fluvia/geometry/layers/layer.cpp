// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/layers/layer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fluvia::geometry {

Real3 Layer::normal(const Link& link, const Cut&) const {
  const Real3 along = link_vector(link.offset);
  return (1 / norm(along)) * along;
}

bool Layer::may_decide(const Int3&, const Int3&) const {
  return true;
}

SurfaceNames::SurfaceNames() : names_{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "wall"} {}

int SurfaceNames::add(const std::string& name) {
  if (name.empty()) return surface_id::wall;
  if (const int known = find(name); known >= 0) return known;
  names_.push_back(name);
  return static_cast<int>(names_.size()) - 1;
}

int SurfaceNames::find(const std::string& name) const {
  const auto place = std::find(names_.begin(), names_.end(), name);
  return place == names_.end() ? -1 : static_cast<int>(place - names_.begin());
}

std::string format_point(const Real3& point) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", point[0], point[1], point[2]);
}

}  // namespace fluvia::geometry
