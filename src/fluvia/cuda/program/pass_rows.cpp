// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/program/pass_rows.hpp"

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/kernels/pass_shape.hpp"
#include "fluvia/cuda/program/specification.hpp"

namespace fluvia::cuda {
namespace {

struct Row {
  int dimension, most_values;  ///< of a column between two stages, in bytes
  int steps;                   ///< at most
  PassRow pass;
};

/// The first row that fits. A block may take nearly all shared memory of a multiprocessor (227 KiB of an H100). Then little
/// is left for what spills from registers, so that tiles are as large as their threads have registers enough.
constexpr Row rows[] = {
    {2, 80, 3, {.width = 248, .depth = 1, .blocks = 4, .loads_early = true, .planes = 128}},
    {2, 80, 4, {.width = 248, .depth = 1, .blocks = 3, .loads_early = true, .planes = 128}},
    {2, 80, 6, {.width = 246, .depth = 1, .blocks = 2, .loads_early = true, .planes = 160}},
    {2, 80, 8, {.width = 370, .depth = 1, .blocks = 1, .loads_early = true, .planes = 256}},
    {2, 160, 4, {.width = 248, .depth = 1, .blocks = 1, .loads_early = true, .planes = 128}},
    {2, 160, 8, {.width = 176, .depth = 1, .blocks = 1, .loads_early = true, .planes = 256}},
    {3, 160, 2, {.width = 32, .depth = 24, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 208, 2, {.width = 32, .depth = 20, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 208, 3, {.width = 32, .depth = 8, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 320, 2, {.width = 32, .depth = 14, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 320, 3, {.width = 16, .depth = 8, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 416, 2, {.width = 32, .depth = 12, .blocks = 1, .loads_early = false, .planes = 64}},
    {3, 416, 3, {.width = 16, .depth = 8, .blocks = 1, .loads_early = false, .planes = 64}},
    {3, 640, 2, {.width = 32, .depth = 6, .blocks = 1, .loads_early = false, .planes = 64}},
    {3, 640, 3, {.width = 8, .depth = 8, .blocks = 1, .loads_early = false, .planes = 64}},
};

int values_bytes(const Specification& s) {
  const SpecificationFacts facts = facts_of(s);
  return facts.values_between_stages * facts.arithmetic_bytes;
}

}  // namespace

PassRow pass_row(const Specification& s) {
  const int dimension = facts_of(s).dimension, bytes = values_bytes(s);
  for (const Row& row : rows)
    if (row.dimension == dimension && bytes <= row.most_values && s.steps_per_pass <= row.steps) return row.pass;
  throw Error(ExitCode::internal, "no tiles for passes of " + s.text());
}

std::size_t pass_shared_bytes(const Specification& s) {
  const kernels::PassTile tile{facts_of(s).dimension, s.steps_per_pass, s.pass.width, s.pass.depth};
  return static_cast<std::size_t>(tile.values(values_bytes(s)));
}

}  // namespace fluvia::cuda
