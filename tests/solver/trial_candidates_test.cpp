// SPDX-License-Identifier: Apache-2.0
// What a trial compares: what the model expects to be about as fast, all with the same bits.
#include "fluvia/solver/plan/trial_candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fluvia/base/machine/memory.hpp"
#include "reference/scenes.hpp"

namespace {

using scene::Options;
using scene::Scene;

constexpr std::uint64_t gpu_memory = std::uint64_t{80} << 30;

/// With 134 MiB in fp32; and the same with a wall of so many columns across the rows.
Scene large_box(int columns = 0) {
  Scene s = scene::closed_box({128, 128, 112});
  s.solid = [columns](const fluvia::Int3& x) { return x[0] >= 40 && x[0] < 40 + columns; };
  return s;
}

struct Tried {
  fluvia::Plan plan;
  std::vector<fluvia::TrialCandidate> candidates;
  [[nodiscard]] std::string text() const {
    std::string names;
    for (const auto& candidate : candidates)
      names += (names.empty() ? "" : " ") + candidate.scheme + "/" + std::to_string(candidate.steps_per_pass);
    return names;
  }
};

Tried tried(const Scene& s, const Options& o, int parts = 1) {
  const fluvia::Case c = scene::make_case(s, o);
  const fluvia::Geometry geometry = scene::make_geometry(s);
  const std::uint64_t memory = o.device == "cuda" ? gpu_memory : 0;
  Tried result{fluvia::make_plan({c, scene::make_units(o.physics.tau), geometry}, o.device, memory,
                                 {parts, fluvia::BlockPlace::devices}),
               {}};
  result.candidates = fluvia::trial_candidates(c, geometry.nodes, result.plan, memory);
  return result;
}

Options options(const std::string& device, const std::string& format = "fp32", const std::string& scheme = "auto",
                int steps = 0) {
  Options o;
  o.physics.lattice = "D3Q19";
  o.physics.collision = "bgk";
  o.format = format;
  o.scheme = scheme;
  o.device = device;
  o.threads = 2;
  o.steps_per_pass = steps;
  return o;
}

bool one_memory() {
  return fluvia::memory_nodes() == 1;
}

TEST(TrialCandidates, AreStepsAPassOfFullBoxes) {
  EXPECT_EQ(tried(large_box(), options("cpu")).text(), one_memory() ? "aa/4 aa/8 aa/1" : "aa/1 aa/4");
  EXPECT_EQ(tried(large_box(), options("cpu", "fp64")).text(), one_memory() ? "aa/4 aa/8 aa/1" : "aa/1 aa/4");
  EXPECT_EQ(tried(large_box(), options("cpu", "fp32", "pull")).text(),
            one_memory() ? "pull/4 pull/8 pull/1" : "pull/1 pull/4");
  EXPECT_EQ(tried(large_box(), options("cpu", "fp32", "compact-aa")).text(), "compact-aa/1 compact-aa/4");
  EXPECT_EQ(tried(large_box(), options("cuda")).text(), "aa/1 compact-sliding/1");
  EXPECT_EQ(tried(scene::closed_box({256, 256, 64}), options("cuda")).text(), "fused/2 fused/3 fused-sliding/2");
  EXPECT_EQ(tried(large_box(), options("cuda", "fp32", "fused")).text(), "fused/2 fused/3");
}

TEST(TrialCandidates, AreSchemesWhereRowsAreNotFull) {
  const std::string text = tried(large_box(12), options("cpu")).text();
  EXPECT_NE(text.find("compact-aa/1"), std::string::npos) << text;
  EXPECT_NE(text.find(" aa/"), std::string::npos) << text;
}

TEST(TrialCandidates, AreWhatTheCaseLeavesOpen) {
  EXPECT_EQ(tried(large_box(), options("cpu", "fp32", "aa", 4)).text(), "aa/4");
  EXPECT_EQ(tried(large_box(), options("cpu", "fp32", "cm")).text(), "cm/1");
  for (const auto& candidate : tried(large_box(12), options("cpu", "fp32", "auto", 2)).candidates)
    EXPECT_EQ(candidate.steps_per_pass, 2) << candidate.scheme;
  EXPECT_EQ(tried(scene::closed_box({64, 64, 64}), options("cpu")).text(), "aa/1") << "in caches";
}

/// Passes of 16 bits round less often than steps: a choice by speed would be one between results.
TEST(TrialCandidates, HaveTheSameBits) {
  EXPECT_EQ(tried(large_box(), options("cuda", "fp16s")).candidates.size(), 1u);
  EXPECT_EQ(tried(large_box(), options("cuda", "fp16c", "fused")).candidates.size(), 1u);
  EXPECT_GT(tried(large_box(12), options("cpu", "fp16s")).candidates.size(), 1u) << "every step rounds on a CPU";
}

TEST(TrialCandidates, AreOneForDomainsInParts) {
  EXPECT_EQ(tried(large_box(12), options("cpu"), 2).candidates.size(), 1u);
  EXPECT_EQ(tried(large_box(), options("cuda", "fp32", "fused"), 2).candidates.size(), 1u);
}

/// Which passes take.
TEST(TrialCandidates, AreNoFewerWhereValuesChangeBeforeEachStep) {
  Scene s = scene::channel({128, 128, 112});
  fluvia::Case c = scene::make_case(s, options("cpu"));
  const fluvia::Geometry geometry = scene::make_geometry(s);
  const auto count = [&] {
    const fluvia::Plan plan = fluvia::make_plan({c, scene::make_units(0.8), geometry});
    return fluvia::trial_candidates(c, geometry.nodes, plan, 0).size();
  };
  const std::size_t constant = count();
  EXPECT_GT(constant, 1u);
  c.boundaries.front().series = "a file";
  EXPECT_EQ(count(), constant);
}

/// Each runs, is expected to come near to the best, and there are but a few.
TEST(TrialCandidates, AreFewAndPromising) {
  for (const char* device : {"cpu", "cuda"})
    for (const char* format : {"fp64", "fp32", "fp16s"})
      for (const int columns : {0, 4, 12, 24, 50, 90})
        for (const char* scheme : {"auto", "pull", "compact-aa"}) {
          const Scene s = large_box(columns);
          const Tried t = tried(s, options(device, format, scheme));
          SCOPED_TRACE(testing::Message()
                       << device << ' ' << format << ' ' << columns << ' ' << scheme << ": " << t.text());
          ASSERT_GE(t.candidates.size(), 1u);
          EXPECT_LE(t.candidates.size(), fluvia::most_candidates);
          EXPECT_EQ(t.candidates.front().scheme, t.plan.scheme_name());
          EXPECT_EQ(t.candidates.front().steps_per_pass, t.plan.steps_per_pass);
          double best = 0;
          for (const auto& candidate : t.candidates) best = std::max(best, candidate.fraction);
          for (const auto& candidate : t.candidates) {
            EXPECT_TRUE(&candidate == &t.candidates.front() || candidate.fraction >= fluvia::candidate_fraction * best);
            const Options o = options(device, format, candidate.scheme, candidate.steps_per_pass);
            const fluvia::Plan plan =
                fluvia::make_plan({scene::make_case(s, o), scene::make_units(o.physics.tau), scene::make_geometry(s)},
                                  device, gpu_memory);
            EXPECT_EQ(plan.steps_per_pass, candidate.steps_per_pass);
          }
        }
}

}  // namespace
