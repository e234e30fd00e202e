// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/scalars/scalar_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {

namespace {

constexpr std::uint64_t lanes = kernels::nodes_per_tile;

/// How far most of what leaves along a direction goes, of some nodes in the middle, where most nodes are like others.
int usual_distance(std::span<const std::uint32_t> places, std::uint32_t first_place) {
  constexpr std::size_t asked = 4096;
  const std::size_t begin = places.size() > asked ? (places.size() - asked) / 2 : 0;
  std::map<int, int> counts;
  for (std::size_t n = begin; n < std::min(places.size(), begin + asked); ++n)
    if (places[n] != kernels::none) ++counts[static_cast<int>(places[n] - first_place - static_cast<std::uint32_t>(n))];
  int usual = 0, most = 0;
  for (const auto& [distance, count] : counts)
    if (count > most) usual = distance, most = count;
  return usual;
}

}  // namespace

ScalarArrays::ScalarArrays(const Problem& problem, std::size_t scalar, const ScalarMethod& of, const ScalarNodes& nodes,
                           std::span<const std::uint32_t> storage, std::uint64_t indices)
    : method(of),
      surfaces(scalar_surfaces(problem, of)),
      solids(make_scalar_solids(problem, of)),
      storage_indices(indices) {
  regular.assign(static_cast<std::size_t>(of.lattice->directions), 0);
  blocks.resize(flow_blocks());
  for (std::uint64_t n = 0; n < storage.size(); ++n)
    if (nodes.owns(n)) blocks[storage[n] / lanes].nodes |= std::uint64_t{1} << storage[n] % lanes;
  number_solids();
  require_numbers();
  take_ways(make_scalar_ways(problem, of, surfaces, solids, nodes), nodes, storage);
  const ScalarFields fields(problem, scalar);
  bool any = fields.has_source();
  for (const ScalarSolid& solid : of.solids) any = any || fields.has_source_in(solid.number);
  if (!any) return;
  source.assign(node_numbers(), 0);
  take_sources(fields, nodes.stored(), storage, source);
  take_solid_sources(fields, method, solids, solid_nodes, source);
}

void ScalarArrays::require_numbers() const {
  if (elements() >= kernels::none)
    throw_resource(fmt::format("scalar '{}': {} nodes are too many for 32-bit numbers of places; use fewer",
                               method.name, storage_indices));
}

void ScalarArrays::take_levels(const Block& block, std::size_t scalar, const NodeMap& all,
                               const std::function<std::uint32_t(const Int3&)>& storage_index_of) {
  const auto elements_of = [&](const std::vector<HaloPopulation>& list) {
    std::vector<std::uint32_t> elements;
    elements.reserve(list.size());
    for (const HaloPopulation& p : list)
      elements.push_back(static_cast<std::uint32_t>(p.direction * storage_indices +
                                                    storage_index_of(all.node_position(all.tiles[p.tile], p.bit))));
    return elements;
  };
  for (std::size_t k = 0; k < block.neighbours.size(); ++k) {
    if (block.neighbours[k].scalar != static_cast<int>(scalar)) continue;
    if (borders.size() <= k) borders.resize(k + 1);
    borders[k] = {elements_of(block.neighbours[k].arrives), elements_of(block.neighbours[k].leaves), {}, {}};
  }
}

/// Those of one material follow each other, and each material begins a block.
void ScalarArrays::number_solids() {
  solid_nodes.resize(solids.count());
  std::uint32_t next = kernels::first_solid_node(storage_indices);
  for (std::size_t material = 1; material < solids.material.size(); ++material) {
    for (std::size_t n = 0; n < solid_nodes.size(); ++n) {
      if (solids.of_node[n] != material) continue;
      if (next % lanes == 0) {
        blocks.push_back({});
        material_of_block.push_back(static_cast<std::uint8_t>(material));
      }
      blocks.back().nodes |= std::uint64_t{1} << next % lanes;
      solid_nodes[n] = next++;
    }
    next = static_cast<std::uint32_t>((next + lanes - 1) / lanes * lanes);
  }
}

ScalarArrays::Blocks ScalarArrays::blocks_of(std::size_t solid) const {
  const auto [first, end] =
      std::equal_range(material_of_block.begin(), material_of_block.end(), static_cast<std::uint8_t>(solid + 1));
  const auto number = [&](auto at) {
    return static_cast<std::uint32_t>(flow_blocks() + (at - material_of_block.begin()));
  };
  return {number(first), number(end)};
}

void ScalarArrays::take_ways(ScalarWays ways, const ScalarNodes& of, std::span<const std::uint32_t> storage) {
  const std::uint64_t nodes = storage.size();
  const auto number_of = [&](std::uint32_t node) { return node < nodes ? storage[node] : solid_nodes[node - nodes]; };
  cuts = std::move(ways.links);
  for (ScalarCutLink& cut : cuts) {
    cut.node = number_of(cut.node);
    cut.inner = number_of(cut.inner);
  }
  if (!ways.volume.empty()) {
    volume.assign(node_numbers(), 1.0F);
    for (std::uint64_t n = 0; n < nodes; ++n) volume[storage[n]] = ways.volume[n];
  }
  if (!ways.strength.empty()) {
    strength.assign(storage_indices, 1.0F);
    for (std::uint64_t n = 0; n < nodes; ++n) {
      strength[storage[n]] = ways.strength[n];
      if (ways.strength[n] != 1) blocks[storage[n] / lanes].irregular |= 1u;
    }
  }
  joints = std::move(ways.joints);
  borders = std::move(ways.borders);
  besides = ways.besides;
  require_numbers();
  list_places(ways, of, storage);
}

void ScalarArrays::list_places(const ScalarWays& ways, const ScalarNodes& of, std::span<const std::uint32_t> storage) {
  const std::uint64_t nodes = storage.size(), directions = regular.size(), indices = storage_indices;
  const std::uint32_t first_solid = kernels::first_solid_node(indices);
  const auto element_of = [&](std::uint32_t place) {
    if (place >= directions * ways.nodes)
      return static_cast<std::uint32_t>(elements_of_nodes() + (place - directions * ways.nodes));
    const std::uint64_t direction = place / ways.nodes, node = place % ways.nodes;
    const std::uint64_t element =
        node < nodes ? direction * indices + storage[node]
                     : directions * indices + direction * solid_room() + (solid_nodes[node - nodes] - first_solid);
    return static_cast<std::uint32_t>(element);
  };
  const auto replace_in = [&](std::vector<ScalarJoint>& all) {
    for (ScalarJoint& joint : all) {
      for (std::uint32_t& place : joint.back) place = element_of(place);
      if (joint.says != ScalarJoint::nothing) joint.says = element_of(joint.says);
    }
  };
  replace_in(joints);
  for (ScalarBorder& border : borders) {
    replace_in(border.joints);
    for (auto* const places_of : {&border.arrives, &border.leaves})
      for (std::uint32_t& place : *places_of) place = element_of(place);
  }
  solid_places.assign(solid_room() * (directions - 1), 0);
  std::vector<std::vector<std::uint32_t>> all(directions);
  for (std::uint64_t i = 1; i < directions; ++i) {
    std::vector<std::uint32_t>& to = all[i];
    to.assign(flow_blocks() * lanes, kernels::none);
    for (std::uint64_t n = 0; n < nodes; ++n)
      if (of.owns(n)) to[storage[n]] = element_of(ways.target[(i - 1) * ways.nodes + n]);
    for (std::uint64_t n = 0; n < solid_nodes.size(); ++n)
      solid_places[(i - 1) * solid_room() + (solid_nodes[n] - first_solid)] =
          element_of(ways.target[(i - 1) * ways.nodes + nodes + n]);
    const auto first_place = static_cast<std::uint32_t>(i * indices);
    regular[i] = usual_distance(to, first_place);
    // Some schemes step nodes of the halo along: what leaves these goes where nobody reads.
    for (std::uint64_t n = 0; n < nodes; ++n)
      if (!of.owns(n)) to[storage[n]] = storage[n];
    for (std::uint64_t n = 0; n < to.size(); ++n) {
      const std::uint32_t usual = first_place + static_cast<std::uint32_t>(n) + static_cast<std::uint32_t>(regular[i]);
      if (to[n] != kernels::none && to[n] != usual) blocks[n / lanes].irregular |= 1u << i;
    }
  }
  for (std::uint64_t b = 0; b < flow_blocks(); ++b) {
    blocks[b].first = static_cast<std::uint32_t>(places.size() / lanes);
    for (std::uint64_t i = 1; i < directions; ++i)
      if ((blocks[b].irregular >> i & 1u) != 0)
        places.insert(places.end(), all[i].begin() + static_cast<std::ptrdiff_t>(b * lanes),
                      all[i].begin() + static_cast<std::ptrdiff_t>((b + 1) * lanes));
  }
}

void take_sources(const ScalarFields& fields, const NodeMap& nodes, std::span<const std::uint32_t> storage,
                  std::vector<double>& source) {
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < nodes.tiles.size(); ++t) {
    std::uint64_t n = nodes.tiles[t].first_node;
    for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++n)
      source[storage[n]] = fields.source(nodes.node_position(nodes.tiles[t], std::countr_zero(rest)));
  }
}

void take_solid_sources(const ScalarFields& fields, const ScalarMethod& scalar, const ScalarSolids& solids,
                        std::span<const std::uint32_t> solid_nodes, std::vector<double>& source) {
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < solids.nodes.tiles.size(); ++t) {
    std::uint64_t n = solids.nodes.tiles[t].first_node;
    for (std::uint64_t rest = solids.nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++n)
      source[solid_nodes[n]] =
          fields.source_in(scalar.solids[solids.of_node[n] - std::size_t{1}].number,
                           solids.nodes.node_position(solids.nodes.tiles[t], std::countr_zero(rest)));
  }
}

std::uint64_t ScalarArrays::bytes(int arithmetic_bytes) const {
  const auto number = static_cast<std::uint64_t>(arithmetic_bytes);
  const bool in_double = arithmetic_bytes == sizeof(double);
  const std::uint64_t of_cut = in_double ? sizeof(kernels::ScalarCut<double>) : sizeof(kernels::ScalarCut<float>);
  const std::uint64_t of_joint =
      in_double ? sizeof(kernels::ScalarExchangeOfCells<double>) : sizeof(kernels::ScalarExchangeOfCells<float>);
  const std::uint64_t of_rule = in_double ? sizeof(kernels::ScalarRule<double>) : sizeof(kernels::ScalarRule<float>);
  const std::uint64_t own = in_double ? sizeof(kernels::CarriedScalar<double>) : sizeof(kernels::CarriedScalar<float>);
  const std::uint64_t of_material =
      in_double ? sizeof(kernels::ScalarSpread<double>) : sizeof(kernels::ScalarSpread<float>);
  const std::uint64_t of_strength =
      in_double ? sizeof(kernels::ScalarStrength<double>) : sizeof(kernels::ScalarStrength<float>);
  return own + 2 * elements() * number + source.size() * number + blocks.size() * sizeof(kernels::ScalarBlock) +
         (places.size() + solid_places.size()) * sizeof(std::uint32_t) + material_of_block.size() +
         solids.material.size() * of_material + cuts.size() * (of_cut + number) + border_joints() * of_joint +
         elsewhere().size() * sizeof(std::uint32_t) + joints.size() * (of_joint + (solid_nodes.empty() ? 0 : number)) +
         volume.size() * number + strength.size() * of_strength + surfaces.size() * of_rule;
}

TouchedBlocks::TouchedBlocks(const std::vector<ScalarArrays>& scalars) {
  if (scalars.empty()) return;
  const std::uint64_t blocks = scalars.front().flow_blocks();
  numbers.assign(blocks, kernels::none);
  for (const ScalarArrays& scalar : scalars)
    for (const ScalarCutLink& cut : scalar.cuts)
      if (cut.node / lanes < blocks) numbers[cut.node / lanes] = 0;  // solids are at rest
  for (std::uint32_t& number : numbers)
    if (number != kernels::none) number = count++;
}

}  // namespace fluvia::cuda
