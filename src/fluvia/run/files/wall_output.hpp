// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/fields.hpp"
#include "fluvia/output/walls/wall_stress.hpp"

namespace fluvia {

/// The walls of a case as triangles with what acts on them, and its time averages (output.wall).
class WallOutput {
 public:
  /// Units and grid of `output` must outlive this object.
  explicit WallOutput(const OutputContext& output);
  WallOutput(const WallOutput&) = delete;
  WallOutput& operator=(const WallOutput&) = delete;

  /// Memory of the host that output.wall takes: the mesh, coefficients, averages, and what one evaluation needs.
  struct Size {
    std::uint64_t triangles = 0, bytes = 0;
  };
  static Size planned(const Geometry& geometry, bool averages);

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

  const Units& units_;
  const Grid& grid_;
  WallMesh mesh_;
  WallStress stress_;
  std::vector<double> sums_;
  std::uint64_t count_ = 0;
};

}  // namespace fluvia
