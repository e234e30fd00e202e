// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/out_of_core/out_of_core_populations.hpp"

#include <cstring>

namespace fluvia::cuda {

OutOfCorePopulations::OutOfCorePopulations(const Device& device, Slabs slabs, std::size_t value_bytes)
    : slabs_(std::move(slabs)), value_bytes_(value_bytes), host_(device, slabs_.host_elements() * value_bytes) {
  std::memset(host_.data(), 0, host_.bytes());
}

void OutOfCorePopulations::copy(const Stream& stream, const DeviceBuffer& memory, std::int64_t updates, std::size_t k,
                                const std::vector<PlaneCopy>& copies) const {
  const Slab& slab = slabs_.slabs[k];
  // Where an array begins in `memory`: two copies, then the planes that are kept.
  const auto begin = [&](PlaneMemory array) -> std::size_t {
    if (array == PlaneMemory::kept) return 2 * slabs_.copy_elements();
    const bool first = (updates % 2 == 0) == (array == PlaneMemory::source);
    return first ? 0 : slabs_.copy_elements();
  };
  const auto offset = [&](PlaneMemory array, std::uint64_t slot, std::uint64_t plane) {
    const std::size_t of_array = array == PlaneMemory::host ? 0 : begin(array);
    return (of_array + slabs_.element(array, slab, slot, plane)) * value_bytes_;
  };
  for (const PlaneCopy& c : copies) {
    const std::size_t bytes = c.planes * slabs_.plane_nodes * value_bytes_;
    for (std::uint64_t slot = 0; slot < slabs_.directions; ++slot) {
      const std::size_t from = offset(c.from, slot, c.from_plane), to = offset(c.to, slot, c.to_plane);
      if (c.from == PlaneMemory::host)
        memory.upload(stream, host_.data<char>() + from, bytes, to);
      else if (c.to == PlaneMemory::host)
        memory.download(stream, host_.data<char>() + to, bytes, from);
      else
        memory.copy_from(stream, memory, bytes, to, from);
    }
  }
}

}  // namespace fluvia::cuda
