// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/choice.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fluvia/model/measured.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/scenes.hpp"

namespace fluvia::model {
namespace {

NodeMap spheres(int edge, double porosity) {
  Case c;
  c.domain.nodes = Int3{edge, edge, edge};
  c.geometry.generator = Case::Generator{.kind = "sphere_packing", .porosity = porosity, .diameter = 40};
  return build_geometry(c, make_grid(c)).nodes;
}

Situation situation(const std::string& device, const std::string& format, std::uint64_t memory = 0) {
  const std::string dimensioned = "D3Q19";
  return {device, dimensioned,
          format, format == "fp64" ? 8 : format == "fp32" ? 4 : 2,
          memory, [](const std::string& scheme) { return scheme.starts_with("fused") ? 0.0 : 1.0; }};
}

/// What was chosen before there was a model.
std::string rule_of_thumb(const std::string& device, const NodeMap& nodes) {
  if (nodes.porosity() >= 0.7) return "aa";
  return device == "cuda" ? "compact-sliding" : "compact-aa";
}

TEST(Choice, KeepsTheRuleOfThumbForShippedCasesOrExpectsATenthMore) {
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(FLUVIA_SOURCE_DIR) / "cases")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename());
    const Case c = read_case(entry.path());
    const NodeMap nodes = build_geometry(c, make_grid(c)).nodes;
    for (const std::string device : {"cpu", "cuda"}) {
      Situation s = situation(device, c.numerics.format, std::uint64_t{80} << 30);
      s.lattice = nodes.dimension == 2 ? "D2Q9" : "D3Q19";
      EXPECT_EQ(choose_scheme(s, nodes).scheme, rule_of_thumb(device, nodes)) << device;
    }
  }
}

NodeMap plane(int width, int height) {
  return NodeMap::build(2, {width, height, 1}, {false, false, true}, [](const Int3&) { return ~std::uint64_t{0}; });
}

TEST(Choice, TakesTwoCopiesOnAGpuWhereTheyWinAndFit) {
  const NodeMap large = plane(8192, 4096), small = plane(512, 512);
  const std::uint64_t copy = large.fluid_nodes * 9 * 2;
  const auto chosen = [](const std::string& format, std::uint64_t memory, const NodeMap& nodes) {
    Situation s = situation("cuda", format, memory);
    s.lattice = "D2Q9";
    return choose_scheme(s, nodes).scheme;
  };
  EXPECT_EQ(chosen("fp16s", 4 * copy, large), "pull");  // 93% against 84%
  Situation roomy = situation("cuda", "fp16s", 4 * copy);
  roomy.lattice = "D2Q9";
  const std::string reason = choose_scheme(roomy, large).reason;
  EXPECT_NE(reason.find("tile porosity 1"), std::string::npos) << reason;
  EXPECT_EQ(chosen("fp16s", 4 * copy - 2, large), "aa");
  EXPECT_EQ(chosen("fp16s", 0, large), "aa");
  EXPECT_EQ(chosen("fp32", 16 * copy, large), "aa");   // as fast, half the memory
  EXPECT_EQ(chosen("fp16s", 64 * copy, small), "aa");  // in the caches
}

/// On a CPU rows with solid nodes cost a dense box most of its speed; populations of 16 bits go through blocks anyway.
TEST(Choice, LeavesDenseBoxesOnACpuWhereAFewNodesAreSolid) {
  const auto chosen = [](const std::string& format, double porosity) {
    return choose_scheme(situation("cpu", format), spheres(128, porosity)).scheme;
  };
  EXPECT_EQ(chosen("fp32", 0.97), "aa");
  EXPECT_EQ(chosen("fp32", 0.88), "compact-aa");
  const std::string reason = choose_scheme(situation("cpu", "fp32"), spheres(128, 0.88)).reason;
  EXPECT_NE(reason.find("row porosity 0."), std::string::npos) << reason;
  EXPECT_EQ(chosen("fp64", 0.88), "aa");
  EXPECT_EQ(chosen("fp64", 0.75), "compact-aa");
  EXPECT_EQ(chosen("fp16s", 0.97), "compact-aa");
}

TEST(Choice, CountsWhatSeveralStepsAPassGain) {
  Situation s = situation("cpu", "fp32");
  s.gain = [](const std::string& scheme) { return scheme == "aa" ? 1.4 : 1.0; };
  EXPECT_EQ(choose_scheme(s, spheres(128, 0.88)).scheme, "aa");
  EXPECT_EQ(choose_scheme(s, spheres(128, 0.72)).scheme, "compact-aa");
  const NodeMap full = NodeMap::build(3, {64, 64, 64}, {false, false, false}, [](const Int3&) { return ~0ULL; });
  EXPECT_DOUBLE_EQ(expected_fraction(s, "aa", 1, full),
                   1.4 * expected_fraction(situation("cpu", "fp32"), "aa", 1, full));
}

TEST(Choice, TakesPassesOnAGpuWhereTheyCanBeHadAndMemoryAllows) {
  const NodeMap large = NodeMap::build(3, {256, 256, 64}, {false, false, false}, [](const Int3&) { return ~0ULL; });
  const std::uint64_t copy = large.fluid_nodes * 19 * 4;
  Situation s = situation("cuda", "fp32", 4 * copy);
  EXPECT_EQ(choose_scheme(s, large).scheme, "aa");
  s.gain = {};
  EXPECT_EQ(choose_scheme(s, large).scheme, "fused");
  s.device_memory = 3 * copy;
  EXPECT_EQ(choose_scheme(s, large).scheme, "fused-sliding");
  s.device_memory = 2 * copy - 1;
  EXPECT_EQ(choose_scheme(s, large).scheme, "aa");
}

/// One copy of fluid nodes needs no memory to spare: 88% against 91%, less what reading a quarter of solid nodes costs.
TEST(Choice, TakesCompactStorageOfFewSolidTilesOnASmallGpu) {
  const NodeMap nodes = NodeMap::build(3, {64, 64, 64}, {false, false, false}, [](const Int3& tile) {
    return tile[0] < 4 ? std::uint64_t{0} : ~std::uint64_t{0};
  });
  EXPECT_EQ(choose_scheme(situation("cuda", "fp32"), nodes).scheme, "compact-sliding");
}

TEST(Choice, GoesBySchemesThatWereMeasuredInTheDimension) {
  // In 2D compact storage was not measured on a GPU.
  const auto porous = NodeMap::build(2, {8192, 4096, 1}, {false, false, true}, [](const Int3& tile) {
    return tile[0] % 16 == 0 ? std::uint64_t{0} : ~std::uint64_t{0};
  });
  Situation s = situation("cuda", "fp16s", std::uint64_t{80} << 30);
  s.lattice = "D2Q9";
  EXPECT_EQ(choose_scheme(s, porous).scheme, "pull");
}

TEST(Choice, FollowsWhatWasMeasuredOfSpheres) {
  const NodeMap half = spheres(128, 0.5), most = spheres(128, 0.75), nearly = spheres(128, 0.95);
  for (const std::string format : {"fp32", "fp64", "fp16s", "fp16c"}) {
    EXPECT_EQ(choose_scheme(situation("cpu", format), half).scheme, "compact-aa") << format;
    EXPECT_EQ(choose_scheme(situation("cuda", format), half).scheme, "compact-sliding") << format;
  }
  EXPECT_EQ(choose_scheme(situation("cpu", "fp32"), most).scheme, "compact-aa");  // 1.2 times as fast as the plain box
  EXPECT_EQ(choose_scheme(situation("cpu", "fp32"), nearly).scheme, "aa");
}

TEST(Choice, SaysWhyInOneLine) {
  for (const std::string device : {"cpu", "cuda"})
    for (const double porosity : {0.5, 0.75}) {
      const NodeMap nodes = spheres(96, porosity);
      const Choice choice = choose_scheme(situation(device, "fp32"), nodes);
      EXPECT_EQ(choice.reason.find("scheme " + choice.scheme + ": "), 0u) << choice.reason;
      EXPECT_EQ(choice.reason.find('\n'), std::string::npos);
      EXPECT_NE(choice.reason.find("% of the roofline"), std::string::npos) << choice.reason;
    }
}

TEST(Choice, IsRespectedByPlansOnlyIfTheCaseSaysAuto) {
  const scene::Scene s = scene::porous({20, 24, 28});
  const Geometry geometry = scene::make_geometry(s);
  reference::Physics physics;
  physics.lattice = "D3Q19";
  for (const std::string scheme : {"pull", "compact-pull", "esoteric-pull", "auto"}) {
    const Case c = scene::make_case(s, {physics, scheme, "fp32", 1, "cpu"});
    const Plan plan = make_plan({c, scene::make_units(0.6), geometry});
    EXPECT_EQ(plan.scheme_name(), scheme == "auto" ? rule_of_thumb("cpu", geometry.nodes) : scheme);
    EXPECT_EQ(plan.reason.empty(), scheme != "auto");
    EXPECT_GT(plan.expected_fraction, 0);
  }
}

TEST(Choice, IsOneOfTheSchemesToChooseFrom) {
  for (const std::string device : {"cpu", "cuda"})
    for (const std::string format : {"fp32", "fp64", "fp16s"})
      for (const double porosity : {0.5, 0.75, 0.95}) {
        const NodeMap nodes = spheres(96, porosity);
        const Situation s = situation(device, format, std::uint64_t{80} << 30);
        const std::vector<Expectation> all = schemes_to_choose_from(s, nodes);
        const std::string chosen = choose_scheme(s, nodes).scheme;
        EXPECT_EQ(all.front().scheme, rule_of_thumb(device, nodes));
        std::size_t matches = 0;
        for (const Expectation& e : all) {
          matches += e.scheme == chosen;
          EXPECT_EQ(e.fraction, expected_fraction(s, e.scheme, fill_of(device, nodes), nodes));
          EXPECT_TRUE(nodes.porosity() >= 0.7 || parse_scheme(e.scheme).is_compact()) << e.scheme;
          EXPECT_EQ(parse_scheme(e.scheme).copies, 1) << "in caches";
        }
        EXPECT_EQ(matches, 1u) << chosen;
      }
}

TEST(MeasuredFractions, AreFractionsOfSchemesThatExist) {
  std::string last;
  double fill = 2;
  for (const MeasuredFraction& row : measured_fractions()) {
    EXPECT_NO_THROW((void)parse_scheme(std::string(row.scheme)));
    EXPECT_GT(row.fraction, 0.02);
    EXPECT_LT(row.fraction, parse_scheme(std::string(row.scheme)).is_fused() ? 3 : 1);  // of single steps
    // Interpolation wants rows of a kind together, by falling fill.
    const std::string kind = fmt::format("{} {} {} {}", row.device, row.scheme, row.format, row.dimension);
    EXPECT_TRUE(kind != last || row.fill < fill) << kind;
    last = kind;
    fill = row.fill;
  }
}

/// A fraction of full rows says nothing of sparse ones on a CPU, whose dense boxes take each segment that holds fluid.
TEST(MeasuredFractions, OfACpuReachFromFullRowsToSparseOnes) {
  for (const char* scheme : {"pull", "aa", "compact-pull", "compact-aa"}) {
    const double full = measured_fraction("cpu", scheme, "fp32", 3, 1),
                 sparse = measured_fraction("cpu", scheme, "fp32", 3, 0.3);
    EXPECT_LT(sparse, 0.6 * full) << scheme;
  }
}

TEST(MeasuredFractions, AreInterpolated) {
  EXPECT_DOUBLE_EQ(measured_fraction("cpu", "compact-aa", "fp32", 3, 1), 0.60);
  EXPECT_DOUBLE_EQ(measured_fraction("cpu", "compact-aa", "fp32", 3, 0.96), 0.58);
  EXPECT_DOUBLE_EQ(measured_fraction("cpu", "compact-aa", "fp32", 3, 0.1), 0.29);  // the last
  EXPECT_DOUBLE_EQ(measured_fraction("cuda", "compact-sliding", "fp16c", 2, 1), 0.744);
  EXPECT_EQ(measured_fraction("cpu", "no such scheme", "fp32", 3, 1), 0);
}

}  // namespace
}  // namespace fluvia::model
