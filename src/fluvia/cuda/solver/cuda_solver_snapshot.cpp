// SPDX-License-Identifier: Apache-2.0
// CudaSolver: states that stay while it steps on.
#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
CudaSolver<T>::SnapshotBuffers::SnapshotBuffers(const Device& device, const PreparedCase& prepared)
    : populations(device, prepared.placed_bytes(), "a snapshot of the populations"),
      surface_states(device, prepared.surface_bytes(), "a snapshot of the surfaces"),
      records(device, prepared.changing_bytes(), "a snapshot of the boundary records"),
      kept(KeptArrays<T>::rooms(device, prepared.arrays)),
      channel(device, prepared.references_bytes(), prepared.exchange_bytes()),
      copied(device) {}

/// The state in CudaSolver::snapshot_buffers_, read through a channel of its own by the kernels that read the solver's.
template <class T>
class CudaSolver<T>::Snapshot final : public FlowState {
 public:
  explicit Snapshot(const CudaSolver& solver)
      : solver_(solver),
        snapshot_buffers_(*solver.snapshot_buffers_),
        time_step_(solver.time_step_),
        update_(solver.updates_) {
    if (snapshot_buffers_.in_use.exchange(true))
      throw Error(ExitCode::internal, "a snapshot of the flow was asked for before the one before was given back");
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot() override { snapshot_buffers_.in_use = false; }

  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return solver_.plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return solver_.geometry_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override {
    solver_.read_moments(source(), first_tile, tile_count, with_stress, out);
  }
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return solver_.arrays(); }
  void save(const ArrayRange& range, std::span<std::byte> out) const override {
    if (range.array == flow_populations) return solver_.read_populations(source(), range, out);
    solver_.device_.make_current();
    solver_.kept_.save(snapshot_buffers_.channel.stream, range, solver_.entries_of(range), snapshot_buffers_.kept, out);
  }

 private:
  /// Nothing steps from here, so there is no other place to write.
  [[nodiscard]] Source source() const {
    const auto address = reinterpret_cast<std::uintptr_t>(snapshot_buffers_.populations.template data<char>());
    return {snapshot_buffers_.channel, update_, address, address, snapshot_buffers_.physics};
  }

  const CudaSolver& solver_;
  SnapshotBuffers& snapshot_buffers_;
  std::int64_t time_step_, update_;
};

/// Copies on the GPU what the state consists of: as much traffic as a step or two. Steps queued later run after the
/// copy; those who read it wait for it on the GPU.
template <class T>
std::unique_ptr<FlowState> CudaSolver<T>::snapshot() {
  if (!snapshot_buffers_) return nullptr;
  auto snapshot = std::make_unique<Snapshot>(*this);
  device_.make_current();
  const Stream& stream = channel_.stream;
  snapshot_buffers_->populations.copy_from(stream, populations_, snapshot_buffers_->populations.bytes(), 0,
                                           offset_of(updates_));
  snapshot_buffers_->surface_states.copy_from(stream, surface_states_, snapshot_buffers_->surface_states.bytes());
  snapshot_buffers_->records.copy_from(stream, boundary_records_, snapshot_buffers_->records.bytes());
  kept_.copy_to(snapshot_buffers_->kept, stream, updates_);
  snapshot_buffers_->physics = physics_;
  snapshot_buffers_->physics.memory = snapshot_buffers_->kept[condition_numbers].template data<T>();
  snapshot_buffers_->physics.boundaries.surfaces =
      snapshot_buffers_->surface_states.template data<core::SurfaceState>();
  if (snapshot_buffers_->records.bytes() > 0)
    snapshot_buffers_->physics.boundaries.records = snapshot_buffers_->records.template data<kernels::BoundaryRecord>();
  snapshot_buffers_->copied.record(stream);
  snapshot_buffers_->channel.stream.wait(snapshot_buffers_->copied);
  return snapshot;
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
