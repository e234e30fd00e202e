// SPDX-License-Identifier: Apache-2.0
// CudaSolver: construction and time steps.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/cuda/cuda_solver_impl.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/physical_parameters.hpp"

namespace fluvia::cuda {

/// Small domains replay recorded steps, which takes less time than launching their kernels one by one.
constexpr std::uint64_t most_graph_nodes = std::uint64_t{1} << 22;

template <class T>
CudaSolver<T>::CudaSolver(const Case& c, const Units& units, Geometry geometry, Plan plan, const Device& device,
                          KernelCache& cache, PreparedCase prepared)
    : plan_(std::move(plan)),
      geometry_(std::move(geometry)),
      specification_(prepared.specification),
      facts_(prepared.facts),
      device_(device),
      channel_(device, prepared),
      kernels_(device, cache, specification_) {
  plan_.kernel_seconds = kernels_.seconds();
  device.set_fetch_bytes(prepared.fetch_bytes());
  surfaces_ = prepared.setup.surfaces;
  is_monitored_ = prepared.setup.monitored;
  carried_ = prepared.setup.carried;
  physics_.parameters = collision_parameters<T>(c, units, plan_.lattice, plan_.collision);
  upload(prepared);
  order_ = std::move(prepared.compact.order);
  canonical_ = std::move(prepared.compact.canonical);
  populations_.fill(channel_.stream, 0);  // deviations of a fluid at rest
  set_initial_state(*this, c, units);
  channel_.stream.synchronize();
}

template <class T>
void CudaSolver<T>::upload(const PreparedCase& prepared) {
  const auto give = [&](const auto& values, const char* purpose) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    DeviceBuffer& buffer = layout_.emplace_back(device_, values.size() * sizeof(Value), purpose);
    if (!values.empty()) buffer.upload(channel_.stream, values.data(), buffer.bytes());
    return buffer.template data<Value>();
  };
  kernels::Boundaries boundaries{};
  const std::vector<kernels::BoundaryRecord>& records = prepared.boundaries.records;
  boundary_records_ = DeviceBuffer(device_, records.size() * sizeof(kernels::BoundaryRecord), "boundary records");
  if (!records.empty()) boundary_records_.upload(channel_.stream, records.data(), boundary_records_.bytes());
  boundaries.records = boundary_records_.template data<kernels::BoundaryRecord>();
  if (!prepared.setup.changing.empty()) {
    records_ = records;
    changing_ = ProfileRecords(prepared.setup.changing, prepared.boundaries.links);
  }
  boundaries.tiles = give(prepared.boundaries.tiles, "boundary tiles");
  boundaries.first_records = give(prepared.boundaries.first_records, "boundary nodes");
  boundaries.tile_count = static_cast<std::uint32_t>(prepared.boundaries.tiles.size());
  surface_states_ = DeviceBuffer(device_, surfaces_.size() * sizeof(core::SurfaceState), "the state of surfaces");
  surface_states_.upload(channel_.stream, surfaces_.data(), surface_states_.bytes());
  boundaries.surfaces = surface_states_.template data<core::SurfaceState>();
  memory_of_conditions_ = DeviceBuffer(device_, prepared.memory_bytes(), "the memory of boundary conditions");
  memory_of_conditions_.fill(channel_.stream, 0);
  physics_.memory = memory_of_conditions_.template data<T>();
  if (!prepared.walls.empty()) {
    wall_supply_ = prepared.walls.supply;
    wall_supply_value_ = DeviceBuffer(device_, sizeof(float), "what walls give");
    physics_.walls = {give(prepared.walls.first, "blocks of walls"), give(prepared.walls.words, "distances of walls"),
                      0, wall_supply_value_.template data<float>()};
    set_wall_supply(0);
  }
  kernels::SiteBox sites{};
  if (specification_.scheme.has_sites()) {
    sites.sites = prepared.sites.sites(geometry_.nodes);
    sites.sites.types = give(prepared.sites.types, "types of nodes");
    sites.sites.index = give(prepared.sites.index, "indices of nodes");
    sites.sites.tiles = give(prepared.sites.tiles, "tiles");
    sites.sites.buffers = give(prepared.sites.buffers, "indices of ghost buffers");
    ghosts_ = prepared.sites.count.ghosts;
    sites.tiles = static_cast<std::uint32_t>(
        numbers_fluid_tiles(specification_.scheme) ? geometry_.nodes.tiles.size() : geometry_.nodes.directory.size());
  } else if (specification_.scheme.is_compact()) {
    tiles_ = prepared.compact.tiles;
    tiles_.tiles = give(prepared.compact.records, "tiles");
    tiles_.neighbours = give(prepared.compact.neighbours, "neighbours of tiles");
    tiles_.margin = give(prepared.compact.margin, "margins of tiles");
    counters_ = DeviceBuffer(device_, prepared.counter_bytes(), "slide counters");
    counters_.fill(channel_.stream, 0);
    slide_ = prepared.slide;
  } else {
    box_ = prepared.dense.box;
    box_.segments = give(prepared.dense.segments, "segments");
    box_.words = give(prepared.dense.words, "wall nodes");
  }
  physics_.rounding.first_nodes = give(prepared.first_nodes, "places of nodes");
  physics_.rounding.row = static_cast<std::uint32_t>(geometry_.nodes.size[0]);
  physics_.rounding.rows = static_cast<std::uint32_t>(geometry_.nodes.size[1]);
  keys_ = DeviceBuffer(device_, prepared.key_bytes(), "keys of random bits");
  std::vector<const kernels::MonitoredTile*> monitored;
  for (const auto& tiles : prepared.monitored) monitored.push_back(give(tiles, "monitored links"));
  make_parts(prepared, sites, boundaries, monitored);
  populations_ = DeviceBuffer(device_, prepared.population_bytes(), "populations");
  slot_bytes_ = prepared.dense.stride * facts_.storage_bytes;
  second_offset_ = prepared.second_offset * facts_.storage_bytes;
  sums_ = DeviceBuffer(device_, prepared.sums_bytes(), "sums");
  if (plan_.snapshot_fits && plan_.snapshot_bytes > 0) keep_room(prepared);
}

/// For snapshots; without it, output holds up the stepping.
template <class T>
void CudaSolver<T>::keep_room(const PreparedCase& prepared) {
  try {
    kept_ = std::make_unique<Kept>(device_, prepared);
  } catch (const Error& error) {
    if (error.code() != ExitCode::resource) throw;
    plan_.snapshot_fits = false;
  }
}

template <class T>
std::uint64_t CudaSolver<T>::first_address() const {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(populations_.template data<char>()));
}

template <class T>
std::uint64_t CudaSolver<T>::offset_of(std::int64_t update) const {
  // A sliding array begins at the far end, so that the first sweep goes upwards and writes below.
  const bool second = specification_.scheme.is_sliding() ? update % 2 == 0 : update % 2 == 1;
  return second ? second_offset_ : 0;
}

template <class T>
kernels::CompactTiles CudaSolver<T>::tiles(const Source& source) const {
  kernels::CompactTiles tiles = tiles_;
  tiles.source = source.populations;
  tiles.target = source.next;
  return tiles;
}

template <class T>
kernels::DenseBox CudaSolver<T>::box(const Source& source) const {
  kernels::DenseBox box = box_;
  for (int slot = 0; slot < facts_.directions; ++slot) {
    box.source[slot] = source.populations + slot_bytes_ * static_cast<std::uint64_t>(slot);
    box.target[slot] = source.next + slot_bytes_ * static_cast<std::uint64_t>(slot);
  }
  return box;
}

template <class T>
kernels::SiteBox CudaSolver<T>::sites(const Source& source) const {
  kernels::SiteBox sites = parts_[part_].sites;
  sites.source = source.populations;
  sites.target = source.next;
  ghosts_.place(sites.sites, source.update);
  return sites;
}

/// One block a row; or one thread a place or, where a step only collides first, a site.
template <class T>
void CudaSolver<T>::queue_sites_step() const {
  const auto threads = static_cast<unsigned>(specification_.threads);
  const auto blocks = [&](std::uint32_t items) { return LaunchShape{{(items + threads - 1) / threads}, {threads}}; };
  const kernels::SiteBox box = sites(now());
  const Stream& stream = channel_.stream;
  if (specification_.scheme.stepping == core::Stepping::rows) {
    timed(&StepTimes::step, [&] {
      kernels_.get(KernelKind::step, updates_)
          .launch(stream, {{box.sites.size[1], box.sites.size[2]}, {threads}}, box, physics_);
    });
    return;
  }
  if (ghosts_.cells > 0) {
    const auto cells = static_cast<std::uint32_t>(ghosts_.cells);
    timed(&StepTimes::ghost,
          [&] { kernels_.get(KernelKind::ghost_cells, updates_).launch(stream, blocks(cells), box, cells); });
  }
  const bool apart = specification_.scheme.stepping == core::Stepping::apart;
  timed(&StepTimes::step, [&] {
    kernels_.get(KernelKind::step, updates_)
        .launch(stream, blocks(apart ? box.sites.stored : box.sites.places), box, physics_);
    if (apart) kernels_.get(KernelKind::propagate, updates_).launch(stream, blocks(box.sites.places), box);
  });
}

template <class T>
void CudaSolver<T>::queue_step() const {
  if (const unsigned tiles = physics_.boundaries.tile_count; tiles > 0)
    timed(&StepTimes::step, [&] { launch(now(), KernelKind::complete_boundaries, tiles, physics_); });
  if (specification_.scheme.has_sites())
    queue_sites_step();
  else
    timed(&StepTimes::step, [&] { queue_tuned_step(); });
}

/// The step of schemes that have kernels of their own.
template <class T>
void CudaSolver<T>::queue_tuned_step() const {
  const auto threads = static_cast<unsigned>(specification_.threads);
  const Kernel& step = kernels_.get(KernelKind::step, updates_);
  if (specification_.scheme.is_compact()) {
    if (specification_.scheme.is_sliding()) {
      const bool downwards = updates_ % 2 == 1;
      auto* const counters = counters_.template data<std::uint32_t>();
      auto* const others = counters + counters_.bytes() / sizeof(*counters) / 2;
      const kernels::SlidingGuard guard{downwards ? others : counters, downwards ? counters : others,
                                        downwards ? 1u : 0u, slide_.rounds, slide_.chunk_log2};
      step.launch(channel_.stream,
                  {{static_cast<unsigned>(slide_.blocks(tiles_.count))}, {threads + kernels::guard_threads}},
                  tiles(now()), physics_, guard);
    } else {
      const unsigned teams = tiles_at_a_time(specification_);
      step.launch(channel_.stream, {{(tiles_.count + teams - 1) / teams}, {threads}}, tiles(now()), physics_);
    }
  } else {
    const auto per_thread = static_cast<unsigned>(nodes_per_thread(specification_));
    const unsigned columns = (box_.size[0] + per_thread - 1) / per_thread;
    // Rows shorter than a block share it.
    const unsigned x = std::min(threads, std::max(32u, std::bit_ceil(columns))), y = threads / x;
    step.launch(channel_.stream, {{(columns + x - 1) / x, (box_.size[1] + y - 1) / y, box_.size[2]}, {x, y}},
                box(now()), physics_);
  }
}

template <class T>
void CudaSolver<T>::use_keys(int steps) const {
  if (!specification_.stochastic) return;
  if (time_step_ < first_key_ || time_step_ + steps > first_key_ + graph_steps) {
    std::array<core::StepKey, graph_steps> keys;
    for (int k = 0; k < graph_steps; ++k) keys[k] = core::step_key(static_cast<core::Uint64>(time_step_ + k));
    keys_.upload(channel_.stream, keys.data(), sizeof(keys));
    first_key_ = time_step_;
  }
  physics_.rounding.key = keys_.template data<core::StepKey>() + (time_step_ - first_key_);
}

template <class T>
void CudaSolver<T>::step(std::int64_t count) {
  device_.make_current();
  for (; parts_.size() > 1 && count > 0; --count, ++updates_, ++time_step_) {
    use_keys(1);
    queue_slabs();
  }
  while (count > 0) {
    // Places and kernels repeat every second step, so what was recorded at an even one fits at every even one.
    if (updates_ % 2 == 0 && count >= graph_steps && geometry_.nodes.fluid_nodes <= most_graph_nodes) {
      use_keys(graph_steps);
      if (!graph_)
        graph_.emplace(device_, channel_.stream, [this] {
          for (int k = 0; k < graph_steps; ++k, ++updates_) {
            if (specification_.stochastic) physics_.rounding.key = keys_.template data<core::StepKey>() + k;
            queue_step();
          }
          updates_ -= graph_steps;
        });
      graph_->launch(channel_.stream);
      updates_ += graph_steps;
      time_step_ += graph_steps;
      count -= graph_steps;
    } else {
      use_keys(1);
      queue_step();
      ++updates_;
      ++time_step_;
      --count;
    }
  }
  channel_.stream.synchronize();
}

template <class T>
std::optional<StepTimes> CudaSolver<T>::time_parts(std::int64_t count) {
  device_.make_current();
  StepTimes times;
  for (std::int64_t k = 0; k < count; ++k, ++updates_, ++time_step_) {
    use_keys(1);
    spans_.emplace();
    if (parts_.size() > 1)
      queue_slabs();
    else
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
double CudaSolver<T>::set_wall_supply(double mass) {
  const double given = wall_supply_.set(mass);
  if (wall_supply_value_.bytes() > 0)
    wall_supply_value_.upload(channel_.stream, &wall_supply_.per_weight, sizeof(float));
  return given;
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
