// SPDX-License-Identifier: Apache-2.0
// Where the populations of a case are on a GPU, and how a step goes through them: one class for each kind of storage.
// Differences between kinds are behind this interface; its users do not know which kind it is. Needs no GPU.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/layout/range.hpp"
#include "fluvia/cuda/layout/tile_roles.hpp"
#include "fluvia/cuda/program/program.hpp"
#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::cuda {

struct BoundaryArrays;

/// Memory that kernels see, for the arrays of a layout.
class ArrayStore {
 public:
  ArrayStore() = default;
  ArrayStore(const ArrayStore&) = delete;
  ArrayStore& operator=(const ArrayStore&) = delete;
  virtual ~ArrayStore() = default;

  /// Copies an array into the store; returns its address, null if it is empty. `purpose` is for messages, as in
  /// DeviceBuffer.
  template <class Value>
  const Value* give(const std::vector<Value>& values, std::string_view purpose) {
    return static_cast<const Value*>(put(values.data(), values.size() * sizeof(Value), purpose));
  }
  /// Reserves memory of so many bytes, which are zero.
  virtual void* room(std::size_t bytes, std::string_view purpose) = 0;
  /// Makes all bytes of reserved memory zero again; does nothing for null.
  virtual void clear(void* room) = 0;

 protected:
  virtual const void* put(const void* values, std::size_t bytes, std::string_view purpose) = 0;
};

/// Where populations are before a step.
struct StepAddresses {
  std::uint64_t source = 0, target = 0;  ///< addresses where the next step reads and writes
  std::int64_t update = 0;               ///< steps done before
  bool placed = false;                   ///< populations are where Layout::begins_with_populations() says
  std::uint64_t beginning = 0;           ///< then, the address of Layout::Extent::beginning
};

/// Where the populations of a case are in the memory of a GPU, and which launches make a step.
class Layout {
 public:
  /// The size of the populations, in elements.
  struct Extent {
    std::uint64_t elements = 0;  ///< elements of all copies, with room to slide
    std::uint64_t second = 0;    ///< elements from the first to the second copy that steps alternate between; 0 if one
    bool begins_at_second = false;
    std::uint64_t beginning = 0;  ///< elements in other memory, until the first step: what begins_with_populations()
                                  ///< and has no room in these
  };

  Layout() = default;
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  virtual ~Layout() = default;

  [[nodiscard]] virtual Extent extent() const = 0;
  /// Ranges of elements where populations of own nodes lie at one time that have not just arrived from other parts, if
  /// these are the nodes of a part of a domain. By default all elements.
  [[nodiscard]] virtual std::vector<Range> own_elements() const { return {{0, extent().elements - extent().second}}; }
  /// Bytes of the arrays that place_arrays() will put into a store.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// Bytes that the second-level cache shall fetch at a time for populations of so many bytes; measured, see
  /// docs/performance.md.
  [[nodiscard]] virtual std::size_t fetch_bytes(int storage_bytes) const = 0;

  /// Storage index by which kernels know a canonical tile, and the inverse: its index in the box of tiles where nothing
  /// else is said.
  [[nodiscard]] virtual std::uint32_t storage_index_of(const NodeMap& nodes, std::uint64_t tile) const;
  [[nodiscard]] virtual std::uint64_t tile_at(const NodeMap& nodes, std::uint64_t storage_index) const;
  /// How many storage indices there are by which kernels look for walls, and that of a fluid node (core::WallBlocks).
  [[nodiscard]] virtual std::uint64_t wall_storage_indices() const = 0;
  [[nodiscard]] virtual std::uint64_t wall_storage_index(const NodeMap& nodes, const Int3& node) const = 0;
  /// kernels::RoundingArguments::first_nodes; empty where a number tells the position of a node in the box.
  [[nodiscard]] virtual std::vector<std::uint32_t> first_nodes(const NodeMap&) const { return {}; }

  /// Steps of a pass over memory, and the shared memory that a block of it takes.
  [[nodiscard]] virtual int steps_per_pass() const { return 1; }
  [[nodiscard]] virtual std::size_t pass_shared_bytes() const { return 0; }
  /// The shared memory of a block in a single step, if the launch gives it.
  [[nodiscard]] virtual std::size_t step_shared_bytes() const { return 0; }
  /// Tells layouts whose passes or steps must know it which nodes have boundary conditions; called before bytes().
  virtual void mark_conditions(const BoundaryArrays&) {}
  /// Tells layouts from which populations are rebuilt with what they collide.
  virtual void set_parameters(const core::CollisionParameters<double>&) {}
  /// Tells layouts whose kernels must know it in which layer of tiles along the last axis of a domain the box of a part
  /// begins; -1: behind its periodic end.
  virtual void place_in_domain(const NodeMap& /*domain*/, int /*first_layer*/) {}

  /// Whether steps complete boundaries by themselves, so that no launch before them does.
  [[nodiscard]] virtual bool completes_in_step() const { return false; }
  /// Whether a flow begins as populations, which lie elsewhere than the other numbers that are kept from the first step
  /// on. That step is no part of a pass.
  [[nodiscard]] virtual bool begins_with_populations() const { return false; }

  /// Puts the arrays that kernels read into a store, which must stay, and forgets those here that only they need.
  virtual void place_arrays(ArrayStore& store) = 0;
  /// Resets the arrays in a store to what they are before the first step.
  virtual void reset(ArrayStore&) const {}

  /// The first argument of kernels.
  [[nodiscard]] virtual Argument geometry(const StepAddresses& at) const = 0;
  /// Appends a step whose boundaries have been completed, or will be by itself, or a part of the step: one kernel that
  /// has to go through all tiles in order makes up the border's part as a whole.
  virtual void append_step(const StepAddresses& at, StepShare share, Program& program) const = 0;
  /// Appends a pass of several steps, which completes boundaries by itself, or a part of the pass.
  virtual void append_pass(const StepAddresses& at, StepShare share, Program& program) const;

 protected:
  /// A launch of one-dimensional blocks, each of `threads` threads.
  static LaunchShape blocks_of(unsigned threads, std::uint64_t items) {
    return {{static_cast<unsigned>((items + threads - 1) / threads)}, {threads}};
  }
  /// A block of `threads` threads over rows of `row` nodes, so many rows high; 0: a piece of one, but short rows share
  /// a block.
  static Dimensions block_of_rows(unsigned threads, unsigned rows, unsigned row) {
    constexpr unsigned warp = 32;
    const unsigned x = rows > 0 ? threads / rows : std::min(threads, std::max(warp, std::bit_ceil(row)));
    return {x, threads / x};
  }
};

/// Appends the launch by which boundary conditions complete what arrives in so many tiles, if there are any.
void append_boundaries(const Layout& layout, const StepAddresses& at, unsigned boundary_tiles, Program& program);
/// Appends a whole step: boundaries, then the layout's launches.
void append_step(const Layout& layout, const StepAddresses& at, unsigned boundary_tiles, Program& program);

/// The layout of a case. Sets what its kernels must know of it: Specification::threads, cut_tiles and others. Throws
/// Error(resource) for domains whose nodes the kind of storage cannot number, Error(input) for rows too long for it.
/// `roles`: roles of tiles, if these are the nodes of a part of a domain; for schemes that run in parts.
std::unique_ptr<Layout> make_layout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {});

}  // namespace fluvia::cuda
