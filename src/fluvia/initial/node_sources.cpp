// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/node_sources.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/initial/formula.hpp"
#include "fluvia/initial/npy_file.hpp"
#include "fluvia/initial/regular_samples.hpp"
#include "fluvia/initial/vtkhdf_file.hpp"

namespace fluvia {

namespace {

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

/// How many times the nodes of a box are as far from each other as those of an array in the same place, if that is a
/// power of two, as with levels of refinement; 0 if it is none. `expected`: the shape of an array of all nodes.
double nodes_of_spacing(const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& expected,
                        int dimension) {
  if (shape.size() != expected.size() || shape[2] == 0) return 0;
  const double times = static_cast<double>(shape[2]) / static_cast<double>(expected[2]);  // along x
  int exponent = 0;
  if (std::frexp(times, &exponent) != 0.5) return 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const bool refined = k < 3 && static_cast<int>(2 - k) < dimension;
    if (static_cast<double>(shape[k]) != (refined ? times : 1) * static_cast<double>(expected[k])) return 0;
  }
  return times;
}

RegularSamples read_array(const std::filesystem::path& file, int components, const NodeBox& box) {
  NpyArray array = read_npy(file);
  std::vector<std::uint64_t> expected;
  for (int axis = 2; axis >= 0; --axis) expected.push_back(static_cast<std::uint64_t>(box.size[axis]));
  if (components > 1) expected.push_back(static_cast<std::uint64_t>(components));
  const double times = nodes_of_spacing(array.shape, expected, box.dimension);
  if (times == 0) {
    const auto text = [](const std::vector<std::uint64_t>& shape) {
      std::vector<std::string> parts;
      for (const std::uint64_t extent : shape) parts.push_back(std::to_string(extent));
      return "(" + join(parts) + ")";
    };
    throw_input(
        fmt::format("{}: has the shape {}; expected {}: nodes along z, y, x{}; or 2, 4, ... times as many or as few "
                    "along all axes",
                    file.string(), text(array.shape), text(expected), components > 1 ? ", components" : ""));
  }
  const double h = box.spacing / times;
  RegularSamples samples;
  samples.spacing = {h, h, h};
  samples.components = components;
  for (int axis = 0; axis < 3; ++axis) {
    samples.first[axis] = box.origin[axis] + h / 2;
    samples.count[static_cast<std::size_t>(axis)] =
        static_cast<std::int64_t>(array.shape[static_cast<std::size_t>(2 - axis)]);
  }
  samples.values = std::move(array.values);
  return samples;
}

/// The files beside fields-STEP.vtkhdf that have the levels of refinement of the flow, the coarsest first; none if it
/// has none. Level 0 is in the file itself, which has the mean of finer nodes besides.
std::vector<std::filesystem::path> level_files(const std::filesystem::path& fields) {
  std::vector<std::filesystem::path> files;
  const std::string name = fields.filename().string();
  if (!name.starts_with("fields-")) return files;
  for (int level = 1; level <= most_levels; ++level) {  // of levels beside output.region there is none
    const auto file = fields.parent_path() / fmt::format("level-{}{}", level, name.substr(std::strlen("fields")));
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown)) files.push_back(file);
  }
  return files;
}

std::vector<RegularSamples> read_levels(const std::filesystem::path& file, const char* name, int components) {
  std::vector<RegularSamples> levels;
  levels.push_back(read_vtkhdf(file, name, components));
  for (const auto& finer : level_files(file)) levels.push_back(read_vtkhdf(finer, name, components));
  return levels;
}

/// A field of a file: .npy, .vtkhdf, with levels of refinement that lie beside it, or the last fields in the folder of
/// a run.
SampledField read_samples(std::filesystem::path file, const std::string& place, const char* name, int components,
                          const NodeBox& box) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) file = last_fields(file, place);
  const std::string text = file.string();
  try {
    if (text.ends_with(".npy") || text.ends_with(".npy.gz")) return SampledField({read_array(file, components, box)});
    if (text.ends_with(".vtkhdf") || text.ends_with(".hdf")) return SampledField(read_levels(file, name, components));
  } catch (const Error& error) {
    throw Error(error.code(), place + ": " + error.what());
  }
  throw_input(
      fmt::format("{}: '{}' is not known; expected a .vtkhdf file, a .npy file, or the folder of a run", place, text));
}

int most_threads(const Case& c) {
  return std::max(c.numerics.threads, omp_get_max_threads());
}

std::string place_of(const Problem& problem, const std::string& key) {
  return problem.settings.place(key) + ": " + key;
}

/// What was found out about one source; wrong.value: 0 if it gives what is no finite number, else less.
struct SourceFindings {
  std::uint64_t unknown = 0;
  NodeSources::Extreme wrong;
  void take(const SourceFindings& other) {
    unknown += other.unknown;
    wrong.take(other.wrong);
  }
};
struct SumFindings {
  NodeSources::Extreme longest, largest;
  void take(const SumFindings& other) {
    longest.take(other.longest);
    largest.take(other.largest);
  }
};

}  // namespace

NodeBox::NodeBox(const Problem& problem)
    : size(problem.geometry.nodes.size),
      origin(problem.geometry.origin),
      spacing(problem.units.spacing),
      dimension(problem.geometry.nodes.dimension) {}

void NodeSources::add_formulas(const Problem& problem, const std::string& key, bool is_vector,
                               const std::vector<std::string>& formulas, const ToUnit& to_unit) {
  const NodeBox box(problem);
  const auto parsed = std::make_shared<std::vector<Formula>>();
  for (const std::string& text : formulas)
    parsed->emplace_back(text, place_of(problem, key), box.edges(), most_threads(problem.settings));
  add({key, is_vector, false, [=](const Int3& node, NodeValue& sum) {
         const Real3 x = box.position(node);
         if (!is_vector) {
           sum.number += to_unit(parsed->front()(x));
           return true;
         }
         for (int axis = 0; axis < box.dimension; ++axis)
           sum.vector[axis] += to_unit((*parsed)[static_cast<std::size_t>(axis)](x));
         return true;
       }});
}

bool NodeSources::add_formula_over_time(const Problem& problem, const std::string& key, const std::string& formula,
                                        const ToUnit& to_unit, std::shared_ptr<const double> time) {
  const NodeBox box(problem);
  const auto parsed = std::make_shared<const Formula>(
      Formula::of_place_and_time(formula, place_of(problem, key), box.edges(), most_threads(problem.settings)));
  add({key, false, false, [=](const Int3& node, NodeValue& sum) {
         sum.number += to_unit((*parsed)(box.position(node), *time));
         return true;
       }});
  return parsed->names_time();
}

void NodeSources::add_vectors(const Problem& problem, const std::string& key, const std::filesystem::path& file,
                              const char* name, const ToUnit& to_unit) {
  const NodeBox box(problem);
  const auto samples = std::make_shared<SampledField>(
      read_samples(geometry::resolve(problem.settings.directory, file), place_of(problem, key), name, 3, box));
  add({key, true, false, [=](const Int3& node, NodeValue& sum) {
         const std::optional<Real3> vector = samples->at(box.position(node));
         for (int axis = 0; vector && axis < box.dimension; ++axis) sum.vector[axis] += to_unit((*vector)[axis]);
         return vector.has_value();
       }});
}

void NodeSources::add_numbers(const Problem& problem, const std::string& key, const std::filesystem::path& file,
                              const char* name, double elsewhere, const ToUnit& to_unit) {
  const NodeBox box(problem);
  const auto samples = std::make_shared<SampledField>(
      read_samples(geometry::resolve(problem.settings.directory, file), place_of(problem, key), name, 1, box));
  add({key, false, false, [=](const Int3& node, NodeValue& sum) {
         const std::optional<Real3> number = samples->at(box.position(node));
         sum.number += to_unit(number ? (*number)[0] : elsewhere);
         return number.has_value();
       }});
}

bool NodeSources::has_vectors() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.is_vector; });
}

NodeValue NodeSources::at(const Int3& node) const noexcept {
  NodeValue sum;
  for (const Source& source : sources_) source.add(node, sum);
  return sum;
}

NodeSources::Findings NodeSources::look(const Problem& problem, const char* which_do) const {
  const NodeMap& nodes = problem.geometry.nodes;
  Findings found;
  if (std::all_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.checked; })) return found;
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
        NodeValue sum;
        for (std::size_t s = 0; s < sources_.size(); ++s) {
          NodeValue source;
          if (!sources_[s].add(x, source)) ++mine[s].unknown;
          if (!std::isfinite(source.number) || !std::isfinite(norm(source.vector))) mine[s].wrong.take(0, at, x);
          sum.number += source.number;
          sum.vector = sum.vector + source.vector;
        }
        my_sums.longest.take(norm(sum.vector), at, x);
        my_sums.largest.take(std::abs(sum.number), at, x);
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
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const std::string& key = sources_[s].key;
    (sources_[s].is_vector ? found.vector_key : found.number_key) = key;
    const Int3& x = sources[s].wrong.place;
    if (sources[s].wrong.value == 0)
      throw_input(fmt::format("{}: is no finite number at node ({}, {}, {}); expected one at every fluid node",
                              place_of(problem, key), x[0], x[1], x[2]));
    if (sources[s].unknown == nodes.fluid_nodes)
      throw_input(fmt::format("{}: has no value at any fluid node; check its place and unit", place_of(problem, key)));
    if (sources[s].unknown > 0)
      found.warnings.push_back(fmt::format("{}: has no value at {} of {} fluid nodes, which {}", key,
                                           sources[s].unknown, nodes.fluid_nodes, which_do));
  }
  found.longest = sums.longest;
  found.largest = sums.largest;
  return found;
}

}  // namespace fluvia
