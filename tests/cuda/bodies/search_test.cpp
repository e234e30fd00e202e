// SPDX-License-Identifier: Apache-2.0
// Links of bodies that kernels find, run on the host, against those that the host finds: the same lists, to the bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cuda/emulation/spec.hpp"
// After what emulates the surroundings of kernels.
#include "bodies/link_scenes.hpp"
#include "fluvia/cuda/kernels/bodies/search.hpp"
#include "fluvia/cuda/layout/bodies/body_search.hpp"

namespace fluvia::cuda {
namespace {

using test::BodyScene;

template <class L, class F>
struct SearchSpec {
  using Lattice = L;
  using Format = F;
};

/// What kernels find, in memory of their own.
template <class Spec>
struct Found {
  using T = kernels::Arithmetic<Spec>;
  std::vector<kernels::TileReference> tiles;
  std::vector<kernels::BodyNode> nodes;
  std::vector<kernels::BodyLinkNumbers<T>> links;
  std::vector<kernels::Uint32> totals = {0, 0};

  Found(const MovingBodies& bodies, const BodySearchArrays& arrays, std::size_t room) {
    const auto pieces = static_cast<unsigned>(arrays.beside().size());
    std::vector<std::uint64_t> covered(arrays.fluid().size());
    BodySearchArrays::put_covered(bodies, covered.data());
    std::vector<kernels::BodyNode> of_pieces(std::size_t{pieces} * kernels::nodes_per_tile);
    std::vector<kernels::Uint32> first_links(pieces);
    tiles.resize(pieces);
    nodes.resize(room);
    links.resize(room);
    const auto masks = [](const std::vector<std::uint64_t>& all) {
      return reinterpret_cast<const kernels::Uint64*>(all.data());
    };
    const kernels::SearchedBodies searched{arrays.bodies().data(), arrays.parts().data(),  masks(covered),
                                           masks(arrays.fluid()),  arrays.pieces().data(), arrays.beside().data()};
    const kernels::FoundBodyNodes found{of_pieces.data(), first_links.data(), tiles.data(), totals.data()};
    const kernels::BodyLists<T> lists{nodes.data(), links.data(), static_cast<kernels::Uint32>(room)};
    const emulation::Dim tile{kernels::nodes_per_tile};
    emulation::launch<true>({pieces}, tile, kernels::find_body_nodes<Spec>, searched, found);
    emulation::launch<true>({1}, {kernels::numbering_threads}, kernels::number_body_links<Spec>, found, pieces);
    emulation::launch<false>({pieces}, tile, kernels::list_body_links<Spec>, searched, found, lists);
  }
};

/// Both look for the same links, step by step; how many there were.
template <class Lattice, class Format>
class Searches {
 public:
  using Spec = SearchSpec<Lattice, Format>;
  using T = kernels::Arithmetic<Spec>;

  explicit Searches(const BodyScene& scene)
      : flow_(scene, Lattice::name),
        by_host_(flow_.bodies(1)),
        bodies_(flow_.bodies(1)),
        expected_(flow_.geometry.nodes, storage_index, flow_.weights, 1),
        arrays_(storage_index, flow_.velocities, flow_.weights) {
    bodies_.leave_links();
  }
  [[nodiscard]] bool have_formulas() const { return bodies_.have_formulas(); }
  void start_at(std::int64_t step) {
    by_host_.start_at(step);
    bodies_.start_at(step);
  }
  void move_to(std::int64_t step) {
    by_host_.move_to(step, {});
    bodies_.move_to(step, {});
  }
  /// Whether kernels find the links where the bodies are now.
  bool compare() {
    expected_.take_links(by_host_);
    if (!bodies_.links_are_left()) {
      EXPECT_EQ(bodies_.links().size(), by_host_.links().size());
      return false;
    }
    EXPECT_TRUE(bodies_.links().empty());
    arrays_.take(bodies_);
    const std::size_t count = expected_.links().size();
    const Found<Spec> found(bodies_, arrays_, count);
    EXPECT_EQ(found.totals, (std::vector<kernels::Uint32>{static_cast<kernels::Uint32>(expected_.nodes().size()),
                                                          static_cast<kernels::Uint32>(count)}));
    if (found.totals[1] != count) return true;
    compare_lists(found);
    compare_links(found);
    if (count == 0) return true;
    const Found<Spec> too_many(bodies_, arrays_, count - 1);
    EXPECT_EQ(too_many.totals, found.totals);
    EXPECT_EQ(too_many.nodes[0].directions, 0U) << "there is no room";
    return true;
  }

 private:
  static std::uint32_t storage_index(std::uint64_t tile) { return static_cast<std::uint32_t>(7 + tile); }

  /// Where the nodes of a list are, in its order: the host lists a tile once that kernels list in pieces.
  static std::vector<std::array<std::uint32_t, 3>> places_of(const std::vector<kernels::TileReference>& tiles) {
    std::vector<std::array<std::uint32_t, 3>> places;
    for (const kernels::TileReference& tile : tiles) {
      std::uint32_t number = tile.output;
      for (kernels::Uint64 left = tile.mask; left != 0; left &= left - 1)
        places.push_back({tile.storage_index, static_cast<std::uint32_t>(std::countr_zero(left)), number++});
    }
    return places;
  }
  void compare_lists(const Found<Spec>& found) {
    ASSERT_EQ(places_of(found.tiles), places_of(expected_.tiles()));
    for (std::size_t k = 0; k < expected_.nodes().size(); ++k) {
      const kernels::BodyNode &node = found.nodes[k], &other = expected_.nodes()[k];
      ASSERT_EQ(node.first, other.first) << k;
      ASSERT_EQ(node.directions, other.directions) << k;
      ASSERT_EQ(node.through, other.through) << k;
    }
    for (std::size_t k = 0; k < expected_.links().size(); ++k) {
      ASSERT_EQ(found.links[k].part, static_cast<T>(expected_.links()[k].part)) << k;
      ASSERT_EQ(found.links[k].drive, static_cast<T>(expected_.links()[k].drive)) << k;
    }
  }
  /// What the host reads from the lists again.
  void compare_links(const Found<Spec>& found) {
    const std::vector<BodyLink> links =
        links_of<T>(arrays_.places(), found.tiles, found.nodes, found.links, flow_.geometry.nodes.dimension);
    ASSERT_EQ(links.size(), by_host_.links().size());
    for (std::size_t k = 0; k < links.size(); ++k) {
      const BodyLink &link = links[k], &other = by_host_.links()[k];
      ASSERT_TRUE(link.node == other.node && link.direction == other.direction && link.body == other.body &&
                  link.is_through == other.is_through && link.part == static_cast<double>(static_cast<T>(other.part)))
          << k;
    }
  }

  test::Flow flow_;
  MovingBodies by_host_, bodies_;
  BodyArrays expected_;
  BodySearchArrays arrays_;
};

template <class Lattice, class Format>
void compare_steps(const BodyScene& scene) {
  SCOPED_TRACE(scene.name + ", " + Lattice::name);
  Searches<Lattice, Format> searches(scene);
  EXPECT_EQ(searches.have_formulas(), scene.name != "capsule");
  searches.start_at(0);
  int found = searches.compare() ? 1 : 0;
  for (int step = 1; step <= 97; ++step) {
    searches.move_to(step);
    if (step % 12 == 1) found += searches.compare() ? 1 : 0;
  }
  if (scene.name.starts_with("piston")) {
    EXPECT_EQ(found, 0) << "it touches walls";
    return;
  }
  EXPECT_EQ(found > 0, searches.have_formulas());
  if (scene.others.empty() && searches.have_formulas()) {
    EXPECT_EQ(found, 10);
  }
}

class BodySearch : public testing::TestWithParam<BodyScene> {};
INSTANTIATE_TEST_SUITE_P(Scenes, BodySearch, testing::ValuesIn(test::body_scenes()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

TEST_P(BodySearch, FindsTheLinksThatTheHostFinds) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  if (GetParam().dimension == 2) {
    compare_steps<core::D2Q9, core::Fp32>(GetParam());
    compare_steps<core::D2Q9, core::Fp64>(GetParam());
  } else {
    compare_steps<core::D3Q15, core::Fp32>(GetParam());
    compare_steps<core::D3Q19, core::Fp64>(GetParam());
    compare_steps<core::D3Q27, core::Fp64>(GetParam());
  }
}

/// Some boxes, balls and cylinders, together no longer than the box is wide; on every other one surfaces lie where
/// nodes do.
class DrawnScene {
 public:
  explicit DrawnScene(unsigned seed) : draws_(seed), is_even_(seed % 2 == 0) {}

  BodyScene draw(int dimension) {
    const bool flat = dimension == 2;
    const double x = number(0, 45), y = number(13, 14), z = number(0, 26);
    BodyScene scene;
    scene.name = "drawn";
    scene.dimension = dimension;
    scene.center = place(flat, x, y, z);
    const int parts = std::uniform_int_distribution(1, 4)(draws_);
    for (int k = 0; k < parts; ++k) {
      const double px = x + number(-2, 2), py = y + number(-2, 2), pz = z + number(-2, 2);
      const int kind = std::uniform_int_distribution(0, 2)(draws_);
      if (kind == 0)
        scene.shapes += test::shape("kind = \"box\"\ncenter = " + place(flat, px, py, pz) +
                                    "\nsize = " + place(flat, number(0.5, 6), number(0.5, 6), number(0.5, 6)));
      else if (kind == 1 || flat)
        scene.shapes += test::shape(
            fmt::format("kind = \"sphere\"\ncenter = {}\nradius = {:.17g}", place(flat, px, py, pz), number(0.5, 3.5)));
      else
        scene.shapes += test::shape(
            fmt::format("kind = \"cylinder\"\nfrom = {}\nto = {}\nradius = {:.17g}", place(flat, px, py, pz),
                        place(flat, px + number(0.5, 3), py + number(-3, 3), pz + number(-3, 3)), number(0.5, 2.5)));
    }
    scene.motion = flat ? fmt::format("angular_velocity = [0, 0, {:.17g}]", rate())
                        : fmt::format("angular_velocity = [{:.17g}, {:.17g}, {:.17g}]", rate(), rate(), rate());
    if (std::uniform_int_distribution(0, 1)(draws_) == 1)
      scene.others = fmt::format("[[geometry.shape]]\nname = \"post\"\nkind = \"box\"\ncenter = {}\nsize = {}\n",
                                 place(flat, 10, 13, 10), place(flat, 7, 9, 5));
    return scene;
  }
  std::int64_t step() { return std::uniform_int_distribution(0, 400)(draws_); }

 private:
  double number(double least, double most) {
    const double any = std::uniform_real_distribution(least, most)(draws_);
    return is_even_ ? std::ceil(2 * any) / 2 : any;
  }
  double rate() { return std::uniform_real_distribution(-0.008, 0.008)(draws_); }
  static std::string place(bool flat, double x, double y, double z) {
    return flat ? fmt::format("[{:.17g}, {:.17g}]", x, y) : fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x, y, z);
  }
  std::mt19937 draws_;
  bool is_even_;
};

/// At how many of three poses kernels find the links.
template <class Lattice, class Format>
int compare_drawn(unsigned seed) {
  DrawnScene drawn(seed);
  const BodyScene scene = drawn.draw(Lattice::D);
  SCOPED_TRACE(testing::Message() << seed << ' ' << Lattice::name << '\n' << test::scene_text(scene));
  Searches<Lattice, Format> searches(scene);
  int found = 0;
  for (const std::int64_t step : {std::int64_t{0}, drawn.step(), drawn.step()}) {
    searches.start_at(step);
    found += searches.compare() ? 1 : 0;
  }
  return found;
}

TEST(BodySearchOfDrawn, FindsLinksOfDrawnBodiesAtAnyPose) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  int found = 0;
  for (unsigned seed = 0; seed < 24 && !testing::Test::HasFailure(); ++seed) {
    found += compare_drawn<core::D2Q9, core::Fp64>(seed);
    found += compare_drawn<core::D3Q15, core::Fp64>(seed);
    found += compare_drawn<core::D3Q19, core::Fp32>(seed);
    found += compare_drawn<core::D3Q27, core::Fp64>(seed);
  }
  EXPECT_GT(found, 24 * 4 * 2) << "not near walls or each other in most cases";
}

}  // namespace
}  // namespace fluvia::cuda
