// SPDX-License-Identifier: Apache-2.0
// What a plan counts is what a solver then has.
#include <gtest/gtest.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/node_records.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/scenes.hpp"

namespace {

using scene::Scene;

TEST(Plan, CountsTheBoundariesThatASolverGets) {
  for (const std::string lattice : {"D2Q9", "D3Q19", "D3Q27"})
    for (const Scene& s : scene::all_scenes(lattice == "D2Q9" ? 2 : 3)) {
      SCOPED_TRACE(lattice + " " + s.name);
      scene::Options o;
      o.physics.lattice = lattice;
      const fluvia::Case c = scene::make_case(s, o);
      const fluvia::Geometry geometry = scene::make_geometry(s);
      const fluvia::BoundarySetup setup =
          fluvia::make_boundary_setup({c, scene::make_units(o.physics.tau), geometry}, lattice);
      const fluvia::BoundaryCount count =
          fluvia::count_boundaries({c, scene::make_units(o.physics.tau), geometry}, lattice);
      EXPECT_EQ(count.monitored_links,
                fluvia::measured_links(setup.links.at, setup.shared, setup.monitored, {0, geometry.nodes.tiles.size()})
                    .size());
      EXPECT_EQ(count.memory, fluvia::memory_size(setup, fluvia::node_records(setup)));
      // Each link of a spinning wall has its own velocity, but some of a node may agree.
      const std::size_t records = fluvia::node_records(setup).size();
      bool spins = false;
      for (const auto& b : c.boundaries) spins = spins || b.angular_velocity;
      // Links through an edge of the box may have another velocity than others of their node.
      const std::size_t edges = 4 * static_cast<std::size_t>(s.size[0] + s.size[1] + s.size[2]);
      EXPECT_LE(records, count.records + edges);
      if (!spins) {
        EXPECT_LE(count.records, records);
      }
    }
}

/// The plan of a 3D box, or the message why there is none.
std::string scheme_on(const std::string& scheme, int tile, const std::string& device) {
  const Scene s = scene::open_box({9, 8, 7});
  scene::Options o;
  o.physics.lattice = "D3Q19";
  o.scheme = scheme;
  o.tile = tile;
  try {
    const fluvia::Plan plan =
        fluvia::make_plan({scene::make_case(s, o), scene::make_units(o.physics.tau), scene::make_geometry(s)}, device);
    return plan.scheme_name() + ' ' + std::to_string(plan.tile) + ' ' + std::to_string(plan.threads);
  } catch (const fluvia::Error& error) {
    EXPECT_EQ(error.code(), fluvia::ExitCode::input);
    return error.what();
  }
}

TEST(Plan, RefusesSchemesWhereTheyDoNotRun) {
  EXPECT_EQ(scheme_on("serial", 0, "cuda"),
            "numerics.scheme: serial runs on one thread of a CPU only; use aos-push on a GPU");
  EXPECT_EQ(scheme_on("compact-sliding", 0, "cpu"),
            "numerics.scheme: compact-sliding runs on GPUs only; use compact-aa on a CPU");
  EXPECT_EQ(scheme_on("serial", 0, "cpu"), "serial 0 1");
}

/// Steps of a pass, how it rounds and why it has no more steps; or the message why there is no plan.
std::string passes_on(Scene s, int asked, const std::string& format = "fp32") {
  scene::Options o;
  o.physics.lattice = s.dimension == 3 ? "D3Q19" : "D2Q9";
  o.scheme = "fused";
  o.format = format;
  o.steps_per_pass = asked;
  try {
    const fluvia::Plan plan =
        fluvia::make_plan({scene::make_case(s, o), scene::make_units(o.physics.tau), scene::make_geometry(s)}, "cuda");
    return std::to_string(plan.steps_per_pass) + ' ' + fluvia::core::rounding_names[static_cast<int>(plan.rounding)] +
           (plan.pass_reason.empty() ? "" : ": " + plan.pass_reason);
  } catch (const fluvia::Error& error) {
    EXPECT_EQ(error.code(), fluvia::ExitCode::input);
    return error.what();
  }
}

TEST(Plan, SaysHowManyStepsAPassTakesAndWhyNoMore) {
  EXPECT_EQ(passes_on(scene::cavity({19, 18, 17}), 0), "2 nearest");
  EXPECT_EQ(passes_on(scene::cavity({19, 18, 17}), 3), "3 nearest");
  EXPECT_EQ(passes_on(scene::cavity({19, 18, 17}), 1, "fp16s"), "1 nearest");
  EXPECT_EQ(passes_on(scene::cavity({19, 18, 17}), 0, "fp16s"), "2 nearest");
  EXPECT_EQ(passes_on(scene::closed_box({90, 80, 1}), 8), "8 nearest");
  EXPECT_EQ(passes_on(scene::closed_box({90, 2, 1}), 0), "3 nearest: the box has 2 nodes along an axis");
  EXPECT_EQ(passes_on(scene::closed_box({90, 2, 1}), 4),
            "numerics.steps_per_pass: is 4, but the box has 2 nodes along an axis: at most 3 here; use 0, which takes "
            "what is possible, or scheme \"pull\"");
  EXPECT_EQ(passes_on(scene::channel({61, 45, 1}), 0), "4 nearest");
  EXPECT_EQ(passes_on(scene::channel({19, 18, 17}), 0), "2 nearest");
  EXPECT_EQ(passes_on(scene::changing(scene::quiet(scene::channel({61, 45, 1}), 5)), 0), "4 nearest");
}

/// Steps of a pass of a CPU, and why it has no more; or the message why there is no plan.
std::string passes_on_cpu(const Scene& s, int asked, const std::string& scheme, int parts = 1, int threads = 2,
                          const std::string& format = "fp32") {
  scene::Options o;
  o.physics.lattice = s.dimension == 3 ? "D3Q19" : "D2Q9";
  o.scheme = scheme;
  o.format = format;
  o.threads = threads;
  o.steps_per_pass = asked;
  try {
    const fluvia::Plan plan =
        fluvia::make_plan({scene::make_case(s, o), scene::make_units(o.physics.tau), scene::make_geometry(s)}, "cpu", 0,
                          {parts, fluvia::BlockPlace::ranks});
    return std::to_string(plan.steps_per_pass) + (plan.pass_reason.empty() ? "" : ": " + plan.pass_reason);
  } catch (const fluvia::Error& error) {
    EXPECT_EQ(error.code(), fluvia::ExitCode::input);
    return error.what();
  }
}

TEST(Plan, TakesSeveralStepsAPassOnACpuWhereThatIsFaster) {
  const Scene large = scene::closed_box({128, 128, 112});  // 134 MiB in fp32
  const std::string usual = fluvia::memory_nodes() == 1 ? "4" : "1";
  EXPECT_EQ(passes_on_cpu(large, 0, "aa"), usual);
  EXPECT_EQ(passes_on_cpu(large, 0, "aa", 1, 33), "1") << "too few rows for the threads";
  EXPECT_EQ(passes_on_cpu(large, 0, "aa", 1, 2, "fp16s"), "1");
  EXPECT_EQ(passes_on_cpu(large, 0, "compact-aa"), "1");
  EXPECT_EQ(passes_on_cpu(large, 0, "cm"), "1");
  EXPECT_EQ(passes_on_cpu(scene::closed_box({128, 128, 100}), 0, "aa"), "1") << "may fit into a cache";
  EXPECT_EQ(passes_on_cpu(large, 3, "compact-pull"), "3");
  EXPECT_EQ(passes_on_cpu(large, 0, "aa", 3), "4") << "whatever the machine of this rank is";
  EXPECT_EQ(passes_on_cpu(large, 0, "aa", 4), "2") << "halos would be a large share of parts";
  EXPECT_EQ(passes_on_cpu(large, 0, "aa", 5), "1");
  EXPECT_EQ(passes_on_cpu(scene::closed_box({2048, 1900, 1}), 0, "esoteric-pull"), usual == "4" ? "8" : "1");
}

TEST(Plan, ExpectsWhatSeveralStepsAPassOnACpuGain) {
  const Scene large = scene::closed_box({128, 128, 112});
  const auto share = [&](int steps) {
    scene::Options o;
    o.physics.lattice = "D3Q19";
    o.format = "fp32";
    o.scheme = "auto";
    o.threads = 2;
    o.steps_per_pass = steps;
    const fluvia::Plan plan = fluvia::make_plan(
        {scene::make_case(large, o), scene::make_units(o.physics.tau), scene::make_geometry(large)}, "cpu", 0);
    EXPECT_EQ(plan.scheme_name(), "aa");
    return plan.expected_fraction;
  };
  EXPECT_GT(share(1), 0);
  EXPECT_DOUBLE_EQ(share(0), share(1) * (fluvia::memory_nodes() == 1 ? 1.4 : 1));
}

TEST(Plan, TakesSingleStepsOnAGpuBesideWallFunctions) {
  Scene duct = scene::rough_duct({67, 13, 9});
  scene::Options o;
  o.physics.lattice = "D3Q19";
  o.scheme = "fused";
  const auto steps = [&](const char* device) {
    const fluvia::Plan plan = fluvia::make_plan(
        {scene::make_case(duct, o), scene::make_units(o.physics.tau), scene::make_geometry(duct)}, device, 1ull << 36);
    return plan.steps_per_pass;
  };
  EXPECT_EQ(steps("cuda"), 1);
  for (auto& condition : duct.conditions) condition.type = "wall";
  EXPECT_GT(steps("cuda"), 1);
}

TEST(Plan, TakesPassesOnAGpuByItselfWhereTheyWereMeasured) {
  const Scene large = scene::closed_box({256, 256, 64});  // 304 MiB in fp32
  const auto plan_of = [&](const Scene& s, const char* collision, const char* format = "fp32", int parts = 1,
                           int steps = 0) {
    scene::Options o;
    o.physics.lattice = "D3Q19";
    o.physics.collision = collision;
    o.format = format;
    o.scheme = "auto";
    o.device = "cuda";
    o.steps_per_pass = steps;
    return fluvia::make_plan({scene::make_case(s, o), scene::make_units(o.physics.tau), scene::make_geometry(s)},
                             "cuda", std::uint64_t{80} << 30, {parts, fluvia::BlockPlace::devices});
  };
  const auto chosen = [&](const auto&... of) {
    const fluvia::Plan plan = plan_of(of...);
    EXPECT_GT(plan.expected_fraction, 0);
    return plan.scheme_name() + " " + std::to_string(plan.steps_per_pass);
  };
  EXPECT_EQ(chosen(large, "bgk"), "fused 2");
  EXPECT_EQ(chosen(large, "trt", "fp64"), "fused 2");
  EXPECT_EQ(chosen(large, "mrt"), "aa 1") << "not measured";
  EXPECT_EQ(chosen(large, "bgk", "fp16s"), "aa 1");
  EXPECT_EQ(chosen(large, "bgk", "fp32", 2), "aa 1") << "parts take single steps";
  EXPECT_EQ(chosen(large, "bgk", "fp32", 1, 1), "aa 1") << "asked for";
  EXPECT_EQ(chosen(scene::closed_box({64, 64, 64}), "bgk"), "aa 1") << "in the second cache";
  EXPECT_EQ(chosen(scene::with_own_forces(large), "bgk"), "aa 1") << "forces of single nodes";
  Scene open = large;
  for (const char* opening : {"pressure", "non_reflecting"}) {
    open.conditions = {{fluvia::surface_id::x_max, opening}};
    EXPECT_EQ(chosen(open, "bgk"), "aa 1") << "openings that fit planes are slow in passes";
  }
  open.conditions = {{fluvia::surface_id::x_max, "half_slip"}};
  EXPECT_EQ(chosen(open, "bgk"), "fused 2") << "other conditions are not";
  EXPECT_LT(plan_of(open, "bgk").expected_fraction, 0.9 * plan_of(large, "bgk").expected_fraction);
}

TEST(Plan, SaysWhyAPassOnACpuHasOneStep) {
  const Scene s = scene::cavity({19, 18, 17});
  EXPECT_EQ(passes_on_cpu(s, 8, "esoteric-pull"), "8");
  EXPECT_EQ(passes_on_cpu(s, 3, "aa", 3), "3");
  const Scene open = scene::changing(scene::quiet(scene::channel({61, 45, 1}), 5));
  for (const int parts : {1, 3}) EXPECT_EQ(passes_on_cpu(open, 2, "aa", parts), "2") << parts;
  EXPECT_EQ(passes_on_cpu(scene::closed_box({64, 20, 1}), 2, "aa"), "2");
  EXPECT_EQ(
      passes_on_cpu(scene::closed_box({64, 20, 1}), 2, "compact-aa"),
      "numerics.steps_per_pass: is 2, but layers of single rows are stored together: at most 1 here; use 0, which "
      "takes what is possible");
  EXPECT_EQ(
      passes_on_cpu(s, 2, "cm"),
      "numerics.steps_per_pass: is 2, but cm takes one step at a time on a CPU: at most 1 here; use 0, which takes "
      "what is possible");
  EXPECT_EQ(passes_on_cpu(s, 1, "cm"), "1");
}

TEST(Plan, KnowsWhichSchemesHaveBlocksWithRows) {
  for (const char* scheme : {"pull", "aa", "soa-aa", "aos-push", "fia-fused", "fcc"})
    EXPECT_NO_THROW(fluvia::require_rows(fluvia::parse_scheme(scheme), 4)) << scheme;
  for (const char* scheme : {"compact-aa", "t2c", "ghost", "cm", "fia", "fused", "fcc-shared"}) {
    EXPECT_NO_THROW(fluvia::require_rows(fluvia::parse_scheme(scheme), 0)) << scheme;
    try {
      fluvia::require_rows(fluvia::parse_scheme(scheme), 4);
      ADD_FAILURE() << scheme;
    } catch (const fluvia::Error& error) {
      EXPECT_NE(std::string(error.what()).find("numerics.gpu_rows: has no meaning for scheme"), std::string::npos);
    }
  }
}

TEST(Plan, KnowsTheTilesOfASchemeOrSaysWhichThereAre) {
  EXPECT_EQ(scheme_on("t2c", 0, "cpu"), "t2c 4 1");
  EXPECT_EQ(scheme_on("tgb", 8, "cpu"), "tgb 8 1");
  EXPECT_EQ(scheme_on("t2c", 16, "cpu"),
            "numerics.tile: t2c has no tiles of 16 nodes along an edge in 3D; choose one of 4, 8");
  EXPECT_EQ(scheme_on("aa", 8, "cpu"), "numerics.tile: has no meaning for scheme 'aa', which has no tiles; remove it");
}

}  // namespace
