// SPDX-License-Identifier: Apache-2.0
// `fluvia new --from FILE --heat 40W --wind 2m/s`: a body of aluminium that makes heat in a wind.
#include <gtest/gtest.h>

#include <string>

#include "draft/draft_support.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/draft/draft.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A block of 40 x 20 x 10 mm in a wind of 2 m/s that makes 5 W.
DraftRequest heated_block(const TemporaryFolder& folder) {
  DraftRequest request;
  request.files = {folder.write("block.stl", binary_stl(box_soup({10, 20, 30}, {50, 40, 40})))};
  request.folder = folder.path();
  request.unit = 1e-3;
  request.wind = 2;
  request.heat = 5;
  request.most_nodes = 40000;
  return request;
}

TEST(HeatDraft, GivesTheBodyItsHeat) {
  const TemporaryFolder folder;
  const Case c = parse_case(make_draft(heated_block(folder)).text, folder.path() / "block.toml");
  ASSERT_EQ(c.scalars.size(), 1U);
  ASSERT_EQ(c.solids.size(), 1U);
  EXPECT_EQ(c.solids[0].surface, "body");
  // 5 W over 8 ml; conductivities 200 and 0.0258 W/(m K), of which the ratio is kept.
  EXPECT_NEAR(std::stod(c.solids[0].source) * 8e-6 * c.solids[0].capacity_ratio * 1.2 * 1006, 5, 1e-3);
  const double of_air = *c.units.viscosity / *c.scalars[0].prandtl;
  EXPECT_NEAR(c.solids[0].capacity_ratio * c.solids[0].diffusivity / of_air, 200 / 0.0258, 10);
  EXPECT_EQ(c.boundaries[0].scalars.at("temperature").value->number, 293);
  EXPECT_EQ(c.output.fields.back(), "temperature");
  EXPECT_EQ(c.output.slices.back().field, "temperature");
}

TEST(HeatDraft, IsRefusedWhereItCannotBe) {
  const TemporaryFolder folder;
  const auto refused = [&](const auto& change, const std::string& part) {
    DraftRequest request = heated_block(folder);
    change(request);
    EXPECT_CONTAINS(refusal(request), part);
  };
  refused([](auto& r) { r.wind.reset(); }, "--heat: is for a body with --wind");
  refused([](auto& r) { r.levels = 1; }, "--heat: solids that conduct do not run on levels");
  refused([](auto& r) { r.fluid = "water"; }, "--heat: is for a body in air");
  expect_one_closed_body(heated_block(folder), folder, "--heat: heats one body");
}

}  // namespace
}  // namespace fluvia::test
