// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "fluvia/cuda/program/case_kernels.hpp"
#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/solver/device_arrays.hpp"
#include "fluvia/cuda/solver/device_block.hpp"
#include "fluvia/cuda/solver/kept_arrays.hpp"
#include "fluvia/cuda/solver/message_lists.hpp"
#include "fluvia/cuda/solver/out_of_core/block_streaming.hpp"
#include "fluvia/cuda/solver/out_of_core/prepared_blocks.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cuda {

/// The solver on one GPU, of the whole domain or of one block. T is the arithmetic type; everything else is in the
/// specification of its kernels.
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
  [[nodiscard]] DeviceArray compute(const LinearField& field) const override;
  [[nodiscard]] DeviceArray upload(std::span<const float> values) const override;
  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return geometry_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  void set_boundary_value(int surface, double value) override;
  bool set_profile_time(double time) override;
  void set_values_ahead(std::span<const BoundaryValues> values) override;
  double set_wall_mass_correction(double mass) override;
  void initialise(const InitialState& state) override;
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return node_arrays_; }
  void save(const ArrayRange& range, std::span<std::byte> out) const override;
  void load(const ArrayRange& range, std::span<const std::byte> in) override;
  void resume_at(std::int64_t time_step) override { time_step_ = time_step; }

  [[nodiscard]] const Block& block() const override { return block_; }
  void step_border(int steps) override;
  void step_interior(int steps) override;
  [[nodiscard]] int next_steps(std::int64_t wanted) const override {
    return wanted >= layout_->steps_per_pass() ? layout_->steps_per_pass() : 1;
  }
  [[nodiscard]] std::size_t leaving_bytes(std::size_t neighbour) const override {
    return border_->leaving_messages[neighbour].bytes;
  }
  [[nodiscard]] std::size_t arriving_bytes(std::size_t neighbour) const override {
    return border_->arriving_messages[neighbour].bytes;
  }
  void pack(std::size_t neighbour, std::byte* out) override;
  void unpack(std::size_t neighbour, const std::byte* in) override;
  [[nodiscard]] ObservableSums sums_of(const Observable& what) const override {
    return std::visit([this](const auto& row) -> ObservableSums { return summed(row); }, what);
  }
  [[nodiscard]] SurfaceMotion motion_of(int surface) const override {
    return {carried_[surface], surfaces_[surface].scale, corner_flow(corners_, surface, surfaces_)};
  }

  [[nodiscard]] const Device& device() const override { return device_; }
  [[nodiscard]] std::vector<DeviceMessages> messages() const override;
  bool pack_into(std::size_t neighbour, CuDevicePointer address) override;
  void queue_pack() override { pack_messages(); }
  [[nodiscard]] const Stream& border_stream() const override { return border_->stream; }
  [[nodiscard]] const Event& unpacked() const override { return border_->unpacked; }
  void queue_unpack() override;
  [[nodiscard]] int recorded_steps(std::int64_t wanted) const override;
  [[nodiscard]] const Stream& interior_stream() const override { return channel_.stream; }
  void prepare_recorded() override { use_keys(graph_passes * layout_->steps_per_pass(), 0); }
  void restart_border() override;
  void count_passes(int passes) override {
    updates_ += passes;
    time_step_ += static_cast<std::int64_t>(passes) * layout_->steps_per_pass();
  }
  void finish() const override;

 private:
  /// What kernels read: populations at one time, and what completes those at boundaries.
  struct Source {
    const Channel& channel;
    std::int64_t update;
    std::uint64_t populations, next;  ///< addresses; `next` is where a step writes
    const kernels::Physics<T>& physics;
  };
  /// Room for a copy of what a source consists of.
  struct SnapshotBuffers {
    DeviceBuffer populations, surface_states, records;
    std::vector<DeviceBuffer> kept;  ///< arrays but populations, row by row
    Channel channel;
    Event copied;
    kernels::Physics<T> physics{};
    std::atomic<bool> in_use = false;

    SnapshotBuffers(const Device& device, const PreparedCase& prepared);
  };
  class Snapshot;
  struct MonitoredTiles {
    const kernels::MonitoredTile* on_gpu;
    std::vector<PreparedCase::MonitoredTile> tiles;
    std::vector<std::uint32_t> nodes;  ///< of them that have links
  };
  /// What is queued beside the interior of a part of the domain: steps of its border, and messages to other parts.
  struct Border {
    std::optional<Stream> own_stream;
    const Stream& stream;  ///< that, or the one of all blocks that are streamed
    Event ready;           ///< all that the border's step reads is there, but for messages
    Event stepped;         ///< the border has been stepped
    Event unpacked;        ///< what arrived has been taken out of `arriving`
    DeviceBuffer leaving, arriving;
    MessageLists leaves, arrives;
    std::vector<MessagePlace> leaving_messages, arriving_messages;
    bool is_beside = false;                    ///< an interior, in the step that was queued last
    PinnedBuffer leaving_host, arriving_host;  ///< of messages that go through host memory; none before there is one
    std::int64_t packed_step = -1;             ///< whose messages are in leaving_host
    std::size_t arrived = 0;                   ///< messages that are in arriving_host

    Border(const Device& device, const PreparedCase& prepared, const Stream& filling, const BlockStreaming* streaming);
  };
  /// Where what meets planes of symmetry is: both ends of all pairs.
  struct Mirrors {
    MessageLists first, second;
    Mirrors(const Device& device, const Stream& filling, const PreparedCase& prepared)
        : first(device, filling, prepared.mirrors.first, prepared.facts.parities, {}),
          second(device, filling, prepared.mirrors.second, prepared.facts.parities, {}) {}
  };
  /// Parts of a step by the GPU's clock, if somebody wants to know.
  struct Span {
    double StepTimes::*part;
    Event start, end;
  };

  /// Address of the populations after so many updates.
  [[nodiscard]] std::uint64_t at(std::int64_t update) const { return first_address() + offset_of(update); }
  [[nodiscard]] std::uint64_t offset_of(std::int64_t update) const {
    return (update % 2 == 1) == begins_at_second_ ? 0 : second_offset_;
  }
  [[nodiscard]] std::uint64_t first_address() const;
  /// The flow as it is now.
  [[nodiscard]] Source now() const {
    face_memory();
    return {channel_, updates_, at(updates_), at(updates_ + 1), physics_};
  }
  /// Says where the next update finds what conditions keep, and leaves it.
  void face_memory() const {
    physics_.memory = kept_.at(condition_numbers, updates_);
    physics_.memory_after = kept_.at(condition_numbers, updates_ + 1);
  }
  /// The flow as it is now, with its populations fetched to the GPU if they are not there.
  [[nodiscard]] Source brought() const {
    bring();
    return now();
  }
  [[nodiscard]] StepAddresses addresses(const Source& source) const {
    return {source.populations, source.next, source.update};
  }
  void read_moments(const Source& source, std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress,
                    Moments& out) const;
  void save_populations(const ArrayRange& range, std::span<std::byte> out) const;
  void read_populations(const Source& source, const ArrayRange& range, std::span<std::byte> out) const;
  void load_populations(const ArrayRange& range, std::span<const std::byte> in);
  [[nodiscard]] EntryRange entries_of(const ArrayRange& range) const {
    return node_arrays_[range.array].entries(geometry_.nodes, range.first_tile, range.tile_count);
  }
  void upload(const PreparedCase& prepared);
  void keep_room(const PreparedCase& prepared);
  void monitor(const PreparedCase& prepared);
  /// Sees to it that the populations are on the GPU, between steps.
  void bring() const;
  /// Sees to it that they are in host memory, if they are streamed.
  void put_back() const;
  /// Room for what conditions have at the stages of passes.
  void make_stages(const PreparedCase& prepared);
  /// From now on passes find what all other kernels do.
  void forget_values_ahead();
  void queue_step() const;
  /// Queues a pass of so many steps, as next_steps() says: a whole one, or one step.
  void queue_pass(int steps) const;
  /// Appends what a share of the nodes takes of it, but for boundaries of a single step.
  void append_share(const StepAddresses& at, int steps, StepShare share, Program& program) const;
  /// Sees to it that the random bits of `steps` steps from now on have their keys on the GPU. What is queued next takes
  /// that of the step `at` from now.
  void use_keys(int steps, int at) const;
  void choose_key(int at) const;
  /// Does `body`, which queues work, and keeps the time of it if time_parts() asked for that.
  template <class Body>
  void timed(double StepTimes::*part, Body&& body) const;
  void execute(const Launch& launch) const { execute(launch, channel_.stream); }
  void execute(const Launch& launch, const Stream& stream) const;
  void make_border(const PreparedCase& prepared);
  void make_mirrors(const PreparedCase& prepared);
  /// Queues what planes of symmetry do after the update to come: the ends of all pairs change places.
  void queue_mirrors() const;
  void pack_messages() const;
  void unpack_arrivals() const;
  void keep_arrivals() const;
  void queue_residence(int steps) const;
  void evict() const override { put_back(); }
  /// Lists where what crosses is, by kernels.
  void list_halo_populations(const HaloPopulationArrays& arrays, const MessageLists& lists) const;
  /// Launches a kernel that packs or unpacks, for the step after `update` steps.
  void carry_messages(const Stream& stream, KernelKind kind, std::int64_t update, const MessageLists& lists) const;
  /// Launches a kernel on `blocks` tiles; its first argument is the geometry.
  template <class... Arguments>
  void launch(const Source& source, KernelKind kind, unsigned blocks, const Arguments&... arguments) const;
  /// Calls body(first, count, nodes) for chunks of canonical tiles whose references are on the GPU then.
  template <class Body>
  void for_each_chunk(const Channel& channel, std::uint64_t first_tile, std::uint64_t tile_count, Body&& body) const;
  /// Place of a tile in the order of the GPU, own or of the halo, and the canonical node of tile * 64 + bit.
  [[nodiscard]] std::uint32_t place_of(std::uint64_t tile) const;
  /// Calls body(first, count) for runs of tiles in a range, own ones or of the halo, whose nodes are stepped.
  template <class Body>
  void for_each_stored(std::uint64_t first_tile, std::uint64_t tile_count, const Body& body) const;
  [[nodiscard]] std::uint64_t node_of(std::uint64_t id) const;
  /// Sums over the links of the monitored tiles of a surface.
  [[nodiscard]] TileSums<FlowSum> summed(const FlowTotals&) const;
  [[nodiscard]] TileSums<ForceSum> summed(const ForceOnSurface& what) const;
  [[nodiscard]] TileSums<OpeningSum> summed(const FlowThroughOpening& what) const;
  [[nodiscard]] std::vector<kernels::LinkSums> sum_links(int surface, const Real3& center) const;

  Plan plan_;
  std::shared_ptr<const Geometry> shared_geometry_;
  const Geometry& geometry_;
  Block block_;
  Specification specification_;
  SpecificationFacts facts_;
  Device device_;
  std::shared_ptr<const Channel> shared_channel_;
  const Channel& channel_;
  CaseKernels kernels_;
  mutable kernels::Physics<T> physics_{};  ///< face_memory()
  std::vector<core::SurfaceState> surfaces_;

  std::unique_ptr<Layout> layout_;
  mutable DeviceArrays arrays_;  ///< its own, and others that stay as they are
  mutable Program program_;      ///< of a step; kept for its memory
  DeviceBuffer boundary_records_, surface_states_, wall_mass_correction_value_, populations_, sums_, keys_;
  std::vector<NodeArray> node_arrays_;
  KeptArrays<T> kept_;                           ///< all of these but populations
  DeviceBuffer stage_records_, stage_surfaces_;  ///< in the steps of a pass, if they change
  WallMassCorrection wall_mass_correction_;
  mutable std::optional<std::int64_t> first_key_;      ///< step of the first key there
  std::unique_ptr<SnapshotBuffers> snapshot_buffers_;  ///< for snapshots; null if there are none
  std::optional<Graph> graph_;                         ///< of graph_passes passes, once they were asked for
  mutable std::optional<Border> border_;               ///< if others have parts of the domain
  std::optional<Mirrors> mirrors_;                     ///< if the domain has planes of symmetry
  std::vector<std::uint32_t> places_;                  ///< of own tiles
  std::vector<PreparedCase::PlacedTile> halo_;
  std::vector<kernels::SumPiece> pieces_;
  kernels::SummedTiles summed_{};                ///< all pieces, on the GPU
  std::optional<StreamedPopulations> streamed_;  ///< of blocks that are streamed, in place of populations_
  mutable bool is_here_ = true;                  ///< on the GPU, not in host memory
  mutable bool is_changed_ = false;              ///< there, but not yet in host memory
  mutable std::optional<std::vector<Span>> spans_;
  std::vector<bool> is_monitored_;
  std::vector<MonitoredTiles> monitored_;  ///< per surface
  std::vector<SurfaceForce> carried_;      ///< BoundarySetup::carried
  std::vector<CornerFlow> corners_;        ///< BoundarySetup::corners
  ProfileRecords changing_;
  std::vector<kernels::BoundaryRecord> records_;  ///< as on the GPU, if some change
  std::uint64_t second_offset_ = 0;               ///< bytes from the first place of the populations to the second
  bool begins_at_second_ = false;
  std::int64_t time_step_ = 0;
  std::int64_t updates_ = 0;  ///< steps or passes since the populations were placed; says where they are
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
};
/// Computes on the host what a GPU needs of a part of the domain, and completes the plan.
PreparedCase prepare_block(const Problem& problem, const Device& device, const Block& block, const BlockRoom& room,
                           Plan& plan);
/// Bytes that a run may take of a GPU: what is free, or numerics.memory_limit if that is less.
std::uint64_t memory_for_run(const Case& c, const Device& device);

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
/// The solver of a part of the domain; `geometry`: that of the problem, which several solvers keep. Throws Error(input)
/// for schemes that do not run in parts.
std::unique_ptr<DeviceBlock> make_block_solver(const Problem& problem, std::shared_ptr<const Geometry> geometry,
                                               Plan plan, const Device& device, KernelCache& cache, const Block& block,
                                               const BlockRoom& room);

}  // namespace fluvia::cuda
