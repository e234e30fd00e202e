// SPDX-License-Identifier: Apache-2.0
// The populations of one scalar on CPU threads: two copies by the storage indices of the flow, group x lanes + lane,
// component by component. What is stored arrived at its node and lies above ScalarMethod::reference. Whoever steps a
// group of the flow steps it here, too, with its velocities still in cache (docs/decisions/0057).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "fluvia/cpu/scalars/scalar_borders.hpp"
#include "fluvia/cpu/storage/step_access.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/node_array.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"
#include "fluvia/solver/scalars/scalar_nodes.hpp"
#include "fluvia/solver/scalars/scalar_sums.hpp"

namespace fluvia::cpu {

/// Where the nodes of a flow are stored.
struct ScalarStorage {
  const ScalarNodes& nodes;
  std::span<const std::uint32_t> of_nodes;  ///< storage index of each of these
  std::uint64_t indices;                    ///< how many there are, a multiple of group_lanes
  const NodeMap& all;                       ///< of the whole domain
  TileRange own;                            ///< tiles of it that are stepped here
};

/// One scalar, whatever its lattice.
template <class T>
class ScalarTransport {
 public:
  virtual ~ScalarTransport() = default;
  /// Begins in equilibrium with the fields of the case and velocities, [axis][storage index of the flow]; null: at
  /// rest. `nodes`: the stored ones.
  virtual void initialise(const NodeMap& nodes, const ScalarFields& fields, const T* velocity) = 0;
  /// Takes a step of the nodes of a group with their velocities, [axis][lane]. Thread-safe for different groups.
  virtual void step(std::uint64_t group, const T (&velocity)[3][group_lanes]) = 0;
  /// After all groups were stepped: takes the step of solids, and of what passes between them and the fluid.
  virtual void finish_step() = 0;
  /// Above the reference, by storage index.
  [[nodiscard]] virtual T excess(std::uint64_t index) const = 0;
  /// Adds the buoyancy of the lanes of a group, -expansion x excess, to `lift`.
  virtual void add_lift(std::uint64_t group, T (&lift)[group_lanes]) const = 0;
  /// What crosses to a neighbour of the block and from it: packed in a step, when all groups that leave something there
  /// were stepped, unpacked after finish_step().
  [[nodiscard]] virtual ScalarMessage message(std::size_t neighbour) const = 0;
  virtual void pack(std::size_t neighbour, std::byte* out) = 0;
  virtual void unpack(std::size_t neighbour, const std::byte* in) = 0;
  /// As they are now, and which of them a direction and a storage index name.
  [[nodiscard]] virtual T* populations() const = 0;
  [[nodiscard]] virtual std::uint64_t element(int direction, std::uint64_t index) const = 0;
  /// Nodes by their numbers: those of the fluid, then those of solids.
  virtual void save(int component, const EntryRange& entries, std::span<std::byte> out) const = 0;
  virtual void load(int component, const EntryRange& entries, std::span<const std::byte> in) = 0;
  [[nodiscard]] virtual std::uint64_t solid_nodes() const = 0;
  /// Of own tiles.
  [[nodiscard]] virtual TileSums<ScalarSum> sums() const = 0;
  [[nodiscard]] virtual TileSums<ScalarSum> sums_in(std::size_t solid) const = 0;
  [[nodiscard]] virtual std::optional<double> value_in_solid(const Int3& node) const = 0;
  [[nodiscard]] virtual TileSums<ScalarPassage> from_solid(int surface) const = 0;
  [[nodiscard]] virtual TileSums<ScalarPassage> through(int surface) const = 0;
  /// As ScalarValue says.
  virtual void set_surface(int surface, double value) = 0;
  /// Surfaces and sources are those of this time, case units, from now on, which `fields` has; of stored nodes.
  virtual void set_time(double time, const NodeMap& nodes, const ScalarFields& fields) = 0;
};

/// `storage` must stay.
template <class T>
std::unique_ptr<ScalarTransport<T>> make_scalar_transport(const Problem& problem, const ScalarMethod& method,
                                                          const ScalarFields& fields, const ScalarStorage& storage,
                                                          int threads);

}  // namespace fluvia::cpu
