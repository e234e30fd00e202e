// SPDX-License-Identifier: Apache-2.0
// CudaSolver: construction and time steps.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/physical_parameters.hpp"

namespace fluvia::cuda {

template <class T>
CudaSolver<T>::CudaSolver(const Problem& problem, std::shared_ptr<const Geometry> geometry, Plan plan,
                          const Device& device, KernelCache& cache, PreparedCase prepared,
                          std::shared_ptr<BlockStreaming> streaming)
    : plan_(std::move(plan)),
      shared_geometry_(std::move(geometry)),
      geometry_(*shared_geometry_),
      block_(prepared.block),
      specification_(prepared.specification),
      facts_(prepared.facts),
      device_(device),
      shared_channel_(
          streaming ? streaming->channel()
                    : std::make_shared<const Channel>(device, prepared.references_bytes(), prepared.exchange_bytes())),
      channel_(*shared_channel_),
      kernels_(device, cache, specification_),
      layout_(std::move(prepared.layout)),
      arrays_(device, channel_.stream) {
  plan_.kernel_seconds = kernels_.seconds();
  if (const std::size_t bytes = layout_->pass_shared_bytes(); bytes > 0)
    kernels_.get(KernelKind::pass, 0).allow_shared_bytes(bytes);
  device.set_fetch_bytes(layout_->fetch_bytes(facts_.storage_bytes));
  surfaces_ = prepared.setup.surfaces;
  is_monitored_ = prepared.setup.monitored;
  carried_ = prepared.setup.carried;
  corners_ = prepared.setup.corners;
  node_arrays_ = prepared.arrays;
  places_ = prepared.places;
  halo_ = prepared.halo;
  pieces_ = prepared.pieces;
  physics_.parameters = collision_parameters<T>(problem.settings, problem.units, plan_.lattice, plan_.collision);
  if (streaming) streamed_.emplace(device_, layout_->own_elements(), facts_.storage_bytes, std::move(streaming));
  is_here_ = !streamed_;
  upload(prepared);
  populations_.fill(channel_.stream, 0);  // deviations of a fluid at rest
  set_initial_state(*this, problem, block_);
  channel_.stream.synchronize();
}

template <class T>
CudaSolver<T>::~CudaSolver() {
  if (!streamed_) return;
  streamed_->streaming().forget(*this);
  try {
    finish();      // populations may be on their way to memory that goes now
  } catch (...) {  // nothing is on its way then, either
  }
}

template <class T>
void CudaSolver<T>::upload(const PreparedCase& prepared) {
  kernels::Boundaries boundaries{};
  const std::vector<kernels::BoundaryRecord>& records = prepared.boundaries.records;
  boundary_records_ = DeviceBuffer(device_, records.size() * sizeof(kernels::BoundaryRecord), "boundary records");
  if (!records.empty()) boundary_records_.upload(channel_.stream, records.data(), boundary_records_.bytes());
  boundaries.records = boundary_records_.template data<kernels::BoundaryRecord>();
  if (!prepared.setup.changing.empty()) {
    records_ = records;
    changing_ = ProfileRecords(prepared.setup.changing, prepared.boundaries.links);
  }
  boundaries.tiles = arrays_.give(prepared.boundaries.tiles, "boundary tiles");
  boundaries.first_records = arrays_.give(prepared.boundaries.first_records, "boundary nodes");
  boundaries.fit_points = arrays_.give(prepared.boundaries.fits.points, "points of openings");
  boundaries.fit_coefficients =
      arrays_.give(prepared.boundaries.fits.template coefficients_as<T>(), "fits of openings");
  boundaries.tile_count = static_cast<std::uint32_t>(prepared.boundaries.tiles.size());
  surface_states_ = DeviceBuffer(device_, surfaces_.size() * sizeof(core::SurfaceState), "the state of surfaces");
  surface_states_.upload(channel_.stream, surfaces_.data(), surface_states_.bytes());
  boundaries.surfaces = surface_states_.template data<core::SurfaceState>();
  make_stages(prepared);
  if (!prepared.walls.first.empty()) {
    wall_mass_correction_ = prepared.walls.supply;
    wall_mass_correction_value_ = DeviceBuffer(device_, sizeof(float), "what walls give");
    physics_.walls = {arrays_.give(prepared.walls.first, "blocks of walls"),
                      arrays_.give(prepared.walls.words, "distances of walls"),
                      wall_mass_correction_value_.template data<float>()};
    set_wall_mass_correction(0);
  }
  layout_->place_arrays(arrays_);
  physics_.rounding.first_nodes = arrays_.give(prepared.first_nodes, "places of nodes");
  physics_.rounding.first = prepared.part ? prepared.part->first_node() : 0;
  physics_.rounding.row = static_cast<std::uint32_t>(geometry_.nodes.size[0]);
  physics_.rounding.rows = static_cast<std::uint32_t>(geometry_.nodes.size[1]);
  keys_ = DeviceBuffer(device_, prepared.key_bytes(), "keys of random bits");
  summed_ = {arrays_.give(pieces_, "pieces of sums"), arrays_.give(places_, "places of tiles"),
             static_cast<std::uint32_t>(block_.tiles.first)};
  monitor(prepared);
  physics_.boundaries = boundaries;
  if (!block_.neighbours.empty()) make_border(prepared);
  if (!prepared.mirrors.first.blocks.empty()) make_mirrors(prepared);
  if (!streamed_) populations_ = DeviceBuffer(device_, prepared.population_bytes(), "populations");
  second_offset_ = prepared.extent.second * facts_.storage_bytes;
  begins_at_second_ = prepared.extent.begins_at_second;
  sums_ = DeviceBuffer(device_, prepared.sums_bytes(), "sums");
  if (plan_.snapshot_fits && plan_.snapshot_bytes > 0) keep_room(prepared);
}

/// Passes of several steps need what conditions kept before, what will be, and what is in between.
template <class T>
void CudaSolver<T>::make_stages(const PreparedCase& prepared) {
  const Specification& s = specification_;
  const auto steps = static_cast<std::size_t>(s.steps_per_pass);
  kept_ = KeptArrays<T>(device_, channel_.stream, node_arrays_, s.steps_per_pass);
  physics_.stages.memory_size = kept_.numbers(condition_numbers);
  physics_.stages.memory = kept_.after_steps(condition_numbers);
  if (steps > 1 && s.changes) {
    stage_records_ = DeviceBuffer(device_, steps * prepared.changing_bytes(), "boundary records of a pass");
    stage_surfaces_ = DeviceBuffer(device_, steps * prepared.surface_bytes(), "the state of surfaces in a pass");
  }
  forget_values_ahead();
}

template <class T>
void CudaSolver<T>::forget_values_ahead() {
  kernels::Stages<T>& stages = physics_.stages;
  stages.records = boundary_records_.template data<kernels::BoundaryRecord>();
  stages.surfaces = surface_states_.template data<core::SurfaceState>();
  stages.next_records = stages.next_surfaces = 0;
}

/// For snapshots; without it, output holds up the stepping.
template <class T>
void CudaSolver<T>::keep_room(const PreparedCase& prepared) {
  try {
    snapshot_buffers_ = std::make_unique<SnapshotBuffers>(device_, prepared);
  } catch (const Error& error) {
    if (error.code() != ExitCode::resource) throw;
    plan_.snapshot_fits = false;
  }
}

template <class T>
std::uint64_t CudaSolver<T>::first_address() const {
  const DeviceBuffer& memory = streamed_ ? streamed_->memory() : populations_;
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(memory.template data<char>()));
}

template <class T>
void CudaSolver<T>::execute(const Launch& launch, const Stream& stream) const {
  face_memory();
  std::array<ArgumentView, 3> views{ArgumentView(launch.geometry), ArgumentView(physics_), ArgumentView(launch.more)};
  if (!launch.takes_physics) views[1] = views[2];
  const std::size_t count = 1 + (launch.takes_physics ? 1 : 0) + (launch.more.bytes() > 0 ? 1 : 0);
  LaunchShape shape = launch.shape;
  shape.early = !border_ && !streamed_;  // those wait for copies of others
  timed(launch.part,
        [&] { kernels_.get(launch.kernel, updates_).launch_with(stream, shape, std::span(views).first(count)); });
}

template <class T>
void CudaSolver<T>::queue_step() const {
  program_.clear();
  append_step(*layout_, addresses(now()), physics_.boundaries.tile_count, program_);
  for (const Launch& launch : program_) execute(launch);
  queue_mirrors();
}

template <class T>
void CudaSolver<T>::queue_pass(int steps) const {
  if (steps == 1) return queue_step();
  program_.clear();
  layout_->append_pass(addresses(now()), StepShare::all, program_);
  for (const Launch& launch : program_) execute(launch);
  queue_mirrors();
}

template <class T>
void CudaSolver<T>::use_keys(int steps, int at) const {
  if (!specification_.stochastic) return;
  const int count = most_keys(specification_);
  if (!first_key_ || time_step_ < *first_key_ || time_step_ + steps > *first_key_ + count) {
    std::vector<core::StepKey> keys(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k)
      keys[static_cast<std::size_t>(k)] = core::step_key(static_cast<core::Uint64>(time_step_ + k));
    if (border_) channel_.stream.wait(border_->stepped);  // whose last steps read those there
    keys_.upload(channel_.stream, keys.data(), keys.size() * sizeof(keys[0]));
    first_key_ = time_step_;
  }
  choose_key(static_cast<int>(time_step_ - *first_key_) + at);
}

template <class T>
void CudaSolver<T>::choose_key(int at) const {
  if (specification_.stochastic) physics_.rounding.key = keys_.template data<core::StepKey>() + at;
}

template <class T>
void CudaSolver<T>::step(std::int64_t count) {
  device_.make_current();
  const int steps = layout_->steps_per_pass();
  while (count > 0) {
    if (const int recorded = recorded_steps(count); recorded > 0) {
      use_keys(recorded, 0);
      if (!graph_)
        graph_.emplace(device_, channel_.stream, [&] {
          for (int k = 0; k < graph_passes; ++k, ++updates_) {
            choose_key(k * steps + steps - 1);  // populations are rounded by the last step of a pass
            queue_pass(steps);
          }
          updates_ -= graph_passes;
        });
      graph_->launch(channel_.stream);
      updates_ += graph_passes;
      time_step_ += recorded;
      count -= recorded;
    } else {
      const int next = next_steps(count);
      use_keys(next, next - 1);
      queue_pass(next);
      forget_values_ahead();
      ++updates_;
      time_step_ += next;
      count -= next;
    }
  }
  channel_.stream.synchronize();
}

template <class T>
std::optional<StepTimes> CudaSolver<T>::time_parts(std::int64_t count) {
  device_.make_current();
  StepTimes times;
  for (std::int64_t k = 0; k < count; ++k, ++updates_, ++time_step_) {
    use_keys(1, 0);
    spans_.emplace();
    queue_step();
    channel_.stream.synchronize();
    for (const Span& span : *spans_)
      times.*span.part += span.end.seconds_since(span.start) / static_cast<double>(count);
    spans_.reset();
  }
  return times;
}

template <class T>
void CudaSolver<T>::set_boundary_value(int surface, double value) {
  device_.make_current();
  core::SurfaceState& state = surfaces_[surface];
  core::set_value(state, value);
  surface_states_.upload(channel_.stream, &state, sizeof(state), surface * sizeof(state));
}

template <class T>
bool CudaSolver<T>::set_profile_time(double time) {
  if (changing_.empty()) return false;
  device_.make_current();
  changing_.set_time(time, records_, carried_);
  boundary_records_.upload(channel_.stream, records_.data(), boundary_records_.bytes());
  return true;
}

template <class T>
void CudaSolver<T>::set_values_ahead(std::span<const BoundaryValues> values) {
  device_.make_current();
  if (values.size() == 1) {
    this->set_boundary_values(values.front());
    return;
  }
  const Stream& stream = channel_.stream;
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (const BoundaryValues::Value& value : values[k].values) core::set_value(surfaces_[value.surface], value.value);
    stage_surfaces_.upload(stream, surfaces_.data(), surface_states_.bytes(), k * surface_states_.bytes());
    if (changing_.empty()) continue;
    changing_.set_time(values[k].profile_time, records_, carried_);
    stage_records_.upload(stream, records_.data(), boundary_records_.bytes(), k * boundary_records_.bytes());
  }
  surface_states_.upload(stream, surfaces_.data(), surface_states_.bytes());
  kernels::Stages<T>& stages = physics_.stages;
  stages.surfaces = stage_surfaces_.template data<core::SurfaceState>();
  stages.next_surfaces = static_cast<core::Uint32>(surfaces_.size());
  if (changing_.empty()) return;
  boundary_records_.upload(stream, records_.data(), boundary_records_.bytes());
  stages.records = stage_records_.template data<kernels::BoundaryRecord>();
  stages.next_records = static_cast<core::Uint32>(records_.size());
}

template <class T>
double CudaSolver<T>::set_wall_mass_correction(double mass) {
  device_.make_current();
  const double given = wall_mass_correction_.set(mass);
  if (wall_mass_correction_value_.bytes() > 0)
    wall_mass_correction_value_.upload(channel_.stream, &wall_mass_correction_.per_weight, sizeof(float));
  return given;
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
