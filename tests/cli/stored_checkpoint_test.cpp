// SPDX-License-Identifier: Apache-2.0
// Checkpoints that an earlier version wrote stay readable: one of each storage format, with averages, the memory of
// outlets and of boundary conditions. Never write these files anew to make this test pass.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace fluvia::test {
namespace {

class StoredCheckpoint : public testing::TestWithParam<const char*> {};

TEST_P(StoredCheckpoint, IsResumed) {
  const Folder folder;
  const std::string stored = std::string(FLUVIA_SOURCE_DIR) + "/tests/cli/stored/", format = GetParam();
  const std::string run = "run " + stored + "case.toml --threads 1 --set numerics.format=" + format + " --output ";
  const Outcome resumed = run_fluvia(run + (folder / "resumed").string() + " --resume " + stored + format + ".fluvia");
  ASSERT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_NE(resumed.text.find("resuming at step 20"), std::string::npos) << resumed.text;
  ASSERT_EQ(run_fluvia(run + (folder / "whole").string()).code, 0);
  const auto results = [&](const char* name) {
    return nlohmann::json::parse(read_text(folder / name / "summary.json"))["results"];
  };
  // A later version computes what the stored flow did not do in its first steps: non-reflecting openings even the
  // pressure along themselves, which is 8% of a flow that has only begun. Wrong populations would show in full.
  const nlohmann::json expected = results("whole"), found = results("resumed");
  for (const auto& [name, value] : expected["monitors"].items()) {
    const double scale = std::abs(value.get<double>());
    EXPECT_NEAR(found["monitors"][name].get<double>(), value.get<double>(), 0.1 * scale + 1e-4) << name;
  }
  EXPECT_NEAR(found["mass_balance"]["passed"].get<double>(), expected["mass_balance"]["passed"].get<double>(), 0.5);
}

INSTANTIATE_TEST_SUITE_P(All, StoredCheckpoint, testing::Values("fp64", "fp32", "fp16s", "fp16c"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace fluvia::test
