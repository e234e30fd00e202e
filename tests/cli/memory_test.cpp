// SPDX-License-Identifier: Apache-2.0
// `fluvia plan` against what the kernel counts: the largest resident set of the run.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/program.hpp"
#include "support/sanitizers.hpp"

namespace fluvia::test {
namespace {

/// MiB of the largest resident set of `fluvia ARGUMENTS`; -1 if it failed.
double peak_memory(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), FLUVIA_BINARY);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {1, 2}) posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, FLUVIA_BINARY, &quiet, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  rusage usage{};
  if (failed != 0 || wait4(child, &status, 0, &usage) != child || status != 0) return -1;
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Memory {
  const char* name;
  const char* text;
};
void PrintTo(const Memory& value, std::ostream* out) {
  *out << value.name;
}

const Memory cases[] = {
    {"moving_wall",
     "[domain]\nnodes = [104, 104, 104]\n"
     "[[boundary]]\nsurface = \"z_max\"\ntype = \"moving_wall\"\nvelocity = [0.1, 0.0, 0.0]\n"
     "[numerics]\nscheme = \"pull\"\nformat = \"fp32\"\ndevice = \"cpu\"\n"},
    {"faces",
     "[domain]\nnodes = [300, 300, 16]\n"
     "[[boundary]]\nsurface = \"z_max\"\ntype = \"moving_wall\"\nvelocity = [0.1, 0.0, 0.0]\n"
     "[[boundary]]\nsurface = \"z_min\"\ntype = \"free_slip\"\n[monitor]\nforces = [\"z_max\"]\n"
     "[numerics]\nscheme = \"aa\"\nformat = \"fp32\"\ndevice = \"cpu\"\n"},
    {"packing",
     "[domain]\nnodes = [152, 152, 152]\nperiodic = [true, true, true]\n"
     "[geometry.generator]\nkind = \"sphere_packing\"\nporosity = 0.4\ndiameter = 24.0\n"
     "[numerics]\nscheme = \"compact-aa\"\nformat = \"fp32\"\ndevice = \"cpu\"\n"},
    {"tiles",
     "[domain]\nnodes = [112, 112, 112]\nperiodic = [true, true, true]\n"
     "[geometry.generator]\nkind = \"sphere_packing\"\nporosity = 0.3\ndiameter = 24.0\n"
     "[numerics]\nscheme = \"t2c\"\ntile = 8\nformat = \"fp32\"\ndevice = \"cpu\"\n"},
    {"tracers",
     "[domain]\nnodes = [96, 96, 96]\nperiodic = [true, true, true]\n"
     "[geometry.generator]\nkind = \"sphere_packing\"\nporosity = 0.5\ndiameter = 24.0\n"
     "[[tracer]]\nname = \"points\"\nbox = [[0, 0, 0], [96, 96, 96]]\ncount = 1000\n"
     "[numerics]\nscheme = \"compact-aa\"\nformat = \"fp32\"\ndevice = \"cpu\"\n"},
    {"channel",
     "[domain]\ndimension = 2\nnodes = [2000, 1600]\n"
     "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nvelocity = [0.05, 0.0]\n"
     "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n"
     "[numerics]\nscheme = \"aa\"\nformat = \"fp32\"\ndevice = \"cpu\"\n"},
};

class MemoryOf : public testing::TestWithParam<Memory> {};

TEST_P(MemoryOf, ARunIsPlannedWithinThreePercent) {
  SKIP_UNDER_SANITIZERS("sanitizers take memory of their own");
  const Folder folder;
  const std::string file = (folder / "case.toml").string();
  write_text(file,
             "[units]\nsystem = \"lattice\"\nviscosity = 0.02\n[run]\nsteps = 2\n[output]\nvtk = \"none\"\n"
             "[checkpoint]\nat_end = false\n" +
                 std::string(GetParam().text));
  const Outcome plan = run_fluvia("plan " + file);
  ASSERT_EQ(plan.code, 0) << plan.text;
  const std::size_t at = plan.text.find("memory       ");
  ASSERT_NE(at, std::string::npos) << plan.text;
  const double planned = std::stod(plan.text.substr(at + 13));
  const double measured = peak_memory({"run", file, "--output", (folder / "out").string()});
  ASSERT_GT(measured, 100) << plan.text;
  EXPECT_NEAR(planned, measured, 0.03 * measured) << plan.text;
}

INSTANTIATE_TEST_SUITE_P(All, MemoryOf, testing::ValuesIn(cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace fluvia::test
