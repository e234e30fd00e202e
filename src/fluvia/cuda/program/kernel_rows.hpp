// SPDX-License-Identifier: Apache-2.0
// Which kernels a kind of storage has and how they are tuned: rows of data, which kernel_rows.cpp holds.
#pragma once
#include <cstdint>
#include <optional>

#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia::cuda {

/// How populations are stored and gone through: what differs between kinds is in a layout (cuda/layout).
enum class StorageKind {
  dense,
  dense_passes,     ///< every node of the box, several steps at a time
  sliding_passes,   ///< every node of the box in one copy that slides, several steps at a time
  moments,          ///< every node of the box, moments instead of populations, several steps at a time
  sliding_moments,  ///< the same in one copy that slides
  compact,
  sliding,
  index_map,         ///< an index map, one thread for each node that a step visits
  index_map_blocks,  ///< an index map, a block of threads takes a tile
  two_kernels,       ///< collides, then propagates
  row_blocks         ///< a block of threads takes a row
};

struct Share {
  int over, under;
};

/// Threads on a multiprocessor for which a step is compiled: the more, the fewer registers.
struct ResidentThreads {
  int usual = 1024;
  int in_place = 768;  ///< all addresses are in registers at once: one copy, or populations arrive in the node itself
  int wide = 512;      ///< fp64, or a collision that takes long
  int converting = 0;  ///< a format that hardware does not convert, in kernels of one node a thread, if it differs
  int converting_in_place = 0;    ///< such a format in one copy
  int large = 0;                  ///< blocks of more than 256 threads, if they differ
  bool fits_in_fp64 = false;      ///< BGK without a force, in blocks that are not large, is not wide in fp64
  int pairs = 0, wide_pairs = 0;  ///< two nodes a thread, for populations of two bytes; 0 if there are no such kernels
  /// Parts of these numbers that walls between the nodes leave, in kernels of one node a thread; with a force, if that
  /// differs; in fp64 with a force or odd sums.
  Share walls{4, 5}, walls_in_place{4, 5}, walls_with_force{0, 0}, walls_in_fp64{3, 4};
};

/// Threads of a block of a step where the case does not ask for a number.
struct BlockThreads {
  int usual = 128, in_place_fp32 = 256, pairs = 64;
  int in_rows = 512, in_rows_two_bytes = 256;  ///< blocks that are pieces of rows; those of populations of two bytes
};

/// Populations that steps ask the second-level cache for before they load them, kernels/prefetch.hpp.
struct Prefetch {
  /// Dense boxes, one node a thread: bytes of populations from a block's rows to those it asks for; 0: none.
  int bytes_ahead = 0;
  bool pairs = false;     ///< compact tiles, kernels of two nodes a thread: the block's own tiles
  bool in_place = false;  ///< compact tiles in one copy that stays where it is: the block's own tiles
  std::uint64_t least_bytes = std::uint64_t{64}
                              << 20;  ///< bytes of all populations; fewer stay in the second-level cache anyway
};

/// The kernels of the schemes with one stepping and one addressing, or with any index map. All numbers are measured,
/// see docs/performance.md.
struct KernelRow {
  std::optional<core::Addressing> addressing;  ///< none: every index map that has no row of its own for this stepping
  core::Stepping stepping;
  StorageKind storage;
  const char* header = "published/step_index_map";  ///< kernels/HEADER.hpp
  const char* step = "step_index_map";              ///< the kernel that steps
  bool has_parity = true;                           ///< the kernel is a template over the parity of the step
  const char* pass = "";                            ///< the kernel that takes several steps; kernels/passes/PASS.hpp
  bool steps_by_pass = false;                       ///< the kernel that steps goes through the box as `pass` does
  bool completes = false;                           ///< which completes boundaries and knows planes of symmetry
  int stages_before = 0;                 ///< stages of a pass that take no step, kernels/passes/pass_record.hpp
  const char* first = "";                ///< the kernel of the first step, if that differs
  const char* ghost_cells = "";          ///< the kernel before it, if there is one
  const char* propagate = "";            ///< the kernel after it, if there is one
  const char* populations = "IndexMap";  ///< KIND of KINDStorage, by which other kernels find populations
  const char* geometry = "IndexMapBox";  ///< type of the first argument
  BlockThreads threads{};
  ResidentThreads resident{};
  Prefetch prefetch{};
  bool has_thread_groups = false;  ///< several tiles for each block, a group of threads for each
  int guard_threads = 0;           ///< threads of a block besides those that update nodes
  /// Below fp64, walls keep numbers there: so many threads are resident that none has registers to spare.
  bool walls_in_shared_memory = false;
};

/// The row of a scheme's addressing and stepping, or that of all index maps. Throws Error(internal) if there is
/// neither.
const KernelRow& kernels_of(const core::Scheme& scheme);

}  // namespace fluvia::cuda
