// SPDX-License-Identifier: Apache-2.0
// Inside and outside of meshes with holes that nobody closed, node by node and tile by tile.
#include "fluvia/geometry/mesh/mesh_layer.hpp"

#include <algorithm>

#include "fluvia/geometry/mesh/mesh.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using namespace geometry;

constexpr Int3 low{3, 2, 5}, high{10, 13, 9};

/// A layer around a box of which faces (0..5 = x_min..z_max) are missing.
class OpenBox {
 public:
  explicit OpenBox(const std::vector<int>& missing)
      : mesh_(weld(box_soup(corner(low), corner(high), missing))),
        layer_(make_mesh_layer(mesh_, std::make_shared<RayMesh>(mesh_), grid_, true)) {}
  [[nodiscard]] const Layer& layer() const { return *layer_; }
  /// Whether a tile of the layer has the node.
  [[nodiscard]] bool has(const Int3& node) const {
    const Int3 tile{node[0] / 4, node[1] / 4, node[2] / 4};
    const std::uint64_t fluid = layer_->apply(tile, ~std::uint64_t{0});
    return (fluid >> tile_bit(3, {node[0] % 4, node[1] % 4, node[2] % 4}) & 1) != 0;
  }
  template <class Visit>
  void for_each_node(const Visit& visit) const {
    for (int z = 0; z < grid_.size[2]; ++z)
      for (int y = 0; y < grid_.size[1]; ++y)
        for (int x = 0; x < grid_.size[0]; ++x) visit(Int3{x, y, z});
  }

 private:
  static Real3 corner(const Int3& node) {
    return {static_cast<double>(node[0]), static_cast<double>(node[1]), static_cast<double>(node[2])};
  }
  static Mesh weld(const TriangleSoup& soup) {
    const std::vector<Patch> patches{{soup, surface_id::wall}};
    return geometry::weld(patches, 1e-6);
  }
  Grid grid_{3, {13, 15, 11}, {}, {}, 1};
  Mesh mesh_;
  std::unique_ptr<const Layer> layer_;
};

TEST(MeshLayer, AxesAlongWhichAFaceIsMissingHaveNoSay) {
  for (const auto& missing : std::vector<std::vector<int>>{
           {}, {0}, {1}, {2}, {3}, {4}, {5}, {0, 2}, {0, 4}, {2, 4}, {1, 3}, {1, 5}, {3, 5}, {0, 1}, {2, 3}, {4, 5}}) {
    const OpenBox box(missing);
    int wrong = 0;
    box.for_each_node([&](const Int3& node) {
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) inside = inside && node[axis] >= low[axis] && node[axis] < high[axis];
      if (box.has(node) != inside) ++wrong;
      if (box.layer().decide(node) != (inside ? Decision::none : Decision::solid)) ++wrong;
    });
    EXPECT_EQ(wrong, 0) << testing::PrintToString(missing);
  }
}

/// With a face missing along each axis only oblique rays can tell, and not always right; but of one node always the
/// same.
TEST(MeshLayer, WhereNoAxisHasASayTilesAgreeWithNodes) {
  const OpenBox box({0, 2, 4});
  int differ = 0, inside = 0;
  box.for_each_node([&](const Int3& node) {
    if (box.has(node) != (box.layer().decide(node) == Decision::none)) ++differ;
    if (box.has(node)) ++inside;
  });
  EXPECT_EQ(differ, 0);
  EXPECT_GT(inside, 50);
}

/// Two bodies that meet at a periodic face: links through it are cut by the first, whichever of its triangles they
/// meet.
TEST(MeshLayer, LinksThroughPeriodicFacesAreCutByEveryTriangle) {
  const TemporaryFolder folder;
  TriangleSoup soup = box_soup({19.7, 3, 3}, {20.5, 9, 9});
  const TriangleSoup other = box_soup({-0.5, 3, 3}, {5, 9, 9});
  soup.insert(soup.end(), other.begin(), other.end());
  for (std::size_t turn = 0; turn < 12; ++turn) {
    std::rotate(soup.begin(), soup.begin() + 1, soup.begin() + 12);
    Case c;
    c.directory = folder.path();
    folder.write("bodies.stl", binary_stl(soup));
    c.domain.nodes = Int3{20, 12, 12};
    c.domain.periodic = {true, false, false};
    c.geometry.stl = {stl("bodies.stl")};
    c.geometry.stl[0].fluid = "outside";
    c.walls.method = "interpolated";
    const Geometry g = build(c);
    for (int z = 3; z < 9; ++z)
      for (int y = 3; y < 9; ++y) ASSERT_NEAR(g.distance_of({19, y, z}, {1, 0, 0}), 0.2, 1e-5) << turn;
  }
}

}  // namespace
}  // namespace fluvia::test
