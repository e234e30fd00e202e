// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fluvia/output/sampling.hpp"
#include "fluvia/output/walls/wall_fit.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What every writer needs: the flow and what turns its numbers into case units. References must outlive it.
struct OutputContext {
  const FlowState& state;
  const Units& units;
  const Grid& grid;
};

/// Moments of a range of tile layers (tiles with equal z, in 2D equal y), with the layers next to it for differences.
class MomentWindow {
 public:
  /// Loads layers [first, last); with `neighbours` also the layer before and after, across periodic faces too.
  void load(const FlowState& state, int first, int last, bool with_stress, bool neighbours);
  [[nodiscard]] double density(std::uint64_t node) const;
  [[nodiscard]] const Real3& velocity(std::uint64_t node) const;
  [[nodiscard]] const std::array<double, 6>& stress(std::uint64_t node) const;
  /// Of scalar number `k` of so many.
  [[nodiscard]] double scalar(std::uint64_t node, std::size_t k, std::size_t count) const;

 private:
  struct Piece {
    std::uint64_t first_node = 0, last_node = 0;
    Moments moments;
  };
  void load_piece(const FlowState& state, int first, int last, bool with_stress);
  [[nodiscard]] const Piece& find(std::uint64_t node) const;
  std::vector<Piece> pieces_;  // pieces of the range itself, then of its neighbours
};

/// One node to be written: of the fluid, or of a solid in which a scalar spreads.
struct FieldSample {
  Int3 node{};              ///< position in the box
  Int3 cell{};              ///< index in the Sampling
  std::uint64_t index = 0;  ///< canonical index, of nodes of the fluid
  bool in_solid = false;
};

/// The data that a field is computed from.
struct FieldContext {
  const OutputContext& output;
  const MomentWindow& moments;
  bool incompressible = false;
  std::shared_ptr<const WallFit> walls;  ///< fits to walls, for fields that need them
};

/// The value that a field takes on a wall, where lines end (wall_values.hpp).
enum class AtWall {
  extrapolated,  ///< the value that the nodes of the fluid around it give there
  of_wall,       ///< the velocity of the wall, which the fluid has there, too
  of_node        ///< the value of the node beside it, which is that of the wall already
};

/// A quantity that can be written, in case units.
struct Field {
  std::string name;
  int components = 1;
  std::string unit;  ///< "Pa", ...; "lattice" for cases in lattice units
  bool needs_stress = false;
  bool needs_neighbours = false;  ///< whether it reads nodes up to three away
  bool needs_walls = false;       ///< whether it needs FieldContext::walls
  std::function<void(const FieldContext&, const FieldSample&, double* out)> evaluate;
  std::optional<LinearField> linear = std::nullopt;  ///< what `evaluate` computes, if it is no more than a linear field
  AtWall at_wall = AtWall::extrapolated;
  bool is_axial = false;  ///< vectors: they turn as a rotation does, so that mirrors leave them along their normal
  /// Value at a node of the box in a solid in which a scalar spreads, none at other nodes; empty if there is no solid.
  std::function<std::optional<double>(const Int3& node)> in_solids{};
};

/// The factor +-1 of component k of a field in the mirror image of a node.
double mirror_sign(const Field& field, const NodeImage& image, std::size_t k);

/// Fields that Fluvia computes, by name:
/// pressure (gauge), density, velocity, vorticity, strain_rate (sqrt(2 S:S)), viscosity (dynamic), wall_shear_stress
/// (magnitude at the wall next to a node, 0 elsewhere).
std::vector<std::string> field_names();

/// The field `name`, one of `extra` (e.g. time averages), else of field_names(). Throws Error(input) naming the
/// choices.
Field find_field(const std::string& name, const Units& units, const std::vector<Field>& extra = {});
/// The field of a flow, as above, or one of the scalars that it carries along, or where there are solids in which these
/// spread `material`: 0 in the fluid, in a solid its place among those of the case, from 1 on.
Field find_field(const std::string& name, const OutputContext& output, const std::vector<Field>& extra = {});
/// The fields of these names, as find_field() has them; a name given twice counts once.
std::vector<Field> select_fields(const std::vector<std::string>& names, const Units& units,
                                 const std::vector<Field>& extra = {});
std::vector<Field> select_fields(const std::vector<std::string>& names, const OutputContext& output,
                                 const std::vector<Field>& extra = {});

/// A field given by a function of the canonical node index, in case units; for averages.
Field make_array_field(std::string name, int components, std::string unit,
                       std::function<void(std::uint64_t index, double* out)> values,
                       AtWall at_wall = AtWall::extrapolated, bool is_axial = false);

/// Evaluates fields at the samples of a Sampling, a slab of tile layers at a time, so that memory stays small.
class FieldEvaluator {
 public:
  /// A slab: consecutive tile layers, and the samples in them along the slab axis (z, in 2D y).
  struct Slab {
    int first_layer = 0, last_layer = 0;
    int first_sample = 0, last_sample = 0;
  };
  /// `slab_nodes`: fluid nodes that a slab of several layers may have; 0 where memory counts more than time.
  FieldEvaluator(const OutputContext& output, const Sampling& sampling, std::vector<Field> fields,
                 std::uint64_t slab_nodes = usual_slab_nodes);
  static constexpr std::uint64_t usual_slab_nodes = 1u << 18;
  FieldEvaluator(const FieldEvaluator&) = delete;
  FieldEvaluator& operator=(const FieldEvaluator&) = delete;

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] const std::vector<Slab>& slabs() const { return slabs_; }
  /// From now on samples are those of solids, too, in which one of the fields has values. All others are NaN there, and
  /// velocities 0.
  void include_solids();
  /// Loads a slab; samples() and evaluate() then refer to it.
  void load(const Slab& slab);
  /// Sampled fluid nodes of the slab, in canonical order; then those of solids, if they are included.
  [[nodiscard]] const std::vector<FieldSample>& samples() const { return samples_; }
  /// Values of field number `field` at samples(): `components` each. They are computed in double precision, which has
  /// digits of its own where populations are stored in it.
  void evaluate(std::size_t field, std::vector<float>& out) const;
  void evaluate(std::size_t field, std::vector<double>& out) const;

 private:
  void collect(const Slab& slab);
  template <class Value>
  void evaluate_as(std::size_t field, std::vector<Value>& out) const;

  OutputContext output_;
  Sampling sampling_;
  std::vector<Field> fields_;
  bool includes_solids_ = false;
  std::vector<Slab> slabs_;
  std::vector<FieldSample> samples_;
  MomentWindow moments_;
  FieldContext context_;
};

/// The axis along which tiles are ordered slowest: z in 3D, y in 2D.
constexpr int slab_axis(int dimension) {
  return dimension - 1;
}
/// First tile of layer `layer`, an index into NodeMap::tiles.
std::uint64_t first_tile_of_layer(const NodeMap& nodes, int layer);

}  // namespace fluvia
