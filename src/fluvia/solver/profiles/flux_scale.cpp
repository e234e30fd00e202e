// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/flux_scale.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/profiles/prescribed_flux.hpp"

namespace fluvia {

double flux_scale(const Case::Boundary& b, const Units& units, const Geometry& geometry, int surface, double flux,
                  double share, double corners) {
  if (share == 0) return 1;
  const double whole = prescribed_flux(b, units, *find_opening(geometry, surface), geometry.nodes.dimension),
               target = share * whole - corners;
  if (flux <= 0)
    throw_input(
        fmt::format("boundary '{}': its profile lets nothing in; check that the opening's normal points out of "
                    "the fluid and that it is wider than two nodes",
                    b.surface));
  return target / flux;
}

std::vector<double> flux_scales(const Units& units, const Geometry& geometry, const SurfaceRoles& roles,
                                const std::vector<double>& flux, const std::vector<double>& share,
                                const std::vector<double>& guess, BoundarySetup& setup) {
  const auto is_scaled = [&](std::size_t s) { return setup.acts[s] && prescribes_flux(*roles.boundary[s]); };
  std::vector<double> scale(flux.size(), 1.0);
  for (std::size_t s = 0; s < scale.size(); ++s)
    if (is_scaled(s)) scale[s] = guess[s];
  constexpr int passes = 20;  // each opening has but a part of a row of links of another
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t s = 0; s < scale.size(); ++s) {
      if (!is_scaled(s)) continue;
      double corners = 0;
      for (const CornerFlow& flow : setup.corners)
        if (flow.opening == s && flow.wall != s)
          corners += flow.rate * setup.surfaces[flow.wall].scale * scale[flow.wall];
      scale[s] = flux_scale(*roles.boundary[s], units, geometry, static_cast<int>(s), flux[s], share[s], corners);
    }
  for (CornerFlow& flow : setup.corners) flow.rate *= scale[flow.wall];
  return scale;
}

}  // namespace fluvia
