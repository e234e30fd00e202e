// SPDX-License-Identifier: Apache-2.0
// CudaSolver: construction, the state of the flow, and what is read of it.
#include "fluvia/cuda/solver/cuda_solver.hpp"

#include <bit>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/distribution.hpp"
#include "fluvia/solver/initial_state.hpp"

namespace fluvia::cuda {

template <class T>
CudaSolver<T>::CudaSolver(const Problem& problem, std::shared_ptr<const Geometry> geometry, Plan plan,
                          const Device& device, KernelCache& cache, PreparedCase prepared,
                          std::shared_ptr<BlockStreaming> streaming)
    : plan_(std::move(plan)),
      on_(std::move(geometry), device, cache, prepared, streaming ? streaming->channel() : nullptr),
      flow_(on_, prepared, std::move(streaming)),
      boundaries_(on_, prepared, flow_.kept(), on_.arrays),
      readers_(on_, prepared, on_.arrays),
      border_(on_, prepared, flow_),
      keys_(on_.device, prepared) {
  plan_.kernel_seconds = on_.kernels.seconds();
  physics_.parameters = collision_parameters<T>(plan_.flow());
  physics_.rounding.first_nodes = on_.arrays.give(prepared.first_nodes, "indices of nodes");
  physics_.rounding.first = prepared.part ? prepared.part->first_node() : 0;
  physics_.rounding.row = static_cast<std::uint32_t>(on_.nodes.size[0]);
  physics_.rounding.rows = static_cast<std::uint32_t>(on_.nodes.size[1]);
  physics_.forces = {on_.arrays.give(prepared.forces.numbers, "forces of nodes"),
                     on_.arrays.give(prepared.forces.values_as<T>(), "forces of nodes")};
  if (!plan_.scalars.empty())
    scalars_ = std::make_unique<CarriedScalars<T>>(on_, flow_, prepared, problem, plan_.scalars, on_.arrays);
  if (scalars_) border_.carry_along(*scalars_, prepared);
  first_scalar_ = arrays().size() - (scalars_ ? scalars_->rows() : 0);
  if (!problem.settings.bodies.empty()) {
    bodies_ = std::make_unique<DeviceBodies<T>>(on_, prepared.body_room, problem, plan_);
    std::vector<NodeArray> row;
    append_body_array(bodies_->bodies().count(), BodyState::numbers, row);
    flow_.append(row.front());
    begin_bodies();  // a flow that begins at rest is not initialised
  }
  if (plan_.snapshot_fits && plan_.snapshot_bytes > 0) keep_room(prepared);
  set_initial_state(*this, problem, on_.block);
  on_.channel.stream.synchronize();
}

template <class T>
CudaSolver<T>::~CudaSolver() {
  if (flow_.streamed() == nullptr) return;
  flow_.streamed()->streaming().forget(*this);
  try {
    finish();      // populations may be on their way to memory that goes now
  } catch (...) {  // nothing is on its way then, either
  }
}

template <class T>
void CudaSolver<T>::keep_room(const PreparedCase& prepared) {
  try {
    snapshot_room_ = std::make_unique<SnapshotRoom<T>>(on_.device, prepared);
  } catch (const Error& error) {
    if (error.code() != ExitCode::resource) throw;
    plan_.snapshot_fits = false;
  }
}

template <class T>
FlowView<T> CudaSolver<T>::now() const {
  const std::int64_t update = flow_.updates();
  FlowView<T> flow{on_.channel,       update,           flow_.address(), flow_.at(update + 1), physics_,
                   flow_.is_placed(), flow_.beginning()};
  boundaries_.show(flow.physics);
  flow.physics.memory = flow_.kept().at(condition_numbers, update);
  flow.physics.memory_after = flow_.kept().at(condition_numbers, update + 1);
  if (scalars_) flow.physics.scalars = scalars_->view(update);
  return flow;
}

template <class T>
FlowView<T> CudaSolver<T>::fetched() const {
  fetch();
  return now();
}

template <class T>
void CudaSolver<T>::fetch() const {
  const StreamedPopulations* const streamed = flow_.streamed();
  if (streamed == nullptr || streamed->is_resident()) return;
  on_.device.make_current();
  streamed->streaming().admit(*this);
  streamed->fetch(flow_.offset_of(flow_.updates()));
  border_.unpack_all(on_.channel.stream, flow_.updates());
}

/// What arrives from other blocks and levels lies in buffers of messages while the populations are away, and is not
/// part of them.
template <class T>
void CudaSolver<T>::evict() const {
  const StreamedPopulations* const streamed = flow_.streamed();
  if (streamed == nullptr || !streamed->is_resident()) return;
  if (!streamed->is_changed()) return streamed->release();
  border_.pack_arriving(on_.channel.stream, flow_.updates());
  streamed->write_back(flow_.offset_of(flow_.updates()));
}

template <class T>
void CudaSolver<T>::initialise(const InitialState& state) {
  const Channel& channel = on_.channel;
  on_.device.make_current();
  evict();
  time_step_ = 0;
  on_.layout->reset(on_.arrays);
  flow_.restart(channel.stream);
  if (flow_.streamed() != nullptr) border_.clear_arriving(channel.stream);  // of the flow before
  const NodeMap& nodes = on_.nodes;
  std::vector<double> values;
  on_.for_each_stored(0, nodes.tiles.size(), [&](std::uint64_t next, std::uint64_t tile_count) {
    const FlowView<T> flow = fetched();
    flow_.mark_changed();
    on_.for_each_chunk(channel, next, tile_count, [&](std::uint64_t, unsigned count, std::uint64_t size) {
      values.resize(4 * size);
      std::uint64_t k = 0;
      for (std::uint64_t t = next; t < next + count; ++t) {
        for (std::uint64_t bits = nodes.tiles[t].mask; bits; bits &= bits - 1, ++k) {
          double density = 1;
          Real3 u{};
          state(nodes.node_position(nodes.tiles[t], std::countr_zero(bits)), density, u);
          values[k] = density - 1;
          for (int a = 0; a < 3; ++a) values[(1 + a) * size + k] = u[a];
        }
      }
      next += count;
      channel.exchange.upload(channel.stream, values.data(), values.size() * sizeof(double));
      on_.launch(flow, KernelKind::place_equilibrium, count,
                 channel.references.template data<const kernels::TileReference>(),
                 channel.exchange.template data<const double>(), size);
      channel.stream.synchronize();
    });
  });
  if (scalars_) scalars_->initialise(&state);
  if (bodies_) begin_bodies();
}

template <class T>
void CudaSolver<T>::begin_bodies() {
  bodies_->begin(now());
  boundaries_.supply_bodies(bodies_->supply_weight());
}

template <class T>
double CudaSolver<T>::apply(const FlowChange& change) {
  if (const auto* const of_scalar = std::get_if<ScalarValue>(&change)) {
    scalars_->set(*of_scalar);
    return of_scalar->value;
  }
  if (const auto* const of_body = std::get_if<BodyVelocity>(&change)) {
    bodies_->set(*of_body);
    return 1;
  }
  return boundaries_.apply(change);
}

template <class T>
void CudaSolver<T>::resume_at(std::int64_t time_step) {
  time_step_ = time_step;
  if (scalars_) scalars_->set_step(time_step);
  if (bodies_) bodies_->start_at(time_step, now());
}

template <class T>
void CudaSolver<T>::save(const ArrayRange& range, std::span<std::byte> out) const {
  if (range.array != flow_populations) {
    on_.device.make_current();
    const EntryRange entries = arrays()[range.array].entries(on_.nodes, range.first_tile, range.tile_count);
    if (arrays()[range.array].over == Over::bodies) return bodies_->save(range.component, entries, out);
    if (range.array >= first_scalar_) return scalars_->save(range.array - first_scalar_, range.component, entries, out);
    return flow_.kept().save(on_.channel.stream, range, entries, flow_.updates(), out);
  }
  const auto value = static_cast<std::size_t>(on_.facts.storage_bytes);
  on_.for_each_stored(range.first_tile, range.tile_count, [&](std::uint64_t begin, std::uint64_t stored) {
    const std::uint64_t before = on_.nodes.nodes_of(range.first_tile, begin - range.first_tile);
    readers_.populations(fetched(), {range.array, range.component, begin, stored}, out.subspan(before * value));
  });
}

template <class T>
void CudaSolver<T>::add_scalars(std::uint64_t first_tile, Moments& out) const {
  out.scalars.clear();
  if (!scalars_ || out.density.empty()) return;
  const std::uint64_t first = geometry().nodes.tiles[first_tile].first_node;
  for (std::uint64_t n = 0; n < out.density.size(); ++n)
    for (std::size_t k = 0; k < plan_.scalars.size(); ++k) out.scalars.push_back(scalars_->value(k, first + n));
}

template <class T>
void CudaSolver<T>::load(const ArrayRange& range, std::span<const std::byte> in) {
  if (range.array == flow_populations) return load_populations(range, in);
  on_.device.make_current();
  const EntryRange entries = arrays()[range.array].entries(on_.nodes, range.first_tile, range.tile_count);
  if (arrays()[range.array].over == Over::bodies) return bodies_->load(range.component, entries, in);
  if (range.array >= first_scalar_) return scalars_->load(range.array - first_scalar_, range.component, entries, in);
  if (flow_.streamed() != nullptr && entries.count > 0) {  // what has arrived goes there before, and not again
    fetch();
    flow_.mark_changed();
  }
  flow_.kept().load(on_.channel.stream, range, entries, flow_.updates(), in);
}

template <class T>
void CudaSolver<T>::load_populations(const ArrayRange& range, std::span<const std::byte> in) {
  const auto value = static_cast<std::size_t>(on_.facts.storage_bytes);
  const Channel& channel = on_.channel;
  on_.device.make_current();
  if (flow_.place(channel.stream)) on_.layout->reset(on_.arrays);  // the first step is no sweep
  on_.for_each_stored(range.first_tile, range.tile_count, [&](std::uint64_t begin, std::uint64_t stored) {
    const std::byte* const values = in.data() + on_.nodes.nodes_of(range.first_tile, begin - range.first_tile) * value;
    const FlowView<T> flow = fetched();
    flow_.mark_changed();
    on_.for_each_chunk(channel, begin, stored, [&](std::uint64_t first, unsigned count, std::uint64_t size) {
      channel.exchange.upload(channel.stream, values + first * value, size * value);
      on_.launch(flow, KernelKind::load_direction, count,
                 channel.references.template data<const kernels::TileReference>(), range.component,
                 static_cast<const void*>(channel.exchange.data()));
      channel.stream.synchronize();
    });
  });
}

template <class T>
std::unique_ptr<FlowState> CudaSolver<T>::snapshot() {
  if (!snapshot_room_ || flow_.is_placed()) return nullptr;  // a room holds what is kept between steps
  return take_snapshot(*this, on_, flow_, boundaries_, readers_, now(), *snapshot_room_);
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
