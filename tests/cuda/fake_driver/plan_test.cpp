// SPDX-License-Identifier: Apache-2.0
// What a plan promises of a GPU's memory, against what the solver takes from the driver.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/scenes.hpp"
#include "support/program.hpp"
#include "support/specification.hpp"
#include "support/thread_communicator.hpp"

namespace fluvia::cuda {
namespace {

class PlannedMemory : public testing::TestWithParam<std::string> {
 protected:
  static reference::Physics physics() {
    reference::Physics physics;
    physics.lattice = "D2Q9";
    physics.collision = test::collision_for(parse_scheme(GetParam()), physics.lattice);
    return physics;
  }
};

TEST_P(PlannedMemory, IsWhatTheSolverTakes) {
  const Device device;
  KernelCache nothing_kept{std::filesystem::path()};
  for (const char* format : {"fp64", "fp32", "fp16s", "fp16c"}) {
    SCOPED_TRACE(format);
    const reference::Physics physics = PlannedMemory::physics();
    if (!scheme_problem(parse_scheme(GetParam()), physics.lattice, physics.collision, physics.equilibrium).empty())
      continue;
    const test::Folder folder;
    const Int3 size = {61, 45, 1};
    for (const scene::Scene& s :
         {scene::channel(size), scene::quiet(scene::pulsating_channel(size, folder / "flow.csv"), 5),
          scene::turbulent_channel(size)}) {
      SCOPED_TRACE(s.name);
      const Case c = scene::make_case(s, {physics, GetParam(), format, 1, "cuda"});
      const Units units = scene::make_units(physics.tau);
      const Plan plan = plan_case({c, units, scene::make_geometry(s)});
      const std::size_t free_before = device.free_bytes();
      const auto solver = make_solver({c, units, scene::make_geometry(s)}, plan, device, nothing_kept);
      // To the byte: nothing is allocated that was not planned.
      EXPECT_EQ(free_before - device.free_bytes(), plan.total_bytes());
      EXPECT_EQ(solver->plan().total_bytes(), plan.total_bytes());
    }
  }
}

/// A snapshot is planned where a case writes between steps and where it fits, and costs nothing elsewhere.
TEST(PlannedSnapshot, IsWhatTheSolverTakesOrLeavesOut) {
  const Device device;
  KernelCache kernels{std::filesystem::path()};
  const scene::Scene s = scene::channel({61, 45, 1});
  reference::Physics physics;
  physics.lattice = "D2Q9";
  for (const char* scheme : {"compact-sliding", "pull"}) {
    SCOPED_TRACE(scheme);
    Case c = scene::make_case(s, {physics, scheme, "fp32", 1, "cuda"});
    const Units units = scene::make_units(physics.tau);
    const std::uint64_t without = plan_case({c, units, scene::make_geometry(s)}).total_bytes();
    c.output.every = 10;
    const Plan plan = plan_case({c, units, scene::make_geometry(s)});
    EXPECT_TRUE(plan.snapshot_fits);
    EXPECT_EQ(plan.total_bytes(), without + plan.snapshot_bytes);
    // A snapshot keeps one of two copies, and of an array that slides what holds populations.
    EXPECT_LT(plan.snapshot_bytes, plan.population_bytes + plan.other_bytes);
    {
      const std::size_t free_before = device.free_bytes();
      const auto solver = make_solver({c, units, scene::make_geometry(s)}, plan, device, kernels);
      EXPECT_EQ(free_before - device.free_bytes(), plan.total_bytes());
      solver->step(0);
      auto snapshot = solver->snapshot();
      ASSERT_NE(snapshot, nullptr);
      EXPECT_EQ(snapshot->time_step(), 0);
      EXPECT_EQ(free_before - device.free_bytes(), plan.total_bytes());
      EXPECT_CONTAINS(test::error_of(ExitCode::internal, [&] { (void)solver->snapshot(); }), "given back");
      snapshot.reset();
      EXPECT_NE(solver->snapshot(), nullptr);
    }
    ::setenv("FAKE_CUDA_MEMORY", std::to_string(plan.total_bytes()).c_str(), 1);  // nothing to spare
    const Plan tight = plan_case({c, units, scene::make_geometry(s)});
    EXPECT_FALSE(tight.snapshot_fits);
    EXPECT_EQ(tight.snapshot_bytes, plan.snapshot_bytes);
    EXPECT_EQ(tight.total_bytes(), without);
    EXPECT_EQ(2 * tight.staging_bytes, plan.staging_bytes);
    const std::size_t free_before = device.free_bytes();
    const auto solver = make_solver({c, units, scene::make_geometry(s)}, tight, device, kernels);
    ::unsetenv("FAKE_CUDA_MEMORY");
    EXPECT_EQ(solver->snapshot(), nullptr);
    EXPECT_EQ(solver->plan().total_bytes(), without);
    EXPECT_GT(free_before, without);
  }
}

TEST_P(PlannedMemory, IsRefusedBeforeAnythingIsAllocated) {
  const Device device;
  KernelCache nothing_kept{std::filesystem::path()};
  const scene::Scene s = scene::channel({301, 243, 1});
  const reference::Physics physics = PlannedMemory::physics();
  const Case c = scene::make_case(s, {physics, GetParam(), "fp64", 1, "cuda"});
  const Units units = scene::make_units(physics.tau);
  const Plan plan = plan_case({c, units, scene::make_geometry(s)});
  ::setenv("FAKE_CUDA_MEMORY", std::to_string(plan.total_bytes() - 1).c_str(), 1);
  const std::size_t free_before = device.free_bytes();
  const std::string message = test::error_of(ExitCode::resource, [&] {
    (void)make_solver({c, units, scene::make_geometry(s)}, plan, device, nothing_kept);
  });
  EXPECT_EQ(device.free_bytes(), free_before);
  ::unsetenv("FAKE_CUDA_MEMORY");
  EXPECT_CONTAINS(message, "fp16s");
}

INSTANTIATE_TEST_SUITE_P(All, PlannedMemory, testing::ValuesIn(gpu_scheme_names()),
                         [](const auto& instance) { return test::test_name(instance.param); });

/// Writes a case of 2048 x 2048 nodes, whose populations take 144 MiB a copy in the plain box.
void write_square(const test::Folder& folder, const std::string& rest) {
  std::ofstream(folder / "case.toml") << "[units]\nsystem = \"lattice\"\nviscosity = 0.1\n[run]\nsteps = 2\n[domain]\n"
                                         "dimension = 2\nnodes = [2048, 2048]\n"
                                      << rest;
}

/// Plans it with a memory limit, MiB.
std::string plan_command(const std::string& limit) {
  return "FAKE_CUDA_MEMORY=419430400 LD_LIBRARY_PATH=" FLUVIA_FAKE_DRIVER_FOLDER " " FLUVIA_BINARY
         " plan case.toml --device cuda --memory-limit " +
         limit;
}

/// Memory that is free is what the system says, so the system is made to say something else.
TEST(PlannedStreaming, AreRefusedWhereBlocksCannotWaitInHostMemory) {
  if (test::run_shell("unshare --mount true").code != 0) GTEST_SKIP() << "this process may not mount";
  const test::Folder folder;
  write_square(folder, "[numerics]\nscheme = \"aa\"\n");
  const auto plan_with = [&](const char* free) {
    std::ofstream(folder / "meminfo") << "MemTotal: 24000000 kB\nMemAvailable: " << free << " kB\n";
    return test::run_shell("cd " + folder.string() +
                           " && unshare --mount sh -c 'mount --bind meminfo /proc/meminfo && " + plan_command("60") +
                           "'")
        .text;
  };
  EXPECT_EQ(plan_with("200000").find("will not run"), std::string::npos);
  EXPECT_CONTAINS(plan_with("100000"), " blocks of this domain need 0.14 GiB of host memory");
}

/// Moments in two copies that do not fit say that they do in one; and that needs memory of the host to begin.
TEST(PlannedMoments, SayWhatOneCopyTakes) {
  const test::Folder folder;
  const auto numerics = [](const std::string& scheme) {
    return "[numerics]\nscheme = \"" + scheme + "\"\ncollision = \"regularized\"\n";
  };
  write_square(folder, numerics("moments"));
  const std::string two = test::run_shell("cd " + folder.string() + " && " + plan_command("60")).text;
  EXPECT_CONTAINS(two, "one copy that slides (moments-sliding)");
  EXPECT_EQ(two.find("until the first step"), std::string::npos);
  write_square(folder, numerics("moments-sliding"));
  const std::string one = test::run_shell("cd " + folder.string() + " && " + plan_command("390")).text;
  EXPECT_CONTAINS(one, "begin        48.0 MiB of pinned host memory until the first step");
  EXPECT_EQ(one.find("will not run"), std::string::npos);
  if (test::run_shell("unshare --mount true").code != 0) GTEST_SKIP() << "this process may not mount";
  std::ofstream(folder / "meminfo") << "MemTotal: 24000000 kB\nMemAvailable: 40000 kB\n";
  const std::string little =
      test::run_shell("cd " + folder.string() + " && unshare --mount sh -c 'mount --bind meminfo /proc/meminfo && " +
                      plan_command("390") + "'")
          .text;
  EXPECT_CONTAINS(little, "will not run: scheme moments-sliding keeps 0.05 GiB of the populations");
}

/// Schemes that store the whole box by an index map say what does instead.
TEST(PlannedStreaming, AreNotTakenBySchemesThatDoNotRunInParts) {
  const test::Folder folder;
  write_square(folder, "[numerics]\nscheme = \"soa-pull\"\n");
  const std::string text = test::run_shell("cd " + folder.string() + " && " + plan_command("60")).text;
  EXPECT_CONTAINS(text, "will not run");
  EXPECT_CONTAINS(text, "in blocks that are streamed through the GPU: numerics.scheme = \"auto\"");
}

/// "auto" goes by speed, unless what it chose does not fit and the other way of storing does.
TEST(PlannedScheme, IsTheOneThatFits) {
  const test::Folder folder;
  write_square(folder, "[[geometry.shape]]\nkind = \"half_space\"\nnormal = [1, 0]\nfrom = [512, 0]\n");
  const auto plan_with = [&](const char* limit) {
    return test::run_shell("cd " + folder.string() + " && " + plan_command(limit)).text;
  };
  EXPECT_CONTAINS(plan_with("300"), "scheme       aa\n");
  const std::string tight = plan_with("140");
  EXPECT_CONTAINS(tight, "scheme       compact-sliding\n");
  EXPECT_CONTAINS(tight, "aa, chosen for its speed, does not fit");
  EXPECT_EQ(tight.find("will not run"), std::string::npos) << tight;
  const std::string streamed = plan_with("60");
  EXPECT_CONTAINS(streamed, "scheme       compact-aa\n");
  EXPECT_CONTAINS(streamed, "the domain exceeds the memory, and this moves the fewest bytes");
  EXPECT_CONTAINS(
      streamed,
      " are streamed through the GPU, which has room for the populations of three: 108.0 MiB of them are in host");
  EXPECT_EQ(streamed.find("will not run"), std::string::npos) << streamed;
  const std::string none = plan_with("5");
  EXPECT_CONTAINS(none, "will not run");
  EXPECT_CONTAINS(none, "blocks of the domain are streamed through it");
}

/// Where passes need more of a block's memory than the GPU has, "auto" takes single steps of the same storage; who asks
/// for passes is told.
TEST(PlannedScheme, TakesNoPassesThatTheGpuHasNoRoomFor) {
  const test::Folder folder;
  test::write_text(
      folder / "case.toml",
      "[units]\nviscosity = 0.1\n[run]\nsteps = 10\n[domain]\nnodes = [160, 160, 160]\n[numerics]\ndevice = "
      "\"cuda\"\nlattice = \"D3Q19\"\ncollision = \"trt\"\ntrial = false\n");
  const auto plan_with = [&](const char* shared, const char* settings) {
    return test::run_shell(
        "cd " + folder.string() +
        " && LD_LIBRARY_PATH=" FLUVIA_FAKE_DRIVER_FOLDER " FAKE_CUDA_MEMORY=8589934592 FAKE_CUDA_SHARED=" + shared +
        " " FLUVIA_BINARY " plan case.toml" + settings);
  };
  EXPECT_CONTAINS(plan_with("232448", "").text, "scheme       fused, 2 steps");
  const test::Outcome small = plan_with("101376", "");
  EXPECT_CONTAINS(small.text, "scheme       pull\n");
  EXPECT_CONTAINS(small.text, "fused, chosen for its speed, takes more shared memory");
  EXPECT_EQ(small.text.find("will not run"), std::string::npos) << small.text;
  const test::Outcome asked = plan_with("101376", " --set numerics.scheme=fused");
  EXPECT_EQ(asked.code, 3);
  EXPECT_CONTAINS(asked.text, "KiB of shared memory a block of threads, and ");
}

/// Members that would take different kinds of devices would wait for each other's shares for ever.
TEST(PlannedDevice, IsOfOneKindForAllRanks) {
  const scene::Scene s = scene::channel({21, 64, 1});
  reference::Physics physics;
  physics.lattice = "D2Q9";
  const Geometry geometry = scene::make_geometry(s);
  const Units units = scene::make_units(physics.tau);
  const auto errors = test::ThreadCommunicator(3).work([&](Communicator& communicator) {
    Case c = scene::make_case(s, {physics, "auto", "fp32", 1, communicator.number() == 2 ? "cpu" : "cuda"});
    plan_case({c, units, geometry, communicator});
  });
  for (const auto& error : errors) {
    ASSERT_TRUE(error);
    EXPECT_CONTAINS(failure_of(error).text, "numerics.device: rank 2 would run on cpu, rank 0 on cuda");
  }
}

/// A trial on a GPU, with speeds made up: what it finds is for this GPU and driver, and for what fits.
TEST(PlannedScheme, IsWhatATrialFound) {
  const test::Folder folder;
  const std::string text =
      "[units]\nviscosity = 0.1\n[run]\nsteps = 100000000\n[domain]\nnodes = [128, 96, 64]\n[[geometry.shape]]\nkind = "
      "\"half_space\"\nnormal = [1, 0, 0]\nfrom = [36, 0, 0]\n[numerics]\ndevice = \"cuda\"\n";
  const Case c = parse_case(text, "case.toml");
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  const Geometry geometry = build_geometry(c, grid);
  const TrialMemory memory(folder.string());
  ::setenv("FAKE_CUDA_MEMORY", "1073741824", 1);
  const Trial trial = make_trial({c, units, geometry}, TrialMode::allowed, memory,
                                 [](const TrialCandidate& candidate, double) -> std::optional<double> {
                                   return parse_scheme(candidate.scheme).is_compact() ? 100 : 200;
                                 });
  ASSERT_GT(trial.rows.size(), 1u) << trial.note;
  EXPECT_EQ(trial.rows[0].scheme, "compact-sliding");
  EXPECT_EQ(plan_case({c, units, geometry}).scheme_name(), "compact-sliding");
  const Plan plan = plan_case({c, units, geometry}, trial);
  EXPECT_EQ(plan.scheme_name(), "aa");
  EXPECT_EQ(plan.reason, trial.reason);
  EXPECT_EQ(plan.tried_mflups(), 200);
  std::string kept;
  for (const auto& entry : std::filesystem::directory_iterator(folder.string())) kept += test::read_text(entry.path());
  EXPECT_CONTAINS(kept, "Fake GPU, driver 13.0");
  ::setenv("FAKE_CUDA_MEMORY", std::to_string(plan.total_bytes() - 1).c_str(), 1);
  const Plan tight = plan_case({c, units, geometry}, trial);
  ::unsetenv("FAKE_CUDA_MEMORY");
  EXPECT_TRUE(tight.scheme->is_compact()) << tight.scheme_name();
  EXPECT_EQ(tight.refusal, "");
  EXPECT_TRUE(tight.trial.empty());
}

/// Nearly all of this is fluid, so that the box moves no more bytes, in passes fewer a step, if these fit. Nobody set a
/// limit.
TEST(PlannedStreaming, AreTakenWhereWhatIsFreeDoesNotSuffice) {
  const test::Folder folder;
  write_square(folder, "");
  const auto plan_on = [&](const std::string& mebibytes) {
    return test::run_shell("cd " + folder.string() + " && FAKE_CUDA_MEMORY=$((" + mebibytes +
                           " << 20)) LD_LIBRARY_PATH=" FLUVIA_FAKE_DRIVER_FOLDER " " FLUVIA_BINARY
                           " plan case.toml --device cuda")
        .text;
  };
  const std::string passes = plan_on("140"), steps = plan_on("80");
  EXPECT_CONTAINS(passes, "scheme       fused-sliding, 4 steps per pass over memory\n");
  EXPECT_CONTAINS(passes, "each step moves 36.0 MiB to the GPU");
  EXPECT_CONTAINS(steps, "scheme       aa\n");
  for (const std::string& text : {passes, steps}) {
    EXPECT_CONTAINS(text, " are streamed through the GPU");
    EXPECT_EQ(text.find("will not run"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace fluvia::cuda
