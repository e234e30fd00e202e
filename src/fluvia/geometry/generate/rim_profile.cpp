// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/generate/rim_profile.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace fluvia::geometry {
namespace {

using std::numbers::pi;

/// A plane with polar coordinates.
struct Plane {
  Real3 centre, first, second;

  Plane(const Real3& middle, const Real3& normal) : centre(middle) {
    // Any direction that is not along the normal; in 2D (normal in the x-y plane) the second axis becomes z.
    const Real3 helper = std::abs(normal[2]) < 0.9 ? Real3{0, 0, 1} : Real3{1, 0, 0};
    first = cross(helper, normal);
    first = (1 / norm(first)) * first;
    second = cross(normal, first);
  }
  [[nodiscard]] std::array<double, 2> project(const Real3& point) const {
    return {dot(point - centre, first), dot(point - centre, second)};
  }
};

/// The profile of a rim R(theta) given by a table, linear in between.
Profile table_profile(const Plane& plane, std::vector<double> radii) {
  auto table = std::make_shared<const std::vector<double>>(std::move(radii));
  return [plane, table](const Real3& point) {
    const auto [u, v] = plane.project(point);
    const double r = std::hypot(u, v);
    if (r == 0) return 1.0;
    const auto count = static_cast<double>(table->size());
    const double place = (std::atan2(v, u) / (2 * pi) + 1) * count;
    const double below = std::floor(place), share = place - below;
    const auto at = [&](double index) { return (*table)[static_cast<std::size_t>(std::fmod(index, count))]; };
    const double radius = (1 - share) * at(below) + share * at(below + 1);
    return radius > 0 ? std::max(0.0, 1 - r * r / (radius * radius)) : 0.0;
  };
}

/// Replaces zeros by linear interpolation between their neighbours around the circle.
void fill_gaps(std::vector<double>& radii) {
  const std::size_t n = radii.size();
  const auto first = std::find_if(radii.begin(), radii.end(), [](double r) { return r > 0; });
  if (first == radii.end()) return;
  const std::size_t start = first - radii.begin();
  for (std::size_t i = 0; i < n;) {
    const std::size_t from = (start + i) % n;
    std::size_t gap = 1;
    while (radii[(from + gap) % n] <= 0 && gap < n) ++gap;
    const double a = radii[from], b = radii[(from + gap) % n];
    for (std::size_t k = 1; k < gap; ++k) {
      radii[(from + k) % n] = a + (b - a) * static_cast<double>(k) / static_cast<double>(gap);
    }
    i += gap;
  }
}

}  // namespace

Profile disc_profile(const Real3& centre, const Real3& normal, double radius) {
  return [=](const Real3& point) {
    const Real3 from = point - centre;
    const double along = dot(from, normal);
    return std::max(0.0, 1 - (dot(from, from) - along * along) / (radius * radius));
  };
}

Profile polygon_profile(const Real3& centre, const Real3& normal, const std::vector<std::vector<Real3>>& rims) {
  constexpr std::size_t directions = 720;
  const Plane plane(centre, normal);
  std::vector<double> radii(directions, 0.0);
  const auto add_edge = [&](const std::array<double, 2>& a, const std::array<double, 2>& b) {
    const double from = std::atan2(a[1], a[0]);
    // The angle between the ends of the edge, the way round that is shorter than half a turn.
    const double turn = std::remainder(std::atan2(b[1], b[0]) - from, 2 * pi);
    const double low = std::min(from, from + turn), high = std::max(from, from + turn);
    const double scale = directions / (2 * pi);
    for (double step = std::ceil(low * scale); step <= high * scale; ++step) {
      const double cosine = std::cos(step / scale), sine = std::sin(step / scale);
      // Point of the edge in direction theta: a + s (b - a) with no part across theta.
      const double across_a = cosine * a[1] - sine * a[0], across_b = cosine * b[1] - sine * b[0];
      const double s = across_a == across_b ? 0 : std::clamp(across_a / (across_a - across_b), 0.0, 1.0);
      const double r = cosine * (a[0] + s * (b[0] - a[0])) + sine * (a[1] + s * (b[1] - a[1]));
      const auto count = static_cast<long>(directions);
      double& radius = radii[((static_cast<long>(step) % count) + count) % count];
      radius = std::max(radius, r);
    }
  };
  for (const std::vector<Real3>& rim : rims)
    for (std::size_t i = 0; i < rim.size(); ++i)
      add_edge(plane.project(rim[i]), plane.project(rim[(i + 1) % rim.size()]));
  fill_gaps(radii);
  return table_profile(plane, std::move(radii));
}

Profile points_profile(const Real3& centre, const Real3& normal, const std::vector<Real3>& points, double area) {
  const Plane plane(centre, normal);
  const double disc_radius = std::sqrt(area / pi);
  double largest = 0;
  for (const Real3& point : points) {
    const auto [u, v] = plane.project(point);
    largest = std::max(largest, std::hypot(u, v));
  }
  // A rim with the area of a disc and none of its points farther out than the radius is a disc.
  if (points.size() >= 12 && largest < disc_radius + 0.75) return disc_profile(centre, normal, disc_radius);
  std::vector<double> radii(std::clamp<std::size_t>(points.size(), 2, 64), 0.0);
  for (const Real3& point : points) {
    const auto [u, v] = plane.project(point);
    const double place = (std::atan2(v, u) / (2 * pi) + 1) * static_cast<double>(radii.size());
    double& radius = radii[static_cast<std::size_t>(std::lround(place)) % radii.size()];
    radius = std::max(radius, std::hypot(u, v) + 0.5);
  }
  fill_gaps(radii);
  return table_profile(plane, std::move(radii));
}

}  // namespace fluvia::geometry
