// SPDX-License-Identifier: Apache-2.0
// Where links enter spheres, against all spheres and all their images tried one after the other.
#include "fluvia/geometry/generate/sphere_cells.hpp"

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using geometry::Link;
using geometry::Sphere;

/// Numbers from 0 to 1 that are the same everywhere.
struct Numbers {
  std::uint64_t state = 99;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
  }
};

struct Packing {
  Grid grid;
  std::vector<Sphere> spheres;
};

Packing packing(int dimension, const Int3& size, const Bool3& periodic, int count) {
  Packing p;
  p.grid.dimension = dimension;
  p.grid.size = size;
  p.grid.periodic = periodic;
  Numbers numbers;
  for (int i = 0; i < count; ++i) {
    Sphere sphere{};
    for (int axis = 0; axis < dimension; ++axis) {
      // Beyond faces that are not periodic there may be spheres that reach in.
      const double margin = periodic[axis] ? 0 : 2;
      sphere.centre[axis] = numbers.next() * (size[axis] + 2 * margin) - margin;
    }
    sphere.radius = 1.5 + 2 * numbers.next();
    p.spheres.push_back(sphere);
  }
  return p;
}

/// All images of a sphere that can matter.
std::vector<Sphere> images(const Packing& p, const Sphere& sphere) {
  std::vector<Sphere> result;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const Int3 shift{x, y, z};
        Sphere image = sphere;
        bool there = true;
        for (int axis = 0; axis < 3; ++axis) {
          there = there && (shift[axis] == 0 || (axis < p.grid.dimension && p.grid.periodic[axis]));
          image.centre[axis] += shift[axis] * p.grid.size[axis];
        }
        if (there) result.push_back(image);
      }
  return result;
}

bool within(const std::vector<Sphere>& spheres, const Real3& point, int dimension) {
  for (const Sphere& sphere : spheres) {
    Real3 from = point - sphere.centre;
    if (dimension == 2) from[2] = 0;
    if (dot(from, from) < sphere.radius * sphere.radius) return true;
  }
  return false;
}

/// The first place on a link within a sphere, by halving a bracket around where the link enters each; and its sphere.
struct Found {
  double part = 2;
  Real3 normal{};
};
Found first_entry(const std::vector<Sphere>& spheres, const Real3& start, const Real3& along, int dimension) {
  Found found;
  for (const Sphere& sphere : spheres) {
    if (std::hypot(start[0] - sphere.centre[0], start[1] - sphere.centre[1]) > sphere.radius + 2) continue;  // too far
    const auto depth = [&](double part) {
      Real3 from = start + part * along - sphere.centre;
      if (dimension == 2) from[2] = 0;
      return sphere.radius - norm(from);
    };
    // The deepest place: the distance is convex along the link.
    double low = 0, high = 1;
    for (int k = 0; k < 100; ++k) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (depth(a) < depth(b) ? low : high) = depth(a) < depth(b) ? a : b;
    }
    double inside = 0.5 * (low + high), outside = 0;
    if (depth(inside) < 0) continue;
    for (int k = 0; k < 50; ++k) {
      const double middle = 0.5 * (inside + outside);
      (depth(middle) > 0 ? inside : outside) = middle;
    }
    if (inside >= found.part) continue;
    Real3 normal = sphere.centre - (start + inside * along);
    if (dimension == 2) normal[2] = 0;
    found = {inside, (1 / norm(normal)) * normal};
  }
  return found;
}

void expect_entries(const Packing& p, int fewest) {
  const geometry::SphereCells cells(p.spheres, p.grid);
  std::vector<Sphere> all;
  for (const Sphere& sphere : p.spheres)
    for (const Sphere& image : images(p, sphere)) all.push_back(image);
  const int dimension = p.grid.dimension;
  int links = 0;
  for (int z = 0; z < p.grid.size[2]; ++z)
    for (int y = 0; y < p.grid.size[1]; ++y)
      for (int x = 0; x < p.grid.size[0]; ++x) {
        const Real3 start{x + 0.5, y + 0.5, z + 0.5};
        if (within(all, start, dimension)) continue;
        for (const Int3& offset : link_offsets(dimension)) {
          const Real3 along{double(offset[0]), double(offset[1]), double(offset[2])};
          const Int3 far{x + offset[0], y + offset[1], z + offset[2]};
          if (!within(all, start + along, dimension)) continue;
          const auto entry = cells.first(Link{{x, y, z}, offset, far});
          ASSERT_TRUE(entry) << x << " " << y << " " << z;
          const Found expected = first_entry(all, start, along, dimension);
          EXPECT_NEAR(entry->part, expected.part, 1e-9) << x << " " << y << " " << z;
          EXPECT_LT(norm(entry->normal - expected.normal), 1e-6) << x << " " << y << " " << z;
          ++links;
        }
      }
  EXPECT_GT(links, fewest);
}

TEST(SphereCells, FindWhatAllSpheresTriedOneByOneGive) {
  expect_entries(packing(3, {21, 14, 17}, {true, true, true}, 15), 1000);
  expect_entries(packing(3, {13, 22, 17}, {false, true, false}, 15), 1000);
  expect_entries(packing(3, {17, 12, 23}, {true, false, false}, 15), 1000);
  expect_entries(packing(3, {9, 30, 12}, {true, false, true}, 12), 300);  // too short an axis for neighbours
}

TEST(SphereCells, AreDiscsInThePlane) {
  expect_entries(packing(2, {90, 41, 1}, {true, false, false}, 40), 300);
  expect_entries(packing(2, {33, 80, 1}, {false, true, false}, 40), 300);
}

TEST(SphereCells, MeetNothingElsewhere) {
  Packing p = packing(3, {30, 30, 30}, {true, true, true}, 0);
  p.spheres = {{{2, 15, 15}, 3}};
  const geometry::SphereCells cells(p.spheres, p.grid);
  EXPECT_FALSE(cells.first(Link{{15, 15, 15}, {1, 0, 0}, {16, 15, 15}}));
  EXPECT_FALSE(cells.first(Link{{5, 14, 14}, {1, 0, 0}, {6, 14, 14}})) << "away from the sphere";
  const auto through_the_face = cells.first(Link{{28, 14, 14}, {1, 0, 0}, {29, 14, 14}});
  ASSERT_TRUE(through_the_face);
  EXPECT_NEAR(through_the_face->part, 30 + 2 - std::sqrt(9 - 0.5) - 28.5, 1e-12);
  const auto within_it = cells.first(Link{{2, 14, 14}, {1, 0, 0}, {3, 14, 14}});
  ASSERT_TRUE(within_it);
  EXPECT_EQ(within_it->part, 0);
}

}  // namespace
}  // namespace fluvia::test
