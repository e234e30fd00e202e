// SPDX-License-Identifier: Apache-2.0
// Which ends of a vessel a draft takes for openings.
#include <array>
#include <cmath>
#include <functional>

#include "draft/draft_support.hpp"
#include "fluvia/draft/vessel_flow.hpp"
#include "fluvia/draft/vessel_shape.hpp"

namespace fluvia::test {
namespace {

/// A closed pipe along x whose radius changes from ring to ring.
geometry::TriangleSoup closed_pipe(const std::vector<std::pair<double, double>>& rings) {
  constexpr int segments = 32;
  const auto point = [&](std::size_t ring, int k) {
    const double angle = 2 * 3.141592653589793 * k / segments;
    return Real3{rings[ring].first, rings[ring].second * std::cos(angle), rings[ring].second * std::sin(angle)};
  };
  geometry::TriangleSoup soup;
  const std::size_t last = rings.size() - 1;
  for (int k = 0; k < segments; ++k) {
    for (std::size_t ring = 0; ring < last; ++ring) {
      soup.push_back({point(ring, k), point(ring + 1, k), point(ring + 1, k + 1)});
      soup.push_back({point(ring, k), point(ring + 1, k + 1), point(ring, k + 1)});
    }
    soup.push_back({Real3{rings[0].first, 0, 0}, point(0, k), point(0, k + 1)});
    soup.push_back({Real3{rings[last].first, 0, 0}, point(last, k + 1), point(last, k)});
  }
  return soup;
}

/// The faces of voxels between fluid and solid.
geometry::TriangleSoup voxel_surface(const Int3& size, const std::function<bool(const Int3&)>& is_fluid) {
  geometry::TriangleSoup soup;
  const auto fluid = [&](const Int3& v) {
    for (int axis = 0; axis < 3; ++axis)
      if (v[axis] < 0 || v[axis] >= size[axis]) return false;
    return is_fluid(v);
  };
  Int3 v{};
  for (v[2] = 0; v[2] < size[2]; ++v[2])
    for (v[1] = 0; v[1] < size[1]; ++v[1])
      for (v[0] = 0; v[0] < size[0]; ++v[0])
        for (int axis = 0; fluid(v) && axis < 3; ++axis)
          for (int side = 0; side < 2; ++side) {
            Int3 next = v;
            next[axis] += side == 1 ? 1 : -1;
            if (fluid(next)) continue;
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            std::array<Real3, 4> p;
            for (int k = 0; k < 4; ++k) {
              p[k][axis] = v[axis] + side;
              p[k][a] = v[a] + (k == 1 || k == 2);
              p[k][b] = v[b] + (k == 2 || k == 3);
            }
            soup.push_back({p[0], side == 1 ? p[1] : p[3], p[2]});
            soup.push_back({p[0], p[2], side == 1 ? p[3] : p[1]});
          }
  return soup;
}

TEST(VesselDraft, TakesAnEndThatIsSmallBesideTheLargest) {
  const TemporaryFolder folder;
  DraftRequest request = request_for(folder.write("cone.stl", binary_stl(closed_pipe({{0, 10}, {20, 10}, {60, 0.5}}))));
  request.unit = 1e-3;
  request.nodes_across = 4;
  request.most_nodes = 5e4;
  const Made made = make(request);  // a disc of 0.25% of the area, and a small angle between it and the wall
  ASSERT_EQ(made.c.openings.size(), 2U);
  EXPECT_NEAR((*made.c.openings[1].center)[0], 0.06, 1e-5);
}

TEST(VesselDraft, TakesTheEndsThatAreAskedFor) {
  const TemporaryFolder folder;
  // A disc of 0.04% of the area of the other is taken for a detail.
  DraftRequest request = request_for(folder.write("p.stl", binary_stl(closed_pipe({{0, 10}, {20, 10}, {60, 0.2}}))));
  request.unit = 1e-3;
  const auto message = [&](ExitCode code) { return error_of(code, [&] { draft::read_vessel(request); }); };
  expect_parts(message(ExitCode::input), {"there is only one opening", "--ends N or --end X Y Z", "at (60, 0, 0) mm",
                                          "its area is 0.04% of the largest opening's"});
  request.ends = 2;
  EXPECT_EQ(draft::read_vessel(request).ends.size(), 2U);
  request.ends = 3;
  expect_parts(message(ExitCode::usage), {"--ends: 3 are wanted, but 2 are there", "at (60, 0, 0)"});
  request.ends.reset();
  request.end_points = {{0, 1, 0}, {60.1, 0, 0}};
  EXPECT_EQ(draft::read_vessel(request).ends.size(), 2U);
  request.end_points.push_back({30, 0, 0});
  expect_parts(message(ExitCode::usage), {"--end: there is no opening within its width of (30, 0, 0)"});
  request.ends = 2;
  expect_parts(refusal(request), {"--end: contradicts --ends"});
}

/// Of a vessel that is open at three ends two are wanted: the third becomes a wall, and the case says so.
TEST(VesselDraft, AHoleThatIsNoEndIsClosed) {
  const TemporaryFolder folder;
  geometry::TriangleSoup pipe = closed_pipe({{0, 10}, {20, 10}, {40, 10}, {60, 10}});
  pipe.erase(pipe.begin() + 2);  // a hole in the middle of the wall
  DraftRequest request = request_for(folder.write("pipe.stl", binary_stl(pipe)));
  request.unit = 1e-3;
  request.nodes_across = 8;
  request.ends = 2;
  const draft::VesselShape shape = draft::read_vessel(request);
  ASSERT_EQ(shape.ends.size(), 2U);
  ASSERT_EQ(shape.closed.size(), 1U);
  EXPECT_TRUE(make(request).c.geometry.allow_defects);
  request.ends = 3;
  EXPECT_TRUE(draft::read_vessel(request).closed.empty());
}

/// Names of patches become names of surfaces, which differ, whatever the script.
TEST(VesselDraft, NamesOfPatchesStayApart) {
  const TemporaryFolder folder;
  const auto tube = [&](bool wall, bool start, bool end) {
    return binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, wall, start, end));
  };
  DraftRequest request = request_for(folder.write("wall.stl", tube(true, false, false)));
  request.unit = 1e-3;
  request.files.push_back(folder.write("\u5165\u53e3.stl", tube(false, true, false)));
  request.files.push_back(folder.write("\u51fa\u53e3.stl", tube(false, false, true)));
  draft::VesselShape shape = draft::read_vessel(request);
  ASSERT_EQ(shape.ends.size(), 2U);
  EXPECT_NE(shape.ends[0].name, shape.ends[1].name);
  EXPECT_TRUE(shape.closed.empty());
  // Of two that are called inlets nobody knows which is meant, and one alone is the inlet.
  request.files[1] = folder.write("inlet1.stl", tube(false, true, false));
  request.files[2] = folder.write("inlet2.stl", tube(false, false, true));
  expect_parts(refusal(request), {"--inlet: the patches 'inlet1' and 'inlet2'"});
  request.files[1] = folder.write("a.stl", tube(false, true, false));
  EXPECT_EQ(draft::plan_vessel(request).in().name, "inlet2");
}

TEST(VesselDraft, StepsOfVoxelsAreNoEnds) {
  const TemporaryFolder folder;
  const auto slanted = voxel_surface({40, 24, 12}, [](const Int3& v) {
    const double y = v[1] - 4 - 0.4 * v[0], z = v[2] - 5.5;
    return y * y + z * z < 16;
  });
  DraftRequest request = request_for(folder.write("stairs.stl", binary_stl(slanted)));
  request.unit = 1e-3;
  try {
    make_draft(request);
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    expect_parts(error.what(), {"there is no opening", "the surface is made of voxels"});
  }
}

}  // namespace
}  // namespace fluvia::test
