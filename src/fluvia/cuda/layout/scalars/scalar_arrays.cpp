// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/scalars/scalar_arrays.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <map>

#include "fluvia/base/error.hpp"
#include "fluvia/initial/scalar_fields.hpp"

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

ScalarArrays::ScalarArrays(const Problem& problem, std::size_t scalar, const ScalarMethod& of,
                           std::span<const std::uint32_t> storage, std::uint64_t indices)
    : method(of), surfaces(scalar_surfaces(problem, of)), storage_indices(indices) {
  const auto directions = static_cast<std::uint64_t>(of.lattice->directions);
  if (indices * directions >= kernels::none)
    throw_resource(
        fmt::format("scalar '{}': {} nodes are too many for 32-bit numbers of places; use fewer", of.name, indices));
  const std::uint64_t nodes = storage.size();
  blocks.resize((indices + lanes - 1) / lanes);
  for (const std::uint32_t n : storage) blocks[n / lanes].fluid |= std::uint64_t{1} << n % lanes;
  {
    const ScalarWays ways = make_scalar_ways(problem, of, surfaces, {});
    cuts = ways.links;
    for (ScalarCutLink& cut : cuts) {
      cut.node = storage[cut.node];
      cut.inner = storage[cut.inner];
    }
    joints = ways.joints;
    for (ScalarJoint& joint : joints)
      for (std::uint32_t& place : joint.back)
        place = static_cast<std::uint32_t>(place / nodes * indices + storage[place % nodes]);
    if (!ways.volume.empty()) {
      volume.assign(indices, 1.0F);
      for (std::uint64_t n = 0; n < nodes; ++n) volume[storage[n]] = ways.volume[n];
    }
    if (!ways.strength.empty()) {
      strength.assign(indices, 1.0F);
      for (std::uint64_t n = 0; n < nodes; ++n) {
        strength[storage[n]] = ways.strength[n];
        if (ways.strength[n] != 1) blocks[storage[n] / lanes].irregular |= 1u;
      }
    }
    regular.assign(directions, 0);
    std::vector<std::vector<std::uint32_t>> all(directions);
    for (std::uint64_t i = 1; i < directions; ++i) {
      std::vector<std::uint32_t>& to = all[i];
      to.assign(blocks.size() * lanes, kernels::none);
      for (std::uint64_t n = 0; n < nodes; ++n) {
        const std::uint64_t target = ways.target[(i - 1) * nodes + n];
        to[storage[n]] = static_cast<std::uint32_t>(target / nodes * indices + storage[target % nodes]);
      }
      const auto first_place = static_cast<std::uint32_t>(i * indices);
      regular[i] = usual_distance(to, first_place);
      for (std::uint64_t n = 0; n < to.size(); ++n) {
        const std::uint32_t usual =
            first_place + static_cast<std::uint32_t>(n) + static_cast<std::uint32_t>(regular[i]);
        if (to[n] != kernels::none && to[n] != usual) blocks[n / lanes].irregular |= 1u << i;
      }
    }
    for (std::uint64_t b = 0; b < blocks.size(); ++b) {
      blocks[b].first = static_cast<std::uint32_t>(places.size() / lanes);
      for (std::uint64_t i = 1; i < directions; ++i)
        if ((blocks[b].irregular >> i & 1u) != 0)
          places.insert(places.end(), all[i].begin() + static_cast<std::ptrdiff_t>(b * lanes),
                        all[i].begin() + static_cast<std::ptrdiff_t>((b + 1) * lanes));
    }
  }
  const ScalarFields fields(problem, scalar);
  if (!fields.has_source()) return;
  source.assign(indices, 0);
  take_sources(fields, problem.geometry.nodes, storage, source);
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

std::uint64_t ScalarArrays::bytes(int arithmetic_bytes) const {
  const auto number = static_cast<std::uint64_t>(arithmetic_bytes);
  const bool in_double = arithmetic_bytes == sizeof(double);
  const std::uint64_t of_cut = in_double ? sizeof(kernels::ScalarCut<double>) : sizeof(kernels::ScalarCut<float>);
  const std::uint64_t of_joint =
      in_double ? sizeof(kernels::ScalarExchangeOfCells<double>) : sizeof(kernels::ScalarExchangeOfCells<float>);
  const std::uint64_t of_rule = in_double ? sizeof(kernels::ScalarRule<double>) : sizeof(kernels::ScalarRule<float>);
  const std::uint64_t own = in_double ? sizeof(kernels::CarriedScalar<double>) : sizeof(kernels::CarriedScalar<float>);
  return own + 2 * regular.size() * storage_indices * number + source.size() * number +
         blocks.size() * sizeof(kernels::ScalarBlock) + places.size() * sizeof(std::uint32_t) +
         cuts.size() * (of_cut + number) + joints.size() * of_joint + volume.size() * number +
         strength.size() *
             (in_double ? sizeof(kernels::ScalarStrength<double>) : sizeof(kernels::ScalarStrength<float>)) +
         surfaces.size() * of_rule;
}

TouchedBlocks::TouchedBlocks(const std::vector<ScalarArrays>& scalars) {
  if (scalars.empty()) return;
  numbers.assign(scalars.front().blocks.size(), kernels::none);
  for (const ScalarArrays& scalar : scalars)
    for (const ScalarCutLink& cut : scalar.cuts) numbers[cut.node / lanes] = 0;
  for (std::uint32_t& number : numbers)
    if (number != kernels::none) number = count++;
}

}  // namespace fluvia::cuda
