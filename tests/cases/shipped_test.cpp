// SPDX-License-Identifier: Apache-2.0
// Every shipped case is a regression test: the flow after 100 steps against stored norms. Sums of fp32 values differ
// between machines in the sixth digit; a changed boundary, unit or geometry shows in the first three.
#include <gtest/gtest.h>

#include <set>

#include "fluvia/case/templates.hpp"
#include "nlohmann/json.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

struct Norm {
  const char* name;
  double kinetic_energy, max_velocity;  ///< lattice; m/s or lattice
};
void PrintTo(const Norm& value, std::ostream* out) {
  *out << value.name;
}

const Norm norms[] = {
    {"aneurysm", 27.0613293089502, 0.18810152291585047},
    {"cavity", 0.43581864697987216, 0.07539898902184519},
    {"cavity-heated", 0.0005188731410587196, 0.0016472152450656735},
    {"heat-sink", 0.23728774652558168, 0.10090048647581885},
    {"mixer", 5.695369859170884e-05, 0.01772137005706344},
    {"tank", 0.5742576754338365, 0.01854055814065896},
    {"channel", 0.006669600242427075, 0.0025124975945800543},
    {"cylinder", 1.4091453173060878e-05, 0.005758783526325092},
    {"levels", 5.374941447465559e-07, 0.00045055222628353337},
    {"mask", 0.008292669186586025, 0.007705246006349121},
    {"packing", 0.8395708944874908, 0.01667536747900125},
    {"pipe-sphere", 49.504609443871054, 0.03827470342966967},
    {"stl", 13.038226641610406, 0.185811835757917},
    {"piston", 1.759273482878964e-06, 0.00030627296700704774},
    {"propeller", 0.32825745062992134, 1.2042076993563064},
    {"settling", 0.07077297131328979, 0.031126913235143418},
    {"stirrer", 13.540945792604816, 0.36397943002734778},
    {"sphere-in-pipe", 0.6242121761974652, 1.5049942606000035},
    {"voxels", 0.04101786652318018, 0.010956837510139662},
    {"blood", 4.525721519919193, 0.057552285014851795},
    {"network", 0.0010722872477056974, 0.04027964117723597},
};

double monitor(const nlohmann::json& summary, const std::string& prefix) {
  for (const auto& [name, value] : summary["results"]["monitors"].items())
    if (name.starts_with(prefix)) return value.get<double>();
  return -1;
}

class ShippedCase : public testing::TestWithParam<Norm> {};

TEST_P(ShippedCase, KeepsItsNorms) {
  const Norm& norm = GetParam();
  const Folder folder;
  const std::string file = std::string(FLUVIA_SOURCE_DIR) + "/cases/" + norm.name + ".toml";
  const Outcome outcome = run_fluvia("run " + file + " --steps 100 --output " + (folder / "out").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto summary = nlohmann::json::parse(read_text(folder / "out" / "summary.json"));
  EXPECT_NEAR(monitor(summary, "kinetic_energy") / norm.kinetic_energy, 1, 1e-3);
  EXPECT_NEAR(monitor(summary, "max_velocity") / norm.max_velocity, 1, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedCase, testing::ValuesIn(norms), [](const auto& instance) {
  std::string name = instance.param.name;
  for (char& ch : name)
    if (ch == '-') ch = '_';
  return name;
});

TEST(ShippedCases, AllHaveNorms) {
  std::set<std::string> known;
  for (const Norm& norm : norms) known.insert(norm.name);
  for (const std::string& name : template_names()) EXPECT_TRUE(known.contains(name)) << name;
}

}  // namespace
}  // namespace fluvia::test
