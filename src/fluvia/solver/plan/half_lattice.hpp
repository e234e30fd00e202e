// SPDX-License-Identifier: Apache-2.0
// Schemes that store every second node, those with i + j + k even, for lattices that fall apart into two (D3Q13).
#pragma once
#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// True if every velocity of the lattice leads from nodes with i + j + k even to such nodes.
bool splits_in_two(const std::string& lattice);

/// True if the case's scheme stores every second node.
bool stores_half(const Case& c);

/// The geometry of the nodes that the case's scheme stores: all, or the even ones. Throws Error(input) if a periodic
/// axis has an odd number of nodes, across which even nodes would meet odd ones.
Geometry stored_geometry(const Case& c, Geometry geometry);

/// The state of a half lattice seen as that of the full one, for pictures and field files. A node that is not stored
/// gets the mean of its neighbours, which are stored: along the axes with a neighbour on either side if there are any,
/// so that the mean is of second order next to walls too. It has no arrays. Refers to `half` and `full`.
class FullState final : public FlowState {
 public:
  /// `full`: the geometry that stored_geometry() was given.
  FullState(const FlowState& half, const Geometry& full) : half_(half), full_(full) {}
  [[nodiscard]] std::int64_t time_step() const override { return half_.time_step(); }
  [[nodiscard]] const Plan& plan() const override { return half_.plan(); }
  [[nodiscard]] const Geometry& geometry() const override { return full_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return {}; }
  void save(const ArrayRange&, std::span<std::byte>) const override;

 private:
  const FlowState& half_;
  const Geometry& full_;
};

/// A view of a solver of the half lattice as one of all nodes, for probes too. Sums over nodes and links are those of
/// the half lattice. Refers to the solver.
class FullView final : public Solver {
 public:
  /// `full`: the geometry that stored_geometry() was given.
  FullView(Solver& half, Geometry full) : half_(half), full_(std::move(full)) {}
  void step(std::int64_t count) override { half_.step(count); }
  [[nodiscard]] std::int64_t time_step() const override { return half_.time_step(); }
  [[nodiscard]] const Plan& plan() const override { return half_.plan(); }
  [[nodiscard]] const Geometry& geometry() const override { return full_; }
  [[nodiscard]] const Solver& stored() const override { return half_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override {
    FullState(half_, full_).moments(first_tile, tile_count, with_stress, out);
  }
  [[nodiscard]] Observation measure(const Observable& what) const override;
  double apply(const FlowChange& change) override { return half_.apply(change); }
  void initialise(const InitialState& state) override { half_.initialise(state); }
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return {}; }
  void save(const ArrayRange& range, std::span<std::byte> out) const override {
    FullState(half_, full_).save(range, out);
  }
  void load(const ArrayRange&, std::span<const std::byte>) override;
  void resume_at(std::int64_t time_step) override { half_.resume_at(time_step); }

 private:
  Solver& half_;
  Geometry full_;
};

}  // namespace fluvia
