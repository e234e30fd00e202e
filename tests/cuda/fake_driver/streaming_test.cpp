// SPDX-License-Identifier: Apache-2.0
// Plans of domains that are streamed through a GPU, and what bench says of them, on the fake driver. The bits of such
// domains are compared in parts_test.cpp.
#include <gtest/gtest.h>

#include <fstream>
#include <utility>

#include "cuda/fake_driver/many_gpus.hpp"
#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/bench/bench.hpp"
#include "fluvia/bench/report.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/cuda/solver/out_of_core/prepared_blocks.hpp"
#include "support/covering.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

/// A case whose pull kernels are those of ManyGpus, limited to what the domain takes less a share of its
/// populations.
Case case_within(const scene::Scene& s, double share) {
  reference::Physics physics;
  physics.lattice = "D2Q9";
  Case c = scene::make_case(s, {physics, "pull", "fp64", 1, "cuda"});
  c.numerics.gpu_threads = 64;
  const Plan whole = plan_case({c, scene::make_units(physics.tau), scene::make_geometry(s)});
  EXPECT_FALSE(whole.domain.is_streamed());
  EXPECT_EQ(whole.transfer_bytes, 0U);
  c.numerics.memory_limit =
      (static_cast<double>(whole.total_bytes()) - share * static_cast<double>(whole.population_bytes)) / 1048576;
  return c;
}

TEST(Streaming, AreTakenByAsFewPartsAsFit) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const ManyGpus<emulation::Spec<core::D2Q9, 0, 0, core::Fp64, false>> gpus;
  scene::Scene s = scene::without_mirrors(scene::porous({120, 404, 1}));
  s.force = {1e-4, 2e-4, 0};  // the kernels here have one
  const Units units = scene::make_units(1);
  const Geometry geometry = scene::make_geometry(s);
  const auto whole = fluvia::make_solver({case_within(s, 0), units, geometry});
  scene::initialise(*whole, s);
  whole->step(5);
  int before = 1;
  for (const double share : {0.1, 0.3, 0.5}) {
    const Case c = case_within(s, share);
    const auto limit = static_cast<std::uint64_t>(c.numerics.memory_limit * 1048576);
    const Plan plan = plan_case({c, units, geometry});
    EXPECT_EQ(plan.refusal, "");
    EXPECT_GT(plan.domain.blocks, before);
    before = plan.domain.blocks;
    EXPECT_LE(plan.total_bytes(), limit);
    EXPECT_GT(prepare_blocks({c, units, geometry}, plan, plan.domain.blocks - 1).total_bytes(), limit);
    // One copy of each node, whatever the parts, goes and comes back.
    EXPECT_EQ(plan.host_bytes, 120U * 404 * 9 * sizeof(double));
    EXPECT_EQ(plan.transfer_bytes, 2 * plan.host_bytes);
    const std::size_t free = Device().free_bytes();
    const auto split = fluvia::make_solver({c, units, geometry});
    EXPECT_EQ(free - Device().free_bytes(), plan.total_bytes());
    EXPECT_EQ(split->plan().domain.blocks, plan.domain.blocks);
    EXPECT_EQ(split->plan().domain.place, BlockPlace::streamed);
    scene::initialise(*split, s);
    split->step(5);
    EXPECT_TRUE(scene::save(*whole, 9, 8) == scene::save(*split, 9, 8));
  }
}

/// What is estimated of numbers of parts that were not prepared must not end the search too early.
TEST(Streaming, AreFoundForEverySchemeWhereTheyFit) {
  // Openings would keep as much as populations take of a box so narrow.
  const scene::Scene s = scene::cavity({37, 13, 495});
  const Geometry geometry = scene::make_geometry(s);
  std::vector<std::string> schemes;
  for (const core::Scheme& scheme : core::schemes)
    if (is_splittable(scheme)) schemes.emplace_back(scheme.name);
  for (const auto& [scheme, format, share] : test::covering(
           test::all_allowed, schemes, std::vector<std::string>{"fp64", "fp16s"}, std::vector<double>{0.1, 0.2, 0.3})) {
    SCOPED_TRACE(testing::Message() << scheme << ' ' << format << ' ' << share);
    reference::Physics physics;
    physics.lattice = "D3Q19";
    Case c = scene::make_case(s, {physics, scheme, format, 1, "cuda"});
    const Units units = scene::make_units(physics.tau);
    const Plan whole = plan_case({c, units, geometry});
    c.numerics.memory_limit =
        (static_cast<double>(whole.total_bytes()) - share * static_cast<double>(whole.population_bytes)) / 1048576;
    const Plan plan = plan_case({c, units, geometry});
    EXPECT_EQ(plan.refusal, "");
    EXPECT_GT(plan.domain.blocks, 1);
  }
}

TEST(Streaming, AreMeasuredWithTheirShareOfTheLink) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const ManyGpus<emulation::Spec<core::D2Q9, 0, 0, core::Fp64, false>> gpus;
  BenchSettings settings;
  settings.lattices = {"D2Q9"};
  settings.schemes = {"pull"};
  settings.formats = {"fp64"};
  settings.threads = {0};
  settings.gpu_threads = {64};
  settings.device = "cuda";
  settings.plane = 256;
  settings.seconds = 1e-6;
  settings.memory_limit_mib = 7;
  BenchReport report = run_bench(settings, {}, {});
  ASSERT_EQ(report.rows.size(), 1U);
  const BenchRow& row = report.rows.front();
  EXPECT_GT(row.mlups, 0);
  EXPECT_GT(row.blocks, 3);
  EXPECT_EQ(row.transfer_mib, 256 * 256 * 9 * 8 / 1048576.0);
  const double rate = row.transfer_mib * 1048576 / (1e-3 * row.step_ms);
  EXPECT_NEAR(row.link_fraction, rate / report.link_one_way, 1e-9);
  EXPECT_NEAR(row.both_ways_fraction, rate / report.link_both_ways, 1e-9);
  EXPECT_CONTAINS(bench_line(row), " blocks, 4.5 MiB each way, ");
  EXPECT_CONTAINS(bench_markdown(report), "Link to host memory: ");
  const test::Folder folder;
  std::ofstream(folder / "rows.json") << bench_json(report);
  const BenchReport read = read_bench_json(folder / "rows.json");
  EXPECT_EQ(read.link_one_way, report.link_one_way);
  EXPECT_EQ(read.link_both_ways, report.link_both_ways);
  EXPECT_EQ(read.rows.front().blocks, row.blocks);
  EXPECT_EQ(read.rows.front().link_fraction, row.link_fraction);
  EXPECT_EQ(read.rows.front().both_ways_fraction, row.both_ways_fraction);
  int again = 0;
  run_bench(settings, read, [&](const BenchReport&) { ++again; });
  EXPECT_EQ(again, 0) << "it was known";
}

/// The serial run that a GPU's speed is a multiple of, by one thread and the bandwidth of one.
TEST(RowsOfACpu, AreMeasuredBesideThoseOfAGpu) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const ManyGpus<emulation::Spec<core::D2Q9, 0, 0, core::Fp64, false>> gpus;
  BenchRow row;
  row.lattice = "D2Q9";
  row.format = "fp64";
  row.device = "cuda";
  row.threads = 0;
  row.gpu_threads = 64;
  row.size = 32;
  row.nodes = {32, 32, 1};
  BenchRow serial = row;
  serial.scheme = "serial";
  serial.device = "cpu";
  serial.threads = 1;
  serial.gpu_threads = 0;
  BenchSettings settings;
  settings.device = "cuda";
  settings.seconds = 1e-6;
  settings.rows = {row, serial};
  const BenchReport report = run_bench(settings, {}, {});
  ASSERT_EQ(report.rows.size(), 2U);
  for (const BenchRow& measured : report.rows) EXPECT_GT(measured.mlups, 0) << measured.scheme;
  ASSERT_EQ(report.bandwidth.size(), 2U);
  EXPECT_EQ(report.bandwidth[0].first, 0);
  EXPECT_EQ(report.bandwidth[1].first, 1);
  EXPECT_CONTAINS(bench_line(report.rows[1]), "1 threads");
}

TEST(Streaming, AreRefusedWhereWhatStaysDoesNotFit) {
  const scene::Scene s = scene::channel({37, 205, 1});
  Case c = case_within(s, 0.95);
  const Plan plan = plan_case({c, scene::make_units(1), scene::make_geometry(s)});
  EXPECT_CONTAINS(plan.refusal, "blocks of the domain are streamed through it");
  EXPECT_CONTAINS(plan.refusal, "but it may take 0.");
  EXPECT_CONTAINS(test::error_of(ExitCode::resource,
                                 [&] {
                                   fluvia::make_solver({c, scene::make_units(1), scene::make_geometry(s)});
                                 }),
                  plan.refusal);
  c.numerics.device = "cuda:0,0";  // blocks side by side are not streamed besides
  EXPECT_CONTAINS(plan_case({c, scene::make_units(1), scene::make_geometry(s)}).refusal, "block 0 of the domain needs");
}

TEST(Streaming, AreOfWholeLayersOfTiles) {
  for (const scene::Scene& s : {scene::porous({21, 5, 64}), scene::channel({37, 41, 1}), scene::porous({40, 56, 1})})
    for (const char* name : {"aa", "compact-aa"}) {
      const NodeMap nodes = scene::make_geometry(s).nodes;
      const int axis = nodes.dimension - 1, most = most_blocks_of(nodes, parse_scheme(name));
      EXPECT_EQ(most, nodes.tiles_in_box[axis]);
      for (int parts = 2; parts <= most; ++parts) {
        const std::vector<std::uint64_t> cuts = cut_layers(nodes, parse_scheme(name), parts);
        ASSERT_EQ(cuts.size(), static_cast<std::size_t>(parts) + 1);
        EXPECT_EQ(cuts.front(), 0U);
        EXPECT_EQ(cuts.back(), nodes.tiles.size());
        for (int k = 1; k < parts; ++k) {
          const std::uint64_t cut = cuts[static_cast<std::size_t>(k)];
          EXPECT_GT(cut, cuts[static_cast<std::size_t>(k) - 1]);
          EXPECT_GT(nodes.tiles[cut].position[axis], nodes.tiles[cut - 1].position[axis]);
        }
      }
    }
}

}  // namespace
}  // namespace fluvia::cuda
