// SPDX-License-Identifier: Apache-2.0
// People halve and double the spacing of a template first of all. Every template, as the registry has it, and every
// other shipped case is planned at 0.5, 1 and 2 times its spacing: it is not refused, and warnings do not contradict
// each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "fluvia/base/text.hpp"
#include "fluvia/case/case.hpp"
#include "nlohmann/json.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

namespace fs = std::filesystem;

const fs::path shipped = fs::path(FLUVIA_SOURCE_DIR) / "cases";

std::vector<std::string> shipped_cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(shipped))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Values that warnings advise to set, by key.
std::map<std::string, std::set<std::string>> advised(const std::vector<std::string>& warnings) {
  std::map<std::string, std::set<std::string>> values;
  const std::regex setting("--set ([a-z_.0-9]+)=([^ ;]+)");
  for (const std::string& warning : warnings)
    for (auto match = std::sregex_iterator(warning.begin(), warning.end(), setting); match != std::sregex_iterator();
         ++match)
      values[(*match)[1]].insert((*match)[2]);
  return values;
}

void expect_consistent(const std::vector<std::string>& warnings) {
  const std::string all = join(warnings);
  // Advice to refine by different factors agrees: the finest of all serves each.
  const std::set<std::string> by_degree = {"units.spacing", "domain.nodes", "run.steps", "geometry.voxels.refine",
                                           "geometry.mask.refine"};
  for (const auto& [key, values] : advised(warnings))
    if (!by_degree.contains(key)) {
      EXPECT_EQ(values.size(), 1U) << key << " is to have several values: " << all;
    }
  const auto says = [&](const char* text) { return all.find(text) != std::string::npos; };
  EXPECT_FALSE(says("eddies that the grid does not resolve") && says("the grid resolves this flow without it")) << all;
}

class OtherSpacing : public testing::TestWithParam<std::tuple<std::string, double>> {};

TEST_P(OtherSpacing, IsPlannedWithoutContradiction) {
  const auto& [name, factor] = GetParam();
  const fs::path file = shipped / (name + ".toml");
  const Case c = read_case(file);
  if (factor != 1 && !c.units.spacing) GTEST_SKIP() << "in lattice units there is no spacing";
  if (factor < 1 && name == "demo") GTEST_SKIP() << "1.9 million nodes beside curved walls take long";
  if (factor > 1 && name == "levels") GTEST_SKIP() << "tiles are twice as wide, and level 1 would reach the inlet";
  std::string command = "plan " + file.string() + " --device cpu";
  if (factor != 1) command += fmt::format(" --set units.spacing={:.9g}", factor * *c.units.spacing);
  const Folder folder;
  const fs::path json = folder / "plan.json";
  const Outcome outcome = run_fluvia(command + " --json " + json.string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto plan = nlohmann::json::parse(read_text(json));
  EXPECT_EQ(plan["refusal"], "");
  expect_consistent(plan["warnings"].get<std::vector<std::string>>());
  EXPECT_GT(plan["disk"]["total"].get<double>(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, OtherSpacing,
                         testing::Combine(testing::ValuesIn(shipped_cases()), testing::Values(0.5, 1.0, 2.0)),
                         [](const auto& instance) {
                           std::string text = std::get<0>(instance.param);
                           std::replace(text.begin(), text.end(), '-', '_');
                           const double factor = std::get<1>(instance.param);
                           return text + (factor < 1 ? "_halved" : factor > 1 ? "_doubled" : "_as_it_is");
                         });

}  // namespace
}  // namespace fluvia::test
