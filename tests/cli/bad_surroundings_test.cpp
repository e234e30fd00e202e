// SPDX-License-Identifier: Apache-2.0
// Broken files and surroundings that need more than a line of arguments: devices without end, closed and full streams,
// limits on files, checkpoints that do not fit.
#include <gtest/gtest.h>

#include <utility>

#include "support/program.hpp"
#include "support/sanitizers.hpp"

namespace fluvia::test {
namespace {

const char* const start = R"([units]
system = "lattice"
viscosity = 0.02
)";
const char* const box = "[domain]\nnodes = [12, 10, 8]\n";
const char* const short_run = "[run]\nsteps = 4\n";

class Surroundings : public testing::Test {
 protected:
  void write_case(const std::string& text) { write_text(folder_ / "case.toml", start + text); }
  /// Runs a shell command in the test's folder; FLUVIA stands for the program.
  Outcome shell(std::string command) {
    for (std::size_t at = 0; (at = command.find("FLUVIA", at)) != std::string::npos; at += 1)
      command.replace(at, 6, FLUVIA_BINARY);
    return run_shell("cd " + folder_.string() + " && " + command);
  }
  void expect_error(const Outcome& outcome, int code, const std::string& message) {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.string()))
      EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << "half-written: " << entry.path();
  }
  Folder folder_;
};

TEST_F(Surroundings, TimesThatAreNoNumberOfSteps) {
  for (const auto& [time, shown] : {std::pair("1e300", "1e+300"), std::pair("1e-300", "1e-300")}) {
    write_case(std::string(box) + "[run]\ntime = " + time + "\n");
    expect_error(shell("FLUVIA run case.toml --output out"), 3,
                 "case.toml:7:8: run.time: '" + std::string(shown) + "'");
  }
}

/// What is there and is no regular file stays what it is: /dev/null, a pipe, a link, standard output.
TEST_F(Surroundings, ResultsGoIntoDevicesPipesAndLinks) {
  const std::string model = "FLUVIA model box --bandwidth 100 --size 32 --json ";
  ASSERT_EQ(
      shell("echo old > target; ln -s target link; ln -s missing dangling; ln -s /dev/null null; mkfifo pipe").code, 0);
  for (const char* name : {"link", "dangling", "null"}) {
    EXPECT_EQ(shell(model + name).code, 0) << name;
    EXPECT_EQ(shell("test -L " + std::string(name)).code, 0) << name;
  }
  EXPECT_EQ(read_text(folder_ / "target"), read_text(folder_ / "missing"));
  EXPECT_EQ(read_text(folder_ / "target").front(), '{');
  expect_error(shell(model + "pipe"), 4, "'pipe': it is a pipe that no program reads");
  EXPECT_EQ(shell("test -p pipe && test -c /dev/null").code, 0);
  EXPECT_EQ(shell("(cat pipe > read &) ; sleep 1; timeout 60 " + model + "pipe && sleep 1").code, 0);
  EXPECT_EQ(read_text(folder_ / "read"), read_text(folder_ / "target"));
  EXPECT_EQ(shell("ln -s /proc/self/fd/1 out; " + model + "out 2>/dev/null | tail -n 1").text, "}\n");
  EXPECT_EQ(shell("mkdir folder; " + model + "folder").code, 4);
}

TEST_F(Surroundings, AResultReplacesNoCaseAndNoLinkToItself) {
  write_case(std::string(box) + short_run);
  const std::string text = read_text(folder_ / "case.toml");
  expect_error(shell("FLUVIA plan case.toml --json case.toml"), 2, "'case.toml' is there and may be a case");
  EXPECT_EQ(read_text(folder_ / "case.toml"), text);
  const std::string model = "FLUVIA model box --bandwidth 100 --size 32 --json ";
  expect_error(shell("ln -s loop loop; " + model + "loop"), 4, "cannot write");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "loop"));
}

TEST_F(Surroundings, AResultGoesAloneToStandardOutput) {
  const std::string model = "FLUVIA model box --bandwidth 100 --size 32 --json ";
  ASSERT_EQ(shell(model + "file").code, 0);
  EXPECT_EQ(shell(model + "- 2>/dev/null").text, read_text(folder_ / "file"));
  EXPECT_NE(shell(model + "- 2>&1 >/dev/null").text.find("Least memory"), std::string::npos);
}

TEST_F(Surroundings, TheRecordOfAFolderIsNoLink) {
  write_case(std::string(box) + short_run);
  ASSERT_EQ(shell("mkdir out; echo precious > victim; ln -s ../victim out/.fluvia-run").code, 0);
  expect_error(shell("FLUVIA run case.toml --output out"), 4, "'out/.fluvia-run': it is a symbolic link");
  EXPECT_EQ(read_text(folder_ / "victim"), "precious\n");
  ASSERT_EQ(shell("rm out/.fluvia-run; mkfifo out/.fluvia-run").code, 0);
  expect_error(shell("FLUVIA run case.toml --output out"), 4, "it is no regular file");
  ASSERT_EQ(shell("rm out/.fluvia-run; ln victim out/.fluvia-run").code, 0);
  expect_error(shell("FLUVIA run case.toml --output out"), 4, "it is another name of a file (a hard link)");
  EXPECT_EQ(read_text(folder_ / "victim"), "precious\n");
}

TEST_F(Surroundings, MistypedOptionsAreNamed) {
  expect_error(shell("FLUVIA run case.toml --ouput out"), 2,
               "run: there is no option '--ouput'; did you mean '--output'?");
  expect_error(shell("FLUVIA plan case.toml --thread=2"), 2, "did you mean '--threads'?");
  expect_error(shell("FLUVIA --verson"), 2, "there is no option '--verson'; did you mean '--version'?");
}

TEST_F(Surroundings, APlanMayBeJson) {
  write_case(std::string(box) + short_run);
  const Outcome plan = shell("FLUVIA plan case.toml --device cpu --json - 2>/dev/null");
  ASSERT_EQ(plan.code, 0) << plan.text;
  EXPECT_EQ(plan.text.front(), '{');
  for (const char* part : {"\"fluid_nodes\": 960", "\"lattice\": \"D3Q19\"", "\"refusal\": \"\"", "\"steps\": 4"})
    EXPECT_NE(plan.text.find(part), std::string::npos) << part << " in " << plan.text;
}

TEST_F(Surroundings, PlansOfHugeBoxesAreQuickAndSayThatTheyWillNotRun) {
  write_case("[domain]\nnodes = [4096, 4096, 4096]\n" + std::string(short_run));
  const Outcome huge = shell("OMP_NUM_THREADS=2 timeout 20 FLUVIA plan case.toml --device cpu");
  EXPECT_EQ(huge.code, 0) << huge.text;
  EXPECT_NE(huge.text.find("68719476736 in the box"), std::string::npos) << huge.text;
  EXPECT_NE(huge.text.find("at least 4980736.0 MiB"), std::string::npos) << huge.text;
  EXPECT_NE(huge.text.find("warning: will not run here"), std::string::npos) << huge.text;
}

TEST_F(Surroundings, ImageWithoutEnd) {
  expect_error(shell("ln -s /dev/zero r.raw && FLUVIA geometry r.raw --shape 8 8 8"), 3, "not a regular file");
}

TEST_F(Surroundings, ClaimsTakeNoMemory) {
  SKIP_UNDER_SANITIZERS("sanitizers reserve more memory than this limit");
  write_text(folder_ / "m.pgm", "P2\n44000 44000\n255\n1 2 3 4 ");
  write_text(folder_ / "r.raw", "12345678");
  for (const char* file : {"m.pgm", "r.raw --shape 1500 1500 1500"})
    EXPECT_EQ(shell("ulimit -v 1500000; FLUVIA geometry " + std::string(file)).code, 3) << file;
}

TEST_F(Surroundings, SmallStack) {
  write_case(std::string(box) + short_run);
  expect_error(shell("ulimit -s 32 && FLUVIA run case.toml --output out"), 4, "the limit on the stack is below 1 MiB");
  EXPECT_EQ(shell("ulimit -s 1024 && FLUVIA run case.toml --output out").code, 0);
}

TEST_F(Surroundings, MessagesShowNoEscapeSequences) {
  write_text(folder_ / "case.toml",
             "title = \"\\u001b[31m\"\n\"" + std::string(100000, 'k') + "\\u001b]0;x\\u0007\" = 1\n");
  for (const std::string name : {"case.toml", "$(printf '\\033[2J\\377.toml')"}) {
    const Outcome outcome = shell("FLUVIA plan \"" + name + "\"");
    EXPECT_EQ(outcome.code, 3) << outcome.text;
    EXPECT_LT(outcome.text.size(), 10000u);
    EXPECT_EQ(outcome.text.find_first_of("\x1b\x07\xff"), std::string::npos) << outcome.text;
  }
}

TEST_F(Surroundings, ImageBeyondWhatCanBeRead) {
  write_text(folder_ / "m.pgm", "P5\n65000 65000\n255\n.");
  expect_error(shell("FLUVIA geometry m.pgm"), 3, "an image of 65000 x 65000 pixels");
}

TEST_F(Surroundings, AsciiCoordinateThatIsTooLarge) {
  write_text(folder_ / "s.stl",
             "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 1e999 0\nvertex 1 0 0\nvertex 0 1e-999 0\nendloop\n"
             "endfacet\nendsolid s\n");
  expect_error(shell("FLUVIA geometry s.stl"), 3, "s.stl: triangle 1 (line 4) has the coordinate inf");
}

TEST_F(Surroundings, BoxBeyondMemory) {
  write_text(folder_ / "meminfo", "MemTotal: 24000000 kB\nMemAvailable: 30000 kB\n");
  const std::string pretend = "unshare --mount sh -c 'mount --bind meminfo /proc/meminfo && ";
  if (shell(pretend + "true'").code != 0) GTEST_SKIP() << "this process may not mount";
  write_case("[domain]\nnodes = [400, 400, 400]\n[run]\nsteps = 4\n");
  expect_error(shell(pretend + "exec FLUVIA run case.toml --output out'"), 4,
               "memory: domain: the geometry of 400 x 400 x 400 nodes needs at least");
}

TEST_F(Surroundings, FullStandardOutput) {
  write_case(std::string(box) + short_run);
  for (const char* command : {"info", "plan case.toml", "geometry case.toml", "run case.toml --output out"})
    expect_error(shell("FLUVIA " + std::string(command) + " 2>&1 >/dev/full"), 4,
                 "standard output cannot be written: No space left on device; send it");
}

TEST_F(Surroundings, RunsWithoutStandardStreams) {
  write_case(std::string(box) + short_run);
  for (const char* streams : {">&- 2>&-", "2>/dev/full", "<&- 2>&-"}) {
    const Outcome outcome = shell("rm -rf out && FLUVIA run case.toml --output out " + std::string(streams));
    EXPECT_EQ(outcome.code, 0) << streams << outcome.text;
    const std::string rows = read_text(folder_ / "out" / "monitors.csv");
    EXPECT_TRUE(rows.starts_with("step,")) << streams << rows;
    EXPECT_EQ(rows.find("Mach 0"), std::string::npos) << "messages went into a file: " << rows;
  }
}

TEST_F(Surroundings, RunOutlivesTheReaderOfItsMessages) {
  write_case(std::string(box) + "[run]\nsteps = 2000\n");
  EXPECT_EQ(shell("{ FLUVIA run case.toml --output out; echo $? >code; } 2>&1 | head -c 1").code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "summary.json"));
}

TEST_F(Surroundings, LimitOnFileSize) {
  SKIP_UNDER_SANITIZERS("ThreadSanitizer keeps notes of its own in a file, which this limit cuts off");
  write_case("[domain]\nnodes = [40, 40, 40]\n[run]\nsteps = 4\n");
  expect_error(shell("ulimit -f 64 && FLUVIA run case.toml --output out"), 4, "File too large (raise the limit");
}

TEST_F(Surroundings, CheckpointFromBehindTheEnd) {
  write_case(std::string(box) + short_run);
  ASSERT_EQ(shell("FLUVIA run case.toml --output out").code, 0);
  const std::string rows = read_text(folder_ / "out" / "monitors.csv");
  expect_error(shell("FLUVIA run case.toml --output out --resume --steps 2"), 3,
               "the checkpoint is from step 4, but the run ends at step 2");
  EXPECT_EQ(read_text(folder_ / "out" / "monitors.csv"), rows);
  EXPECT_EQ(shell("FLUVIA run case.toml --output out --resume").code, 0) << "nothing left to do";
}

}  // namespace
}  // namespace fluvia::test
