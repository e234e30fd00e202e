// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/fields.hpp"
#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/output/walls/body_mesh.hpp"
#include "fluvia/output/walls/law_stress.hpp"
#include "fluvia/output/walls/wall_stress.hpp"

namespace fluvia {

/// The walls of a case as triangles with what acts on them, and its time averages (output.wall). With levels of
/// refinement each part of a wall has triangles of the level that computes the nodes beside it; walls from meshes, too,
/// are then surfaces between nodes (make_wall_mesh()). Where the friction of a wall is that of a law, so is its stress.
///
/// Bodies that move have the same triangles at all times, each where it is then, and averages of what acts on it as the
/// body itself sees it. Where no node of fluid lies beside a triangle nothing acts on it.
class WallOutput {
 public:
  /// Units and grid of `output` must outlive this object. Throws Error(input) for surfaces that no body can have.
  WallOutput(const OutputContext& output, const Case& c);
  /// The walls of a flow without bodies.
  explicit WallOutput(const OutputContext& output) : WallOutput(output, Case()) {}
  WallOutput(const WallOutput&) = delete;
  WallOutput& operator=(const WallOutput&) = delete;

  /// Memory of the host that output.wall takes: the mesh, coefficients, averages, and what one evaluation needs.
  struct Size {
    std::uint64_t patches = 0, triangles = 0, bytes = 0;
  };
  static Size planned(const Geometry& geometry, bool averages);
  /// The same of a problem, with those of all levels of refinement and of bodies if it has any.
  static Size planned(const Problem& problem);

  /// Adds the walls' values of a state to the averages.
  void sample(const FlowState& state);
  /// Writes a .vtp file; with averages if there are any. Arrays of the triangles, in case units:
  /// - `wall_shear_stress`: force of the fluid on the wall per area, along the wall; `pressure` (gauge); `normal`, out
  ///   of the fluid; `surface`: number of the surface, in the order of `fluvia geometry` and Geometry::surfaces;
  /// - `average_wall_shear_stress`, `average_pressure`; with t the stress and <> the average
  ///   `average_shear_magnitude` <|t|>, `oscillatory_shear_index` (1 - |<t>| / <|t|>) / 2, and
  ///   `relative_residence_time` 1 / ((1 - 2 OSI) <|t|>) = 1 / |<t>| (Himburg et al., Ultrasound Med. Biol. 30 (2004)
  ///   235); 0 where |<t>| is 0.
  void write(const FlowState& state, const std::filesystem::path& path) const;

  void save(MonitorState& state) const;
  /// Goes on from stored averages. Throws Error(input) if they have another size.
  void restore(const MonitorState& state);

 private:
  static constexpr std::size_t sums_of_patch = 5;  ///< stress, its magnitude, pressure

  /// The walls of a flow, or of one of its levels.
  struct Part {
    std::optional<FlowView> view;  ///< of its level; none: the flow as it is given
    double spacing;                ///< of its grid, case units
    WallMesh mesh;
    WallStress stress;
    Part(const Geometry& geometry, double spacing, const NodeMap* own, std::optional<FlowView> view);
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
  };
  /// A body that moves, and its triangles at rest.
  struct BodyPart {
    int body;
    WallMesh mesh;
  };
  /// All patches where they are at the time of a flow, and what acts on them.
  struct Walls {
    std::vector<WallMesh> of_bodies;
    std::vector<WallLoad> loads;         ///< of patches of parts, then of bodies
    std::vector<const Pose*> seen_from;  ///< [patch of a body]: where the body is
  };
  [[nodiscard]] Walls evaluate(const FlowState& state) const;

  const Units& units_;
  const Grid& grid_;
  std::deque<Part> parts_;
  std::optional<LawStress> law_;  ///< on the walls of the only part; of cases with levels the law is not known
  std::vector<BodyPart> bodies_;
  std::size_t patches_ = 0;  ///< of all parts, and of bodies
  std::vector<double> sums_;
  std::uint64_t count_ = 0;
};

}  // namespace fluvia
