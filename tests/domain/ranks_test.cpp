// SPDX-License-Identifier: Apache-2.0
// `mpirun -n N fluvia run`: the same files from any number of ranks, one message for what goes wrong, no rank left
// behind.
#include "fluvia/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "domain/rank_runs.hpp"

namespace fluvia::test {
namespace {

/// A packing smaller than that of the shipped case, by numbers that ranks do not divide.
std::string small_packing() {
  return shipped("packing") + " --set 'domain.nodes=[53, 49, 47]'";
}

/// All that cases have, coarser or smaller than they are shipped, by numbers of nodes that ranks do not divide.
TEST_F(Ranks, GiveTheFilesOfOne) {
  const struct {
    std::string arguments;
    std::vector<int> ranks;
  } cases[] = {{shipped("channel"), {2, 4}},
               {shipped("demo") + " --set units.spacing=2.9e-4", {3}},
               {small_packing(), {4}},
               {shipped("voxels") + " --set 'geometry.voxels.crop_size=[31, 29, 37]'", {3}},
               {shipped("sphere-in-pipe") + " --set units.spacing=0.129", {4}},
               {shipped("cavity-heated"), {3}},
               {shipped("mixer"), {4}},
               {shipped("heat-sink"), {2}},
               {shipped("tank"), {3}},
               {shipped("stirrer") + " --set units.spacing=0.001", {3}},
               {shipped("settling") + " --set units.spacing=0.0025", {2, 4}},
               {shipped("stl") + " --set units.spacing=5.7e-4", {3}}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.arguments);
    const Folder folder;
    const std::string arguments = "run " + c.arguments + " --steps 20" + often + " --output ";
    ASSERT_EQ(run_on(1, arguments + (folder / "1").string()).code, 0);
    for (const int ranks : c.ranks) {
      const Outcome o = run_on(ranks, arguments + (folder / std::to_string(ranks)).string());
      ASSERT_EQ(o.code, 0) << ranks << " ranks: " << o.text;
      expect_same_files(folder / "1", folder / std::to_string(ranks));
    }
  }
}

/// A turbulent flow that rises within a few steps, and leaves by an opening that remembers behind a sponge.
const char* const quiet_tunnel = R"([units]
viscosity = 0.02
[domain]
nodes = [40, 11, 18]
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.04, 0.0, 0.01]
ramp = 10
turbulence = { intensity = 0.3, length = 5 }
[[boundary]]
surface = "x_max"
type = "non_reflecting"
sponge = 12
[run]
steps = 20
)";

/// `fluvia bench` measures domains that ranks share, and says how many.
TEST_F(Ranks, MeasureTogether) {
  const std::string rows = " --device cpu --threads 1 --seconds 0.01 ";
  const Outcome o = run_on(2, "bench --suite levels --size 32" + rows);
  ASSERT_EQ(o.code, 0) << o.text;
  EXPECT_EQ(count_of(o.text, "| levels | 32 | 1.00 | 2 ranks x 1 thread |"), 4) << o.text;
  EXPECT_EQ(count_of(o.text, "| box | 44 | 1.00 | 2 ranks x 1 thread |"), 4) << o.text;
  const Outcome refused = run_on(2, "bench --suite seeds --output nowhere" + rows);
  EXPECT_NE(refused.code, 0);
  EXPECT_EQ(count_of(refused.text, "bench: on several ranks there is no --output"), 1) << refused.text;
}

/// Exchanges after several steps, which output, checkpoints and monitors cut short.
TEST_F(Ranks, GiveTheFilesOfSingleStepsInPasses) {
  const Folder folder;
  write_text(folder / "tunnel.toml", quiet_tunnel);
  int number = 0;
  for (const std::string& file : {small_packing(), (folder / "tunnel.toml").string()}) {
    SCOPED_TRACE(file);
    const std::string arguments = "run " + file + " --set numerics.scheme=aa --steps 20" + often + " --set numerics.";
    const auto output = [&, k = number++](const char* ranks) { return folder / (ranks + std::to_string(k)); };
    ASSERT_EQ(run_on(1, arguments + "steps_per_pass=1 --output " + output("one").string()).code, 0);
    const Outcome o = run_on(3, arguments + "steps_per_pass=3 --output " + output("three").string());
    ASSERT_EQ(o.code, 0) << o.text;
    expect_same_files(output("one"), output("three"));
  }
}

/// A flow that moves from the start, of which each rank sets its part and what it steps beyond that.
TEST_F(Ranks, BeginAsOneDoes) {
  const Folder folder;
  const std::string arguments = "run " + small_packing() + " --set numerics.scheme=aa --steps 6" + often +
                                " --set 'physics.initial_velocity_formula=[\"0.001*sin(1e5*z)\",\"5e-4\",\"0\"]'";
  ASSERT_EQ(run_on(1, arguments + " --set numerics.steps_per_pass=1 --output " + (folder / "1").string()).code, 0);
  const Outcome o = run_on(4, arguments + " --set numerics.steps_per_pass=3 --output " + (folder / "4").string());
  ASSERT_EQ(o.code, 0) << o.text;
  expect_same_files(folder / "1", folder / "4");
}

/// Between plates, until it is steady.
const char* const rising = R"([units]
system = "lattice"
viscosity = 0.1
[domain]
nodes = [24, 13, 20]
periodic = [true, false, true]
[physics]
acceleration = [1e-5, 0.0, 0.0]
[run]
steps = 20000
[run.steady]
tolerance = 1e-3
window = 50
[monitor]
average_from = 100
[[monitor.probe]]
name = "middle"
position = [11.5, 6.5, 13.5]
[output]
wall = true
fields = ["velocity", "average_velocity", "average_pressure"]
)";

/// The step at which a steady stop ends the run is in the names of files.
TEST_F(Ranks, StopAverageAndProbeAsOneDoes) {
  const Folder folder;
  write_text(folder / "rising.toml", rising);
  const std::string arguments =
      "run " + (folder / "rising.toml").string() + " --set numerics.threads=1 --output " + folder.string() + "/";
  ASSERT_EQ(run_on(1, arguments + "1").code, 0);
  ASSERT_EQ(results(folder / "1").count("checkpoint-000000020000.fluvia"), 0u) << "it went on to its end";
  for (const int ranks : {2, 4}) {
    const Outcome o = run_on(ranks, arguments + std::to_string(ranks));
    ASSERT_EQ(o.code, 0) << o.text;
    expect_same_files(folder / "1", folder / std::to_string(ranks));
  }
}

TEST_F(Ranks, ResumeOnAnyNumber) {
  const Folder folder;
  const std::string arguments =
      "run " + shipped("sphere-in-pipe") + " --set units.spacing=0.129" + often + " --output ";
  ASSERT_EQ(run_on(1, arguments + (folder / "whole").string() + " --steps 24").code, 0);
  const std::string changing = arguments + (folder / "changing").string();
  ASSERT_EQ(run_on(3, changing + " --steps 9").code, 0);
  ASSERT_EQ(run_on(2, changing + " --steps 15 --resume").code, 0);
  const Outcome last = run_on(1, changing + " --steps 24 --resume");
  ASSERT_EQ(last.code, 0) << last.text;
  EXPECT_TRUE(results(folder / "whole")["checkpoint-000000000024.fluvia"] ==
              results(folder / "changing")["checkpoint-000000000024.fluvia"]);
}

TEST_F(Ranks, SayOnceWhatIsWrong) {
  const Folder folder;
  write_text(folder / "bad.toml", "nonsense = 3\n");
  const std::string output = " --output " + (folder / "out").string();
  const struct {
    std::string arguments, message;
    int code;
  } cases[] = {
      {"run " + (folder / "bad.toml").string(), "unknown key 'nonsense'", 3},
      {"run " + (folder / "missing.toml").string(), "missing.toml", 3},
      {"run --nonsense", "CASE is required", 2},
      {"run " + shipped("cavity") + " --set numerics.scheme=cm" + output, "does not run on several ranks", 3},
      {"run " + shipped("cavity") + " --device cuda:x" + output, "names no GPUs", 3},
      {"run " + shipped("cavity") + " --set units.viscosity=1e-5 --set numerics.collision=bgk --steps 20000" + output,
       "became unstable", 5},
      {"bench --quick", "fluvia:", 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.arguments);
    const Outcome o = run_on(3, c.arguments);
    EXPECT_EQ(o.code, c.code) << o.text;
    EXPECT_EQ(count_of(o.text, "fluvia: "), 1) << o.text;
    EXPECT_NE(o.text.find(c.message), std::string::npos) << o.text;
  }
}

TEST_F(Ranks, MustHaveTheSameCase) {
  const Folder folder;
  // Each rank reads another file, as on nodes of a cluster with disks of their own. What differs may be no number of
  // nodes, and nothing of the grid.
  const std::pair<std::string, std::string> changes[] = {{"cavity", "s/^nodes = .*/nodes = [129, 130]/"},
                                                         {"packing", "s/^seed = 1/seed = 2/"},
                                                         {"packing", "s/^diameter = 1e-4/diameter = 2e-4/"}};
  for (const auto& [name, change] : changes)
    for (const char* command : {"run", "plan"}) {
      SCOPED_TRACE(change);
      run_shell("cp " + shipped(name) + " " + (folder / "case0").string());
      run_shell("sed '" + change + "' " + shipped(name) + " > " + (folder / "case1").string());
      const bool runs = command == std::string("run");
      const Outcome o =
          run_shell(mpirun(2) + "sh -c '" FLUVIA_BINARY " " + command + " " + (folder / "case").string() +
                    "$OMPI_COMM_WORLD_RANK" + (runs ? " --steps 3 --output " + (folder / "out").string() : "") + "'");
      EXPECT_EQ(o.code, 3) << o.text;
      EXPECT_NE(o.text.find("rank 1 has another case than rank 0"), std::string::npos) << o.text;
    }
}

/// What only one rank finds wrong, whether it reads or plans.
TEST_F(Ranks, EndTogetherWhereOneFindsABadFile) {
  const Folder folder;
  // Each rank has the case in a folder of its own, one of which lacks a file.
  for (const int rank : {0, 1, 2}) {
    const std::string own = (folder / std::to_string(rank)).string();
    run_shell("mkdir " + own + " && cp " FLUVIA_SOURCE_DIR "/cases/stl.toml " + own);
    if (rank != 1) run_shell("ln -s " FLUVIA_SOURCE_DIR "/cases/data " + own + "/data");
  }
  for (const std::string command : {"run", "plan"}) {
    const std::string output = command == "run" ? " --output " + (folder / "out").string() : "";
    const Outcome o = run_shell(mpirun(3) + "sh -c '" FLUVIA_BINARY " " + command + " " + folder.string() +
                                "/$OMPI_COMM_WORLD_RANK/stl.toml" + output + "'");
    EXPECT_EQ(o.code, 3) << o.text;
    EXPECT_EQ(count_of(o.text, "fluvia: rank 1: "), 1) << o.text;
    EXPECT_EQ(count_of(o.text, "fluvia: "), 1) << o.text;
  }
}

TEST_F(Ranks, EndTogetherWhenOneDies) {
  const Folder folder;
  const std::string output = (folder / "out").string();
  const std::string endless = " run " + shipped("cavity") + " --set numerics.threads=1 --set checkpoint.every=200";
  // The second rank kills itself after three seconds.
  const auto start = std::chrono::steady_clock::now();
  const Outcome o =
      run_shell(mpirun(2) + "sh -c 'test $OMPI_COMM_WORLD_RANK = 1 && (sleep 3; kill -9 $$) & exec " FLUVIA_BINARY +
                endless + " --steps 100000000 --output " + output + "'");
  EXPECT_NE(o.code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  const Outcome resumed = run_on(1, endless + " --output " + output + " --resume --steps 1");
  EXPECT_NE(resumed.text.find("the checkpoint is from step"), std::string::npos) << resumed.text;
}

/// A rank that gets no memory, for its part or on the way there, ends all of them with its message.
TEST_F(Ranks, EndTogetherWhereOneGetsNoMemory) {
  const Folder folder;
  write_text(folder / "case.toml",
             "[units]\nsystem = \"lattice\"\nviscosity = 0.05\n[domain]\nnodes = [200, 200, 200]\n[run]\nsteps = 2\n");
  const std::string out = (folder / "out").string();
  for (const char* kibibytes : {"360000", "500000"}) {  // of the 300,000 that its populations take, and MPI as much
    const Outcome o =
        run_shell(mpirun(2) + "sh -c 'test $OMPI_COMM_WORLD_RANK = 1 && ulimit -v " + kibibytes +
                  "; exec " FLUVIA_BINARY " run " + (folder / "case.toml").string() + " --output " + out + "'");
    EXPECT_EQ(o.code, 4) << kibibytes << o.text;
    EXPECT_EQ(count_of(o.text, "fluvia: rank 1: memory"), 1) << kibibytes << o.text;
    EXPECT_EQ(run_shell("ls " + out + "/*.tmp " + out + "/fields* 2>/dev/null").text, "") << kibibytes;
  }
}

/// A rank runs out of memory while ranks voxelise.
TEST_F(Ranks, EndTogetherWhereOneHasNoMemoryForTheGeometry) {
  const Folder folder;
  write_text(folder / "case.toml",
             "[units]\nsystem = \"lattice\"\nviscosity = 0.05\n[domain]\nnodes = [480, 480, 480]\n[run]\nsteps = 2\n");
  const Outcome o =
      run_shell(mpirun(2) + "sh -c 'test $OMPI_COMM_WORLD_RANK = 1 && ulimit -v 360000; exec " FLUVIA_BINARY " plan " +
                (folder / "case.toml").string() + "'");
  EXPECT_EQ(o.code, 4) << o.text;
  EXPECT_EQ(count_of(o.text, "fluvia: rank 1: "), 1) << o.text;
}

TEST_F(Ranks, WriteACheckpointWhenAsked) {
  const Folder folder;
  const std::string output = (folder / "out").string();
  const std::string launcher = mpirun(2).substr(0, mpirun(2).find("timeout")) + "mpirun --oversubscribe -n 2 ";
  const Outcome o = run_shell(launcher + FLUVIA_BINARY " run " + shipped("cavity") +
                              " --set numerics.threads=1 --steps 100000000 --output " + output +
                              " & P=$!; sleep 3; kill -USR1 $P; wait $P");
  EXPECT_EQ(o.code, 6) << o.text;
  EXPECT_NE(o.text.find("interrupted at step"), std::string::npos) << o.text;
  const Outcome checkpoints = run_shell("ls " + output + "/checkpoint-*.fluvia");
  EXPECT_EQ(checkpoints.code, 0) << checkpoints.text;
}

std::string line_of(const std::string& text, const std::string& begin) {
  const std::size_t at = text.find("\n" + begin);
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

TEST_F(Ranks, PlanShowsThePartition) {
  const std::string arguments = "plan " + shipped("aneurysm") + " --device cpu";
  const Outcome o = run_on(4, arguments);
  EXPECT_EQ(o.code, 0) << o.text;
  const Outcome alone = run_on(1, arguments);
  for (const char* what : {"nodes ", "because ", "memory "})
    EXPECT_EQ(line_of(o.text, what), line_of(alone.text, what));
  EXPECT_NE(o.text.find("parts        4"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("transport    "), std::string::npos) << o.text;
}

/// All ranks take what the model says, whatever a trial on one process found.
TEST_F(Ranks, TryNothing) {
  const Folder folder;
  write_text(
      folder / "case.toml",
      "[units]\nsystem = \"lattice\"\nviscosity = 0.05\n[domain]\nnodes = [96, 80, 80]\n[[geometry.shape]]\nkind = "
      "\"cylinder\"\nfrom = [48, 40, 0]\nto = [48, 40, 80]\nradius = 15\n[run]\nsteps = 1000000\n");
  const std::string arguments = "plan " + (folder / "case.toml").string() + " --threads 1 --device cpu";
  ::setenv("FLUVIA_CACHE_DIR", folder.string().c_str(), 1);
  const Outcome one = run_on(1, arguments), two = run_on(2, arguments + " --trial");
  ::unsetenv("FLUVIA_CACHE_DIR");
  EXPECT_NE(one.text.find("trial        `fluvia run` tries "), std::string::npos) << one.text;
  EXPECT_EQ(two.code, 0) << two.text;
  EXPECT_NE(two.text.find("trial        none: domains in parts take what the model says"), std::string::npos)
      << two.text;
}

}  // namespace
}  // namespace fluvia::test
