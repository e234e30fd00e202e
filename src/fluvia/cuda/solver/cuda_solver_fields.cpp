// SPDX-License-Identifier: Apache-2.0
// CudaSolver: fields that stay on the GPU.
#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"
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
DeviceArray CudaSolver<T>::compute(const LinearField& field) const {
  device_.make_current();
  const NodeMap& nodes = geometry_.nodes;
  const BoxArray box(nodes.size);
  const Stream& stream = channel_.stream;
  const auto array = make_array(device_, box.count() * field.components() * sizeof(float));
  array->fill(stream, 0xff);  // which is a NaN
  const kernels::FieldArray out{array->data<float>(), box.x,        box.x * box.y,
                                field.reference,      field.factor, field.components() > 1};
  const DeviceBuffer first_of_tiles(device_, std::min(chunk_tiles, nodes.tiles.size()) * sizeof(std::uint64_t),
                                    "the tiles of a field");
  std::vector<std::uint64_t> first_nodes;
  std::uint64_t next = 0;
  for_each_chunk(channel_, next, nodes.tiles.size(), [&](std::uint64_t, unsigned count, std::uint64_t) {
    first_nodes.clear();
    for (const std::uint64_t end = next + count; next < end; ++next)
      first_nodes.push_back(box(nodes.node_position(nodes.tiles[next], 0)));
    first_of_tiles.upload(stream, first_nodes.data(), first_nodes.size() * sizeof(std::uint64_t));
    launch(now(), KernelKind::write_field, count, physics_,
           channel_.references.template data<const kernels::TileReference>(),
           first_of_tiles.template data<const std::uint64_t>(), out);
    stream.synchronize();
  });
  return hand_over(device_, array);
}

template <class T>
DeviceArray CudaSolver<T>::upload(std::span<const float> values) const {
  device_.make_current();
  const auto array = make_array(device_, values.size_bytes());
  array->upload(channel_.stream, values.data(), values.size_bytes());
  channel_.stream.synchronize();
  return hand_over(device_, array);
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
