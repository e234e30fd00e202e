// SPDX-License-Identifier: Apache-2.0
// A case in lattice units at the origin, and the same in SI units elsewhere: the same nodes, links and openings, and a
// report whose places are moved and scaled. Spacing and shift are such that conversions are exact.
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

struct Place {
  double scale;
  Real3 shift;
  [[nodiscard]] Real3 operator()(const Real3& p) const { return shift + scale * p; }
};
const Place here{1, {}}, there{0.25, {3, -7, 11.5}};

using Maker = std::function<Case(const Place&)>;

Case base(const Place& place, const TemporaryFolder& folder) {
  Case c;
  c.directory = folder.path();
  if (place.scale != 1) {
    c.units.system = "si";
    c.units.spacing = place.scale;
  }
  return c;
}

void expect_places(const std::vector<Real3>& first, const std::vector<Real3>& second, std::size_t fewest) {
  ASSERT_EQ(first.size(), second.size());
  EXPECT_GE(first.size(), fewest);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_LT(norm(second[i] - there(first[i])), 1e-6) << i;
}

void expect_same(const Maker& make, std::size_t narrow, std::size_t holes, std::size_t defects) {
  const Grid first = make_grid(make(here)), second = make_grid(make(there));
  EXPECT_EQ(first.size, second.size);
  EXPECT_LT(norm(second.origin - there(first.origin)), 1e-9);
  EXPECT_EQ(second.spacing, there.scale);
  const Geometry a = build(make(here)), b = build(make(there));
  EXPECT_EQ(a.nodes.fluid_nodes, b.nodes.fluid_nodes);
  EXPECT_LT(norm(b.origin - there(a.origin)), 1e-9);
  int links = 0;
  for_each_fluid(a.nodes, [&](const Int3& node) {
    EXPECT_TRUE(b.nodes.is_fluid(node));
    for (const Int3& offset : link_offsets(a.nodes.dimension)) {
      if (a.nodes.is_fluid({node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]})) continue;
      ++links;
      EXPECT_EQ(a.surface_of(node, offset), b.surface_of(node, offset));
      if (a.distance_of) {
        EXPECT_NEAR(a.distance_of(node, offset), b.distance_of(node, offset), 1e-4);
      }
    }
  });
  EXPECT_GT(links, 200);
  EXPECT_EQ(a.openings.size(), b.openings.size());
  for (std::size_t i = 0; i < std::min(a.openings.size(), b.openings.size()); ++i) {
    EXPECT_LT(norm(a.openings[i].centroid - b.openings[i].centroid), 1e-6);
    EXPECT_LT(norm(a.openings[i].normal - b.openings[i].normal), 1e-6);
    EXPECT_NEAR(a.openings[i].area, b.openings[i].area, 1e-6 * a.openings[i].area);
  }
  expect_places(a.report.narrow_examples, b.report.narrow_examples, narrow);
  expect_places(a.report.defect_positions, b.report.defect_positions, defects);
  EXPECT_GE(a.report.holes.size(), holes);
  EXPECT_EQ(a.report.holes.size(), b.report.holes.size());
  for (std::size_t i = 0; i < std::min(a.report.holes.size(), b.report.holes.size()); ++i) {
    const auto &p = a.report.holes[i], &q = b.report.holes[i];
    EXPECT_EQ(p.opening, q.opening);
    EXPECT_LT(norm(q.position - there(p.position)), 1e-6);
    EXPECT_LT(norm(q.normal - p.normal), 1e-6);
    EXPECT_NEAR(q.area, p.area * there.scale * there.scale, 1e-6 * p.area);
  }
  EXPECT_TRUE(std::is_sorted(a.report.holes.begin(), a.report.holes.end(),
                             [](const auto& p, const auto& q) { return p.area > q.area; }));
  EXPECT_EQ(a.report.warnings.size(), b.report.warnings.size());
}

TEST(MovedCase, ShapesWithAGapAndADisc) {
  const TemporaryFolder folder;
  expect_same(
      [&](const Place& place) {
        Case c = base(place, folder);
        c.domain.nodes = Int3{24, 18, 15};
        if (place.scale != 1) c.domain.origin = place({});
        Case::Shape pipe = shape("cylinder", "fluid", "pipe"), plate = shape("box", "solid", "plate"),
                    pill = shape("capsule", "solid", "pill");
        pipe.from = place({-3, 9.3, 7.2});
        pipe.to = place({30, 9.3, 7.2});
        pipe.radius = 6.1 * place.scale;
        plate.center = place({12.2, 12.4, 7.1});
        plate.size = place.scale * Real3{4.1, 1.2, 20};
        pill.from = place({8, 5, 7});
        pill.to = place({10, 6, 8});
        pill.radius = 1.3 * place.scale;
        c.geometry.shapes = {pipe, plate, pill};
        Case::OpeningInput in, out;
        in.name = "in";
        in.center = place({3.3, 9.3, 7.2});
        in.normal = Real3{-0.96, 0.28, 0};
        in.radius = 7 * place.scale;
        out.name = "out";
        out.center = place({20.3, 9.3, 7.2});
        out.normal = Real3{1, 0, 0};
        out.radius = 7 * place.scale;
        c.openings = {in, out};
        c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
        return c;
      },
      1, 0, 0);
}

TEST(MovedCase, VesselOfAMeshWithAHoleTooMany) {
  const TemporaryFolder folder;
  auto soup = tube_soup(0, 22.3, {0, 8.2, 7.1}, 5.6, true, false, false);
  soup.erase(soup.begin() + 11);  // a triangle of the wall
  folder.write("tube.stl", binary_stl(soup));
  expect_same(
      [&](const Place& place) {
        Case c = base(place, folder);
        Case::Stl tube = stl("tube.stl", "vessel");
        tube.unit = place.scale;
        tube.translate = place.shift;
        c.geometry.stl = {tube};
        c.geometry.allow_defects = true;
        Case::OpeningInput in, out;
        in.name = "in";
        in.center = place({0.1, 8.2, 7.1});
        out.name = "out";
        out.center = place({22.2, 8.2, 7.1});
        c.openings = {in, out};
        c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
        return c;
      },
      0, 2, 0);
}

}  // namespace
}  // namespace fluvia::test
