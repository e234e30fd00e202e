// SPDX-License-Identifier: Apache-2.0
// Vessels in which the flow beats: what a waveform becomes, and what lies behind the outlets.
#include "fluvia/draft/pulse.hpp"

#include <cmath>
#include <numbers>

#include "draft/draft_support.hpp"
#include "fluvia/draft/vessel_flow.hpp"

namespace fluvia::test {
namespace {

constexpr double mercury = 133.322;

/// A beating flow through the bend, 0.1 ml/s on average.
DraftRequest beating(const TemporaryFolder& folder, const std::string& rows) {
  DraftRequest request = bend();
  request.waveform = folder.write("q.csv", rows);
  request.folder = folder.path();
  request.most_nodes = 2e4;
  return request;
}

TEST(PulsatingDraft, TakesSemicolonsDecimalCommasAndTheUnitOfTheOption) {
  const TemporaryFolder folder;
  DraftRequest request = beating(folder, "t;Q\n0,0;0,1\n0,4;0,15\n0,8;0,1\n");
  request.unit_of_flow = "ml/s";
  const Made made = make(request);
  const Case::Boundary& inlet = boundary_at(made.c, "inlet");
  EXPECT_EQ(inlet.series_quantity, "flow_rate");
  EXPECT_EQ(inlet.profile, "womersley");
  EXPECT_DOUBLE_EQ(inlet.series_scale, 1e-6);
  EXPECT_FALSE(inlet.series_period);  // the last row is the first moment of the next cycle
  EXPECT_DOUBLE_EQ(*made.c.run.time, 4 * 0.8);
  EXPECT_EQ(boundary_at(made.c, "outlet").type, "pressure");
  const double steps = 0.8 / made.units.time_step;
  EXPECT_NEAR(static_cast<double>(*made.c.monitors.average_from), 2 * steps, 2);
  EXPECT_GT(steps / static_cast<double>(made.c.monitors.every), 40);
  // The mean of the two straight lines, 0.125 ml/s, through a pipe of 28 mm2.
  EXPECT_NEAR(*made.c.units.reference_velocity, 0.125e-6 / 2.795e-5, 2e-5);
}

TEST(PulsatingDraft, TakesTheUnitOfTheHeader) {
  const TemporaryFolder folder;
  DraftRequest request = beating(folder, "t [ms],Q [ml/min]\n0,6\n250,9\n500,6\n750,3\n");
  const Made made = make(request);
  const Case::Boundary& inlet = boundary_at(made.c, "inlet");
  EXPECT_DOUBLE_EQ(inlet.series_scale, 1);
  // The file ends elsewhere than it begins, so the cycle is a row longer.
  EXPECT_DOUBLE_EQ(inlet.series_period.value_or(0), 1);
  EXPECT_NEAR(*made.c.units.reference_velocity, 6e-6 / 60 / 2.795e-5, 2e-5);
  request.unit_of_flow = "ml/s";
  expect_parts(refusal(request), {"--unit-of-flow: 'ml/s' contradicts the header of", "[ml/min]"});
  // A flow rate that is given is the mean, whatever the unit of the file.
  request.unit_of_flow.clear();
  request.flow_rate = 12e-6 / 60;
  EXPECT_NEAR(boundary_at(make(request).c, "inlet").series_scale, 2 * 1e-6 / 60, 1e-14);
}

TEST(PulsatingDraft, SaysWhatAUnitIsMissingFor) {
  const TemporaryFolder folder;
  const DraftRequest request = beating(folder, "0,1\n0.5,2\n1,1\n");
  expect_parts(refusal(request),
               {"--unit-of-flow is missing", "With a mean of 1.5", "--unit-of-flow ml/s     90 ml/min"});
  DraftRequest wrong = request;
  wrong.unit_of_flow = "mm";
  expect_parts(refusal(wrong), {"--unit-of-flow: 'mm' is not known"});
  DraftRequest steady = bend();
  steady.windkessel = true;
  expect_parts(refusal(steady), {"--windkessel: is for a flow that beats; give --waveform, too"});
}

TEST(PulsatingDraft, AMeanOutOfTheVesselIsRefused) {
  const TemporaryFolder folder;
  DraftRequest request = beating(folder, "t [s],Q [ml/s]\n0,-1\n0.5,-2\n1,-1\n");
  expect_parts(error_of(ExitCode::input, [&] { make_draft(request); }),
               {"is -1.5 ml/s: expected more than 0", "change the signs"});
}

/// 800 s are no cycle of a heart, but for those who say that they mean seconds.
TEST(PulsatingDraft, ACycleOfNoHeartNeedsTheUnitOfItsTimes) {
  const TemporaryFolder folder;
  expect_parts(refusal(beating(folder, "t,Q [ml/s]\n0,0.1\n400,0.2\n800,0.1\n")),
               {"--waveform: ", "a cycle of 800 s is none of a heart", "t [ms];Q [ml/s]"});
  EXPECT_NEAR(draft::plan_vessel(beating(folder, "t [ms],Q [ml/s]\n0,0.1\n400,0.2\n800,0.1\n")).waveform->cycle(), 0.8,
              1e-12);
  EXPECT_NEAR(draft::plan_vessel(beating(folder, "t [s],Q [ml/s]\n0,0.1\n4,0.2\n8,0.1\n")).waveform->cycle(), 8, 1e-12);
}

/// Three outlets: those of the windkessel's parts add up to the whole, in proportion to the cubes of the diameters.
TEST(PulsatingDraft, DividesTheWindkesselByMurraysLaw) {
  const TemporaryFolder folder;
  DraftRequest request = beating(folder, "t [s],Q [ml/s]\n0,0.05\n0.2,0.25\n0.4,0.05\n0.8,0.05\n");
  request.windkessel = true;
  draft::Vessel v = draft::plan_vessel(request);
  ASSERT_EQ(v.shape.ends.size(), 2U);
  EXPECT_DOUBLE_EQ(v.share(1), 1);
  // The mean of 0.1 ml/s at 93 mmHg, unless somebody gives a resistance.
  EXPECT_NEAR(v.windkessel->resistance(), 93 * mercury / 0.1e-6, 0.01 * 93 * mercury / 0.1e-6);
  v.shape.ends.push_back(v.shape.ends[1]);
  v.shape.ends.back().area /= 4;  // half as wide
  EXPECT_NEAR(v.share(1), 8.0 / 9, 1e-12);
  EXPECT_NEAR(v.share(2), 1.0 / 9, 1e-12);
}

TEST(PulsatingDraft, WritesWindkesselsThatPlanTakes) {
  const TemporaryFolder folder;
  DraftRequest request = beating(folder, "t [s],Q [ml/s]\n0,0.05\n0.2,0.25\n0.4,0.05\n0.8,0.05\n");
  request.windkessel = true;
  request.resistance = 100 * mercury / 1e-6;
  request.compliance = 0.01e-6 / mercury;
  request.cycles = 3;
  const Made made = make(request);
  const auto& values = boundary_at(made.c, "outlet").values;
  EXPECT_EQ(boundary_at(made.c, "outlet").type, "windkessel");
  EXPECT_NEAR(values.at("proximal_resistance") + values.at("distal_resistance"), *request.resistance,
              1e-5 * *request.resistance);
  // The fluid of the lattice takes up a part itself.
  const double sound = made.units.spacing / (std::sqrt(3.0) * made.units.time_step);
  const double volume = draft::plan_vessel(request).lumen.volume;
  EXPECT_NEAR(values.at("compliance") + volume / (1060 * sound * sound), *request.compliance,
              1e-3 * *request.compliance);
  // 10 mmHg on average, from which the density hardly differs.
  EXPECT_NEAR(*made.c.units.reference_pressure, 10 * mercury, 1);
  EXPECT_DOUBLE_EQ(*made.c.run.time, 3 * 0.8);
  expect_parts(made.draft.text, {"100 mmHg s/ml and 0.01 ml/mmHg altogether"});
}

/// A flow that does not change makes a pressure that does not: so the start is known exactly.
TEST(Windkessel, StartsInItsCycle) {
  const TemporaryFolder folder;
  DraftRequest request = beating(folder, "t [s],Q [ml/s]\n0,1\n0.5,1.0001\n1,1\n");
  request.windkessel = true;
  const draft::Waveform steady = draft::read_waveform(request, 1e-5);
  const draft::Windkessel without_ramp = draft::make_windkessel(request, steady, 0);
  EXPECT_NEAR(without_ramp.start_pressure / without_ramp.mean_pressure, 1, 1e-3);
  // p_c falls by exp(-t / RC) while the ramp holds the flow back, so that it has to start higher.
  const double ramp = 0.25, decay_time = without_ramp.distal * without_ramp.compliance;
  const draft::Windkessel ramped = draft::make_windkessel(request, steady, ramp);
  const double k = std::numbers::pi / ramp, rate = 1 / decay_time;
  // Integral of exp(t/tau) (1 + cos(k t)) / 2 / tau over the ramp: what is missing of the flow.
  const double grown = std::exp(ramp * rate);
  const double missing = 0.5 * (grown - 1) + 0.5 * rate * (-grown * rate - rate) / (rate * rate + k * k);
  EXPECT_NEAR(ramped.start_pressure / ramped.mean_pressure, 1 + missing, 1e-3);
}

/// A vessel whose largest outlet has a throat, and which has a thin branch.
draft::Vessel branched() {
  draft::Vessel v;
  const auto disc = [](const char* name, double diameter) {
    draft::VesselEnd end;
    end.name = name;
    end.area = std::numbers::pi / 4 * diameter * diameter;
    return end;
  };
  v.shape.ends = {disc("inlet", 10e-3), disc("outlet_1", 9e-3), disc("outlet_2", 2e-3)};
  v.lumen.throats = {{{}, 1.5e-3, {2}}, {{}, 6e-3, {1}}};
  return v;
}

TEST(VesselDraft, FollowsTheMainPathAndNotTheThinBranch) {
  draft::Vessel v = branched();
  EXPECT_FALSE(v.is_main(v.lumen.throats[0]));
  EXPECT_TRUE(v.is_main(v.lumen.throats[1]));
  EXPECT_DOUBLE_EQ(v.narrowest(), 6e-3);
  EXPECT_DOUBLE_EQ(v.thinnest(), 1.5e-3);
  // Of many outlets none of which has a tenth of the flow the largest ones are the main path.
  v.shape.ends.insert(v.shape.ends.end(), 20, v.shape.ends[1]);
  EXPECT_TRUE(v.is_main(v.lumen.throats[1]));
  EXPECT_FALSE(v.is_main(v.lumen.throats[0]));
}

TEST(VesselDraft, SaysOnTheTerminalWhatItChose) {
  const Draft draft = make_draft(bend());
  EXPECT_EQ(draft.across_what, "the narrowest place of the main path");
  EXPECT_NEAR(draft.across, 16, 0.5);
  EXPECT_EQ(draft.enough_across, 10);
  std::string notes;
  for (const std::string& note : draft.notes) notes += note + '\n';
  expect_parts(notes, {"nobody gave one (--flow, --speed, --waveform): ", " ml/min through the inlet, Re = "});
}

}  // namespace
}  // namespace fluvia::test
