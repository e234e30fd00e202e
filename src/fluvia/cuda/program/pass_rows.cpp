// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/program/pass_rows.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cuda/program/specification.hpp"
#include "fluvia/solver/plan/passes.hpp"

namespace fluvia::cuda {
namespace {

/// How many registers a thread needs besides those for the populations of a node.
enum class Registers {
  few,   ///< a collision that computes least; walls that move
  more,  ///< another collision
  most   ///< a viscosity that varies, conditions that look at all populations, walls that return others
};

struct FittingRow {
  int dimension, most_values;  ///< most bytes of a column between two stages
  int steps;                   ///< most steps
  Registers registers;         ///< registers that threads have
  PassRow pass;
};
constexpr Registers few = Registers::few, more = Registers::more, most = Registers::most;

/// The first row that fits. A block may take nearly all shared memory of a multiprocessor (227 KiB of an H100). Then
/// little is left for what spills from registers, so that tiles are as large as their threads have registers enough.
constexpr FittingRow fitting_rows[] = {
    {2, 80, 3, few, {.width = 248, .depth = 1, .blocks = 4, .loads_early = true, .planes = 64}},
    {2, 80, 4, few, {.width = 120, .depth = 1, .blocks = 6, .loads_early = true, .planes = 64}},
    {2, 80, 6, most, {.width = 246, .depth = 1, .blocks = 2, .loads_early = true, .planes = 96}},
    {2, 80, 8, most, {.width = 370, .depth = 1, .blocks = 1, .loads_early = true, .planes = 256}},
    {2, 160, 4, most, {.width = 120, .depth = 1, .blocks = 3, .loads_early = true, .planes = 64}},
    {2, 160, 8, most, {.width = 176, .depth = 1, .blocks = 1, .loads_early = true, .planes = 256}},
    {3, 160, 2, few, {.width = 32, .depth = 20, .blocks = 1, .loads_early = true, .planes = 32}},
    {3, 208, 2, few, {.width = 32, .depth = 9, .blocks = 2, .loads_early = true, .planes = 32}},
    {3, 208, 2, more, {.width = 32, .depth = 16, .blocks = 1, .loads_early = true, .planes = 32}},
    {3, 208, 2, most, {.width = 32, .depth = 12, .blocks = 1, .loads_early = false, .planes = 32}},
    {3, 208, 3, most, {.width = 32, .depth = 8, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 320, 2, few, {.width = 32, .depth = 16, .blocks = 1, .loads_early = true, .planes = 32}},
    {3, 320, 2, more, {.width = 32, .depth = 12, .blocks = 1, .loads_early = false, .planes = 32}},
    {3, 320, 2, most, {.width = 32, .depth = 6, .blocks = 1, .loads_early = false, .planes = 32}},
    {3, 320, 3, most, {.width = 16, .depth = 8, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 416, 2, few, {.width = 32, .depth = 6, .blocks = 1, .loads_early = true, .planes = 32}},
    {3, 416, 2, most, {.width = 32, .depth = 5, .blocks = 1, .loads_early = false, .planes = 32}},
    {3, 416, 3, most, {.width = 16, .depth = 8, .blocks = 1, .loads_early = false, .planes = 64}},
    {3, 640, 2, most, {.width = 32, .depth = 5, .blocks = 1, .loads_early = false, .planes = 32}},
    {3, 640, 3, most, {.width = 8, .depth = 8, .blocks = 1, .loads_early = false, .planes = 64}},
};

/// The same over moments (docs/decisions/0050-passes-over-moments.md), whose tiles have one column more around them.
constexpr FittingRow moment_rows[] = {
    {2, 80, 4, more, {.width = 120, .depth = 1, .blocks = 5, .loads_early = true, .planes = 128}},
    {2, 80, 4, most, {.width = 120, .depth = 1, .blocks = 3, .loads_early = true, .planes = 64}},
    {3, 160, 2, more, {.width = 32, .depth = 12, .blocks = 1, .loads_early = true, .planes = 128}},
    {3, 160, 2, most, {.width = 32, .depth = 6, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 208, 2, more, {.width = 32, .depth = 10, .blocks = 1, .loads_early = true, .planes = 128}},
    {3, 208, 2, most, {.width = 32, .depth = 6, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 320, 1, more, {.width = 32, .depth = 16, .blocks = 1, .loads_early = true, .planes = 96}},
    {3, 320, 1, most, {.width = 32, .depth = 8, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 320, 2, most, {.width = 32, .depth = 4, .blocks = 1, .loads_early = true, .planes = 64}},
};
/// The same in 16 bits, single steps: threads of two blocks fill the registers that rounding leaves (64 a thread). Not
/// measured.
constexpr FittingRow moment_rows_16_bits[] = {
    {3, 208, 1, more, {.width = 32, .depth = 12, .blocks = 2, .loads_early = true, .planes = 128}},
};
/// The same in fp64, where a number takes two registers.
constexpr FittingRow moment_rows_fp64[] = {
    {2, 160, 4, more, {.width = 120, .depth = 1, .blocks = 3, .loads_early = true, .planes = 128}},
    {2, 160, 4, most, {.width = 120, .depth = 1, .blocks = 2, .loads_early = true, .planes = 64}},
    {3, 320, 1, most, {.width = 32, .depth = 5, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 320, 2, more, {.width = 16, .depth = 10, .blocks = 1, .loads_early = true, .planes = 128}},
    {3, 320, 2, most, {.width = 32, .depth = 3, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 416, 1, most, {.width = 32, .depth = 5, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 416, 2, more, {.width = 16, .depth = 9, .blocks = 1, .loads_early = true, .planes = 128}},
    {3, 416, 2, most, {.width = 32, .depth = 3, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 640, 1, more, {.width = 32, .depth = 6, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 640, 1, most, {.width = 32, .depth = 4, .blocks = 1, .loads_early = true, .planes = 64}},
    {3, 640, 2, most, {.width = 16, .depth = 4, .blocks = 1, .loads_early = true, .planes = 64}},
};

Registers registers_for(const Specification& s) {
  const bool returns = s.scheme.keeps_moments() && s.walls != core::WallRule::half_way;
  if (returns || (s.conditions & ~conditions_like_walls) != 0 || s.viscosity != core::Newtonian::facts.name)
    return most;
  return facts_of_collision(s.collision).work == core::Work::least ? few : more;
}

/// Rows to look through, one table after the other.
std::array<std::span<const FittingRow>, 2> rows_for(const Specification& s) {
  if (!s.scheme.keeps_moments()) return {fitting_rows};
  const SpecificationFacts facts = facts_of(s);
  if (facts.arithmetic_bytes == 8) return {moment_rows_fp64};
  if (facts.storage_bytes == 2) return {moment_rows_16_bits, moment_rows};
  return {moment_rows};
}

/// Most planes of a part of the march over moments in one copy, which slides by two chunks of parts: with 128 planes a
/// box of 512^3 nodes would slide by half its length. Not measured.
constexpr int most_sliding_planes(int dimension) {
  return dimension == 3 ? 32 : 64;
}

PassRow with_parts_to_slide(const Specification& s, PassRow pass) {
  if (s.scheme.keeps_moments() && s.scheme.steps_in_order())
    pass.planes = std::min(pass.planes, most_sliding_planes(facts_of(s).dimension));
  return pass;
}

}  // namespace

PassRow pass_row(const Specification& s) {
  const int dimension = facts_of(s).dimension, bytes = pass_value_bytes(s);
  for (const std::span<const FittingRow> rows : rows_for(s))
    for (const FittingRow& row : rows)
      if (row.dimension == dimension && bytes <= row.most_values && s.steps_per_pass <= row.steps &&
          registers_for(s) <= row.registers)
        return with_parts_to_slide(s, row.pass);
  throw Error(ExitCode::internal, "no tiles for passes of " + s.text());
}

kernels::PassTile pass_tile(const Specification& s, int steps) {
  return {facts_of(s).dimension, steps + kernels_of(s.scheme).stages_before, s.pass.width, s.pass.depth};
}

int pass_value_bytes(const Specification& s) {
  const SpecificationFacts facts = facts_of(s);
  return facts.values_between_stages * facts.arithmetic_bytes;
}

std::size_t pass_shared_bytes(const Specification& s) {
  return static_cast<std::size_t>(pass_tile(s, s.steps_per_pass).values(pass_value_bytes(s)));
}

}  // namespace fluvia::cuda
