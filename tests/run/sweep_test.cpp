// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/sweep.hpp"

#include <gtest/gtest.h>

#include "fluvia/base/error.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

const std::string swept_cavity = R"(title = "Sweep"
[units]
system = "lattice"
viscosity = 0.02
reference_velocity = 0.05
reference_length = 12
[domain]
dimension = 2
nodes = [12, 12]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.05, 0.0]
[numerics]
device = "cpu"
threads = 1
[run]
steps = 40
check_every = 10
[monitor]
every = 10
[output]
vtk = "none"
)";

Case read(const std::vector<std::string>& settings) {
  return parse_case(swept_cavity, "sweep.toml", settings);
}

std::string refusal_of_sweep(const std::vector<Variation>& variations,
                             const std::filesystem::path& folder = "nowhere") {
  try {
    const Sweep sweep(variations, read, folder, "");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SweepVariation, SplitsAtCommasOutsideOfBracketsAndQuotes) {
  const Variation v = parse_variation("domain.nodes = [8, 8] , [16,16],'a,b',{x=[1,2],y=3}, \"c,d\"");
  EXPECT_EQ(v.key, "domain.nodes");
  EXPECT_EQ(v.values, (std::vector<std::string>{"[8, 8]", "[16,16]", "'a,b'", "{x=[1,2],y=3}", "\"c,d\""}));
  EXPECT_EQ(parse_variation("a=1").values, std::vector<std::string>{"1"});
  for (const char* wrong : {"", "a", "=1", " =1", "a=", "a=1,", "a=1,,2", "a=1,2,1"}) {
    try {
      parse_variation(wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage) << wrong;
      EXPECT_EQ(std::string(error.what()).find(std::string("--vary ") + wrong), 0u) << error.what();
    }
  }
}

TEST(Sweep, TakesAllCombinationsTheLastKeyFastest) {
  const Sweep sweep({{"units.viscosity", {"0.02", "0.03"}}, {"domain.nodes", {"[8, 8]", "[9,9]", "[10,9]"}}}, read, "x",
                    "");
  ASSERT_EQ(sweep.runs().size(), 6u);
  EXPECT_EQ(sweep.runs()[1].name, "viscosity=0.02,nodes=_9_9_");
  EXPECT_EQ(sweep.runs()[4].values, (std::vector<std::string>{"0.03", "[9,9]"}));
  EXPECT_EQ(sweep.runs()[5].c.domain.nodes, (Int3{10, 9, 1}));
  EXPECT_DOUBLE_EQ(sweep.runs()[5].c.units.viscosity.value_or(0), 0.03);
}

TEST(Sweep, RefusesBeforeAnythingRuns) {
  EXPECT_EQ(refusal_of_sweep({{"units.viscosity", {"0.02", "-1"}}}).find("with units.viscosity=-1: "), 0u);
  EXPECT_NE(refusal_of_sweep({{"units.viscosity", {"0.02"}}, {"units.viscosity", {"0.03"}}}).find("is varied twice"),
            std::string::npos);
  std::vector<std::string> many;
  for (int k = 0; k < 101; ++k) many.push_back(std::to_string(k + 1));
  EXPECT_NE(refusal_of_sweep({{"run.steps", many}, {"run.check_every", many}}).find("more than 10000 combinations"),
            std::string::npos);
  const Folder folder;
  for (const char* text : {"", "[]", "{\"runs\": [{}]}", "{\"runs\": [{\"folder\": 3, \"identity\": 4}]}"}) {
    write_text(folder / "sweep.json", text);
    const std::string message = refusal_of_sweep({{"units.viscosity", {"0.02"}}}, folder.string());
    if (std::string(text).find('3') == std::string::npos) {
      EXPECT_NE(message.find("sweep.json: is no sweep.json of Fluvia"), std::string::npos) << text;
    }
  }
}

TEST(Sweep, RunsOnceAndGoesOnWhereItStopped) {
  const Folder folder;
  const std::vector<Variation> some = {{"units.viscosity", {"0.02", "0.03"}}};
  const std::vector<Variation> more = {{"units.viscosity", {"0.02", "0.03", "0.04"}}};
  std::vector<std::size_t> begun;
  const auto on_begin = [&](std::size_t k) { begun.push_back(k); };
  Sweep first(some, read, folder.string(), "");
  EXPECT_TRUE(first.run({}, on_begin));
  EXPECT_EQ(begun, (std::vector<std::size_t>{0, 1}));
  const auto rows = first.table({"kinetic_energy [lattice]"}, 17);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"units.viscosity", "ended", "step", "kinetic_energy [lattice]", "verdict"}));
  EXPECT_EQ(rows[1][1], "last step");
  EXPECT_EQ(rows[2][2], "40");
  EXPECT_NE(rows[1][3], rows[2][3]);
  // Results that are no monitors, and whether to trust them.
  const std::vector<std::string> known = first.monitors();
  EXPECT_EQ(std::count(known.begin(), known.end(), "wall_shear_stress_mean [lattice]"), 1);
  EXPECT_EQ(std::count(known.begin(), known.end(), "max_velocity [lattice]"), 1) << "not twice";
  const auto stress = first.table({"wall_shear_stress_mean [lattice]"}, 6);
  EXPECT_GT(std::stod(stress[2][3]), 0);
  EXPECT_EQ(stress[2][4], first.runs()[1].results["verdict"]["verdict"].get<std::string>());
  EXPECT_NE(stress[2][4], "");
  // By itself a run gives the same number.
  RunOptions alone;
  alone.output = folder / "alone";
  const RunResult result = run_case(read({"units.viscosity=0.03"}), alone);
  EXPECT_DOUBLE_EQ(std::stod(rows[2][3]), result.results["monitors"]["kinetic_energy [lattice]"].get<double>());

  begun.clear();
  std::atomic<bool> interrupt{true};
  RunOptions stopped;
  stopped.interrupt = &interrupt;
  Sweep second(more, read, folder.string(), "");
  EXPECT_FALSE(second.run(stopped, on_begin));
  EXPECT_EQ(begun, std::vector<std::size_t>{2}) << "only what is new";
  EXPECT_EQ(second.runs()[2].ended, "interrupted");
  Sweep third(more, read, folder.string(), "");
  EXPECT_EQ(third.runs()[2].ended, "interrupted");
  EXPECT_TRUE(third.run({}, on_begin));
  const std::vector<std::string> row = third.table({}, 6)[3];
  EXPECT_EQ(std::vector<std::string>(row.begin(), row.begin() + 3),
            (std::vector<std::string>{"0.04", "last step", "40"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "viscosity=0.04/previous-1")) << "resumed, not begun again";

  Sweep fourth({{"units.viscosity", {"0.05"}}}, read, folder.string(), "");
  EXPECT_FALSE(fourth.run(stopped, {}));
  std::filesystem::remove_all(folder / "viscosity=0.05");
  EXPECT_TRUE(fourth.run({}, {})) << "begun again, since there is nothing to go on from";
  EXPECT_TRUE(fourth.runs()[0].is_done());

  begun.clear();
  EXPECT_TRUE(Sweep({{"units.viscosity", {"0.02"}}}, read, folder.string(), "").run({}, on_begin));
  EXPECT_TRUE(Sweep(more, read, folder.string(), "").run({}, on_begin));
  EXPECT_TRUE(begun.empty()) << "a sweep of fewer values forgets nothing of the others";
  Sweep other(some, read, folder.string(), "other settings");
  EXPECT_TRUE(other.run({}, on_begin));
  EXPECT_EQ(begun.size(), 2u) << "another sweep's results do not serve";
  const std::string csv = read_text(folder / "sweep.csv");
  EXPECT_EQ(csv.find("units.viscosity,ended,step,"), 0u) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

TEST(Sweep, OneThatDivergesOrIsRefusedEndsAlone) {
  const Folder folder;
  Sweep sweep(
      {{"units.viscosity", {"0.0001", "1e-7", "0.02"}}},
      [](std::vector<std::string> settings) {
        settings.insert(settings.end(),
                        {"boundary.y_max.velocity=[0.3,0]", "numerics.collision=bgk", "run.steps=4000"});
        return read(settings);
      },
      folder.string(), "");
  EXPECT_TRUE(sweep.run({}, {}));
  EXPECT_EQ(sweep.runs()[0].ended, "diverged") << sweep.runs()[0].problem;
  EXPECT_NE(sweep.runs()[0].problem.find("step"), std::string::npos) << sweep.runs()[0].problem;
  EXPECT_EQ(sweep.runs()[1].ended, "refused");
  EXPECT_NE(sweep.runs()[1].problem.find("tau"), std::string::npos) << sweep.runs()[1].problem;
  EXPECT_TRUE(sweep.runs()[2].is_done());
  EXPECT_EQ(sweep.table({"kinetic_energy [lattice]"}, 6)[1],
            (std::vector<std::string>{"0.0001", "diverged", "", "", ""}));
  const std::string csv = read_text(folder / "sweep.csv");
  EXPECT_NE(csv.find("\n1e-7,refused,,"), std::string::npos) << csv;
}

}  // namespace
}  // namespace fluvia::test
