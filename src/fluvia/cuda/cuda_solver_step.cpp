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
  parameters_ = collision_parameters<T>(c, units, plan_.lattice);
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
  kernels::Boundaries boundaries{};
  boundaries.records = give(prepared.boundaries.records, "boundary records");
  boundaries.tiles = give(prepared.boundaries.tiles, "boundary tiles");
  boundaries.first_records = give(prepared.boundaries.first_records, "boundary nodes");
  boundaries.tile_count = static_cast<std::uint32_t>(prepared.boundaries.tiles.size());
  surface_states_ = DeviceBuffer(device_, surfaces_.size() * sizeof(core::SurfaceState), "the state of surfaces");
  surface_states_.upload(stream_, surfaces_.data(), surface_states_.bytes());
  boundaries.surfaces = surface_states_.template data<core::SurfaceState>();
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
    counters_.fill(stream_, 0);
    slide_ = prepared.slide;
  } else {
    box_ = prepared.dense.box;
    box_.segments = give(prepared.dense.segments, "segments");
    box_.words = give(prepared.dense.words, "wall nodes");
  }
  std::vector<const kernels::MonitoredTile*> monitored;
  for (const auto& tiles : prepared.monitored) monitored.push_back(give(tiles, "monitored links"));
  make_parts(prepared, sites, boundaries, monitored);
  populations_ = DeviceBuffer(device_, prepared.population_bytes(), "populations");
  slot_bytes_ = prepared.dense.stride * facts_.storage_bytes;
  second_offset_ = prepared.second_offset * facts_.storage_bytes;
  references_ = DeviceBuffer(device_, prepared.references_bytes(), "references of tiles");
  exchange_ = DeviceBuffer(device_, prepared.exchange_bytes(), "exchange with the host");
  sums_ = DeviceBuffer(device_, prepared.sums_bytes(), "sums");
}

template <class T>
void CudaSolver<T>::make_parts(const PreparedCase& prepared, const kernels::SiteBox& sites,
                               const kernels::Boundaries& boundaries,
                               const std::vector<const kernels::MonitoredTile*>& monitored) {
  const auto links_of = [&](std::size_t surface, const Range& range) {
    Monitored m;
    m.tiles = monitored[surface] + range.first;
    m.tile_count = static_cast<unsigned>(range.count);
    for (std::size_t k = range.first; k < range.first + range.count; ++k)
      for (const std::uint32_t directions : prepared.monitored[surface][k].directions) m.nodes += directions != 0;
    return m;
  };
  if (prepared.slabs.empty()) {
    Part& all = parts_.emplace_back();
    all.sites = sites;
    all.boundaries = boundaries;
    all.tiles = {0, geometry_.nodes.tiles.size()};
    for (std::size_t s = 0; s < monitored.size(); ++s)
      all.monitored.push_back(links_of(s, {0, prepared.monitored[s].size()}));
    return;
  }
  for (const Slab& slab : prepared.slabs.slabs) {
    Part& part = parts_.emplace_back();
    part.sites = sites;
    part.sites.sites = slab_sites(prepared.slabs, slab, geometry_.nodes.dimension, sites.sites);
    part.sites.sites.types += slab.types;
    part.sites.tiles = slab.places;
    part.boundaries = boundaries;
    part.boundaries.tiles += slab.boundary_tiles.first;
    part.boundaries.tile_count = static_cast<std::uint32_t>(slab.boundary_tiles.count);
    part.first_place = slab.first_place;
    part.tiles = slab.tiles;
    for (std::size_t s = 0; s < monitored.size(); ++s) part.monitored.push_back(links_of(s, slab.monitored[s]));
  }
  hosted_ = HostedPopulations(device_, prepared.slabs, facts_.storage_bytes);
  part_ = parts_.size();
}

template <class T>
void CudaSolver<T>::put_back() const {
  if (parts_.size() == 1) return;
  if (part_is_changed_) hosted_.put_back(stream_, populations_, updates_, part_);
  part_is_changed_ = false;
  part_ = parts_.size();
}

template <class T>
void CudaSolver<T>::bring(std::size_t part) const {
  if (part == part_) return;
  put_back();
  hosted_.fetch(stream_, populations_, updates_, part);
  part_ = part;
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
  kernels::SiteBox sites = parts_[part_].sites;
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
    timed(&StepTimes::step, [&] {
      kernel(KernelKind::step).launch(stream_, {{box.sites.size[1], box.sites.size[2]}, {threads}}, box, physics());
    });
    return;
  }
  if (ghosts_.cells > 0) {
    const auto cells = static_cast<std::uint32_t>(ghosts_.cells);
    timed(&StepTimes::ghost, [&] { kernel(KernelKind::ghost_cells).launch(stream_, blocks(cells), box, cells); });
  }
  const bool apart = specification_.scheme.stepping == core::Stepping::apart;
  timed(&StepTimes::step, [&] {
    kernel(KernelKind::step).launch(stream_, blocks(apart ? box.sites.stored : box.sites.places), box, physics());
    if (apart) kernel(KernelKind::propagate).launch(stream_, blocks(box.sites.places), box);
  });
}

template <class T>
void CudaSolver<T>::queue_step() const {
  if (const unsigned tiles = parts_[part_].boundaries.tile_count; tiles > 0)
    timed(&StepTimes::step, [&] { launch(KernelKind::complete_boundaries, tiles, physics()); });
  if (specification_.scheme.has_sites())
    queue_sites_step();
  else
    timed(&StepTimes::step, [&] { queue_tuned_step(); });
}

/// The step of schemes that have kernels of their own.
template <class T>
void CudaSolver<T>::queue_tuned_step() const {
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
                  tiles(), physics(), guard);
    } else {
      const unsigned teams = tiles_at_a_time(specification_);
      step.launch(stream_, {{(tiles_.count + teams - 1) / teams}, {threads}}, tiles(), physics());
    }
  } else {
    const auto per_thread = static_cast<unsigned>(nodes_per_thread(specification_));
    const unsigned columns = (box_.size[0] + per_thread - 1) / per_thread;
    // Rows shorter than a block share it.
    const unsigned x = std::min(threads, std::max(32u, std::bit_ceil(columns))), y = threads / x;
    step.launch(stream_, {{(columns + x - 1) / x, (box_.size[1] + y - 1) / y, box_.size[2]}, {x, y}}, box(), physics());
  }
}

template <class T>
void CudaSolver<T>::queue_slabs() const {
  put_back();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    timed(&StepTimes::transfer, [&] { hosted_.before_step(stream_, populations_, updates_, k); });
    part_ = k;
    queue_step();
    timed(&StepTimes::transfer, [&] { hosted_.after_step(stream_, populations_, updates_, k); });
  }
  part_ = parts_.size();
}

template <class T>
void CudaSolver<T>::step(std::int64_t count) {
  device_.make_current();
  for (; parts_.size() > 1 && count > 0; --count, ++updates_, ++time_step_) queue_slabs();
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
std::optional<StepTimes> CudaSolver<T>::time_parts(std::int64_t count) {
  device_.make_current();
  StepTimes times;
  for (std::int64_t k = 0; k < count; ++k, ++updates_, ++time_step_) {
    spans_.emplace();
    if (parts_.size() > 1)
      queue_slabs();
    else
      queue_step();
    stream_.synchronize();
    for (const Span& span : *spans_)
      times.*span.part += span.end.seconds_since(span.start) / static_cast<double>(count);
    spans_.reset();
  }
  return times;
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
