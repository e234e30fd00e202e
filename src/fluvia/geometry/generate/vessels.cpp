// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generate/generators.hpp"
#include "fluvia/geometry/generate/network.hpp"

namespace fluvia::geometry {
namespace {

using std::numbers::pi;

/// Measures of a vessel in lattice units, with defaults filled in.
struct Measures {
  double diameter, length, bend_radius, sac_diameter, severity;
  double straight;    ///< length of each straight part of bent vessels
  double sac_offset;  ///< aneurysm: distance of the sac's centre from the centre of the bend
};

/// Whether a vessel makes a quarter bend, from x_min to y_max.
bool is_bent(const Case::Generator& g) {
  return g.kind == "aneurysm" || (g.kind == "coarctation" && g.bend_radius > 0);
}

void require(bool condition, const std::string& message) {
  if (!condition) throw_input("geometry.generator: " + message);
}

Measures measure(const Case::Generator& g, double spacing) {
  require(g.diameter > 0 && std::isfinite(g.diameter),
          fmt::format("diameter is {}, expected the vessel's diameter, a positive length", g.diameter));
  require(g.length >= 0 && std::isfinite(g.length), fmt::format("length is {}, expected a positive length", g.length));
  Measures m{};
  m.diameter = g.diameter / spacing;
  m.severity = g.severity;
  m.bend_radius = (g.bend_radius > 0 ? g.bend_radius : 2 * g.diameter) / spacing;
  m.sac_diameter = g.kind != "aneurysm" ? 0 : (g.sac_diameter > 0 ? g.sac_diameter : 1.2 * g.diameter) / spacing;
  if (is_bent(g)) {
    const double arc = 0.5 * pi * m.bend_radius;
    m.length = g.length > 0 ? g.length / spacing : arc + 4 * m.diameter;
    m.straight = 0.5 * (m.length - arc);
    require(m.bend_radius > 0.5 * m.diameter,
            fmt::format("bend_radius is {}, but the bend of a vessel of diameter {} needs more than half a diameter",
                        g.bend_radius, g.diameter));
    require(m.straight >= 0, fmt::format("length is {}, shorter than the bend of {:.6g} alone; make length larger or "
                                         "bend_radius smaller",
                                         g.length, arc * spacing));
  } else {
    m.length = g.length > 0 ? g.length / spacing : 6 * m.diameter;
  }
  if (g.kind == "aneurysm") {
    // The sphere reaches into the vessel by a quarter of its diameter, but never past the centreline.
    m.sac_offset =
        m.bend_radius + 0.5 * m.diameter + 0.5 * m.sac_diameter - std::min(0.25 * m.sac_diameter, 0.5 * m.diameter);
  }
  if (g.kind == "coarctation") {
    require(g.severity >= 0 && g.severity < 1,
            fmt::format("severity is {}, expected a fraction of the diameter from 0 to below 1", g.severity));
    require(
        !is_bent(g) || m.straight >= 2 * m.diameter,
        fmt::format("length is {}, which leaves {:.6g} straight on either side of the bend, but the throat takes two "
                    "diameters; make length larger or bend_radius smaller",
                    g.length, m.straight * spacing));
  }
  return m;
}

/// Largest coordinate that the curved parts of a bent vessel reach beyond the end of the bend's centreline.
double curved_reach(const Measures& m) {
  const double centre = m.sac_offset * std::sqrt(0.5);
  return std::max(m.bend_radius + 0.5 * m.diameter, centre + 0.5 * m.sac_diameter);
}

int nodes(double length) {
  return static_cast<int>(std::clamp(std::ceil(length - 1e-9), 1.0, 1e9));
}

SignedDistance pipe_distance(double y, double z, double radius, bool flat) {
  return [=](const Real3& p) { return (flat ? std::abs(p[1] - y) : std::hypot(p[1] - y, p[2] - z)) - radius; };
}

/// A coarctation: its radius at a distance from the throat along the axis, and a factor that keeps differences to it
/// below the true distance, since the radius changes along the axis.
struct Throat {
  explicit Throat(const Measures& m) : radius(0.5 * m.diameter), half(m.diameter), depth(m.severity) {
    const double slope = radius * depth * 0.5 * pi / half;  // the steepest change of the radius
    scale = 1 / std::sqrt(1 + slope * slope);
  }
  [[nodiscard]] double radius_at(double along) const {
    return std::abs(along) < half ? radius * (1 - 0.5 * depth * (1 + std::cos(pi * along / half))) : radius;
  }
  double radius, half, depth, scale = 1;
};

SignedDistance coarctation_distance(double x, double y, double z, const Measures& m, bool flat) {
  return [=, throat = Throat(m)](const Real3& p) {
    const double across = flat ? std::abs(p[1] - y) : std::hypot(p[1] - y, p[2] - z);
    return throat.scale * (across - throat.radius_at(p[0] - x));
  };
}

/// Distance of a point from the axis of a bent vessel in its plane; `x` and `y` from the centre of its bend, which is
/// where x > 0 and y < 0.
double across_bent_axis(double x, double y, double bend) {
  const bool beside_inlet = x<0, beside_outlet = y> 0;
  if (beside_inlet && beside_outlet) return std::min(y + bend, bend - x);  // nearer to one of the straight parts
  if (beside_inlet) return y + bend;
  if (beside_outlet) return x - bend;
  return std::hypot(x, y) - bend;
}

/// Distance to a bent vessel with the throat in the middle of the straight part beyond the bend.
SignedDistance bent_coarctation_distance(double bend_x, double bend_y, double z, const Measures& m, bool flat) {
  return [=, throat = Throat(m)](const Real3& p) {
    const double x = p[0] - bend_x, y = p[1] - bend_y, dz = flat ? 0 : p[2] - z;
    const double radius = x > 0 && y > 0 ? throat.radius_at(y - 0.5 * m.straight) : throat.radius;
    return throat.scale * (std::hypot(across_bent_axis(x, y, m.bend_radius), dz) - radius);
  };
}

SignedDistance aneurysm_distance(double bend_x, double bend_y, double z, const Measures& m, bool flat) {
  const double radius = 0.5 * m.diameter;
  const Real3 sac{bend_x + m.sac_offset * std::sqrt(0.5), bend_y - m.sac_offset * std::sqrt(0.5), z};
  return [=](const Real3& point) {
    const double x = point[0] - bend_x, y = point[1] - bend_y, dz = flat ? 0 : point[2] - z;
    const Real3 from_sac{point[0] - sac[0], point[1] - sac[1], dz};
    return std::min(std::hypot(across_bent_axis(x, y, m.bend_radius), dz) - radius,
                    norm(from_sac) - 0.5 * m.sac_diameter);
  };
}

}  // namespace

bool is_vessel(const Case::Generator& generator) {
  return generator.kind != "sphere_packing";
}

Int3 vessel_box(const Case::Generator& g, double spacing, int padding, int dimension) {
  const Measures m = measure(g, spacing);
  if (g.kind == "network") {
    const NetworkMeasures network = measure_network(g, spacing);
    const int deep = dimension == 2 ? 1 : nodes(network.width_of(0)) + 2 * padding;
    return {nodes(network.length), nodes(network.height) + 2 * padding, deep};
  }
  const int across = nodes(m.diameter) + 2 * padding;
  Int3 size{nodes(m.length), across, across};
  if (is_bent(g)) {
    const int side = padding + nodes(m.straight + curved_reach(m));
    size = {side, side, nodes(std::max(m.diameter, m.sac_diameter)) + 2 * padding};
  }
  if (dimension == 2) size[2] = 1;
  return size;
}

Vessel make_vessel(const Case::Generator& g, const Grid& grid, int padding) {
  const Measures m = measure(g, grid.spacing);
  const bool flat = grid.dimension == 2;
  const double y = 0.5 * grid.size[1], z = 0.5 * grid.size[2];
  Vessel vessel;
  if (g.kind == "pipe") {
    vessel.distance = pipe_distance(y, z, 0.5 * m.diameter, flat);
  } else if (is_bent(g)) {
    const double bend_y = padding + curved_reach(m);
    vessel.distance = g.kind == "aneurysm" ? aneurysm_distance(m.straight, bend_y, z, m, flat)
                                           : bent_coarctation_distance(m.straight, bend_y, z, m, flat);
    vessel.outlet_face = surface_id::y_max;
  } else if (g.kind == "coarctation") {
    vessel.distance = coarctation_distance(0.5 * grid.size[0], y, z, m, flat);
  } else if (g.kind == "network") {
    vessel.distance = network_distance(g, measure_network(g, grid.spacing), grid);
  } else {
    throw_input(
        fmt::format("geometry.generator: unknown kind \"{}\"; use sphere_packing, pipe, aneurysm, coarctation or "
                    "network",
                    g.kind));
  }
  return vessel;
}

}  // namespace fluvia::geometry
