// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/program/kernel_rows.hpp"

#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"

namespace fluvia::cuda {
namespace {

using core::Addressing;
using core::Stepping;

constexpr int guard = static_cast<int>(kernels::guard_threads);

constexpr std::optional<Addressing> any_index_map;

constexpr KernelRow rows[] = {
    {.addressing = Addressing::dense,
     .stepping = Stepping::single,
     .storage = StorageKind::dense,
     .header = "step",
     .step = "step_dense",
     .populations = "Dense",
     .geometry = "DenseBox",
     .threads = {128, 128, 64},
     .resident = {.pairs = 640, .wide_pairs = 384, .walls = {7, 8}},
     .prefetch = {.bytes_ahead = 2'500'000}},
    {.addressing = Addressing::dense,
     .stepping = Stepping::fused,
     .storage = StorageKind::dense_passes,
     .header = "step",
     .step = "step_dense",
     .pass = "pass_dense",
     .populations = "Dense",
     .geometry = "DenseBox",
     .resident = {.pairs = 640, .wide_pairs = 384, .walls = {7, 8}},
     .prefetch = {.bytes_ahead = 2'500'000}},
    {.addressing = Addressing::dense,
     .stepping = Stepping::sliding_passes,
     .storage = StorageKind::sliding_passes,
     .header = "passes/pass_sliding",
     .step = "step_sliding_box",
     .has_parity = false,
     .pass = "pass_sliding",
     .steps_by_pass = true,
     .populations = "Dense",
     .geometry = "DenseBox"},
    {.addressing = Addressing::dense,
     .stepping = Stepping::moments,
     .storage = StorageKind::moments,
     .header = "passes/pass_moments",
     .step = "pass_moments",
     .has_parity = false,
     .pass = "pass_moments",
     .steps_by_pass = true,
     .completes = true,
     .stages_before = 1,
     .first = "first_moments",
     .populations = "Moment",
     .geometry = "MomentBox"},
    {.addressing = Addressing::dense,
     .stepping = Stepping::sliding_moments,
     .storage = StorageKind::sliding_moments,
     .header = "passes/pass_sliding_moments",
     .step = "pass_sliding_moments",
     .has_parity = false,
     .pass = "pass_sliding_moments",
     .steps_by_pass = true,
     .completes = true,
     .stages_before = 1,
     .first = "first_moments",
     .populations = "Moment",
     .geometry = "MomentBox"},
    {.addressing = Addressing::compact,
     .stepping = Stepping::single,
     .storage = StorageKind::compact,
     .header = "step",
     .step = "step_compact",
     .populations = "Compact",
     .geometry = "CompactTiles",
     .threads = {64, 64, 64},
     .resident = {.usual = 1280, .in_place = 896, .pairs = 640, .wide_pairs = 384},
     .prefetch = {.pairs = true, .in_place = true},
     .has_thread_groups = true,
     .walls_in_shared_memory = true},
    {.addressing = Addressing::compact,
     .stepping = Stepping::sliding,
     .storage = StorageKind::sliding,
     .header = "step",
     .step = "step_sliding",
     .has_parity = false,
     .populations = "Compact",
     .geometry = "CompactTiles",
     .threads = {128, 128, 256},
     .resident = {.usual = 1280,
                  .in_place = 1280,
                  .wide = 4 * (128 + guard),
                  .pairs = 3 * (256 + guard),
                  .wide_pairs = 384,
                  .walls_in_place = {3, 4},
                  .walls_with_force = {1, 2},
                  .walls_in_fp64 = {3, 5}},
     .prefetch = {.pairs = true},
     .has_thread_groups = true,
     .guard_threads = guard,
     .walls_in_shared_memory = true},
    {.addressing = Addressing::tiles,
     .stepping = Stepping::single,
     .storage = StorageKind::index_map_blocks,
     .step = "step_tiles",
     .resident = {.in_place = 1024}},
    {.addressing = Addressing::tiles,
     .stepping = Stepping::ghost_cells,
     .storage = StorageKind::index_map_blocks,
     .step = "step_tiles",
     .ghost_cells = "step_ghost_cells",
     .resident = {.in_place = 1024}},
    // Tiles of 8^3 are large blocks: rather two with fewer registers than one.
    {.addressing = Addressing::tiles,
     .stepping = Stepping::ghost_buffers,
     .storage = StorageKind::index_map_blocks,
     .step = "step_tiles",
     .resident = {.usual = 768, .large = 1024, .fits_in_fp64 = true}},
    // Without neighbours to compute, all addresses are in registers at once.
    {.addressing = Addressing::matrix,
     .stepping = Stepping::single,
     .storage = StorageKind::index_map,
     .resident = {.usual = 768, .converting = 640}},
    {.addressing = any_index_map,
     .stepping = Stepping::single,
     .storage = StorageKind::index_map,
     .resident = {.converting_in_place = 640}},
    {.addressing = any_index_map,
     .stepping = Stepping::apart,
     .storage = StorageKind::two_kernels,
     .step = "step_collide",
     .has_parity = false,
     .propagate = "step_propagate",
     .resident = {.converting = 640}},
    {.addressing = Addressing::half_box,
     .stepping = Stepping::rows,
     .storage = StorageKind::row_blocks,
     .header = "published/step_rows",
     .step = "step_rows",
     .has_parity = false},
};

}  // namespace

const KernelRow& kernels_of(const core::Scheme& scheme) {
  const std::optional<Addressing> own = scheme.addressing;
  for (const std::optional<Addressing>& wanted : {own, any_index_map})
    for (const KernelRow& row : rows)
      if (row.addressing == wanted && row.stepping == scheme.stepping && (wanted || scheme.uses_index_map()))
        return row;
  throw Error(ExitCode::internal, std::string("no kernels for the scheme ") + scheme.name);
}

}  // namespace fluvia::cuda
