// SPDX-License-Identifier: Apache-2.0
// CudaSolver: states that stay while it steps on.
#include "fluvia/base/error.hpp"
#include "fluvia/cuda/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
CudaSolver<T>::Channel::Channel(const Device& device, const PreparedCase& prepared)
    : stream(device),
      references(device, prepared.references_bytes(), "references of tiles"),
      exchange(device, prepared.exchange_bytes(), "exchange with the host"),
      host(device, prepared.exchange_bytes()) {}

template <class T>
CudaSolver<T>::Kept::Kept(const Device& device, const PreparedCase& prepared)
    : populations(device, prepared.placed_bytes(), "a snapshot of the populations"),
      surface_states(device, prepared.surface_bytes(), "a snapshot of the surfaces"),
      records(device, prepared.changing_bytes(), "a snapshot of the boundary records"),
      memory(device, prepared.memory_bytes(), "a snapshot of the memory of boundary conditions"),
      channel(device, prepared),
      copied(device) {}

/// The state in CudaSolver::kept_, read through a channel of its own by the kernels that read the solver's.
template <class T>
class CudaSolver<T>::Snapshot final : public FlowState {
 public:
  explicit Snapshot(const CudaSolver& solver)
      : solver_(solver), kept_(*solver.kept_), time_step_(solver.time_step_), update_(solver.updates_) {
    if (kept_.in_use.exchange(true))
      throw Error(ExitCode::internal, "a snapshot of the flow was asked for before the one before was given back");
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot() override { kept_.in_use = false; }

  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return solver_.plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return solver_.geometry_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override {
    solver_.read_moments(source(), first_tile, tile_count, with_stress, out);
  }
  void save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                        std::span<std::byte> out) const override {
    solver_.read_populations(source(), direction, first_tile, tile_count, out);
  }
  [[nodiscard]] std::vector<double> condition_memory() const override {
    return solver_.read_memory(kept_.channel, kept_.memory);
  }

 private:
  /// Nothing steps from here, so there is no other place to write.
  [[nodiscard]] Source source() const {
    const auto address = reinterpret_cast<std::uintptr_t>(kept_.populations.template data<char>());
    return {kept_.channel, update_, address, address, kept_.physics};
  }

  const CudaSolver& solver_;
  Kept& kept_;
  std::int64_t time_step_, update_;
};

/// Copies on the GPU what the state consists of: as much traffic as a step or two. Steps queued later run after the
/// copy; those who read it wait for it on the GPU.
template <class T>
std::unique_ptr<FlowState> CudaSolver<T>::snapshot() {
  if (!kept_) return nullptr;
  auto snapshot = std::make_unique<Snapshot>(*this);
  device_.make_current();
  const Stream& stream = channel_.stream;
  kept_->populations.copy_from(stream, populations_, kept_->populations.bytes(), 0, offset_of(updates_));
  kept_->surface_states.copy_from(stream, surface_states_, kept_->surface_states.bytes());
  kept_->records.copy_from(stream, boundary_records_, kept_->records.bytes());
  kept_->memory.copy_from(stream, memory_of_conditions_, kept_->memory.bytes());
  kept_->physics = physics_;
  kept_->physics.memory = kept_->memory.template data<T>();
  kept_->physics.boundaries.surfaces = kept_->surface_states.template data<core::SurfaceState>();
  if (kept_->records.bytes() > 0)
    kept_->physics.boundaries.records = kept_->records.template data<kernels::BoundaryRecord>();
  kept_->copied.record(stream);
  kept_->channel.stream.wait(kept_->copied);
  return snapshot;
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
