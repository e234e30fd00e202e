// SPDX-License-Identifier: Apache-2.0
// What a run says before it begins: nothing that is not so.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

const std::string box = R"([units]
system = "si"
spacing = 0.5
time_step = 0.25
viscosity = 0.05
density = 3
[domain]
nodes = [9, 8, 7]
periodic = [true, false, true]
[[geometry.shape]]
kind = "box"
center = [2.25, 2.0, 1.75]
size = [1.0, 1.0, 1.0]
[numerics]
device = "cpu"
collision = "trt"
scheme = "compact-pull"
lattice = "D3Q19"
format = "fp32"
threads = 1
[output]
vtk = "none"
)";

class Messages : public testing::Test {
 protected:
  RunResult run(const std::vector<std::string>& settings, bool resume = false) {
    messages_.clear();
    warnings_.clear();
    RunOptions options;
    options.output = folder_.path() / "out";
    options.resume = resume;
    options.on_message = [this](const std::string& text) { messages_.push_back(text); };
    options.on_warning = [this](const std::string& text) { warnings_.push_back(text); };
    return run_case(parse_case(box, "case.toml", settings), options);
  }
  [[nodiscard]] std::string all() const {
    std::string text;
    for (const std::string& each : messages_) text += each + "\n";
    return text;
  }
  TemporaryFolder folder_;
  std::vector<std::string> messages_, warnings_;
};

TEST_F(Messages, SayWhatIsSolvedAndHow) {
  run({"run.steps=3"});
  ASSERT_EQ(messages_.size(), 2u) << all();
  EXPECT_EQ(messages_[0], "9 x 8 x 7 nodes, 486 fluid (porosity 0.9643), tau 0.65");
  EXPECT_CONTAINS(messages_[1], "D3Q19 trt quasi-compressible compact-pull fp32, 1 threads, 0.");
  for (const char* other : {"stream", "snapshot", "half", "viscosity", "resum"})
    EXPECT_EQ(all().find(other), std::string::npos) << other << "\n" << all();
}

TEST_F(Messages, SayWhereARunGoesOn) {
  run({"run.steps=3"});
  run({"run.steps=7"}, true);
  EXPECT_CONTAINS(all(), "resuming at step 3");
  for (const std::string& text : warnings_) EXPECT_EQ(text.find("moved"), std::string::npos) << text;
  EXPECT_EQ(run({"run.steps=7"}, true).steps, 7) << "a run that is done may be resumed";
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { run({"run.steps=6"}, true); }),
                  "the checkpoint is from step 7, but the run ends at step 6");
}

TEST_F(Messages, TimesAreRoundedToSteps) {
  for (const auto& [time, steps] : std::vector<std::pair<std::string, int>>{
           {"0.126", 1}, {"0.25", 1}, {"0.374", 1}, {"0.376", 2}, {"1.0", 4}, {"1.2", 5}})
    EXPECT_EQ(run({"run.time=" + time}).steps, steps) << time;
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { run({"run.time=0.124"}); }), "is 0.496 time steps of 0.25");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { run({"run.time=2.6e14"}); }), "expected 1 to 1e+15 steps");
}

TEST_F(Messages, SayWhenTheViscosityVariesAndWhenHalfOfTheNodesAreStored) {
  run({"run.steps=1", "physics.smagorinsky=0.1"});
  EXPECT_CONTAINS(all(), "viscosity ");
  run({"run.steps=1", "numerics.lattice=D3Q13", "numerics.collision=mrt", "numerics.scheme=fcc",
       "domain.nodes=[8,8,6]"});
  EXPECT_CONTAINS(all(), "nodes are stored, those with i + j + k even; speeds count these");
}

}  // namespace
}  // namespace fluvia::test
