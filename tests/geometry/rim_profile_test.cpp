// SPDX-License-Identifier: Apache-2.0
// Profiles over openings against the shape of their rim, which is worked out here in space and without a table.
#include "fluvia/geometry/generate/rim_profile.hpp"

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using geometry::Profile;
using std::numbers::pi;

/// Two directions across `normal`, of length 1.
std::array<Real3, 2> across(const Real3& normal) {
  const Real3 helper = std::abs(normal[0]) < 0.5 ? Real3{1, 0, 0} : Real3{0, 1, 0};
  Real3 first = helper - dot(helper, normal) * normal;
  first = (1 / norm(first)) * first;
  return {first, cross(normal, first)};
}

struct Rim {
  Real3 centre, normal;
  std::vector<std::array<double, 2>> corners;  ///< from the centre, along the two directions across the normal
  [[nodiscard]] Real3 point(double a, double b) const {
    const auto [first, second] = across(normal);
    return centre + a * first + b * second;
  }
  [[nodiscard]] std::vector<Real3> in_space() const {
    std::vector<Real3> points;
    for (const auto& [a, b] : corners) points.push_back(point(a, b));
    return points;
  }
  /// How far the rim is from the centre: the farthest crossing of a ray with the edges.
  [[nodiscard]] double radius(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    double farthest = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto &p = corners[i], &q = corners[(i + 1) % corners.size()];
      const double ex = q[0] - p[0], ey = q[1] - p[1], determinant = c * ey - s * ex;
      if (std::abs(determinant) < 1e-12) continue;
      const double along = (p[0] * ey - p[1] * ex) / determinant, part = (p[0] * s - p[1] * c) / determinant;
      if (part >= 0 && part <= 1) farthest = std::max(farthest, along);
    }
    return farthest;
  }
};

std::vector<Real3> normals() {
  return {{1, 0, 0},           {0, -1, 0},         {0, 0, 1},      {0.6, 0.48, 0.64},
          {-0.48, 0.64, -0.6}, {0.36, 0.48, -0.8}, {0, 0.28, 0.96}};
}

TEST(RimProfile, OfADiscIsTheParabola) {
  for (const Real3& normal : normals()) {
    const Real3 centre{3, -2, 7};
    const Profile profile = geometry::disc_profile(centre, normal, 4);
    const auto [first, second] = across(normal);
    for (const double r : {0.0, 1.0, 3.0, 4.0, 5.5})
      for (const double along : {0.0, 0.7})
        EXPECT_NEAR(profile(centre + (0.6 * r) * first + (0.8 * r) * second + along * normal),
                    std::max(0.0, 1 - r * r / 16), 1e-12);
  }
}

TEST(RimProfile, OfAPolygonEndsAtItsEdges) {
  const std::vector<std::vector<std::array<double, 2>>> shapes = {
      {{5, -3}, {6, 3}, {-5, 3.5}, {-4.5, -3}},                               // a trapezium, off its centre
      {{8, 1}, {-3, 6}, {-4, -7}},                                            // a triangle
      {{6, -2}, {6, 4}, {1.5, 2.5}, {-5, 5}, {-7, 0.5}, {-2, -1.5}, {1, -6}}  // with corners that point inwards
  };
  for (const auto& corners : shapes)
    for (const Real3& normal : normals()) {
      const Rim rim{{-4, 9, 2.5}, normal, corners};
      std::vector<Real3> points = rim.in_space();
      for (const bool backwards : {false, true}) {
        if (backwards) std::reverse(points.begin(), points.end());
        const Profile profile = geometry::polygon_profile(rim.centre, rim.normal, {points});
        EXPECT_EQ(profile(rim.centre), 1);
        for (int k = 0; k < 97; ++k) {
          const double angle = 2 * pi * k / 97, radius = rim.radius(angle);
          // At corners the table is half a degree wide.
          const double tolerance = 0.005 + 1.2 * std::abs(rim.radius(angle + 0.01) - rim.radius(angle - 0.01)) / radius;
          for (const double share : {0.3, 0.8, 1.2}) {
            const double r = share * radius;
            EXPECT_NEAR(profile(rim.point(r * std::cos(angle), r * std::sin(angle))), std::max(0.0, 1 - share * share),
                        tolerance)
                << "angle " << angle << " share " << share;
          }
        }
      }
    }
}

TEST(RimProfile, OfPointsThatFillADiscIsItsParabola) {
  std::vector<Real3> points;
  for (int y = -10; y < 10; ++y)
    for (int z = -10; z < 10; ++z)
      if (std::hypot(y + 0.5, z + 0.5) < 9) points.push_back({4, 20 + y + 0.5, 30 + z + 0.5});
  const auto area = static_cast<double>(points.size());
  const Profile profile = geometry::points_profile({4, 20, 30}, {1, 0, 0}, points, area);
  for (const double r : {1.0, 4.0, 7.5, 12.0})
    EXPECT_NEAR(profile({4, 20 + 0.6 * r, 30 - 0.8 * r}), std::max(0.0, 1 - r * r * pi / area), 1e-12);
  // These points, said to have a larger area, are no disc's: their outermost ones say where the rim is, half a node
  // beyond.
  const Profile wider = geometry::points_profile({4, 20, 30}, {1, 0, 0}, points, 0.7 * area);
  for (const double angle : {0.1, 1.9, 4.0}) {
    const double at_seven = wider({4, 20 + 7 * std::cos(angle), 30 + 7 * std::sin(angle)});
    EXPECT_NEAR(at_seven, 1 - 49 / (9.1 * 9.1), 0.06) << angle;
  }
}

/// Few points: each says how far the rim is where it lies, and between them it changes evenly with the angle.
TEST(RimProfile, OfAFewPointsFillsTheGaps) {
  const std::array<double, 4> angles{0.25 * pi, 0.75 * pi, 1.25 * pi, 1.5 * pi}, radii{3, 6, 5, 8};
  for (const Real3& normal : {Real3{0, 0, 1}, Real3{0, 0, -1}, Real3{1, 0, 0}, Real3{0, 1, 0}}) {
    Rim rim{{1, 2, 3}, normal, {}};
    // 16 directions; four points for each of the four that are known, the outermost of which counts.
    for (std::size_t i = 0; i < 4; ++i)
      for (const double share : {0.2, 1.0, 0.5, 0.7}) {
        const double r = share * radii[i];
        rim.corners.push_back({r * std::cos(angles[i]), r * std::sin(angles[i])});
      }
    const Profile profile = geometry::points_profile(rim.centre, rim.normal, rim.in_space(), 1);
    for (std::size_t i = 0; i < 4; ++i) {
      const double from = angles[i], to = i < 3 ? angles[i + 1] : angles[0] + 2 * pi;
      const double a = radii[i] + 0.5, b = radii[(i + 1) % 4] + 0.5;
      for (const double share : {0.0, 0.1, 0.5, 0.8}) {
        const double angle = from + share * (to - from), radius = a + share * (b - a);
        EXPECT_NEAR(profile(rim.point(2 * std::cos(angle), 2 * std::sin(angle))), 1 - 4 / (radius * radius), 1e-9)
            << i << " " << share;
      }
    }
  }
}

}  // namespace
}  // namespace fluvia::test
