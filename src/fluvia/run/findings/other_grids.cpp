// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/other_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {

constexpr double largest_mach = 0.5;       ///< on a coarser grid; runs stop at 0.6
constexpr double largest_mismatch = 5e-3;  ///< relative difference of the lengths of the box
constexpr int fewest_across = 8;           ///< nodes between the faces of a coarser box
constexpr double cheap_updates = 2e9;      ///< updates of fluid nodes: a minute or two of two cores
constexpr double dear = 8;                 ///< updates, in units of those that the run itself took

/// Factors among which one is looked for, the wanted one first.
struct Range {
  double wanted, low, high;
};
constexpr Range coarser[] = {{1.5, 1.24, 1.81}, {2.25, 1.9, 3.01}};
constexpr Range finer[] = {{2.0 / 3, 0.55, 0.81}, {0.5, 0.38, 0.54}};

/// A factor and the box that it makes.
struct Scale {
  double factor = 1, mismatch = 0;
  Int3 nodes{1, 1, 1};
};

Scale scale_box(const Grid& grid, double factor) {
  Scale scale{.factor = factor};
  for (int axis = 0; axis < grid.dimension; ++axis) {
    const double exact = grid.size[axis] / factor;
    scale.nodes[axis] = std::max(1, static_cast<int>(std::lround(exact)));
    scale.mismatch += std::abs(scale.nodes[axis] / exact - 1);
  }
  return scale;
}

/// The factor of the range that keeps the lengths of the box best; of several such the nearest to the wanted one.
Scale find_scale(const Grid& grid, const Range& range) {
  std::optional<Scale> best;
  const auto cost = [&](const Scale& s) { return s.mismatch + 0.002 * std::abs(std::log(s.factor / range.wanted)); };
  for (int axis = 0; axis < grid.dimension; ++axis) {
    const double size = grid.size[axis];
    const auto least = static_cast<int>(std::ceil(size / range.high));
    for (int nodes = std::max(1, least); nodes <= size / range.low; ++nodes) {
      const Scale scale = scale_box(grid, size / nodes);
      if (!best || cost(scale) < cost(*best)) best = scale;
    }
  }
  return best.value_or(Scale{.factor = range.wanted, .mismatch = 1});
}

/// Least number of nodes of the box between walls and openings; periodic axes do not count.
int fewest_nodes(const Grid& grid, const Int3& nodes) {
  int fewest = 1 << 30;
  for (int axis = 0; axis < grid.dimension; ++axis)
    if (!grid.periodic[axis]) fewest = std::min(fewest, nodes[axis]);
  return fewest;
}

std::int64_t scaled_steps(std::int64_t steps, double ratio) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(steps) * ratio));
}

/// The case with another spacing and no output but the monitors.
Case with_spacing(const Case& c, const Units& units, const Grid& grid, double factor) {
  Case r = c;
  const double viscosity = units.viscosity * units.spacing * units.spacing / units.time_step;
  r.units.system = "si";
  r.units.density = units.density;
  r.where.try_emplace("units.density", "units");  // cases in lattice units need not give it
  r.units.viscosity = c.units.viscosity.value_or(viscosity);
  r.units.finest_spacing.reset();
  r.units.spacing = grid.spacing * factor;
  r.units.time_step = units.time_step * factor * factor;
  r.units.reference_pressure = units.reference_pressure;  // in lattice units openings set none
  r.units.tau.reset();
  r.units.lattice_velocity.reset();
  const double steps = 1 / (factor * factor);
  if (c.run.steps) r.run.steps = scaled_steps(*c.run.steps, steps);
  if (r.run.steady) r.run.steady->window = scaled_steps(r.run.steady->window, steps);
  r.run.check_every = scaled_steps(c.run.check_every, steps);
  r.monitors.every = scaled_steps(c.monitors.every, steps);
  if (c.monitors.average_from) r.monitors.average_from = scaled_steps(*c.monitors.average_from, steps);
  r.monitors.expectations.clear();
  r.output = {};
  r.output.vtk = "none";
  r.output.fields.clear();
  r.checkpoint = {0, false};
  // Storage is chosen for the grid; the flow does not depend on it.
  r.numerics.scheme = "auto";
  r.numerics.tile = r.numerics.steps_per_pass = 0;
  r.numerics.trial = false;
  r.title = fmt::format("{}, {} times the spacing", c.title, format_short(factor, 3));
  r.text.clear();
  r.hash = case_hash(r);
  return r;
}

/// The number of nodes along a cell of an image; null where there is no image.
int* refinement(Case& c) {
  if (c.geometry.voxels) return &c.geometry.voxels->refine;
  return c.geometry.mask ? &c.geometry.mask->refine : nullptr;
}

class Finder {
 public:
  Finder(const Case& c, const GridWish& wish)
      : case_(c), wish_(wish), grid_(make_grid(c)), units_(make_units(c, grid_.spacing)) {}

  OtherGrids find() {
    Case copy = case_;
    if (const int* refine = refinement(copy)) {
      find_for_image(*refine);
    } else {
      for (const Range& range : coarser) add(range);
      for (const Range& range : finer)
        if (result_.grids.size() < 2) add(range);
    }
    if (result_.grids.size() < 2 && result_.reason.empty())
      result_.reason = "no other grid keeps the lengths of the box";
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_slow(double factor) {
    if (wish_.mach * factor <= largest_mach) return true;
    result_.reason =
        fmt::format("on coarser grids the Mach number, {} here, would be too large", format_short(wish_.mach, 2));
    return false;
  }
  [[nodiscard]] bool is_cheap(double factor) {
    const double updates = wish_.updates * std::pow(factor, -(grid_.dimension + 2));
    if (updates <= std::max(cheap_updates, dear * wish_.updates)) return true;
    result_.reason = fmt::format("a grid of {} times the spacing would take {} times as long", format_short(factor, 3),
                                 format_short(updates / wish_.updates, 2));
    return false;
  }

  void add(const Range& range) {
    const bool box = case_.domain.nodes || case_.domain.size;
    const Scale scale = box ? find_scale(grid_, range) : scale_box(grid_, range.wanted);
    const double mismatch = box ? scale.mismatch : 0;
    if (mismatch > largest_mismatch) return;
    if (scale.factor > 1 && (fewest_nodes(grid_, scale.nodes) < fewest_across || !is_slow(scale.factor))) return;
    if (scale.factor < 1 && !is_cheap(scale.factor)) return;
    OtherGrid& other = result_.grids.emplace_back();
    other.factor = scale.factor;
    other.mismatch = mismatch;
    other.c = with_spacing(case_, units_, grid_, scale.factor);
    if (!box) return;
    other.c.domain.size.reset();
    other.c.domain.nodes = scale.nodes;
    if (!other.c.domain.origin) other.c.domain.origin = grid_.origin;
  }

  void find_for_image(int refine) {
    if (case_.domain.nodes || case_.domain.size) {
      result_.reason = "the domain is a part of an image, which other grids would cut elsewhere";
      return;
    }
    const auto add_refinement = [&](int other) {
      if (other == refine || result_.grids.size() == 2) return;
      const double factor = static_cast<double>(refine) / other;
      if (factor > 1 ? !is_slow(factor) : !is_cheap(factor)) return;
      OtherGrid& grid = result_.grids.emplace_back();
      grid.factor = factor;
      grid.c = with_spacing(case_, units_, grid_, factor);
      *refinement(grid.c) = other;
      if (grid.c.geometry.mask && grid_.dimension == 3)  // a mask's depth is in nodes
        grid.c.geometry.mask->depth = std::max(1, static_cast<int>(std::lround(grid_.size[2] / factor)));
    };
    if (refine > 1) add_refinement(std::max(1, static_cast<int>(std::lround(refine / 1.5))));
    if (refine > 2) add_refinement(std::max(1, static_cast<int>(std::lround(refine / 2.25))));
    if (result_.grids.size() == 2 && result_.grids[0].factor == result_.grids[1].factor) result_.grids.pop_back();
    if (result_.grids.empty()) add_refinement(refine + 1);
    if (result_.grids.size() < 2) add_refinement(refine + (result_.grids.empty() || refine > 1 ? 1 : 2));
  }

  const Case& case_;
  GridWish wish_;
  Grid grid_;
  Units units_;
  OtherGrids result_;
};

}  // namespace

OtherGrids other_grids(const Case& c, const GridWish& wish) {
  return Finder(c, wish).find();
}

}  // namespace fluvia
