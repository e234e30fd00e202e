// SPDX-License-Identifier: Apache-2.0
// Moments on several GPUs: parts hand over all that nodes of a halo keep, as deep as a pass, and have the bits of one
// GPU, whatever the number of parts, in which order they are and how messages travel.
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/fake_driver/compare_parts.hpp"

namespace fluvia::cuda {
namespace {

constexpr int number_of_scheme(core::Stepping stepping) {
  int k = 0;
  while (core::schemes[k].stepping != stepping) ++k;
  return k;
}
using Schemes = testing::Types<std::integral_constant<int, number_of_scheme(core::Stepping::moments)>,
                               std::integral_constant<int, number_of_scheme(core::Stepping::sliding_moments)>>;

template <class Number>
class MomentParts : public testing::Test {};
TYPED_TEST_SUITE(MomentParts, Schemes, SchemeName);

/// Kernels with as many steps and as wide tiles of columns as the solver takes in the plane.
template <class Base>
struct InPlane : WithTile<Base, 120, 1> {
  static constexpr int steps = 4;
};

/// The scene with a force, which the kernels here have.
scene::Scene with_force(scene::Scene s) {
  if (norm(s.force) == 0) s.force = {1e-4, 2e-4, 0};
  return s;
}

/// On these devices, what one GPU gives.
template <class Spec>
void compare_in_plane(const scene::Scene& s, const std::vector<std::string>& devices) {
  compare<InPlane<Spec>>(with_force(s), devices);
}

/// Cut where rows of tiles begin and inside of them, with planes of symmetry, across a periodic end, with openings that
/// keep numbers and change.
TYPED_TEST(MomentParts, HaveTheBitsOfOneGpuInTwoDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, TypeParam::value, 0, core::Fp64, false>;
  const test::Folder folder;
  compare_in_plane<Spec>(scene::channel({37, 41, 1}), {"cuda:1,0,2,2,1", by_peers});
  compare_in_plane<Spec>(scene::slippery({21, 43, 1}), {"cuda:all", by_host});
  compare_in_plane<Spec>(scene::open_box({35, 40, 1}), {"cuda:0,1", apart + "cuda:0,1,2"});
  compare_in_plane<Spec>(scene::quiet(scene::pulsating_channel({39, 43, 1}, folder / "flow.csv"), 4.5), {"cuda:0,1,2"});
}

TEST(MomentPartsInSpace, HaveTheBitsOfOneGpu) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D3Q19, number_of_scheme(core::Stepping::moments), 0, core::Fp32, false>;
  compare<WithTile<Spec, 32, 6>>(with_force(scene::channel({13, 7, 17})), {"cuda:0,1,2", by_host});
}

/// What walls between the nodes return crosses, too.
TYPED_TEST(MomentParts, HandOverWhatWallsReturn) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, TypeParam::value, 0, core::Fp64, false, false, core::WallRule::interpolated>;
  compare_in_plane<Spec>(scene::between_nodes(scene::porous({37, 44, 1}), false), {"cuda:0,1,2", by_host, by_peers});
}

/// Random bits are those of the node's place in the whole box, in its halo as well.
TYPED_TEST(MomentParts, RoundAtRandomAsOneGpuDoes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, TypeParam::value, 0, core::Fp16C, false, true>;
  compare_in_plane<Spec>(scene::open_box({35, 40, 1}), {"cuda:0,1,2", by_host});
}

TYPED_TEST(MomentParts, HaveTheBitsOfOneGpuInRecordedSteps) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = InPlane<emulation::Spec<core::D2Q9, TypeParam::value, 0, core::Fp64, false>>;
  compare_recorded<Spec>(scene::channel({37, 41, 1}), {"cuda:0,1,2"});
}

TYPED_TEST(MomentParts, BeginAsOneGpuDoes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = InPlane<emulation::Spec<core::D2Q9, TypeParam::value, 0, core::Fp64, false>>;
  compare_begun<Spec>(with_force(scene::porous({37, 90, 1})), {"cuda:0,1,2"}, {0.03, -0.02, 0});
}

/// Planes of symmetry do not make parts take single steps, and the host has what waits for the first one.
TYPED_TEST(MomentParts, ArePlanned) {
  using Spec = InPlane<emulation::Spec<core::D2Q9, TypeParam::value, 0, core::Fp64, false>>;
  const ManyGpus<Spec> gpus;
  const scene::Scene s = with_force(scene::slippery({21, 403, 1}));
  const Units units = scene::make_units(reference::Physics().tau);
  const Geometry geometry = scene::make_geometry(s);
  const auto plan_on = [&](const char* device) { return plan_case({case_of<Spec>(s, device), units, geometry}); };
  const Plan whole = plan_on("cuda"), parts = plan_on("cuda:0,1,2");
  EXPECT_EQ(parts.refusal, "");
  EXPECT_EQ(parts.domain.blocks, 3);
  EXPECT_EQ(parts.steps_per_pass, Spec::steps);
  EXPECT_EQ(parts.beginning_bytes > 0, Spec::scheme.steps_in_order());
  EXPECT_LE(3 * parts.beginning_bytes, 2 * whole.beginning_bytes) << "a third, and its halo";
}

}  // namespace
}  // namespace fluvia::cuda
