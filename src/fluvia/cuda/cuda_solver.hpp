// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "fluvia/cuda/kernel_cache.hpp"
#include "fluvia/cuda/memory.hpp"
#include "fluvia/cuda/module.hpp"
#include "fluvia/cuda/prepared_case.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cuda {

/// The solver on one GPU. T is the arithmetic type; everything else is in the specification of its kernels.
template <class T>
class CudaSolver final : public Solver {
 public:
  CudaSolver(const Case& c, const Units& units, Geometry geometry, Plan plan, const Device& device, KernelCache& cache,
             PreparedCase prepared);

  void step(std::int64_t count) override;
  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return geometry_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  [[nodiscard]] Totals totals() const override;
  [[nodiscard]] SurfaceForce surface_force(int surface, const Real3& center) const override;
  [[nodiscard]] OpeningFlow opening_flow(int opening) const override;
  void set_boundary_value(int surface, double value) override;
  void initialise(const InitialState& state) override;
  void save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                        std::span<std::byte> out) const override;
  void load_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                        std::span<const std::byte> in) override;
  void resume_at(std::int64_t time_step) override { time_step_ = time_step; }

 private:
  struct Monitored {
    const kernels::MonitoredTile* tiles = nullptr;  ///< on the GPU
    unsigned tile_count = 0;
    std::uint64_t nodes = 0;
  };

  [[nodiscard]] int parity() const { return static_cast<int>(updates_ % facts_.parities); }
  /// Address of the populations after so many updates.
  [[nodiscard]] std::uint64_t at(std::int64_t update) const;
  /// The geometry as kernels take it, with where the next step reads and writes.
  [[nodiscard]] kernels::CompactTiles tiles() const;
  [[nodiscard]] kernels::DenseBox box() const;
  [[nodiscard]] kernels::SiteBox sites() const;
  void upload(const PreparedCase& prepared);
  void queue_step() const;
  void queue_sites_step() const;
  /// Launches a kernel on `blocks` tiles; its first argument is the geometry.
  template <class... Arguments>
  void launch(KernelKind kind, unsigned blocks, const Arguments&... arguments) const;
  [[nodiscard]] const Kernel& kernel(KernelKind kind) const;
  /// Calls body(first, count, nodes) for chunks of canonical tiles whose references are on the GPU then.
  template <class Body>
  void for_each_chunk(std::uint64_t first_tile, std::uint64_t tile_count, Body&& body) const;
  /// Place of a canonical tile in the order of the GPU, and the canonical node of place * 64 + bit.
  [[nodiscard]] std::uint32_t place_of(std::uint64_t tile) const;
  [[nodiscard]] std::uint64_t node_of(std::uint64_t id) const;
  [[nodiscard]] kernels::LinkSums sum_links(int surface, const Real3& center) const;

  Plan plan_;
  Geometry geometry_;
  Specification specification_;
  SpecificationFacts facts_;
  Device device_;
  Stream stream_;
  std::vector<std::optional<Kernel>> kernels_;  ///< [parity][kind]; not all schemes have all
  kernels::Physics<T> physics_{};
  std::vector<core::SurfaceState> surfaces_;

  kernels::DenseBox box_{};
  kernels::CompactTiles tiles_{};
  kernels::SiteBox sites_{};
  Ghosts ghosts_;
  SlidePlan slide_;
  std::vector<std::uint32_t> order_, canonical_;  ///< of CompactLayout
  std::vector<DeviceBuffer> layout_;
  DeviceBuffer surface_states_, counters_, populations_, references_, exchange_, sums_;
  std::optional<Graph> graph_;        ///< of graph_steps steps, once they were asked for
  std::vector<Monitored> monitored_;  ///< per surface
  std::vector<bool> is_monitored_;
  std::uint64_t slot_bytes_ = 0;     ///< from one slot to the next, dense
  std::uint64_t second_offset_ = 0;  ///< bytes from the first place of the populations to the second
  std::int64_t time_step_ = 0;
  std::int64_t updates_ = 0;  ///< since the populations were placed; says where they are
};

/// The solver of a case on a GPU. Throws Error(resource) before anything is allocated if it does not fit.
std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry geometry, Plan plan,
                                    const Device& device, KernelCache& cache);

}  // namespace fluvia::cuda
