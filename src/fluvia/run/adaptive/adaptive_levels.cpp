// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/adaptive/adaptive_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/levels/level_marks.hpp"
#include "fluvia/geometry/levels/regions.hpp"
#include "fluvia/run/adaptive/box_cover.hpp"
#include "fluvia/run/session.hpp"

namespace fluvia {

namespace {

/// A quantity that says where nodes must be finer, and how many times smaller half of the spacing makes what it
/// measures of a node.
struct Sensor {
  const char* name;
  const char* field;
  bool differences;  ///< second differences of the field, not the field itself
  double a_level;
};
constexpr Sensor sensors[] = {{"vorticity", "vorticity", false, 2},
                              {"wall-shear-stress", "wall_shear_stress", false, 2},
                              {"grid-error", "velocity", true, 4}};

const Sensor& sensor_of(const std::string& name) {
  for (const Sensor& sensor : sensors)
    if (name == sensor.name) return sensor;
  throw_input(fmt::format("refine: quantity '{}' is not one of {}{}", name, join(adaptive_quantities()),
                          did_you_mean(name, adaptive_quantities())));
}

/// Values of a sensor at all nodes of the box, x fastest; 0 where there is no fluid.
class SensorField {
 public:
  SensorField(const Session& session, const Sensor& sensor) : size_(session.grid().size) {
    const NodeValues field = session.field(sensor.field);
    components_ = field.components;
    values_.resize(field.count() / static_cast<std::size_t>(components_));
    Int3 n{};
    for (n[2] = 0; n[2] < size_[2]; ++n[2])
      for (n[1] = 0; n[1] < size_[1]; ++n[1])
        for (n[0] = 0; n[0] < size_[0]; ++n[0]) {
          double value = sensor.differences ? second_difference(field, n) : magnitude(field, n);
          values_[index(n)] = static_cast<float>(std::isfinite(value) ? value : 0);
        }
  }
  /// The largest value of a box of nodes first ... last.
  [[nodiscard]] float largest(const Int3& first, const Int3& last) const {
    float most = 0;
    Int3 n{};
    for (n[2] = first[2]; n[2] <= std::min(last[2], size_[2] - 1); ++n[2])
      for (n[1] = first[1]; n[1] <= std::min(last[1], size_[1] - 1); ++n[1])
        for (n[0] = first[0]; n[0] <= std::min(last[0], size_[0] - 1); ++n[0]) most = std::max(most, values_[index(n)]);
    return most;
  }

 private:
  [[nodiscard]] std::size_t index(const Int3& n) const {
    return static_cast<std::size_t>(n[0]) +
           static_cast<std::size_t>(size_[0]) *
               (static_cast<std::size_t>(n[1]) + static_cast<std::size_t>(size_[1]) * static_cast<std::size_t>(n[2]));
  }
  [[nodiscard]] double value(const NodeValues& field, const Int3& n, int k) const {
    return field.values[index(n) * static_cast<std::size_t>(components_) + static_cast<std::size_t>(k)];
  }
  [[nodiscard]] double magnitude(const NodeValues& field, const Int3& n) const {
    double square = 0;
    for (int k = 0; k < components_; ++k) square += value(field, n, k) * value(field, n, k);
    return std::sqrt(square);
  }
  /// The largest along an axis of those with fluid at both sides.
  [[nodiscard]] double second_difference(const NodeValues& field, const Int3& n) const {
    double largest = 0;
    for (int a = 0; a < 3; ++a) {
      if (n[a] == 0 || n[a] == size_[a] - 1) continue;
      Int3 below = n, above = n;
      --below[a];
      ++above[a];
      double square = 0;
      for (int k = 0; k < components_; ++k)
        square += std::pow(value(field, above, k) - 2 * value(field, n, k) + value(field, below, k), 2);
      if (std::isfinite(square)) largest = std::max(largest, std::sqrt(square));
    }
    return largest;
  }
  Int3 size_;
  int components_ = 1;
  std::vector<float> values_;
};

/// Finds the boxes for a threshold.
class LevelFinder {
 public:
  LevelFinder(const Session& session, const Case& c, const Sensor& sensor, int levels)
      : case_(c),
        sensor_(sensor),
        levels_(levels),
        grid_(session.grid()),
        geometry_(build_geometry(c, grid_)),
        map_(grid_) {
    const SensorField field(session, sensor);
    const std::vector<const core::ConditionFacts*> facts = geometry::conditions_of(c, geometry_);
    // Openings that are no faces of the box are taken in by regions that come to them.
    const auto is_avoided = [&](int surface) {
      const core::ConditionFacts& condition = *facts[static_cast<std::size_t>(surface)];
      if (!condition.is_opening) return !geometry::may_cross_interfaces(condition);
      return surface < surface_id::wall && !geometry::may_be_divided(geometry_, surface);
    };
    for (int level = 0; level < levels; ++level) {
      kept_off_.push_back(geometry::tiles_near(map_, geometry_, level, is_avoided));
      largest_.push_back(largest_of_tiles(field, level));
      if (level == 0) most_ = *std::max_element(largest_[0].begin(), largest_[0].end());
    }
    for (const std::string& name : c.monitors.forces) find_tiles_beside(name);
  }
  [[nodiscard]] double largest_value() const { return most_; }

  /// Boxes where the sensor exceeds a threshold.
  [[nodiscard]] std::vector<Case::Refine> boxes(double threshold) const {
    std::vector<Case::Refine> regions;
    std::vector<bool> done(beside_.size(), false);  // bodies that lie in a finer level
    for (int level = levels_ - 1; level >= 0; --level) {
      const Int3 count = map_.tiles(level);
      const geometry::Marks& off = kept_off_[static_cast<std::size_t>(level)];
      const std::vector<std::uint8_t> wanted = wanted_tiles(level, threshold, done);
      const Grid grid = map_.grid(level);
      const Int3 shape = tile_shape(grid.dimension);
      constexpr double fill = 0.75;
      for (const CellBox& box : cover_with_boxes(
               count, [&](const Int3& t) { return wanted[tile_index(count, t)] != 0 && !off.at(t); },
               [&](const Int3& t) { return off.at(t); }, fill)) {
        Real3 first{}, end{};
        for (int a = 0; a < grid.dimension; ++a) {
          first[a] = box.first[a] * shape[a];
          end[a] = std::min((box.last[a] + 1) * shape[a], grid.size[a]);
        }
        Case::Refine region;
        region.level = level + 1;
        region.box = {geometry::to_case(grid, first), geometry::to_case(grid, end)};
        regions.push_back(region);
      }
    }
    return regions;
  }
  /// Fluid nodes of each level of such boxes.
  [[nodiscard]] std::vector<double> nodes(const std::vector<Case::Refine>& regions) const {
    Case c = case_;
    c.refine = regions;
    std::vector<double> nodes;
    for (const GeometryReport::Level& level : describe_levels(make_level_map(c, grid_, geometry_), geometry_.nodes))
      nodes.push_back(level.nodes);
    return nodes;
  }

 private:
  /// Tiles of a level in which the sensor exceeds a threshold. A body whose force is recorded lies in one level, since
  /// an interface that crosses it spoils its stress: if one tile beside it is wanted, all are.
  [[nodiscard]] std::vector<std::uint8_t> wanted_tiles(int level, double threshold, std::vector<bool>& done) const {
    const double least = threshold * std::pow(sensor_.a_level, level);
    std::vector<std::uint8_t> wanted;
    for (const float value : largest_[static_cast<std::size_t>(level)]) wanted.push_back(value > least ? 1 : 0);
    for (std::size_t body = 0; body < beside_.size(); ++body) {
      const std::vector<std::size_t>& tiles = beside_[body][static_cast<std::size_t>(level)];
      if (done[body] || std::none_of(tiles.begin(), tiles.end(), [&](std::size_t t) { return wanted[t] != 0; }))
        continue;
      for (const std::size_t t : tiles) wanted[t] = 1;
      done[body] = true;
    }
    return wanted;
  }
  /// Finds the tiles of all levels that lie within two nodes of a surface.
  void find_tiles_beside(const std::string& name) {
    const auto surface = std::find(geometry_.surfaces.begin(), geometry_.surfaces.end(), name);
    if (surface == geometry_.surfaces.end()) return;  // which a run refuses
    std::vector<std::vector<std::size_t>>& of_levels = beside_.emplace_back();
    const std::vector<Int3> nodes =
        geometry::nodes_beside(geometry_, static_cast<int>(surface - geometry_.surfaces.begin()));
    constexpr double reach = 2.5;
    for (int level = 0; level < levels_; ++level) {
      geometry::Marks near(map_, level);
      near.add_around(nodes, reach, std::exp2(level));
      std::vector<std::size_t>& tiles = of_levels.emplace_back();
      near.for_each([&](const Int3& t) { tiles.push_back(tile_index(map_.tiles(level), t)); });
    }
  }
  static std::size_t tile_index(const Int3& count, const Int3& t) {
    return static_cast<std::size_t>(t[0]) +
           static_cast<std::size_t>(count[0]) *
               (static_cast<std::size_t>(t[1]) + static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(t[2]));
  }
  /// The largest value at the nodes of the coarsest level in each tile of a level.
  [[nodiscard]] std::vector<float> largest_of_tiles(const SensorField& field, int level) const {
    const Int3 count = map_.tiles(level), shape = tile_shape(grid_.dimension);
    std::vector<float> largest;
    Int3 t{};
    for (t[2] = 0; t[2] < count[2]; ++t[2])
      for (t[1] = 0; t[1] < count[1]; ++t[1])
        for (t[0] = 0; t[0] < count[0]; ++t[0]) {
          Int3 first{}, last{};
          for (int a = 0; a < grid_.dimension; ++a) {
            first[a] = (t[a] * shape[a]) >> level;
            last[a] = ((t[a] + 1) * shape[a] - 1) >> level;
          }
          largest.push_back(field.largest(first, last));
        }
    return largest;
  }

  const Case& case_;
  const Sensor& sensor_;
  int levels_;
  Grid grid_;
  Geometry geometry_;  ///< the session's own may have forgotten where surfaces are
  LevelMap map_;       ///< nothing of which is refined
  double most_ = 0;
  std::vector<geometry::Marks> kept_off_;                      ///< [level]
  std::vector<std::vector<float>> largest_;                    ///< [level][tile]
  std::vector<std::vector<std::vector<std::size_t>>> beside_;  ///< [body][level], tiles
};

std::int64_t steps_of(const Case& c, const Units& units, std::int64_t asked) {
  if (asked > 0) return asked;
  if (c.run.steps) return *c.run.steps;
  return std::max<std::int64_t>(1, std::llround(*c.run.time / units.time_step));
}

}  // namespace

const std::vector<std::string>& adaptive_quantities() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Sensor& sensor : sensors) all.emplace_back(sensor.name);
    return all;
  }();
  return names;
}

AdaptiveLevels find_levels(const Case& c, const AdaptiveRequest& request,
                           const std::function<void(const std::string&)>& on_message,
                           const std::function<bool()>& stop) {
  const Sensor& sensor = sensor_of(request.quantity);
  if (request.levels < 1 || request.levels > most_levels)
    throw_input(fmt::format("refine: {} levels are not possible; ask for 1 to {}", request.levels, most_levels));
  Case coarse = c;
  if (const std::optional<double> spacing = c.spacing()) coarse.units.spacing = spacing;
  coarse.units.finest_spacing.reset();
  coarse.refine.clear();
  Session session(coarse);
  const auto say = [&](const std::string& text) {
    if (on_message) on_message(text);
  };
  AdaptiveLevels found;
  found.steps = steps_of(coarse, session.units(), request.steps);
  const auto fluid = static_cast<double>(session.geometry().nodes.fluid_nodes);
  const double budget = request.nodes > 0 ? request.nodes : 3 * fluid;
  if (budget <= fluid)
    throw_input(
        fmt::format("refine: {:.3g} nodes are no more than the {:.3g} that the case has on one level; ask for "
                    "more, or use a coarser spacing",
                    budget, fluid));
  say(fmt::format("coarse run: {} steps of {} nodes", found.steps, session.geometry().nodes.fluid_nodes));
  session.advance(found.steps, stop);
  found.steps = session.time_step();
  const LevelFinder finder(session, coarse, sensor, request.levels);
  if (!(finder.largest_value() > 0))
    throw_input(fmt::format("refine: there is no {} after {} steps; run longer (--steps), or take another quantity",
                            sensor.name, found.steps));
  // The lowest threshold within the budget, between the largest value and a millionth of it.
  double low = -20, high = 0;
  constexpr int rounds = 24;
  for (int k = 0; k < rounds; ++k) {
    const double middle = 0.5 * (low + high);
    const std::vector<Case::Refine> regions = finder.boxes(finder.largest_value() * std::exp2(middle));
    const std::vector<double> nodes = finder.nodes(regions);
    const bool fits = std::accumulate(nodes.begin(), nodes.end(), 0.0) <= budget;
    (fits ? high : low) = middle;
    if (!fits || regions.empty()) continue;
    found.regions = regions;
    found.nodes = nodes;
  }
  if (found.regions.empty())
    throw_input(fmt::format("refine: no tile can be finer within {:.3g} nodes; ask for more nodes or fewer levels{}",
                            budget, request.levels > 1 ? fmt::format(" than {}", request.levels) : ""));
  return found;
}

std::string text_of(const std::vector<Case::Refine>& boxes, int dimension) {
  std::string text;
  const auto corner = [&](const Real3& at) {
    std::string list;
    for (int a = 0; a < dimension; ++a) list += fmt::format("{}{}", a == 0 ? "" : ", ", format_short(at[a], 9));
    return "[" + list + "]";
  };
  for (const Case::Refine& region : boxes)
    text += fmt::format("\n[[refine]]\nlevel = {}\nbox = [{}, {}]\n", region.level, corner((*region.box)[0]),
                        corner((*region.box)[1]));
  return text;
}

}  // namespace fluvia
