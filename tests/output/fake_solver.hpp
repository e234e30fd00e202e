// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::test {

/// A solver whose moments are given functions of the node and whose populations are plain memory.
class FakeSolver : public Solver {
 public:
  std::function<double(const Int3&)> density = [](const Int3&) { return 1.0; };
  std::function<Real3(const Int3&)> velocity = [](const Int3&) { return Real3{}; };
  std::function<std::array<double, 6>(const Int3&)> stress = [](const Int3&) { return std::array<double, 6>{}; };
  Plan numbers;
  Geometry shape;
  std::int64_t now = 0;
  std::vector<std::vector<std::byte>> populations;        ///< by direction
  std::vector<NodeArray> rows;                            ///< populations, and what keep() has added
  std::vector<std::vector<std::vector<std::byte>>> kept;  ///< behind populations: by row, by component

  FakeSolver(int dimension, const Int3& size, const std::function<bool(const Int3&)>& is_fluid,
             const Bool3& periodic = {}, const std::string& format = "fp32") {
    shape.nodes = NodeMap::build(dimension, size, periodic, [&](const Int3& position) {
      NodeMap map;
      map.dimension = dimension;
      std::uint64_t mask = 0;
      for (int bit = 0; bit < nodes_per_tile; ++bit) {
        const Int3 node = map.node_position({0, 0, position}, bit);
        if (node[0] < size[0] && node[1] < size[1] && node[2] < size[2] && is_fluid(node))
          mask |= std::uint64_t{1} << bit;
      }
      return mask;
    });
    shape.surfaces = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "wall"};
    shape.surface_of = [](const Int3&, const Int3&) { return surface_id::wall; };
    numbers.distributions = {{.name = "populations",
                              .lattice = &facts_of_lattice(default_lattice(dimension)),
                              .equilibrium = &facts_of_equilibrium("quasi-compressible"),
                              .collision = &facts_of_collision("trt")}};
    numbers.scheme = &parse_scheme("pull");
    numbers.format = &facts_of_format(format);
    numbers.device = "cpu";
    rows.push_back({.name = "populations",
                    .components = directions(),
                    .number = NumberType::storage_format,
                    .size = shape.nodes.fluid_nodes});
  }

  /// Adds an array of numbers: those of component c count up from first + 1000 c.
  void keep(const NodeArray& array, double first) {
    rows.push_back(array);
    auto& components = kept.emplace_back(static_cast<std::size_t>(array.components));
    for (std::size_t c = 0; c < components.size(); ++c) {
      std::vector<double> values(array.size);
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = first + static_cast<double>(1000 * c + k);
      const auto bytes = std::as_bytes(std::span(values));
      components[c].assign(bytes.begin(), bytes.end());
    }
  }

  [[nodiscard]] int directions() const { return shape.nodes.dimension == 2 ? 9 : 19; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(numbers.format->storage_bytes); }

  /// Fills the populations with repeatable small numbers.
  void fill(unsigned seed) {
    populations.assign(static_cast<std::size_t>(directions()), {});
    std::uint64_t state = seed * 2654435761u + 12345;
    for (auto& direction : populations) {
      direction.resize(shape.nodes.fluid_nodes * bytes());
      for (std::uint64_t i = 0; i < shape.nodes.fluid_nodes; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double value = (static_cast<double>(state >> 40) / double(1 << 24) - 0.5) * 0.1;
        const auto narrow = static_cast<float>(value);
        const auto half = static_cast<std::uint16_t>(state >> 48);
        const void* source = bytes() == 8   ? static_cast<const void*>(&value)
                             : bytes() == 4 ? static_cast<const void*>(&narrow)
                                            : &half;
        std::memcpy(direction.data() + i * bytes(), source, bytes());
      }
    }
  }

  void step(std::int64_t count) override { now += count; }
  [[nodiscard]] std::int64_t time_step() const override { return now; }
  [[nodiscard]] const Plan& plan() const override { return numbers; }
  [[nodiscard]] const Geometry& geometry() const override { return shape; }
  void moments(std::uint64_t first, std::uint64_t count, bool with_stress, Moments& out) const override {
    out = {};
    for (std::uint64_t t = first; t < first + count; ++t) {
      const NodeMap::Tile& tile = shape.nodes.tiles[t];
      for (std::uint64_t mask = tile.mask; mask != 0; mask &= mask - 1) {
        const Int3 node = shape.nodes.node_position(tile, std::countr_zero(mask));
        out.density.push_back(density(node));
        out.velocity.push_back(velocity(node));
        if (with_stress) out.stress.push_back(stress(node));
      }
    }
  }
  /// What is measured of the flow.
  [[nodiscard]] virtual Totals result(const FlowTotals&) const { return {}; }
  [[nodiscard]] virtual SurfaceForce result(const ForceOnSurface&) const { return {}; }
  [[nodiscard]] virtual OpeningFlow result(const FlowThroughOpening&) const { return {}; }
  [[nodiscard]] static ScalarSummary result(const ScalarTotals&) { return {}; }
  [[nodiscard]] static ScalarPassage result(const ScalarThrough&) { return {}; }
  [[nodiscard]] Observation measure(const Observable& what) const override {
    return std::visit([this](const auto& row) -> Observation { return result(row); }, what);
  }
  double apply(const FlowChange&) override { return 0; }
  void initialise(const InitialState&) override { now = 0; }
  /// The numbers of one component of one row.
  template <class Self>
  static auto& numbers_of(Self& self, const ArrayRange& range) {
    const auto component = static_cast<std::size_t>(range.component);
    return range.array == flow_populations ? self.populations[component] : self.kept[range.array - 1][component];
  }
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return rows; }
  void save(const ArrayRange& range, std::span<std::byte> out) const override {
    const auto [begin, size] = bytes_of(range);
    if (out.size() != size) throw std::logic_error("save: wrong buffer size");
    std::memcpy(out.data(), numbers_of(*this, range).data() + begin, size);
  }
  void load(const ArrayRange& range, std::span<const std::byte> in) override {
    const auto [begin, size] = bytes_of(range);
    if (in.size() != size) throw std::logic_error("load: wrong buffer size");
    std::memcpy(numbers_of(*this, range).data() + begin, in.data(), size);
  }
  void resume_at(std::int64_t step) override { now = step; }

 private:
  /// Where the numbers of a range are in the memory of its component.
  [[nodiscard]] std::pair<std::size_t, std::size_t> bytes_of(const ArrayRange& range) const {
    const NodeArray& row = rows[range.array];
    const EntryRange entries = row.entries(shape.nodes, range.first_tile, range.tile_count);
    const std::size_t value = range.array == flow_populations ? bytes() : sizeof(double);
    return {entries.first * value, entries.count * value};
  }
};

inline bool everywhere(const Int3&) {
  return true;
}

/// Grid of a fake solver.
inline Grid grid_of(const FakeSolver& solver, double spacing = 1, const Real3& origin = {}) {
  const NodeMap& nodes = solver.shape.nodes;
  return {nodes.dimension, nodes.size, nodes.periodic, origin, spacing};
}

}  // namespace fluvia::test
