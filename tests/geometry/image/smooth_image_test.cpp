// SPDX-License-Identifier: Apache-2.0
// walls.smooth: the surface through the staircase of an image, against the shape that the image shows.
#include "fluvia/geometry/walls.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using SignedDistance = std::function<double(const Real3& point)>;  ///< in cells, above 0 in the fluid

/// An image of a shape: cells whose centre is in the fluid.
Case image_of(const TemporaryFolder& folder, const Int3& cells, int refine, const SignedDistance& shape) {
  std::string bytes;
  for (int z = 0; z < cells[2]; ++z) {
    for (int y = 0; y < cells[1]; ++y) {
      for (int x = 0; x < cells[0]; ++x) bytes += shape({x + 0.5, y + 0.5, z + 0.5}) > 0 ? '\0' : '\1';
    }
  }
  folder.write("image.raw", bytes);
  Case c;
  c.directory = folder.path();
  c.geometry.voxels = Case::Voxels{};
  c.geometry.voxels->file = "image.raw";
  c.geometry.voxels->shape = cells;
  c.geometry.voxels->fluid_labels = std::vector<int>{0};
  c.geometry.voxels->refine = refine;
  c.geometry.keep_isolated = true;
  c.walls.smooth = true;
  return c;
}

/// How far the walls of cut links lie from the shape, in cells, and how far half-way walls do; mean squares.
struct Errors {
  double smooth = 0, half_way = 0, normal = 0;
  int links = 0;
};

Errors errors_of(const Case& c, const SignedDistance& shape) {
  const Geometry g = build(c);
  const double refine = c.geometry.voxels->refine;
  Errors e;
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (const Int3& offset : link_offsets(3)) {
      Int3 far{node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]};
      if (g.nodes.is_fluid(far) || !g.nodes.wrap(far)) continue;
      const auto at = [&](double part) {
        return Real3{(node[0] + 0.5 + part * offset[0]) / refine, (node[1] + 0.5 + part * offset[1]) / refine,
                     (node[2] + 0.5 + part * offset[2]) / refine};
      };
      const Real3 wall = at(g.distance_of(node, offset));
      Real3 gradient;
      for (int axis = 0; axis < 3; ++axis) {
        Real3 low = wall, high = wall;
        low[axis] -= 1e-4;
        high[axis] += 1e-4;
        gradient[axis] = (shape(high) - shape(low)) / 2e-4;
      }
      e.smooth += shape(wall) * shape(wall);
      e.half_way += shape(at(0.5)) * shape(at(0.5));
      const Real3 off = g.normal_of(node, offset) + (1 / norm(gradient)) * gradient;
      e.normal += dot(off, off);
      ++e.links;
    }
  });
  EXPECT_GT(e.links, 500);
  for (double* value : {&e.smooth, &e.half_way, &e.normal}) *value = std::sqrt(*value / e.links);
  return e;
}

TEST(SmoothImage, KeepsFlatWalls) {
  const TemporaryFolder folder;
  const auto floor = [](const Real3& p) { return p[2] - 4; };
  const Case c = image_of(folder, {14, 13, 12}, 1, floor);
  const Errors e = errors_of(c, floor);
  EXPECT_LT(e.smooth, 1e-6);
  EXPECT_LT(e.normal, 1e-6);
}

TEST(SmoothImage, FollowsObliqueAndRoundWalls) {
  const TemporaryFolder folder;
  const auto slope = [](const Real3& p) { return (2 * p[0] + 3 * p[1] + 6 * (p[2] - 14.3)) / 7; };
  const Errors plane = errors_of(image_of(folder, {22, 21, 20}, 1, slope), slope);
  EXPECT_LT(plane.smooth, 0.12);  // a staircase is at least sqrt(1/12) = 0.29 off
  EXPECT_GT(plane.half_way, 2.5 * plane.smooth);
  EXPECT_LT(plane.normal, 0.15);
  const auto ball = [](const Real3& p) { return norm(p - Real3{14.2, 13.7, 14.1}) - 9.3; };
  for (const int refine : {1, 2, 3}) {
    const Errors round = errors_of(image_of(folder, {28, 28, 28}, refine, ball), ball);
    EXPECT_LT(round.smooth, 0.15) << refine;
    EXPECT_LT(round.normal, 0.15) << refine;
  }
}

/// Also lone cells among the other kind, whatever the share of those around them.
TEST(SmoothImage, NodesOfCellsStayAsTheImageSays) {
  for (const bool mostly_fluid : {false, true}) {
    const TemporaryFolder folder;
    std::uint64_t state = 7;
    const auto noise = [&](const Real3&) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (state >> 62 == 0) != mostly_fluid ? 1.0 : -1.0;
    };
    Case c = image_of(folder, {13, 17, 11}, 1, noise);
    const Geometry smooth = build(c);
    c.walls.smooth = false;
    const Geometry plain = build(c);
    EXPECT_FALSE(plain.distance_of);
    ASSERT_EQ(smooth.nodes.tiles.size(), plain.nodes.tiles.size());
    for (std::size_t i = 0; i < plain.nodes.tiles.size(); ++i) {
      EXPECT_EQ(smooth.nodes.tiles[i].mask, plain.nodes.tiles[i].mask);
    }
    for_each_fluid(smooth.nodes, [&](const Int3& node) {
      for (const Int3& offset : link_offsets(3)) {
        if (smooth.nodes.is_fluid({node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]})) continue;
        const double distance = smooth.distance_of(node, offset);
        EXPECT_GT(distance, 0.01);
        EXPECT_LT(distance, 0.99);
      }
    });
  }
}

TEST(SmoothImage, GoesOnThroughPeriodicFaces) {
  // A wall that is moved along a periodic axis by a few cells has the same distances.
  const TemporaryFolder folder;
  const auto wave = [](double shift) {
    return [shift](const Real3& p) { return p[1] - 8 - 3 * std::sin(2 * std::numbers::pi * (p[0] - shift) / 16); };
  };
  std::vector<Geometry> moved;
  for (const double shift : {0.0, 5.0}) {
    Case c = image_of(folder, {16, 16, 4}, 1, wave(shift));
    c.domain.periodic = {true, false, true};
    moved.push_back(build(c));
  }
  int links = 0;
  for_each_fluid(moved[0].nodes, [&](const Int3& node) {
    const Int3 there{(node[0] + 5) % 16, node[1], node[2]};
    ASSERT_TRUE(moved[1].nodes.is_fluid(there));
    for (const Int3& offset : link_offsets(3)) {
      Int3 far{node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]};
      if (moved[0].nodes.is_fluid(far) || !moved[0].nodes.wrap(far)) continue;
      EXPECT_NEAR(moved[0].distance_of(node, offset), moved[1].distance_of(there, offset), 1e-6);
      ++links;
    }
  });
  EXPECT_GT(links, 500);
}

TEST(SmoothImage, MasksAreSmoothedInTheirPlane) {
  const TemporaryFolder folder;
  std::string pgm = "P5 24 24 255\n";
  const auto disc = [](double x, double y) { return std::hypot(x - 12.3, y - 11.8) - 7.4; };
  for (int row = 0; row < 24; ++row) {
    for (int x = 0; x < 24; ++x) pgm += disc(x + 0.5, 23.5 - row) > 0 ? '\xff' : '\0';
  }
  folder.write("disc.pgm", pgm);
  Case c;
  c.directory = folder.path();
  c.domain.dimension = 2;
  c.geometry.mask = Case::Mask{};
  c.geometry.mask->file = "disc.pgm";
  c.walls.smooth = true;
  const Geometry g = build(c);
  double square = 0;
  int links = 0;
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (const Int3& offset : link_offsets(2)) {
      Int3 far{node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]};
      if (g.nodes.is_fluid(far) || !g.nodes.wrap(far)) continue;
      const double part = g.distance_of(node, offset);
      const double off = disc(node[0] + 0.5 + part * offset[0], node[1] + 0.5 + part * offset[1]);
      square += off * off;
      ++links;
    }
  });
  EXPECT_GT(links, 100);
  EXPECT_LT(std::sqrt(square / links), 0.16);
}

}  // namespace
}  // namespace fluvia::test
