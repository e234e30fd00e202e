// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluvia::core {

/// How a node of the box is turned into a storage index.
enum class Addressing {
  dense,    ///< every node of the box, row by row; tuned for each backend
  compact,  ///< fluid nodes only, found by bit masks; tuned for each backend
  // Index maps as published, see core/published; each backend has one code for all of them.
  array_of_structures,  ///< every node of the box, its populations together
  structure_of_arrays,  ///< every node of the box, the populations of each slot together
  tiles,                ///< all nodes of tiles that hold fluid
  matrix,               ///< fluid nodes, each with the numbers of its neighbours
  fluid_index,          ///< fluid nodes, found by an array over the box
  half_box              ///< every node of the box with an even sum of coordinates
};

/// How a time step is made up of kernels.
enum class Stepping {
  single,          ///< load, collide, store in one kernel
  fused,           ///< load, collide, store in one kernel, or several steps in one pass over memory, see
                   ///< cuda/kernels/passes/pass_dense.hpp
  sliding_passes,  ///< passes of several steps on one array that slides, see cuda/kernels/passes/pass_sliding.hpp
  moments,  ///< passes, of one step as well, over moments of populations, see cuda/kernels/passes/pass_moments.hpp
  sliding_moments,  ///< the same on one array that slides, see cuda/kernels/passes/pass_sliding_moments.hpp
  sliding,          ///< single on one array that slides, see cuda/kernels/slide.hpp
  apart,            ///< collide in place, then propagate into the other copy
  rows,  ///< one kernel; a block of threads takes rows and propagates in shared memory, see published/step_rows.hpp
  // In the next two, one tile at a time is read before it is written; what comes from other tiles lies in ghosts.
  ghost_cells,   ///< copies of the neighbours' nodes, made before the step
  ghost_buffers  ///< populations on their way, in two copies between which steps alternate
};

/// A storage scheme: a streaming on an addressing. Everything that depends on a scheme asks these facts.
struct Scheme {
  const char* name = "";
  const char* streaming = "";  ///< name in core::Streamings: where populations are between two steps
  Addressing addressing = Addressing::dense;
  int copies = 1;  ///< copies of the populations
  Stepping stepping = Stepping::single;
  bool cpu = true, cuda = true;    ///< devices on which it runs
  bool serial = false;             ///< the scheme runs on one thread
  bool half = false;               ///< only nodes with i + j + k even exist: for lattices that fall apart into two
  bool completes_in_step = false;  ///< steps on GPUs complete links that moving walls cut by themselves
  const char* instead = "";        ///< scheme to take where this one does not run
  const char* in_one_copy = "";  ///< scheme that does the same in one copy, if there is one that does so with the bits
                                 ///< of this one
  /// Block of threads on GPUs as published: how many in a row, and rows; 0: as was measured to be best.
  int block[2] = {};
  bool splits_rows = false;  ///< blocks of threads on GPUs are pieces of rows of nodes; short rows share a block
  /// Most steps of a pass over memory: by a kernel of its own on GPUs, in caches on CPUs.
  int most_steps_2d = 1, most_steps_3d = 1, most_steps_on_cpu = 1;
  /// Edges of tiles to choose from, in nodes, the default first; 0 where there are no more.
  int edges_2d[3] = {}, edges_3d[3] = {};

  /// True if each block of threads on GPUs stays within one row of nodes, or takes several of them whole.
  [[nodiscard]] constexpr bool goes_in_rows() const { return block[0] > 0 || splits_rows; }
  [[nodiscard]] constexpr bool is_compact() const { return addressing == Addressing::compact; }
  /// True if kernels of its own take several steps in one pass over memory.
  [[nodiscard]] constexpr bool is_fused() const {
    return stepping == Stepping::fused || stepping == Stepping::sliding_passes || keeps_moments();
  }
  /// True if memory holds moments from which populations are rebuilt: only collisions that leave nothing else behind
  /// have such a scheme, and results differ from those of others by round-off.
  [[nodiscard]] constexpr bool keeps_moments() const {
    return stepping == Stepping::moments || stepping == Stepping::sliding_moments;
  }
  [[nodiscard]] constexpr int most_steps_on_gpu(int dimension) const {
    return dimension == 3 ? most_steps_3d : most_steps_2d;
  }
  [[nodiscard]] constexpr bool is_sliding() const { return stepping == Stepping::sliding; }
  /// True if steps go through all nodes in an order of their own on GPUs, so that none can be stepped before others.
  [[nodiscard]] constexpr bool steps_in_order() const {
    return stepping == Stepping::sliding || stepping == Stepping::sliding_passes ||
           stepping == Stepping::sliding_moments;
  }
  /// True if a step loads all nodes of a tile before it stores any.
  [[nodiscard]] constexpr bool steps_by_tile() const {
    return stepping == Stepping::ghost_cells || stepping == Stepping::ghost_buffers;
  }
  /// True if the storage is an index map, core/published.
  [[nodiscard]] constexpr bool uses_index_map() const {
    return addressing != Addressing::dense && addressing != Addressing::compact;
  }
  /// True if blocks of threads may be so many rows of nodes high on GPUs: each thread of a step takes a node of the
  /// box.
  [[nodiscard]] constexpr bool has_rows() const {
    return stepping == Stepping::single && addressing != Addressing::compact && addressing != Addressing::tiles &&
           addressing != Addressing::matrix;
  }
  [[nodiscard]] constexpr bool has_tiles() const { return edges_2d[0] != 0 || edges_3d[0] != 0; }
  [[nodiscard]] constexpr const int* edges(int dimension) const { return dimension == 3 ? edges_3d : edges_2d; }
};

}  // namespace fluvia::core
