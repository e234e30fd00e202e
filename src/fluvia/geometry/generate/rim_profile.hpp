// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia::geometry {

using Profile = std::function<double(const Real3& point)>;

/// The profile 1 - (r/R)^2 around `centre`, r measured across `normal`; never negative.
Profile disc_profile(const Real3& centre, const Real3& normal, double radius);

/// The profile 1 - (r/R(theta))^2, where R(theta) is the distance from the centre to the polygons `rims`: to the
/// farthest, where several lie in a direction, as those of the halves of an opening beside the plane between them.
Profile polygon_profile(const Real3& centre, const Real3& normal, const std::vector<std::vector<Real3>>& rims);

/// The profile 1 - (r/R(theta))^2 of an opening known by points spread over it, each standing for one square node: a
/// disc if they fill one, else R(theta) follows the outermost points.
Profile points_profile(const Real3& centre, const Real3& normal, const std::vector<Real3>& points, double area);

}  // namespace fluvia::geometry
