// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/slice_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "output/fake_solver.hpp"
#include "output/picture_support.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using Slice = Case::Output::Slice;

Units si_units(double spacing, double time_step) {
  Units units;
  units.si = true;
  units.spacing = spacing;
  units.time_step = time_step;
  units.density = 1000;
  return units;
}

Slice slice_of(const std::string& field, int axis = 2, std::optional<double> position = {}) {
  Slice slice;
  slice.field = field;
  slice.axis = axis;
  slice.position = position;
  return slice;
}

/// Draws it, checks what holds of every picture, keeps it.
Drawing expect_good_slice(const Figure& figure, const std::string& name) {
  SCOPED_TRACE(name);
  keep(figure, name);
  Drawing page = draw_figure(figure, PictureFormat::png);
  expect_readable(page, figure);
  if (figure.lines.empty() && figure.arrows.empty()) expect_sharp_cells(page, figure);
  EXPECT_GE(page.width(), least_width);
  EXPECT_LE(page.width(), 2800);
  EXPECT_LE(page.height(), 2600);
  return page;
}

/// Potential flow around a cylinder with a wake, in 2D.
FakeSolver cylinder() {
  FakeSolver solver(2, {300, 120, 1},
                    [](const Int3& n) { return (n[0] - 75) * (n[0] - 75) + (n[1] - 60) * (n[1] - 60) > 15 * 15; });
  solver.velocity = [](const Int3& n) {
    const double x = n[0] - 75, y = n[1] - 60, r2 = x * x + y * y, a2 = 225;
    return Real3{
        0.05 * (1 - a2 * (x * x - y * y) / (r2 * r2)) + (x > 0 ? -0.03 * std::exp(-y * y / 200) * std::sin(x / 20) : 0),
        -0.05 * 2 * a2 * x * y / (r2 * r2) + (x > 0 ? 0.03 * std::exp(-y * y / 400) * std::cos(x / 14) : 0), 0};
  };
  solver.density = [](const Int3& n) { return 1 + 1e-3 * (std::cos(n[0] * 0.02) + 0.5); };
  solver.now = 12000;
  return solver;
}

TEST(SlicePicture, SolidIsApartAndSignedFieldsDiverge) {
  const FakeSolver solver = cylinder();
  const Units units = si_units(1e-4, 2e-6);
  const Grid grid = grid_of(solver, 1e-4);
  const std::uint64_t solid = 300 * 120 - solver.shape.nodes.fluid_nodes;
  const std::pair<const char*, bool> fields[] = {{"velocity", false},  {"velocity_x", true}, {"velocity_y", true},
                                                 {"vorticity", true},  {"pressure", true},   {"density", false},
                                                 {"vorticity_z", true}};
  for (const auto& [field, diverges] : fields) {
    SCOPED_TRACE(field);
    const Figure figure = slice_figure({solver, units, grid}, slice_of(field), "Flow past a cylinder, Re = 100");
    const Drawing page = expect_good_slice(figure, std::string("cylinder-") + field);
    const int zoom = cell_place(figure).zoom;
    EXPECT_EQ(count(page, figure, solid_color), solid * std::uint64_t(zoom * zoom));
    EXPECT_EQ(figure.bar->map == cool_warm, diverges);
    EXPECT_EQ(figure.bar->low == -figure.bar->high, diverges);
    ASSERT_EQ(figure.legend.size(), 1u);
    EXPECT_EQ(figure.legend[0].label, "solid");
  }
}

/// A shift of all pressures changes no flow, and no colour.
TEST(SlicePicture, PressuresDivergeFromTheirReference) {
  const FakeSolver solver = cylinder();
  const Grid grid = grid_of(solver, 1e-4);
  Units units = si_units(1e-4, 2e-6);
  const Figure gauge = slice_figure({solver, units, grid}, slice_of("pressure"), "About 0 Pa");
  units.reference_pressure = 13332;
  const Figure shifted = slice_figure({solver, units, grid}, slice_of("pressure"), "About 13,332 Pa");
  expect_good_slice(shifted, "cylinder-pressure-at-100-mmHg");
  EXPECT_EQ(shifted.bar->map, cool_warm);
  EXPECT_NEAR(0.5 * (shifted.bar->low + shifted.bar->high), 13332, 1e-9);
  EXPECT_NEAR(shifted.bar->high - 13332, gauge.bar->high, 1e-3 * gauge.bar->high);
  // Speeds have no such reference.
  const Figure speed = slice_figure({solver, units, grid}, slice_of("velocity_x"), "u");
  EXPECT_EQ(speed.bar->low, -speed.bar->high);
}

TEST(SlicePicture, TitlesSayFieldUnitPlaceAndTime) {
  const FakeSolver flat = cylinder();
  const Units units = si_units(1e-4, 2e-6);
  const Grid grid = grid_of(flat, 1e-4);
  const OutputContext output{flat, units, grid};
  const auto title = [&](const char* field) { return slice_figure(output, slice_of(field), "T").title; };
  EXPECT_EQ(title("velocity"), "Speed, t = 24 ms");
  EXPECT_EQ(title("velocity_y"), "Velocity, y component, t = 24 ms");
  EXPECT_EQ(title("vorticity"), "Vorticity, t = 24 ms");
  EXPECT_EQ(title("wall_shear_stress"), "Wall shear stress, t = 24 ms");
  const Figure untitled = slice_figure(output, slice_of("pressure"), ""),
               titled = slice_figure(output, slice_of("pressure"), "T");
  EXPECT_EQ(untitled.title, "Pressure, t = 24 ms");
  EXPECT_EQ(untitled.subtitle, "step 12000");
  EXPECT_EQ(titled.subtitle, "T  ·  step 12000");
  EXPECT_EQ(titled.bar->unit, "Pa");
  EXPECT_EQ(titled.facts.at("Field"), "pressure");
  EXPECT_EQ(titled.facts.at("Unit"), "Pa");
  EXPECT_NEAR(std::stod(titled.facts.at("Highest color")), titled.bar->high, 1e-8 * titled.bar->high);
  const FakeSolver box(3, {4, 4, 4}, everywhere);
  const Units lattice;
  const Grid box_grid = grid_of(box);
  EXPECT_EQ(slice_figure({box, lattice, box_grid}, slice_of("vorticity", 0, 1.2), "T").title,
            "Vorticity magnitude, x = 1.5, step 0");
  EXPECT_EQ(slice_figure({box, units, grid_of(box, 3e-3)}, slice_of("velocity", 2), "").title,
            "Speed, z = 7.5 mm, t = 0 s");
}

/// Values of a component, and which axes a plane has.
TEST(SlicePicture, ComponentsAcrossEachAxis) {
  FakeSolver solver(3, {5, 6, 7}, everywhere);
  solver.velocity = [](const Int3& n) { return Real3{0.01 * n[0], 0.01 * n[1], -0.01 * n[2]}; };
  const Units units;
  const Grid grid = grid_of(solver);
  for (int axis = 0; axis < 3; ++axis)
    for (int component = 0; component < 3; ++component) {
      const Figure figure =
          slice_figure({solver, units, grid}, slice_of(std::string("velocity_") + "xyz"[component], axis), "");
      const int horizontal = axis == 0 ? 1 : 0, vertical = axis == 2 ? 1 : 2;
      for (int j = 0; j < figure.height; ++j)
        for (int i = 0; i < figure.width; ++i) {
          Int3 node{2, 3, 3};
          node[horizontal] = i;
          node[vertical] = j;
          const float value = float(component == 2 ? -0.01 * node[2] : 0.01 * node[component]);
          const double t = (value - figure.bar->low) / (figure.bar->high - figure.bar->low);
          EXPECT_EQ(figure.cells[std::size_t(j * figure.width + i)], figure.bar->map(t)) << axis << component;
        }
    }
}

TEST(SlicePicture, SolidAndOutsideOfASparseDomain) {
  FakeSolver solver(3, {40, 60, 90}, [](const Int3& n) {
    const double x = n[0] - 20, y = n[1] - 30 - 12 * std::sin(n[2] * 0.07);
    return x * x + y * y < 100 && (n[2] < 40 || n[2] > 50 || x > 0);
  });
  solver.velocity = [](const Int3& n) {
    const double x = n[0] - 20, y = n[1] - 30 - 12 * std::sin(n[2] * 0.07);
    return Real3{0, 0, 0.05 * (1 - (x * x + y * y) / 100)};
  };
  solver.shape.is_outside = [](const Int3& n) {
    const double x = n[0] - 20, y = n[1] - 30 - 12 * std::sin(n[2] * 0.07);
    return x * x + y * y >= 100;
  };
  const Units units;
  const Grid grid = grid_of(solver);
  for (int axis = 0; axis < 3; ++axis) {
    const Figure figure = slice_figure({solver, units, grid}, slice_of("velocity", axis), "Bent vessel");
    const Drawing page = expect_good_slice(figure, "vessel-" + std::string(1, "xyz"[axis]));
    const int horizontal = axis == 0 ? 1 : 0, vertical = axis == 2 ? 1 : 2;
    std::uint64_t solid = 0, outside = 0;
    for (int j = 0; j < figure.height; ++j)
      for (int i = 0; i < figure.width; ++i) {
        Int3 node{20, 30, 45};
        node[horizontal] = i;
        node[vertical] = j;
        if (solver.shape.nodes.is_fluid(node)) continue;
        (solver.shape.is_outside(node) ? outside : solid) += 1;
      }
    const auto pixels = static_cast<std::uint64_t>(cell_place(figure).zoom * cell_place(figure).zoom);
    EXPECT_EQ(count(page, figure, solid_color), solid * pixels);
    EXPECT_EQ(count(page, figure, outside_color), outside * pixels);
    EXPECT_EQ(figure.legend.size(), std::size_t(solid > 0) + std::size_t(outside > 0));
  }
}

TEST(SlicePicture, ArrowsAndStreamlinesFollowTheFlowInThePlane) {
  const FakeSolver solver = cylinder();
  const Units units = si_units(1e-4, 2e-6);
  const Grid grid = grid_of(solver, 1e-4);
  Slice slice = slice_of("pressure");
  slice.arrows = 40;
  Figure figure = slice_figure({solver, units, grid}, slice, "Arrows");
  expect_good_slice(figure, "arrows");
  EXPECT_GT(figure.arrows.size(), 400u);
  EXPECT_LT(figure.arrows.size(), 650u);
  EXPECT_NE(figure.subtitle.find("longest arrow 4.17 m/s"), std::string::npos) << figure.subtitle;  // 0.083
  slice = slice_of("velocity");
  slice.streamlines = 50;
  figure = slice_figure({solver, units, grid}, slice, "Streamlines");
  expect_good_slice(figure, "streamlines");
  EXPECT_GT(figure.lines.size(), 15u);
  for (const Polyline& line : figure.lines)
    for (const Point& p : line)
      ASSERT_TRUE(solver.shape.nodes.is_fluid({int(p[0]), int(p[1]), 0})) << p[0] << " " << p[1];
}

TEST(SlicePicture, LargePlanesAreThinnedOut) {
  FakeSolver solver(2, {4500, 30, 1}, everywhere);
  solver.velocity = [](const Int3& n) { return Real3{n[0] * 1e-5, 0, 0}; };
  const Units units = si_units(1e-6, 1e-8);
  const Grid grid = grid_of(solver, 1e-6);
  Slice slice = slice_of("velocity");
  slice.streamlines = 200;
  slice.arrows = 200;
  const Figure figure = slice_figure({solver, units, grid}, slice, "A long channel");
  EXPECT_EQ(figure.width, 1500);
  EXPECT_EQ(figure.height, 10);
  EXPECT_NEAR(figure.cell_size, 3e-6, 1e-12);
  expect_good_slice(figure, "long-channel");
  const FakeSolver longest(2, {1 << 20, 2, 1}, everywhere);
  const Figure thin = slice_figure({longest, units, grid_of(longest, 1e-6)}, slice_of("velocity"), "The longest");
  EXPECT_LE(thin.width, largest_picture);
  EXPECT_EQ(thin.height, 1);
  expect_good_slice(thin, "longest");
}

TEST(SlicePicture, TinyUniformAndOddValues) {
  FakeSolver solver(3, {3, 2, 1}, everywhere);
  const Units units;
  const Grid grid = grid_of(solver);
  solver.density = [](const Int3& n) { return n[0] == 1 ? std::nan("") : 1.0; };
  for (const char* field : {"velocity", "velocity_x", "pressure", "vorticity", "wall_shear_stress"})
    for (int axis = 0; axis < 3; ++axis) {
      Slice slice = slice_of(field, axis);
      slice.arrows = slice.streamlines = 10;
      const Figure figure = slice_figure({solver, units, grid}, slice, "");
      const Drawing page = expect_good_slice(figure, std::string("tiny-") + field + "xyz"[axis]);
      if (axis != 2) continue;
      const bool broken = field == std::string("pressure");  // one column of three
      const int zoom = cell_place(figure).zoom;
      EXPECT_EQ(count(page, figure, broken_color), broken ? std::uint64_t(2 * zoom * zoom) : 0u) << field;
      EXPECT_EQ(figure.legend.size(), broken ? 1u : 0u);
    }
}

TEST(SlicePicture, RangesOfBars) {
  FakeSolver solver(2, {100, 100, 1}, everywhere);
  const Units units;
  const Grid grid = grid_of(solver);
  const auto bar = [&](const char* field) { return *slice_figure({solver, units, grid}, slice_of(field), "").bar; };
  solver.density = [](const Int3& n) { return n == Int3{0, 0, 0} ? 100.0 : 1 + 0.01 * n[0]; };
  EXPECT_LT(bar("pressure").high, 0.5) << "one extreme node must not flatten the picture";
  EXPECT_TRUE(bar("pressure").clipped_high);
  EXPECT_EQ(bar("pressure").map, viridis) << "one sign";
  EXPECT_EQ(bar("pressure").low, 0);
  solver.density = [](const Int3& n) { return 1 + 0.01 * (n[0] - 20); };
  EXPECT_EQ(bar("pressure").map, cool_warm) << "both signs";
  EXPECT_EQ(bar("pressure").low, -bar("pressure").high);
  solver.density = [](const Int3& n) { return 4 + 0.001 * n[0]; };
  EXPECT_EQ(bar("pressure").map, viridis) << "far from 0";
  EXPECT_NEAR(bar("pressure").low, 1, 1e-5);
  solver.density = [](const Int3&) { return 1.0; };
  EXPECT_EQ(bar("pressure").low, -bar("pressure").high);
  solver.velocity = [](const Int3& n) { return Real3{0.1, 1e-9 * (n[0] % 2), 0}; };
  EXPECT_NEAR(bar("velocity_y").high, 0.1, 1e-6) << "round-off is no pattern";
  EXPECT_EQ(bar("velocity").low, 0);
}

/// The ends of the bar that a case gives are kept to; what lies beyond is said.
TEST(SlicePicture, FixedRanges) {
  FakeSolver solver(2, {100, 100, 1}, everywhere);
  const Units units;
  const Grid grid = grid_of(solver);
  solver.density = [](const Int3& n) { return 1 + 0.01 * (n[0] - 20); };
  Slice slice = slice_of("pressure");
  slice.range = {{-0.1, 0.2}};
  const Figure::Bar bar = *slice_figure({solver, units, grid}, slice, "").bar;
  EXPECT_EQ(bar.low, -0.1);
  EXPECT_EQ(bar.high, 0.2);
  EXPECT_EQ(bar.color(0), cool_warm(0.5)) << "white stays at 0";
  EXPECT_FALSE(bar.clipped_low);
  EXPECT_TRUE(bar.clipped_high);
  slice.range = {{0.05, 0.2}};
  EXPECT_EQ(slice_figure({solver, units, grid}, slice, "").bar->map, viridis);
}

/// From picture to picture the bar stays as it is while the values fit it.
TEST(SlicePicture, RangesOfSeries) {
  FakeSolver solver(2, {50, 50, 1}, everywhere);
  const Units units;
  const Grid grid = grid_of(solver);
  double speed = 0;
  solver.velocity = [&](const Int3& n) { return Real3{0, 0.02 * n[0] * speed, 0}; };
  std::optional<ValueRange> range;
  const auto highest = [&](double now, const char* field) {
    speed = now;
    return slice_figure({solver, units, grid}, slice_of(field), "", {}, {{}, &range}).bar->high;
  };
  EXPECT_EQ(highest(0, "velocity"), 1) << "at rest: a bar of some length";
  const double first = highest(0.05, "velocity");
  EXPECT_NEAR(first, 0.049, 1e-6);
  EXPECT_EQ(highest(0.03, "velocity"), first) << "smaller values fit it";
  EXPECT_NEAR(highest(0.06, "velocity"), 0.0588, 1e-6) << "larger ones do not";
  EXPECT_NEAR(highest(0.01, "velocity"), 0.0098, 1e-6) << "a sixth of the bar would be dull";
  EXPECT_NEAR(highest(0.02, "velocity"), 0.0196, 1e-6);
}

TEST(SlicePicture, FilesOfAllFormats) {
  const FakeSolver solver = cylinder();
  const Units units = si_units(1e-4, 2e-6);
  const Grid grid = grid_of(solver, 1e-4);
  const TemporaryFolder folder;
  Slice slice = slice_of("velocity_x");
  EXPECT_EQ(write_slice({solver, units, grid}, slice, folder.path() / "one", "").size(), 1u);
  slice.formats = {"pdf", "png", "svg"};
  const auto files = write_slice({solver, units, grid}, slice, folder.path() / "all", "");
  EXPECT_EQ(files.size(), 3u);
  EXPECT_EQ(names_in(folder.path()), "all.pdf all.png all.svg one.png");
  EXPECT_EQ(files[0], folder.path() / "all.pdf");
}

TEST(SlicePicture, BadInput) {
  const FakeSolver solver = cylinder();
  const Units units;
  const Grid grid = grid_of(solver);
  const OutputContext output{solver, units, grid};
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { slice_figure(output, slice_of("velocity", 0), ""); }),
                  "a 2D case has only");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { slice_figure(output, slice_of("speed"), ""); }), "no field 'speed'");
  const FakeSolver box(3, {4, 4, 4}, everywhere);
  const Grid box_grid = grid_of(box);
  EXPECT_CONTAINS(error_of(ExitCode::input,
                           [&] {
                             slice_figure({box, units, box_grid}, slice_of("velocity", 7), "");
                           }),
                  "axis = 7");
  EXPECT_CONTAINS(error_of(ExitCode::input,
                           [&] {
                             slice_figure({box, units, box_grid}, slice_of("velocity", 1, 4.5), "");
                           }),
                  "position = 4.5 is outside");
}

}  // namespace
}  // namespace fluvia::test
