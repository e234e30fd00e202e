// SPDX-License-Identifier: Apache-2.0
// CudaSolver: construction and time steps.
#include <fmt/format.h>

#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/cuda_solver_impl.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/physical_parameters.hpp"

namespace fluvia::cuda {

/// Steps of a recorded graph; even. Small domains take less time than launching their kernels one by one.
constexpr int graph_steps = 16;
constexpr std::uint64_t most_graph_nodes = std::uint64_t{1} << 22;

template <class T>
CudaSolver<T>::CudaSolver(const Case& c, const Units& units, Geometry geometry, Plan plan, const Device& device,
                          KernelCache& cache, PreparedCase prepared)
    : plan_(std::move(plan)),
      geometry_(std::move(geometry)),
      specification_(prepared.specification),
      facts_(prepared.facts),
      device_(device),
      stream_(device) {
  const Module module(device, cache.get(compile_request(specification_), device.info().compute_capability));
  for (int p = 0; p < facts_.parities; ++p)
    for (int kind = 0; kind < kernel_kinds; ++kind) {
      const std::string name = kernel_name(specification_, static_cast<KernelKind>(kind), p);
      kernels_.push_back(name.empty() ? std::nullopt : std::optional(module.kernel(name)));
    }
  device.set_fetch_bytes(prepared.fetch_bytes());
  surfaces_ = prepared.setup.surfaces;
  is_monitored_ = prepared.setup.monitored;
  carried_ = prepared.setup.carried;
  physics_.parameters = collision_parameters<T>(c, units, plan_.lattice);
  upload(prepared);
  order_ = std::move(prepared.compact.order);
  canonical_ = std::move(prepared.compact.canonical);
  populations_.fill(stream_, 0);  // deviations of a fluid at rest
  set_initial_state(*this, c, units);
  stream_.synchronize();
}

template <class T>
void CudaSolver<T>::upload(const PreparedCase& prepared) {
  const auto give = [&](const auto& values, const char* purpose) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    DeviceBuffer& buffer = layout_.emplace_back(device_, values.size() * sizeof(Value), purpose);
    if (!values.empty()) buffer.upload(stream_, values.data(), buffer.bytes());
    return buffer.template data<Value>();
  };
  physics_.boundaries.records = give(prepared.boundaries.records, "boundary records");
  physics_.boundaries.tiles = give(prepared.boundaries.tiles, "boundary tiles");
  physics_.boundaries.first_records = give(prepared.boundaries.first_records, "boundary nodes");
  physics_.boundaries.tile_count = static_cast<std::uint32_t>(prepared.boundaries.tiles.size());
  surface_states_ = DeviceBuffer(device_, surfaces_.size() * sizeof(core::SurfaceState), "the state of surfaces");
  surface_states_.upload(stream_, surfaces_.data(), surface_states_.bytes());
  physics_.boundaries.surfaces = surface_states_.template data<core::SurfaceState>();
  if (specification_.scheme.has_sites()) {
    sites_.sites = prepared.sites.sites(geometry_.nodes);
    sites_.sites.types = give(prepared.sites.types, "types of nodes");
    sites_.sites.index = give(prepared.sites.index, "indices of nodes");
    sites_.sites.tiles = give(prepared.sites.tiles, "tiles");
    sites_.sites.buffers = give(prepared.sites.buffers, "indices of ghost buffers");
    ghosts_ = prepared.sites.count.ghosts;
    sites_.tiles = static_cast<std::uint32_t>(
        numbers_fluid_tiles(specification_.scheme) ? geometry_.nodes.tiles.size() : geometry_.nodes.directory.size());
  } else if (specification_.scheme.is_compact()) {
    tiles_ = prepared.compact.tiles;
    tiles_.tiles = give(prepared.compact.records, "tiles");
    tiles_.neighbours = give(prepared.compact.neighbours, "neighbours of tiles");
    tiles_.margin = give(prepared.compact.margin, "margins of tiles");
    counters_ = DeviceBuffer(device_, prepared.counter_bytes(), "slide counters");
    counters_.fill(stream_, 0);
    slide_ = prepared.slide;
  } else {
    box_ = prepared.dense.box;
    box_.segments = give(prepared.dense.segments, "segments");
    box_.words = give(prepared.dense.words, "wall nodes");
  }
  for (const auto& tiles : prepared.monitored) {
    Monitored& m = monitored_.emplace_back();
    m.tile_count = static_cast<unsigned>(tiles.size());
    m.tiles = give(tiles, "monitored links");
    for (const kernels::MonitoredTile& tile : tiles)
      for (const std::uint32_t directions : tile.directions) m.nodes += directions != 0 ? 1 : 0;
  }
  populations_ = DeviceBuffer(device_, prepared.population_bytes(), "populations");
  slot_bytes_ = prepared.dense.stride * facts_.storage_bytes;
  second_offset_ = prepared.second_offset * facts_.storage_bytes;
  references_ = DeviceBuffer(device_, prepared.references_bytes(), "references of tiles");
  exchange_ = DeviceBuffer(device_, prepared.exchange_bytes(), "exchange with the host");
  sums_ = DeviceBuffer(device_, prepared.sums_bytes(), "sums");
}

template <class T>
std::uint64_t CudaSolver<T>::at(std::int64_t update) const {
  const auto first = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(populations_.template data<char>()));
  // A sliding array begins at the far end, so that the first sweep goes upwards and writes below.
  const bool second = specification_.scheme.is_sliding() ? update % 2 == 0 : update % 2 == 1;
  return second ? first + second_offset_ : first;
}

template <class T>
kernels::CompactTiles CudaSolver<T>::tiles() const {
  kernels::CompactTiles tiles = tiles_;
  tiles.source = at(updates_);
  tiles.target = at(updates_ + 1);
  return tiles;
}

template <class T>
kernels::DenseBox CudaSolver<T>::box() const {
  kernels::DenseBox box = box_;
  for (int slot = 0; slot < facts_.directions; ++slot) {
    box.source[slot] = at(updates_) + slot_bytes_ * static_cast<std::uint64_t>(slot);
    box.target[slot] = at(updates_ + 1) + slot_bytes_ * static_cast<std::uint64_t>(slot);
  }
  return box;
}

template <class T>
kernels::SiteBox CudaSolver<T>::sites() const {
  kernels::SiteBox sites = sites_;
  sites.source = at(updates_);
  sites.target = at(updates_ + 1);
  ghosts_.place(sites.sites, updates_);
  return sites;
}

/// One block a row; or one thread a place or, where a step only collides first, a site.
template <class T>
void CudaSolver<T>::queue_sites_step() const {
  const auto threads = static_cast<unsigned>(specification_.threads);
  const auto blocks = [&](std::uint32_t items) { return LaunchShape{{(items + threads - 1) / threads}, {threads}}; };
  const kernels::SiteBox box = sites();
  if (specification_.scheme.stepping == core::Stepping::rows) {
    kernel(KernelKind::step).launch(stream_, {{box.sites.size[1], box.sites.size[2]}, {threads}}, box, physics_);
    return;
  }
  if (ghosts_.cells > 0) {
    const auto cells = static_cast<std::uint32_t>(ghosts_.cells);
    kernel(KernelKind::ghost_cells).launch(stream_, blocks(cells), box, cells);
  }
  const bool apart = specification_.scheme.stepping == core::Stepping::apart;
  kernel(KernelKind::step).launch(stream_, blocks(apart ? box.sites.stored : box.sites.places), box, physics_);
  if (apart) kernel(KernelKind::propagate).launch(stream_, blocks(box.sites.places), box);
}

template <class T>
void CudaSolver<T>::queue_step() const {
  if (physics_.boundaries.tile_count > 0)
    launch(KernelKind::complete_boundaries, physics_.boundaries.tile_count, physics_);
  if (specification_.scheme.has_sites()) return queue_sites_step();
  const auto threads = static_cast<unsigned>(specification_.threads);
  const Kernel& step = kernel(KernelKind::step);
  if (specification_.scheme.is_compact()) {
    if (specification_.scheme.is_sliding()) {
      const bool downwards = updates_ % 2 == 1;
      auto* const counters = counters_.template data<std::uint32_t>();
      auto* const others = counters + counters_.bytes() / sizeof(*counters) / 2;
      const kernels::SlidingGuard guard{downwards ? others : counters, downwards ? counters : others,
                                        downwards ? 1u : 0u, slide_.rounds, slide_.chunk_log2};
      step.launch(stream_, {{static_cast<unsigned>(slide_.blocks(tiles_.count))}, {threads + kernels::guard_threads}},
                  tiles(), physics_, guard);
    } else {
      const unsigned teams = tiles_at_a_time(specification_);
      step.launch(stream_, {{(tiles_.count + teams - 1) / teams}, {threads}}, tiles(), physics_);
    }
  } else {
    const auto per_thread = static_cast<unsigned>(nodes_per_thread(specification_));
    const unsigned columns = (box_.size[0] + per_thread - 1) / per_thread;
    // Rows shorter than a block share it.
    const unsigned x = std::min(threads, std::max(32u, std::bit_ceil(columns))), y = threads / x;
    step.launch(stream_, {{(columns + x - 1) / x, (box_.size[1] + y - 1) / y, box_.size[2]}, {x, y}}, box(), physics_);
  }
}

template <class T>
void CudaSolver<T>::step(std::int64_t count) {
  device_.make_current();
  while (count > 0) {
    // Places and kernels repeat every second step, so what was recorded at an even one fits at every even one.
    if (updates_ % 2 == 0 && count >= graph_steps && geometry_.nodes.fluid_nodes <= most_graph_nodes) {
      if (!graph_)
        graph_.emplace(device_, stream_, [this] {
          for (int k = 0; k < graph_steps; ++k, ++updates_) queue_step();
          updates_ -= graph_steps;
        });
      graph_->launch(stream_);
      updates_ += graph_steps;
      time_step_ += graph_steps;
      count -= graph_steps;
    } else {
      queue_step();
      ++updates_;
      ++time_step_;
      --count;
    }
  }
  stream_.synchronize();
}

template <class T>
void CudaSolver<T>::set_boundary_value(int surface, double value) {
  core::SurfaceState& state = surfaces_[surface];
  if (state.kind == core::BoundaryKind::pressure)
    state.density_deviation = value / core::sound_speed_squared;
  else
    state.scale = value;
  surface_states_.upload(stream_, &state, sizeof(state), surface * sizeof(state));
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
