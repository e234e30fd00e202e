// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "fluvia/base/error.hpp"
#include "fluvia/case/scalars/material_field.hpp"
#include "fluvia/output/field_functions.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {
namespace {

struct RegistryEntry {
  const char* name;
  int components;
  const char* si_unit;
  bool needs_stress, needs_neighbours, needs_walls;
  void (*evaluate)(const FieldContext&, const FieldSample&, double*);  ///< null for fields that are linear
  LinearField (*linear)(const Units&) = nullptr;
  AtWall at_wall = AtWall::extrapolated;
  bool is_axial = false;
};

/// Every field; add one here and its function in field_functions.hpp.
constexpr RegistryEntry registry[] = {
    {"pressure", 1, "Pa", false, false, false, nullptr, pressure_field},
    {"density", 1, "kg/m³", false, false, false, nullptr, density_field},
    {"velocity", 3, "m/s", false, false, false, nullptr, velocity_field, AtWall::of_wall},
    {"vorticity", 3, "1/s", false, true, false, evaluate_vorticity, nullptr, AtWall::extrapolated, true},
    {"strain_rate", 1, "1/s", true, false, false, evaluate_strain_rate},
    {"viscosity", 1, "Pa s", true, false, false, evaluate_viscosity},
    {"wall_shear_stress", 1, "Pa", true, true, true, evaluate_wall_shear_stress, nullptr, AtWall::of_node},
};

std::uint64_t first_node_of_tile(const NodeMap& nodes, std::uint64_t tile) {
  return tile < nodes.tiles.size() ? nodes.tiles[tile].first_node : nodes.fluid_nodes;
}

}  // namespace

std::uint64_t first_tile_of_layer(const NodeMap& nodes, int layer) {
  const int axis = slab_axis(nodes.dimension);
  const auto found = std::partition_point(nodes.tiles.begin(), nodes.tiles.end(),
                                          [&](const NodeMap::Tile& tile) { return tile.position[axis] < layer; });
  return static_cast<std::uint64_t>(found - nodes.tiles.begin());
}

void MomentWindow::load(const FlowState& state, int first, int last, bool with_stress, bool neighbours) {
  const NodeMap& nodes = state.geometry().nodes;
  const int axis = slab_axis(nodes.dimension), layers = nodes.tiles_in_box[axis];
  pieces_.clear();
  load_piece(state, first, last, with_stress);
  if (!neighbours) return;
  // Up to three nodes on either side are read; a partly filled layer behind a periodic face may hold only one of them.
  int missing = layers - (last - first);
  const auto load_neighbour = [&](int layer) {
    const bool inside = layer >= 0 && layer < layers;
    if (missing <= 0 || (!inside && !nodes.periodic[axis])) return;
    --missing;
    const int wrapped = (layer + layers) % layers;
    load_piece(state, wrapped, wrapped + 1, with_stress);
  };
  load_neighbour(first - 1);
  load_neighbour(last);
  if (first == 0) load_neighbour(-2);
  if (last == layers - 1) load_neighbour(last + 1);
}

void MomentWindow::load_piece(const FlowState& state, int first, int last, bool with_stress) {
  const NodeMap& nodes = state.geometry().nodes;
  const std::uint64_t begin = first_tile_of_layer(nodes, first), end = first_tile_of_layer(nodes, last);
  if (begin == end) return;
  Piece& piece = pieces_.emplace_back();
  piece.first_node = first_node_of_tile(nodes, begin);
  piece.last_node = first_node_of_tile(nodes, end);
  state.moments(begin, end - begin, with_stress, piece.moments);
}

const MomentWindow::Piece& MomentWindow::find(std::uint64_t node) const {
  for (const Piece& piece : pieces_) {
    if (node >= piece.first_node && node < piece.last_node) return piece;
  }
  throw Error(ExitCode::internal, fmt::format("field output: node {} is outside the loaded slab", node));
}

double MomentWindow::density(std::uint64_t node) const {
  const Piece& piece = find(node);
  return piece.moments.density[node - piece.first_node];
}

const Real3& MomentWindow::velocity(std::uint64_t node) const {
  const Piece& piece = find(node);
  return piece.moments.velocity[node - piece.first_node];
}

const std::array<double, 6>& MomentWindow::stress(std::uint64_t node) const {
  const Piece& piece = find(node);
  return piece.moments.stress[node - piece.first_node];
}

double MomentWindow::scalar(std::uint64_t node, std::size_t k, std::size_t count) const {
  const Piece& piece = find(node);
  return piece.moments.scalars[(node - piece.first_node) * count + k];
}

double mirror_sign(const Field& field, const NodeImage& image, std::size_t k) {
  if (field.components != 3) return 1;
  const double sign = image.sign(k);
  return field.is_axial ? sign * image.sign(0) * image.sign(1) * image.sign(2) : sign;
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const RegistryEntry& entry : registry) names.emplace_back(entry.name);
  return names;
}

Field find_field(const std::string& name, const Units& units, const std::vector<Field>& extra) {
  std::vector<std::string> names = field_names();
  for (const Field& field : extra) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  for (const RegistryEntry& entry : registry) {
    if (name != entry.name) continue;
    Field field{entry.name,         entry.components,       units.si ? entry.si_unit : "lattice",
                entry.needs_stress, entry.needs_neighbours, entry.needs_walls,
                entry.evaluate,     std::nullopt,           entry.at_wall,
                entry.is_axial};
    if (entry.linear == nullptr) return field;
    field.linear = entry.linear(units);
    field.evaluate = [linear = *field.linear](const FieldContext& context, const FieldSample& sample, double* out) {
      evaluate_linear(linear, context, sample, out);
    };
    return field;
  }
  throw_input(fmt::format("output.fields: there is no field '{}'; choose from {}", name, fmt::join(names, ", ")));
}

namespace {

Field material_field(const FlowState& state) {
  Field field;
  field.name = names::material_field;
  field.unit = "number";
  field.at_wall = AtWall::of_node;
  field.evaluate = [](const FieldContext&, const FieldSample&, double* out) { out[0] = 0; };
  field.in_solids = [&state](const Int3& node) -> std::optional<double> {
    const std::vector<ScalarMethod>& scalars = state.plan().scalars;
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      if (!state.scalars()->value_in_solid(k, node)) continue;
      const Geometry& geometry = state.geometry();
      const std::string& surface = geometry.surfaces[static_cast<std::size_t>(geometry.body_of(node))];
      for (const ScalarSolid& solid : scalars[k].solids)
        if (solid.surface == surface) return static_cast<double>(solid.number + 1);
    }
    return std::nullopt;
  };
  return field;
}

std::vector<Field> with_scalars(const OutputContext& output, std::vector<Field> fields) {
  const std::vector<ScalarMethod>& scalars = output.state.plan().scalars;
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    Field& field = fields.emplace_back();
    field.name = scalars[k].name;
    field.unit = scalars[k].unit;
    field.evaluate = [k, count = scalars.size()](const FieldContext& context, const FieldSample& sample, double* out) {
      out[0] = context.moments.scalar(sample.index, k, count);
    };
    if (!scalars[k].solids.empty())
      field.in_solids = [k, &state = output.state](const Int3& node) {
        return state.scalars()->value_in_solid(k, node);
      };
  }
  const bool any_solid =
      std::any_of(scalars.begin(), scalars.end(), [](const ScalarMethod& scalar) { return !scalar.solids.empty(); });
  if (any_solid) fields.push_back(material_field(output.state));
  return fields;
}

}  // namespace

Field find_field(const std::string& name, const OutputContext& output, const std::vector<Field>& extra) {
  return find_field(name, output.units, with_scalars(output, extra));
}

std::vector<Field> select_fields(const std::vector<std::string>& names, const Units& units,
                                 const std::vector<Field>& extra) {
  std::vector<Field> fields;
  for (const std::string& name : names) {
    const bool known =
        std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
    if (!known) fields.push_back(find_field(name, units, extra));
  }
  return fields;
}

std::vector<Field> select_fields(const std::vector<std::string>& names, const OutputContext& output,
                                 const std::vector<Field>& extra) {
  return select_fields(names, output.units, with_scalars(output, extra));
}

Field make_array_field(std::string name, int components, std::string unit,
                       std::function<void(std::uint64_t index, double* out)> values, AtWall at_wall, bool is_axial) {
  return {std::move(name),
          components,
          std::move(unit),
          false,
          false,
          false,
          [values = std::move(values)](const FieldContext&, const FieldSample& sample, double* out) {
            values(sample.index, out);
          },
          std::nullopt,
          at_wall,
          is_axial};
}

FieldEvaluator::FieldEvaluator(const OutputContext& output, const Sampling& sampling, std::vector<Field> fields,
                               std::uint64_t slab_nodes)
    : output_(output), sampling_(sampling), fields_(std::move(fields)), context_{output_, moments_, false, nullptr} {
  const Geometry& geometry = output.state.geometry();
  context_.incompressible = !output.state.plan().flow().equilibrium->momentum_has_density;
  if (std::any_of(fields_.begin(), fields_.end(), [](const Field& field) { return field.needs_walls; }))
    context_.walls = std::make_shared<const WallFit>(geometry);
  const NodeMap& nodes = geometry.nodes;
  const int axis = slab_axis(nodes.dimension), height = tile_shape(nodes.dimension)[axis];
  std::uint64_t filled = 0;
  for (int sample = 0; sample < sampling_.count[axis]; ++sample) {
    const int layer = (sampling_.first[axis] + sample * sampling_.stride[axis]) / height;
    if (slabs_.empty() || layer >= slabs_.back().last_layer) {
      const std::uint64_t added = first_node_of_tile(nodes, first_tile_of_layer(nodes, layer + 1)) -
                                  first_node_of_tile(nodes, first_tile_of_layer(nodes, layer));
      const bool adjacent = !slabs_.empty() && layer == slabs_.back().last_layer;
      if (!adjacent || filled + added > slab_nodes) {
        slabs_.push_back({layer, layer, sample, sample});
        filled = 0;
      }
      slabs_.back().last_layer = layer + 1;
      filled += added;
    }
    slabs_.back().last_sample = sample + 1;
  }
}

void FieldEvaluator::load(const Slab& slab) {
  collect(slab);
  bool stress = false, neighbours = false;
  for (const Field& field : fields_) {
    stress = stress || field.needs_stress;
    neighbours = neighbours || field.needs_neighbours;
  }
  if (!samples_.empty()) moments_.load(output_.state, slab.first_layer, slab.last_layer, stress, neighbours);
}

void FieldEvaluator::collect(const Slab& slab) {
  samples_.clear();
  const NodeMap& nodes = output_.state.geometry().nodes;
  const std::uint64_t end = first_tile_of_layer(nodes, slab.last_layer);
  for (std::uint64_t t = first_tile_of_layer(nodes, slab.first_layer); t < end; ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    std::uint64_t index = tile.first_node;
    for (std::uint64_t mask = tile.mask; mask != 0; mask &= mask - 1, ++index) {
      FieldSample sample{nodes.node_position(tile, std::countr_zero(mask)), {}, index};
      if (sampling_.find(sample.node, sample.cell)) samples_.push_back(sample);
    }
  }
  if (!includes_solids_) return;
  Int3 begin{0, 0, 0}, behind = sampling_.count;
  begin[slab_axis(nodes.dimension)] = slab.first_sample;
  behind[slab_axis(nodes.dimension)] = slab.last_sample;
  for (int z = begin[2]; z < behind[2]; ++z)
    for (int y = begin[1]; y < behind[1]; ++y)
      for (int x = begin[0]; x < behind[0]; ++x) {
        const Int3 node = sampling_.node({x, y, z});
        const auto is_there = [&](const Field& field) { return field.in_solids && field.in_solids(node); };
        if (std::any_of(fields_.begin(), fields_.end(), is_there)) samples_.push_back({node, {x, y, z}, 0, true});
      }
}

void FieldEvaluator::include_solids() {
  includes_solids_ =
      std::any_of(fields_.begin(), fields_.end(), [](const Field& field) { return bool(field.in_solids); });
}

template <class Value>
void FieldEvaluator::evaluate_as(std::size_t number, std::vector<Value>& out) const {
  const Field& field = fields_[number];
  const auto components = static_cast<std::size_t>(field.components);
  out.resize(samples_.size() * components);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    std::array<double, 9> value{};
    if (samples_[i].in_solid) {
      const double elsewhere = field.at_wall == AtWall::of_wall ? 0 : std::numeric_limits<double>::quiet_NaN();
      value.fill(field.in_solids ? field.in_solids(samples_[i].node).value_or(elsewhere) : elsewhere);
    } else {
      field.evaluate(context_, samples_[i], value.data());
    }
    for (std::size_t c = 0; c < components; ++c) out[i * components + c] = static_cast<Value>(value[c]);
  }
}

void FieldEvaluator::evaluate(std::size_t number, std::vector<float>& out) const {
  evaluate_as(number, out);
}

void FieldEvaluator::evaluate(std::size_t number, std::vector<double>& out) const {
  evaluate_as(number, out);
}

}  // namespace fluvia
