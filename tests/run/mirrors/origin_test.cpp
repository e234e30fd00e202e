// SPDX-License-Identifier: Apache-2.0
// Where a case lies in space is nobody's business: every shipped case with its origin, and all that has a place, moved
// elsewhere has the same flow bit by bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>
#include <string>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/templates.hpp"
#include "fluvia/case/toml/reference.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/run/loop/mass_account.hpp"
#include "fluvia/run/monitors/monitors.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

/// Keys in metres that are places, with those that are lengths or differences; a new key has to be put into one of
/// these.
const std::set<std::string> places = {"[domain] origin",
                                      "[[geometry.shape]] center",
                                      "[[geometry.shape]] from",
                                      "[[geometry.shape]] to",
                                      "[[geometry.stl]] translate",
                                      "[[opening]] center",
                                      "[[refine]] box",
                                      "[[boundary]] rotation_center",
                                      "[[monitor.probe]] position",
                                      "[monitor] torque_center",
                                      "[[monitor.plane]] center",
                                      "[[output.line]] from",
                                      "[[output.line]] to",
                                      "[[output.plane]] center",
                                      "[output] region",
                                      "[refine.shape] center",
                                      "[refine.shape] from",
                                      "[refine.shape] to",
                                      "[body.motion] center",
                                      "[body.free] center",
                                      "[body.free] hinge",
                                      "[body.free] anchor",
                                      "[[tracer]] box",
                                      "[tracer.sphere] center"};
const std::set<std::string> lengths = {"[domain] size", "[[geometry.shape]] size", "[refine.shape] size"};

TEST(Origin, EveryPlaceInTheCaseFileIsMovedHere) {
  std::set<std::string> found;
  for (const schema::KeyEntry& key : schema::reference_keys()) {
    const bool vector = key.type.find("3 reals") != std::string::npos;
    const std::string name = key.section + " " + key.name;
    if (key.unit != "m" || !vector) continue;
    found.insert(name);
    EXPECT_TRUE(places.contains(name) || lengths.contains(name)) << name << " (" << key.type << ")";
  }
  EXPECT_EQ(found.size(), places.size() + lengths.size());
}

/// A formula of places that lie elsewhere.
std::string moved_formula(std::string formula, const Real3& by) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    formula = std::regex_replace(formula, std::regex("\\b" + name + "\\b"), fmt::format("({} - {})", name, by[axis]));
  }
  return formula;
}

void move(Case& c, const Real3& start, const Real3& by) {
  const auto shift = [&](Real3& place) { place = place + by; };
  c.domain.origin = start + by;
  const auto shift_shape = [&](Case::Shape& shape) {
    for (Real3* place : {&shape.center, &shape.from, &shape.to}) shift(*place);
  };
  for (auto& shape : c.geometry.shapes) shift_shape(shape);
  for (auto& stl : c.geometry.stl) shift(stl.translate);
  for (auto& opening : c.openings)
    if (opening.center) shift(*opening.center);
  for (auto& region : c.refine) {
    if (region.shape) shift_shape(*region.shape);
    if (!region.box) continue;
    for (Real3& corner : *region.box) shift(corner);
  }
  for (auto& body : c.bodies) {
    if (body.motion.center) shift(*body.motion.center);
    if (!body.free) continue;
    for (auto* place : {&body.free->center, &body.free->hinge, &body.free->anchor})
      if (*place) shift(**place);
  }
  for (auto& tracer : c.tracers) {
    if (tracer.sphere) shift(tracer.sphere->center);
    if (!tracer.box) continue;
    for (Real3& corner : *tracer.box) shift(corner);
  }
  for (auto& boundary : c.boundaries)
    if (boundary.rotation_center) shift(*boundary.rotation_center);
  for (auto& probe : c.monitors.probes) shift(probe.position);
  for (auto* planes : {&c.monitors.planes, &c.output.planes})
    for (auto& plane : *planes) shift(plane.center);
  for (auto& line : c.output.lines)
    for (Real3* place : {&line.from, &line.to}) shift(*place);
  if (c.monitors.torque_center) shift(*c.monitors.torque_center);
  for (auto& solid : c.solids) solid.source = moved_formula(solid.source, by);
  if (c.output.region)
    for (Real3& corner : *c.output.region) shift(corner);
}

struct Flow {
  NodeMap nodes;
  std::vector<std::byte> populations;
  std::vector<std::string> columns;
  std::vector<double> row;
  std::vector<double> sections;  ///< velocities along lines and over planes
};

Flow run(const Case& c) {
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  const std::unique_ptr<Solver> solver = make_solver({c, units, build_geometry(c, grid)});
  solver->step(3);
  Flow flow;
  flow.nodes = solver->geometry().nodes;
  const std::size_t bytes = c.numerics.format == "fp64" ? 8 : 4;
  std::vector<std::byte> part(flow.nodes.fluid_nodes * bytes);
  for (const int direction : {1, 4}) {
    solver->save({flow_populations, direction, 0, flow.nodes.tiles.size()}, part);
    flow.populations.insert(flow.populations.end(), part.begin(), part.end());
  }
  const Monitors monitors(c, {*solver, units, grid});
  std::vector<std::vector<Real3>> sections;
  for (const Case::Line& line : c.output.lines) sections.push_back(points_of(line, grid));
  for (const Case::Plane& plane : c.output.planes) sections.push_back(points_of(plane, grid, flow.nodes));
  for (std::vector<Real3>& points : sections) {
    const auto values = PointValues(flow.nodes, grid, std::move(points))
                            .evaluate({*solver, units, grid}, select_fields({"velocity"}, units));
    flow.sections.insert(flow.sections.end(), values[0].begin(), values[0].end());
  }
  for (const MonitorColumn& column : monitors.columns()) flow.columns.push_back(column.name);
  flow.row = monitors.sample(solver->totals(), fluvia::opening_flows(*solver));
  return flow;
}

class Origin : public testing::TestWithParam<std::string> {};

TEST_P(Origin, DoesNotChangeTheFlow) {
  const std::string name = GetParam();
  Case c = read_case(std::string(FLUVIA_SOURCE_DIR) + "/cases/" + name + ".toml");
  c.numerics.device = "cpu";
  const Grid grid = make_grid(c);
  Case moved = c;
  const Real3 shift = {-32 * grid.spacing, 16 * grid.spacing, c.domain.dimension == 3 ? 64 * grid.spacing : 0};
  move(moved, grid.origin, shift);
  const Flow here = run(c), there = run(moved);
  ASSERT_EQ(here.nodes.fluid_nodes, there.nodes.fluid_nodes);
  EXPECT_TRUE(here.populations == there.populations);
  ASSERT_EQ(here.row.size(), there.row.size());
  // Torques and coefficients are worked out in double precision from places that round differently.
  for (std::size_t k = 0; k < here.row.size(); ++k) {
    if (std::isnan(here.row[k]) && std::isnan(there.row[k])) continue;  // what has no value yet
    const std::string& column = here.columns[k];                        // "position_sphere_x" is a place
    const double moves = column.starts_with("position_") ? shift[column.back() - 'x'] : 0;
    EXPECT_NEAR(here.row[k] + moves, there.row[k], 1e-9 * std::abs(here.row[k]) + 1e-15) << column;
  }
}

/// Regions of levels, and what is solid on each.
TEST(Origin, DoesNotChangeLevels) {
  Case c = read_case(std::string(FLUVIA_SOURCE_DIR) + "/cases/levels.toml");
  const Grid grid = make_grid(c);
  Case moved = c;
  move(moved, grid.origin, {-32 * grid.spacing, 16 * grid.spacing, 0});
  const auto flow_of = [](const Case& of) {
    const Grid there = make_grid(of);
    auto solver = make_solver({of, make_units(of, there.spacing), build_geometry(of, there)});
    solver->step(2);
    return solver;
  };
  const auto here = flow_of(c), there = flow_of(moved);
  ASSERT_EQ(here->levels().size(), 3u);
  for (std::size_t l = 0; l < 3; ++l)
    EXPECT_EQ(here->levels()[l].state->geometry().nodes.fluid_nodes,
              there->levels()[l].state->geometry().nodes.fluid_nodes);
  EXPECT_EQ(here->totals().momentum, there->totals().momentum);
  EXPECT_GT(norm(here->totals().momentum), 0);
}

/// A cylinder that spins in another, as the shipped cases have none: about its own axis, wherever that lies.
TEST(Origin, DoesNotChangeWhatSpins) {
  const std::string text =
      "[units]\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [40, 40]\n"
      "[[geometry.shape]]\nkind = \"cylinder\"\noperation = \"fluid\"\nfrom = [20.0, 20.0]\nradius = 18.0\nname = "
      "\"outer\"\n"
      "[[geometry.shape]]\nkind = \"cylinder\"\nfrom = [20.0, 20.0]\nradius = 8.0\nname = \"inner\"\n"
      "[[boundary]]\nsurface = \"inner\"\ntype = \"moving_wall\"\nrotation_center = [20.0, 20.0]\n"
      "angular_velocity = [0.0, 0.0, 0.005]\n[numerics]\ndevice = \"cpu\"\n[run]\nsteps = 3\n"
      "[monitor]\nforces = [\"inner\"]\ntorque_center = [20.0, 20.0]\n"
      "[[monitor.plane]]\nname = \"gap\"\ncenter = [33.25, 20.0]\nnormal = [0, 1]\n"
      "[[output.line]]\nname = \"a\"\nfrom = [29.0, 20.0]\nto = [37.0, 22.0]\npoints = 17\n"
      "[[output.plane]]\nname = \"b\"\ncenter = [20.5, 33.0]\nnormal = [1, 0]\n";
  for (const std::string walls : {"half-way", "interpolated"}) {
    SCOPED_TRACE(walls);
    Case c = parse_case(text, "spin.toml", {"walls.method=" + walls});
    Case moved = c;
    move(moved, {}, {-32, 16, 0});
    const Flow here = run(c), there = run(moved);
    EXPECT_TRUE(here.populations == there.populations);
    EXPECT_EQ(here.row, there.row);
    EXPECT_GT(here.row[2], 0.01) << "it spins";
    EXPECT_GT(here.sections.size(), 3 * 15u);
    EXPECT_EQ(here.sections, there.sections);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Origin, testing::ValuesIn(template_names()), [](const auto& instance) {
  std::string name = instance.param;
  for (char& ch : name)
    if (ch == '-') ch = '_';
  return name;
});

}  // namespace
}  // namespace fluvia::test
