// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/block/block_readers.hpp"

#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/map/box_array.hpp"

namespace fluvia::cuda {
namespace {

std::shared_ptr<DeviceBuffer> make_array(const Device& device, std::size_t bytes) {
  return std::make_shared<DeviceBuffer>(device, bytes, "a field");
}

DeviceArray hand_over(const Device& device, std::shared_ptr<DeviceBuffer> array) {
  auto* const values = array->data<float>();
  return {values, device.info().ordinal, std::move(array)};
}

}  // namespace

template <class T>
void BlockReaders<T>::moments(const FlowView<T>& flow, std::uint64_t first_tile, std::uint64_t tile_count,
                              bool with_stress, Moments& out) const {
  const std::uint64_t total = on_.nodes.nodes_of(first_tile, tile_count);
  out.resize(total, with_stress);
  const Channel& channel = flow.channel;
  const T* const values = channel.host.template data<const T>();
  on_.for_each_chunk(channel, first_tile, tile_count, [&](std::uint64_t first, unsigned count, std::uint64_t size) {
    on_.launch(flow, KernelKind::moments, count, flow.physics,
               channel.references.template data<const kernels::TileReference>(), channel.exchange.template data<T>(),
               size, with_stress ? 1 : 0);
    channel.exchange.download(channel.stream, channel.host.data(), size * Moments::numbers(with_stress) * sizeof(T));
    channel.stream.synchronize();
    for (std::uint64_t k = 0; k < size; ++k) {
      out.density[first + k] = 1 + static_cast<double>(values[k]);
      for (int a = 0; a < 3; ++a) out.velocity[first + k][a] = values[(1 + a) * size + k];
      if (with_stress)
        for (int a = 0; a < 6; ++a) out.stress[first + k][a] = values[(4 + a) * size + k];
    }
  });
}

template <class T>
void BlockReaders<T>::populations(const FlowView<T>& flow, const ArrayRange& range, std::span<std::byte> out) const {
  const auto value = static_cast<std::size_t>(on_.facts.storage_bytes);
  const Channel& channel = flow.channel;
  on_.for_each_chunk(channel, range.first_tile, range.tile_count,
                     [&](std::uint64_t first, unsigned count, std::uint64_t size) {
                       on_.launch(flow, KernelKind::save_direction, count,
                                  channel.references.template data<const kernels::TileReference>(), range.component,
                                  channel.exchange.data());
                       channel.exchange.download(channel.stream, channel.host.data(), size * value);
                       channel.stream.synchronize();
                       std::memcpy(out.data() + first * value, channel.host.data(), size * value);
                     });
}

template <class T>
DeviceArray BlockReaders<T>::compute(const FlowView<T>& flow, const LinearField& field) const {
  on_.device.make_current();
  const NodeMap& nodes = on_.nodes;
  const BoxArray box(nodes.size);
  const Stream& stream = flow.channel.stream;
  const auto array = make_array(on_.device, box.count() * field.components() * sizeof(float));
  array->fill(stream, 0xff);  // which is a NaN
  const kernels::FieldArray out{array->data<float>(), box.x,        box.x * box.y,
                                field.reference,      field.factor, field.components() > 1};
  const DeviceBuffer first_of_tiles(on_.device, std::min(chunk_tiles, nodes.tiles.size()) * sizeof(std::uint64_t),
                                    "the tiles of a field");
  std::vector<std::uint64_t> first_nodes;
  std::uint64_t next = 0;
  on_.for_each_chunk(flow.channel, next, nodes.tiles.size(), [&](std::uint64_t, unsigned count, std::uint64_t) {
    first_nodes.clear();
    for (const std::uint64_t end = next + count; next < end; ++next)
      first_nodes.push_back(box(nodes.node_position(nodes.tiles[next], 0)));
    first_of_tiles.upload(stream, first_nodes.data(), first_nodes.size() * sizeof(std::uint64_t));
    on_.launch(flow, KernelKind::write_field, count, flow.physics,
               flow.channel.references.template data<const kernels::TileReference>(),
               first_of_tiles.template data<const std::uint64_t>(), out);
    stream.synchronize();
  });
  return hand_over(on_.device, array);
}

template <class T>
DeviceArray BlockReaders<T>::upload(std::span<const float> values) const {
  on_.device.make_current();
  const auto array = make_array(on_.device, values.size_bytes());
  array->upload(on_.channel.stream, values.data(), values.size_bytes());
  on_.channel.stream.synchronize();
  return hand_over(on_.device, array);
}

namespace {

/// A state in a room, read by the readers of the solver that it is of.
template <class T>
class Snapshot final : public FlowState {
 public:
  Snapshot(const Solver& solver, const BlockKernels& on, const BlockFlow<T>& flow, const BlockReaders<T>& readers,
           const kernels::Physics<T>& physics, SnapshotRoom<T>& room)
      : solver_(solver),
        on_(on),
        flow_(flow),
        readers_(readers),
        room_(room),
        view_{room.channel, flow.updates(), address(), address(), physics},
        time_step_(solver.time_step()) {}
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot() override { room_.in_use = false; }

  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return solver_.plan(); }
  [[nodiscard]] const Geometry& geometry() const override { return solver_.geometry(); }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override {
    readers_.moments(view_, first_tile, tile_count, with_stress, out);
  }
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return flow_.arrays(); }
  void save(const ArrayRange& range, std::span<std::byte> out) const override {
    if (range.array == flow_populations) return readers_.populations(view_, range, out);
    on_.device.make_current();
    flow_.kept().save(room_.channel.stream, range,
                      arrays()[range.array].entries(on_.nodes, range.first_tile, range.tile_count), room_.kept, out);
  }

 private:
  /// Nothing steps from here, so there is no other place to write.
  [[nodiscard]] std::uint64_t address() const {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(room_.populations.template data<char>()));
  }

  const Solver& solver_;
  const BlockKernels& on_;
  const BlockFlow<T>& flow_;
  const BlockReaders<T>& readers_;
  SnapshotRoom<T>& room_;
  FlowView<T> view_;
  std::int64_t time_step_;
};

}  // namespace

template <class T>
std::unique_ptr<FlowState> take_snapshot(const Solver& solver, const BlockKernels& on, const BlockFlow<T>& flow,
                                         const BlockBoundaries<T>& boundaries, const BlockReaders<T>& readers,
                                         const FlowView<T>& now, SnapshotRoom<T>& room) {
  if (room.in_use.exchange(true))
    throw Error(ExitCode::internal, "a snapshot of the flow was asked for before the one before was given back");
  on.device.make_current();
  const Stream& stream = on.channel.stream;
  room.populations.copy_from(stream, flow.populations(), room.populations.bytes(), 0, flow.offset_of(now.update));
  kernels::Physics<T> physics = now.physics;
  boundaries.copy_to(room.boundaries, physics);
  flow.kept().copy_to(room.kept, stream, now.update);
  physics.memory = room.kept[condition_numbers].template data<T>();
  room.copied.record(stream);
  room.channel.stream.wait(room.copied);
  return std::make_unique<Snapshot<T>>(solver, on, flow, readers, physics, room);
}

template std::unique_ptr<FlowState> take_snapshot(const Solver&, const BlockKernels&, const BlockFlow<float>&,
                                                  const BlockBoundaries<float>&, const BlockReaders<float>&,
                                                  const FlowView<float>&, SnapshotRoom<float>&);
template std::unique_ptr<FlowState> take_snapshot(const Solver&, const BlockKernels&, const BlockFlow<double>&,
                                                  const BlockBoundaries<double>&, const BlockReaders<double>&,
                                                  const FlowView<double>&, SnapshotRoom<double>&);
template class BlockReaders<float>;
template class BlockReaders<double>;

}  // namespace fluvia::cuda
