// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/wall_strips.hpp"

#include <cmath>

namespace fluvia {

double strip_at_wall(const Geometry& geometry, const Int3& node, const Int3& step, int across) {
  constexpr double steps = 256, least = 1e-6;
  const Real3 normal = geometry.normal_of(node, step);
  const double in_section = dot(normal, normal) - (across < 0 ? 0 : normal[across] * normal[across]);
  if (!(in_section > least)) return 0;  // the wall is parallel to the section
  const double along = dot(normal, {1.0 * step[0], 1.0 * step[1], 1.0 * step[2]});
  const double share = std::round(steps * along * along / in_section) / steps;
  return share * (std::round(steps * geometry.distance_of(node, step)) / steps - 0.5);
}

}  // namespace fluvia
