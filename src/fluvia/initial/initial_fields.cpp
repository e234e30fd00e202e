// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/initial_fields.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/initial_flows.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/initial/formula.hpp"
#include "fluvia/initial/npy_file.hpp"
#include "fluvia/initial/regular_samples.hpp"
#include "fluvia/initial/vtkhdf_file.hpp"
#include "fluvia/units/limits.hpp"

namespace fluvia {

namespace {

/// The box and where its nodes are.
struct Box {
  Int3 size{};
  Real3 origin{};  ///< case units
  double spacing = 1;
  int dimension = 3;

  /// Position of the middle of a node, case units.
  [[nodiscard]] Real3 position(const Int3& node) const {
    Real3 x;
    for (int axis = 0; axis < 3; ++axis) x[axis] = origin[axis] + (node[axis] + 0.5) * spacing;
    return x;
  }
};

void add_pressure(const Units& units, double pressure, InitialNode& sum) {
  sum.density += units.pressure(pressure) / core::sound_speed_squared;
}

void add_velocity(const Units& units, const Real3& velocity, int dimension, InitialNode& sum) {
  for (int axis = 0; axis < dimension; ++axis) sum.velocity[axis] += units.velocity(velocity[axis]);
}

/// The file with the last fields that a run has left in its folder.
std::filesystem::path last_fields(const std::filesystem::path& folder, const std::string& place) {
  std::filesystem::path last;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    const std::string name = path.filename().string();
    if (!name.starts_with("fields-") || path.extension() != ".vtkhdf") continue;
    // Orders the numbers of steps in names: longer ones are larger.
    const auto order = [](const std::string& text) { return std::pair(text.size(), text); };
    if (last.empty() || order(last.filename().string()) < order(name)) last = path;
  }
  if (last.empty())
    throw_input(
        fmt::format("{}: the folder '{}' holds no fields-*.vtkhdf, as a run with output.every or "
                    "output.vtk leaves them; name the folder of such a run, or a .vtkhdf or .npy file",
                    place, folder.string()));
  return last;
}

RegularSamples read_array(const std::filesystem::path& file, int components, const Box& box) {
  NpyArray array = read_npy(file);
  std::vector<std::uint64_t> expected;
  for (int axis = 2; axis >= 0; --axis) expected.push_back(static_cast<std::uint64_t>(box.size[axis]));
  if (components > 1) expected.push_back(static_cast<std::uint64_t>(components));
  if (array.shape != expected) {
    const auto text = [](const std::vector<std::uint64_t>& shape) {
      std::vector<std::string> parts;
      for (const std::uint64_t extent : shape) parts.push_back(std::to_string(extent));
      return "(" + join(parts) + ")";
    };
    throw_input(fmt::format("{}: has the shape {}; expected {}: nodes along z, y, x{}", file.string(),
                            text(array.shape), text(expected), components > 1 ? ", components" : ""));
  }
  const double h = box.spacing;
  return {box.position({0, 0, 0}), {h, h, h}, {box.size[0], box.size[1], box.size[2]}, components,
          std::move(array.values), {}};
}

/// A field of a file: .npy, .vtkhdf, or the last fields in the folder of a run.
RegularSamples read_samples(std::filesystem::path file, const std::string& place, const char* name, int components,
                            const Box& box) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) file = last_fields(file, place);
  const std::string text = file.string();
  try {
    if (text.ends_with(".npy") || text.ends_with(".npy.gz")) return read_array(file, components, box);
    if (text.ends_with(".vtkhdf") || text.ends_with(".hdf")) return read_vtkhdf(file, name, components);
  } catch (const Error& error) {
    throw Error(error.code(), place + ": " + error.what());
  }
  throw_input(
      fmt::format("{}: '{}' is not known; expected a .vtkhdf file, a .npy file, or the folder of a run", place, text));
}

int most_threads(const Case& c) {
  return std::max(c.numerics.threads, omp_get_max_threads());
}

}  // namespace

InitialFields::InitialFields(const Problem& problem) {
  const Case& c = problem.settings;
  const Units& units = problem.units;
  const Case::Physics& p = c.physics;
  const Box box{problem.geometry.nodes.size, problem.geometry.origin, units.spacing, problem.geometry.nodes.dimension};
  const auto add = [&](const char* key, bool moves, bool checked, auto&& source) {
    sources_.push_back({std::string("physics.") + key, moves, checked, std::forward<decltype(source)>(source)});
  };
  const auto place = [&](const char* key) {
    const std::string full = std::string("physics.") + key;
    return c.place(full) + ": " + full;
  };

  // Pressures of formulas and files are added to the initial one: the reference is subtracted once.
  if (const double above = initial_pressure(c) - units.reference_pressure; above != 0)
    add("initial_pressure", false, true, [units, above](const Int3&, InitialNode& sum) {
      add_pressure(units, above, sum);
      return true;
    });
  if (norm(p.initial_velocity) != 0) {
    add("initial_velocity", true, true, [units, velocity = p.initial_velocity](const Int3&, InitialNode& sum) {
      add_velocity(units, velocity, 3, sum);
      return true;
    });
  }
  if (const InitialFlow* flow = find_initial_flow(p.initial_flow); flow != nullptr) {
    add("initial_flow", true, true,
        [flow, speed = units.velocity(p.initial_speed), box](const Int3& node, InitialNode& sum) {
          Real3 part;
          for (int axis = 0; axis < 3; ++axis) part[axis] = (node[axis] + 0.5) / box.size[axis];
          const FlowAtPoint point = flow->at(part, box.dimension);
          sum.density += speed * speed * point.pressure / core::sound_speed_squared;
          for (int axis = 0; axis < box.dimension; ++axis) sum.velocity[axis] += speed * point.velocity[axis];
          return true;
        });
  }
  Real3 edges;
  for (int axis = 0; axis < 3; ++axis) edges[axis] = box.size[axis] * box.spacing;
  if (!p.initial_velocity_formula.empty()) {
    const auto formulas = std::make_shared<std::vector<Formula>>();
    for (const std::string& text : p.initial_velocity_formula)
      formulas->emplace_back(text, place("initial_velocity_formula"), edges, most_threads(c));
    add("initial_velocity_formula", true, false, [units, formulas, box](const Int3& node, InitialNode& sum) {
      const Real3 x = box.position(node);
      Real3 velocity{};
      for (std::size_t axis = 0; axis < std::min<std::size_t>(formulas->size(), 3); ++axis)
        velocity[static_cast<int>(axis)] = (*formulas)[axis](x);
      add_velocity(units, velocity, box.dimension, sum);
      return true;
    });
  }
  if (!p.initial_pressure_formula.empty()) {
    const auto formula = std::make_shared<Formula>(p.initial_pressure_formula, place("initial_pressure_formula"), edges,
                                                   most_threads(c));
    add("initial_pressure_formula", false, false, [units, formula, box](const Int3& node, InitialNode& sum) {
      add_pressure(units, (*formula)(box.position(node)), sum);
      return true;
    });
  }
  if (!p.initial_velocity_file.empty()) {
    const auto samples = std::make_shared<RegularSamples>(read_samples(
        geometry::resolve(c.directory, p.initial_velocity_file), place("initial_velocity_file"), "velocity", 3, box));
    add("initial_velocity_file", true, false, [units, samples, box](const Int3& node, InitialNode& sum) {
      const std::optional<Real3> velocity = samples->at(box.position(node));
      if (velocity) add_velocity(units, *velocity, box.dimension, sum);
      return velocity.has_value();
    });
  }
  if (!p.initial_pressure_file.empty()) {
    const auto samples = std::make_shared<RegularSamples>(read_samples(
        geometry::resolve(c.directory, p.initial_pressure_file), place("initial_pressure_file"), "pressure", 1, box));
    // Where the file has no value, and no other source gives one, the fluid is at rest.
    const bool alone = !p.initial_pressure && p.initial_pressure_formula.empty();
    const double elsewhere = alone ? units.reference_pressure : 0;
    add("initial_pressure_file", false, false, [units, samples, box, elsewhere](const Int3& node, InitialNode& sum) {
      const std::optional<Real3> pressure = samples->at(box.position(node));
      add_pressure(units, pressure ? (*pressure)[0] : elsewhere, sum);
      return pressure.has_value();
    });
  }
}

bool InitialFields::moves() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.moves; });
}

InitialNode InitialFields::at(const Int3& node) const noexcept {
  InitialNode sum;
  for (const Source& source : sources_) source.add(node, sum);
  return sum;
}

namespace {

/// The node that a message names: the first in canonical order, however many threads and processes look.
struct Extreme {
  double value = -1;
  std::uint64_t node = ~std::uint64_t{0};
  Int3 place{};
  void take(double candidate, std::uint64_t at, const Int3& x) {
    if (candidate > value || (candidate == value && at < node)) *this = {candidate, at, x};
  }
  void take(const Extreme& other) {
    if (other.value >= 0) take(other.value, other.node, other.place);
  }
};

/// What was found out about one source; wrong.value: 0 if it gives what is no finite number, else less.
struct SourceFindings {
  std::uint64_t unknown = 0;
  Extreme wrong;
  void take(const SourceFindings& other) {
    unknown += other.unknown;
    wrong.take(other.wrong);
  }
};
struct SumFindings {
  Extreme fastest, densest;
  void take(const SumFindings& other) {
    fastest.take(other.fastest);
    densest.take(other.densest);
  }
};

}  // namespace

std::vector<std::string> InitialFields::check(const Problem& problem) const {
  const NodeMap& nodes = problem.geometry.nodes;
  if (std::all_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.checked; })) return {};
  std::vector<SourceFindings> sources(sources_.size());
  SumFindings sums;
  const TileRange own = nodes.share_of(problem.communicator);
#pragma omp parallel
  {
    std::vector<SourceFindings> mine(sources_.size());
    SumFindings my_sums;
#pragma omp for schedule(static)
    for (std::uint64_t t = own.first; t < own.end; ++t) {
      std::uint64_t at = nodes.tiles[t].first_node;
      for (std::uint64_t bits = nodes.tiles[t].mask; bits; bits &= bits - 1, ++at) {
        const Int3 x = nodes.node_position(nodes.tiles[t], std::countr_zero(bits));
        InitialNode sum;
        for (std::size_t s = 0; s < sources_.size(); ++s) {
          InitialNode source;
          if (!sources_[s].add(x, source)) ++mine[s].unknown;
          if (!std::isfinite(source.density) || !std::isfinite(norm(source.velocity))) mine[s].wrong.take(0, at, x);
          sum.density += source.density - 1;
          sum.velocity = sum.velocity + source.velocity;
        }
        my_sums.fastest.take(norm(sum.velocity), at, x);
        my_sums.densest.take(std::abs(sum.density - 1), at, x);
      }
    }
#pragma omp critical
    {
      for (std::size_t s = 0; s < sources_.size(); ++s) sources[s].take(mine[s]);
      sums.take(my_sums);
    }
  }
  if (problem.communicator.count() > 1) {
    const std::vector<SourceFindings> all =
        problem.communicator.join(std::exchange(sources, std::vector<SourceFindings>(sources_.size())));
    for (std::size_t k = 0; k < all.size(); ++k) sources[k % sources.size()].take(all[k]);
    for (const SumFindings& theirs : problem.communicator.join(std::vector<SumFindings>{std::exchange(sums, {})}))
      sums.take(theirs);
  }
  const auto name = [&](const Extreme& extreme) {
    return fmt::format("at node ({}, {}, {})", extreme.place[0], extreme.place[1], extreme.place[2]);
  };
  std::vector<std::string> warnings;
  std::string velocity_key, pressure_key;  // keys of the sources that may be to blame for the sum
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const std::string& key = sources_[s].key;
    (sources_[s].moves ? velocity_key : pressure_key) = key;
    if (sources[s].wrong.value == 0)
      throw_input(fmt::format("{}: {}: is no finite number {}; expected one at every fluid node",
                              problem.settings.place(key), key, name(sources[s].wrong)));
    if (sources[s].unknown == nodes.fluid_nodes)
      throw_input(fmt::format("{}: {}: has no value at any fluid node; check its place and unit",
                              problem.settings.place(key), key));
    if (sources[s].unknown > 0)
      warnings.push_back(fmt::format("{}: has no value at {} of {} fluid nodes, which start without it", key,
                                     sources[s].unknown, nodes.fluid_nodes));
  }
  if (!velocity_key.empty())
    check_speed(problem.settings, problem.units, velocity_key, problem.units.si_velocity(sums.fastest.value),
                sums.fastest.value);
  const double pressure = core::sound_speed_squared * sums.densest.value;
  if (!pressure_key.empty())
    check_pressure(problem.settings, problem.units, pressure_key, problem.units.si_gauge_pressure(pressure), pressure);
  return warnings;
}

}  // namespace fluvia
