// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "fluvia/cuda/program/step_clock.hpp"
#include "fluvia/cuda/solver/block/block_border.hpp"
#include "fluvia/cuda/solver/block/block_boundaries.hpp"
#include "fluvia/cuda/solver/block/block_flow.hpp"
#include "fluvia/cuda/solver/block/block_readers.hpp"
#include "fluvia/cuda/solver/block/rounding_keys.hpp"
#include "fluvia/cuda/solver/bodies/device_bodies.hpp"
#include "fluvia/cuda/solver/carried_scalars.hpp"
#include "fluvia/cuda/solver/device_block.hpp"
#include "fluvia/cuda/solver/out_of_core/prepared_blocks.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cuda {

/// The solver on one GPU, of the whole domain or of one block. T is the arithmetic type; everything else is in the
/// specification of its kernels. It owns the flow, its boundaries, its border and its readers, and puts steps together.
template <class T>
class CudaSolver final : public DeviceBlock, public DeviceFields, private ResidentBlock {
 public:
  /// `streaming`: of blocks that are streamed through the GPU, else null.
  CudaSolver(const Problem& problem, std::shared_ptr<const Geometry> geometry, Plan plan, const Device& device,
             KernelCache& cache, PreparedCase prepared, std::shared_ptr<BlockStreaming> streaming = nullptr);
  ~CudaSolver() override;

  void step(std::int64_t count) override;
  std::optional<StepTimes> time_parts(std::int64_t count) override;
  [[nodiscard]] std::unique_ptr<FlowState> snapshot() override;
  [[nodiscard]] const DeviceFields* device_fields() const override { return this; }
  [[nodiscard]] DeviceArray compute(const LinearField& field) const override {
    return readers_.compute(fetched(), field);
  }
  [[nodiscard]] DeviceArray upload(std::span<const float> values) const override { return readers_.upload(values); }
  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return *on_.shared_geometry; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override {
    readers_.moments(fetched(), first_tile, tile_count, with_stress, out);
    add_scalars(first_tile, out);
  }
  double apply(const FlowChange& change) override;
  void set_values_ahead(std::span<const BoundaryValues> values) override { boundaries_.set_values_ahead(values); }
  void take_links(const LinkTable& table) override;
  void initialise(const InitialState& state) override;
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return flow_.arrays(); }
  void save(const ArrayRange& range, std::span<std::byte> out) const override;
  void load(const ArrayRange& range, std::span<const std::byte> in) override;
  void resume_at(std::int64_t time_step) override;
  [[nodiscard]] const FlowScalars* scalars() const override { return scalars_.get(); }
  [[nodiscard]] const MovingBodies* bodies() const override { return bodies_ ? &bodies_->bodies() : nullptr; }

  [[nodiscard]] const Block& block() const override { return on_.block; }
  void step_border(int steps) override;
  void step_interior(int steps) override;
  [[nodiscard]] int next_steps(std::int64_t wanted) const override {
    return wanted >= on_.layout->steps_per_pass() && !flow_.is_placed() ? on_.layout->steps_per_pass() : 1;
  }
  [[nodiscard]] MessageBytes message_bytes(std::size_t neighbour) const override {
    return {border_.leaving_bytes(neighbour), border_.arriving_bytes(neighbour)};
  }
  void pack(std::size_t neighbour, std::byte* out) override { border_.pack(neighbour, out, flow_.updates() + 1); }
  void unpack(std::size_t neighbour, const std::byte* in) override { border_.unpack(neighbour, in, flow_.updates()); }
  [[nodiscard]] ObservableSums sums_of(const Observable& what) const override {
    return std::visit([this](const auto& row) -> ObservableSums { return sums(row); }, what);
  }
  [[nodiscard]] SurfaceMotion motion_of(int surface) const override { return boundaries_.motion_of(surface); }

  [[nodiscard]] const Device& device() const override { return on_.device; }
  [[nodiscard]] std::vector<DeviceMessages> messages() const override { return border_.device_messages(); }
  bool pack_into(std::size_t neighbour, CuDevicePointer address) override;
  void queue_pack(Crossing crossing) override;
  [[nodiscard]] const Stream& border_stream() const override { return border_.messages()->stream; }
  [[nodiscard]] const Event& unpacked() const override { return border_.messages()->unpacked; }
  void queue_unpack(Crossing crossing) override;
  [[nodiscard]] const core::SurfaceState* surface_states() const override { return boundaries_.surface_states(); }
  [[nodiscard]] int recorded_steps(std::int64_t wanted) const override;
  [[nodiscard]] const Stream& interior_stream() const override { return on_.channel.stream; }
  void prepare_recorded() override { use_keys(graph_passes * on_.layout->steps_per_pass(), 0); }
  void restart_border() override { border_.restart(); }
  void count_passes(int passes) override {
    flow_.count_updates(passes);
    if (scalars_) scalars_->mark_changed();
    time_step_ += static_cast<std::int64_t>(passes) * on_.layout->steps_per_pass();
  }
  void finish() const override;

 private:
  template <class Row>
  [[nodiscard]] TileSums<typename Row::Sum> sums(const Row& row) const {
    return readers_.sums(fetched(), row);
  }
  [[nodiscard]] TileSums<ForceSum> sums(const ForceOnSurface& row) const {
    const int body = bodies_ ? bodies_->bodies().with_surface(row.surface) : -1;
    return body >= 0 ? bodies_->sums(body, row.center) : readers_.sums(fetched(), row);
  }
  [[nodiscard]] TileSums<ScalarSum> sums(const ScalarTotals& row) const { return scalars_->sums(row); }
  [[nodiscard]] TileSums<ScalarPassage> sums(const ScalarThrough& row) const { return scalars_->sums(row); }
  /// Adds the values of scalars to moments of nodes from a tile on.
  void add_scalars(std::uint64_t first_tile, Moments& out) const;
  /// The flow as it is now.
  [[nodiscard]] FlowView<T> now() const;
  /// The flow as it is now with its populations on the GPU, as fetch() sees to.
  [[nodiscard]] FlowView<T> fetched() const;
  /// Queues the populations' way to the GPU if they are streamed and not there.
  void fetch() const;
  /// Queues their way back if they are streamed and there.
  void evict() const override;
  void load_populations(const ArrayRange& range, std::span<const std::byte> in);
  /// Room for snapshots; without it, output holds up the stepping.
  void keep_room(const PreparedCase& prepared);
  /// Lets bodies begin where they are at step 0, and says what gives back the mass that their surfaces let through.
  void begin_bodies();
  /// Sees to it that the random bits of `steps` steps from now on have their keys on the GPU. What is queued next takes
  /// that of the step `at` from now.
  void use_keys(int steps, int at);
  /// Queues a pass of so many steps, as next_steps() says: a whole one, or one step.
  void queue_pass(int steps);
  /// Queues all of a pass of a block that is streamed, border and interior, while its populations are on the GPU.
  /// Messages follow when all blocks have been resident, between buffers that stay.
  void queue_residence(int steps);
  void queue_exchange(StepShare share);
  /// The launches that complete boundaries before a single step, or what a share of the nodes takes of a pass.
  [[nodiscard]] Program boundaries_of(const FlowView<T>& flow, int steps) const;
  [[nodiscard]] Program share_of(const FlowView<T>& flow, int steps, StepShare share) const;
  void carry_out(const Program& program, const FlowView<T>& flow, const Stream& stream);

  Plan plan_;
  BlockKernels on_;
  kernels::Physics<T> physics_{};  ///< but for boundaries and what conditions keep; now()
  BlockFlow<T> flow_;
  BlockBoundaries<T> boundaries_;
  BlockReaders<T> readers_;
  BlockBorder<T> border_;
  std::unique_ptr<CarriedScalars<T>> scalars_;  ///< null if the case has none
  std::size_t first_scalar_ = 0;                ///< row of the first one in arrays()
  std::unique_ptr<DeviceBodies<T>> bodies_;     ///< null if none move
  RoundingKeys keys_;
  std::unique_ptr<SnapshotRoom<T>> snapshot_room_;  ///< null if there are no snapshots
  std::optional<Graph> graph_;                      ///< of graph_passes passes, once they were asked for
  StepClock clock_;
  std::int64_t time_step_ = 0;
  std::int64_t links_version_ = 0;  ///< LinkTable::version()
};

/// Sets what a plan says of the GPU's memory, or why the case will not run. Returns what to make a solver of.
PreparedCase prepare_within_memory(const Problem& problem, const Device& device, Plan& plan);
/// Parts that are streamed through the GPU, for a domain of which plan.refusal says that it does not fit in one piece:
/// as few as fit. "auto" takes the scheme that moves the fewest bytes. Sets what the plan says, also if that does not
/// run, either; none, and the plan stays, where blocks cannot be streamed.
PreparedBlocks prepare_blocks(const Problem& problem, const Device& device, Plan& plan);
/// What a part of the domain may take of a GPU.
struct BlockRoom {
  int users = 1;          ///< parts that share it
  bool snapshots = true;  ///< whoever has all parts can write while they step on
  int beginners = 1;      ///< parts for whose beginning (Plan::beginning_bytes) the host must have room now
};
/// Computes on the host what a GPU needs of a part of the domain, and completes the plan.
PreparedCase prepare_block(const Problem& problem, const Device& device, const Block& block, const BlockRoom& room,
                           Plan& plan);
/// Bytes that a run may take of a GPU: what is free, or numerics.memory_limit if that is less.
std::uint64_t memory_for_run(const Case& c, const Device& device);
/// Of these, what blocks that are streamed may take: what is free may not all be had, since there are stacks, and
/// others who use the GPU.
std::uint64_t memory_for_streaming(const Case& c, const Device& device);

/// The solver of a case on a GPU; `cache` must stay as long as it. Throws Error(resource) before anything is allocated
/// if it does not fit.
std::unique_ptr<Solver> make_solver(OwningProblem problem, Plan plan, const Device& device, KernelCache& cache);
/// The solver of a case that was prepared with the plan.
std::unique_ptr<Solver> make_solver(OwningProblem problem, Plan plan, const Device& device, KernelCache& cache,
                                    PreparedCase prepared);
/// All parts of a domain that are streamed through the GPU; between them a DeviceExchange must go. Throws
/// Error(resource) with the plan's refusal if it has one.
std::vector<std::unique_ptr<DeviceBlock>> make_streamed_blocks(OwningProblem problem, const Plan& plan,
                                                               const Device& device, KernelCache& cache,
                                                               PreparedBlocks prepared);
/// One of several blocks that share what they are streamed with; `geometry`: that of the problem, which several solvers
/// keep.
std::unique_ptr<DeviceBlock> make_streamed_block(const Problem& problem, std::shared_ptr<const Geometry> geometry,
                                                 Plan plan, const Device& device, KernelCache& cache,
                                                 PreparedCase prepared, std::shared_ptr<BlockStreaming> streaming);
/// The solver of a part of the domain; `geometry`: that of the problem, which several solvers keep. Throws Error(input)
/// for schemes that do not run in parts.
std::unique_ptr<DeviceBlock> make_block_solver(const Problem& problem, std::shared_ptr<const Geometry> geometry,
                                               Plan plan, const Device& device, KernelCache& cache, const Block& block,
                                               const BlockRoom& room);

}  // namespace fluvia::cuda
