// SPDX-License-Identifier: Apache-2.0
// CudaSolver: steps of a part of the domain, and what crosses between it and others.
#include <cstring>
#include <future>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
CudaSolver<T>::Border::Border(const Device& device, const PreparedCase& prepared, const Stream& filling,
                              const BlockStreaming* streaming)
    : own_stream(streaming != nullptr ? std::nullopt
                                      : std::optional<Stream>(std::in_place, device, StreamPriority::high)),
      stream(own_stream ? *own_stream : streaming->steps()),
      ready(device),
      stepped(device),
      unpacked(device),
      leaving(device, prepared.leaving.buffer_bytes(), "messages to other parts"),
      arriving(device, prepared.arriving.buffer_bytes(), "messages from other parts"),
      leaves(device, filling, prepared.leaving, prepared.facts.parities, leaving),
      arrives(device, filling, prepared.arriving, prepared.facts.parities, arriving),
      leaving_messages(prepared.leaving.messages),
      arriving_messages(prepared.arriving.messages) {}

template <class T>
void CudaSolver<T>::make_border(const PreparedCase& prepared) {
  border_.emplace(device_, prepared, channel_.stream, streamed_ ? &streamed_->streaming() : nullptr);
  border_->leaving.fill(channel_.stream, 0);   // what lies between messages is sent, too
  border_->arriving.fill(channel_.stream, 0);  // a fluid at rest: streamed blocks take it before anything has arrived
  border_->stepped.record(border_->stream);
  std::vector<std::future<void>> compilers;  // as the kernels of steps, side by side
  const auto compile = [&](KernelKind kind, int parity) {
    compilers.push_back(std::async(std::launch::async, [this, kind, parity] { kernels_.get(kind, parity); }));
  };
  for (int parity = 0; parity < facts_.parities; ++parity) compile(KernelKind::list_halo_populations, parity);
  compile(KernelKind::pack_messages, 0);
  compile(KernelKind::unpack_messages, 0);
  for (std::future<void>& compiler : compilers) compiler.get();
  list_halo_populations(prepared.leaving, border_->leaves);
  list_halo_populations(prepared.arriving, border_->arrives);
}

template <class T>
void CudaSolver<T>::make_mirrors(const PreparedCase& prepared) {
  mirrors_.emplace(device_, channel_.stream, prepared);
  list_halo_populations(prepared.mirrors.first, mirrors_->first);
  list_halo_populations(prepared.mirrors.second, mirrors_->second);
  kernels_.get(KernelKind::swap_mirrored, 0);
}

template <class T>
void CudaSolver<T>::queue_mirrors() const {
  if (!mirrors_) return;
  const std::int64_t update = updates_ + 1;
  const auto parity = static_cast<int>(update % facts_.parities);
  const kernels::MessageBlocks first = mirrors_->first.at(parity), second = mirrors_->second.at(parity);
  const auto most = static_cast<unsigned>(device_.info().multiprocessors) * 8U;
  timed(&StepTimes::step, [&] {
    kernels_.get(KernelKind::swap_mirrored, 0)
        .launch(channel_.stream, {{std::min(first.count, most)}, {kernels::message_threads}}, first, second,
                at(update));
  });
}

template <class T>
void CudaSolver<T>::list_halo_populations(const HaloPopulationArrays& arrays, const MessageLists& lists) const {
  if (arrays.tiles.empty()) return;
  constexpr std::uint64_t anywhere = 1 << 20;  // addresses are counted from there, and nothing is read
  DeviceArrays needed(device_, channel_.stream);
  const kernels::HaloPopulations halo_populations{needed.give(arrays.tiles, "tiles at borders"),
                                                  needed.give(arrays.runs, "halo populations")};
  std::uint32_t is_far = 0;
  const DeviceBuffer far(device_, sizeof(is_far), "a flag");
  far.fill(channel_.stream, 0);
  for (int parity = 0; parity < facts_.parities; ++parity)
    for (const int origins : {1, 0})
      kernels_.get(KernelKind::list_halo_populations, parity)
          .launch(channel_.stream,
                  {{static_cast<unsigned>(arrays.tiles.size())}, {static_cast<unsigned>(kernels::nodes_per_tile)}},
                  layout_->geometry({anywhere, anywhere, parity}), halo_populations, anywhere, origins,
                  lists.blocks(parity), lists.entries(parity), far.data<std::uint32_t>());
  far.download(channel_.stream, &is_far, sizeof(is_far));
  channel_.stream.synchronize();
  if (is_far != 0)
    throw_resource(
        "domain: what crosses between two parts, or meets a plane of symmetry, lies too far apart in memory for 32-bit "
        "numbers; use more devices, a compact scheme or a larger spacing");
}

template <class T>
void CudaSolver<T>::append_share(const StepAddresses& at, int steps, StepShare share, Program& program) const {
  if (steps == 1)
    layout_->append_step(at, share, program);
  else
    layout_->append_pass(at, share, program);
}

/// Border and interior are stepped side by side: no node of the one touches what one of the other does, nor what
/// messages bring. So the interior waits for the border's last step alone, and what arrives is unpacked beside it. Only
/// conditions, which know neither border nor interior, hold both up; a pass completes them by itself. They are queued
/// with the longer of both, which then follows them without waiting for another stream.
template <class T>
void CudaSolver<T>::step_border(int steps) {
  device_.make_current();
  use_keys(steps, steps - 1);
  if (streamed_) return queue_residence(steps);
  if (!border_) {
    queue_pass(steps);
    return;
  }
  const StepAddresses at = addresses(now());
  Border& border = *border_;
  Program interior;
  append_share(at, steps, StepShare::interior, interior);
  border.is_beside = !interior.empty();
  program_.clear();
  if (steps == 1) append_boundaries(*layout_, at, physics_.boundaries.tile_count, program_);
  if (border.is_beside && !program_.empty()) {
    channel_.stream.wait(border.unpacked);
    for (const Launch& launch : program_) execute(launch);
    program_.clear();
  }
  border.ready.record(channel_.stream);
  border.stream.wait(border.ready);
  for (const Launch& launch : program_) execute(launch, border.stream);
  channel_.stream.wait(border.stepped);  // the last time
  // Border and interior keep the same numbers of nodes that both step in a pass, if what arrived is there for both.
  if (steps > 1 && kept_.bytes(condition_numbers) > 0) channel_.stream.wait(border.unpacked);
  program_.clear();
  append_share(at, steps, StepShare::border, program_);
  for (const Launch& launch : program_) execute(launch, border.stream);
  border.stepped.record(border.stream);
  for (const Launch& launch : interior) execute(launch);
  if (!mirrors_) return;
  channel_.stream.wait(border.stepped);  // pairs may have one end in the border
  queue_mirrors();
}

/// The interior was queued with the border, to run while messages are waited for.
template <class T>
void CudaSolver<T>::step_interior(int steps) {
  forget_values_ahead();
  ++updates_;
  time_step_ += steps;
}

/// Few blocks go through all messages while an interior is stepped: they wait for the link, or for memory, and would
/// hold up that.
template <class T>
void CudaSolver<T>::carry_messages(const Stream& stream, KernelKind kind, std::int64_t update,
                                   const MessageLists& lists) const {
  if (lists.empty()) return;
  const kernels::MessageBlocks messages = lists.at(static_cast<int>(update % facts_.parities));
  const auto most = static_cast<unsigned>(device_.info().multiprocessors) * (border_->is_beside ? 2U : 8U);
  kernels_.get(kind, 0).launch(stream, {{std::min(messages.count, most)}, {kernels::message_threads}}, messages,
                               this->at(update), kept_.at(condition_numbers, update));
}

template <class T>
void CudaSolver<T>::pack_messages() const {
  if (streamed_) return;  // they were packed while it was resident
  device_.make_current();
  carry_messages(border_->stream, KernelKind::pack_messages, updates_ + 1, border_->leaves);
}

template <class T>
void CudaSolver<T>::queue_unpack() {
  if (streamed_) return;  // the next residence begins with it
  device_.make_current();
  carry_messages(border_->stream, KernelKind::unpack_messages, updates_, border_->arrives);
  border_->unpacked.record(border_->stream);
}

template <class T>
std::vector<DeviceMessages> CudaSolver<T>::messages() const {
  std::vector<DeviceMessages> messages;
  const auto at = [](const DeviceBuffer& buffer, const MessagePlace& place) {
    return DeviceMessage{reinterpret_cast<CuDevicePointer>(buffer.data()) + place.offset, place.bytes};
  };
  for (std::size_t k = 0; k < block_.neighbours.size(); ++k)
    messages.push_back({block_.neighbours[k].block, at(border_->leaving, border_->leaving_messages[k]),
                        at(border_->arriving, border_->arriving_messages[k])});
  return messages;
}

template <class T>
bool CudaSolver<T>::pack_into(std::size_t neighbour, CuDevicePointer address) {
  if (streamed_) return false;
  device_.make_current();
  border_->leaves.place(border_->stream, neighbour, address);
  return true;
}

/// Places and kernels repeat every second time, so what was recorded at an even one fits at every even one.
template <class T>
int CudaSolver<T>::recorded_steps(std::int64_t wanted) const {
  const int steps = graph_passes * layout_->steps_per_pass();
  constexpr std::uint64_t most = most_graph_nodes + most_graph_nodes / 32;  // parts may exceed the mean (cut_tiles)
  const bool is_small = geometry_.nodes.nodes_of(block_.tiles.first, block_.tiles.count()) <= most;
  return is_small && !streamed_ && updates_ % 2 == 0 && wanted >= steps ? steps : 0;
}

template <class T>
void CudaSolver<T>::restart_border() {
  if (!border_) return;
  border_->stepped.record(border_->stream);
  border_->unpacked.record(border_->stream);
}

/// Messages through host memory: all of them are packed and copied when the first is asked for.
template <class T>
void CudaSolver<T>::pack(std::size_t neighbour, std::byte* out) {
  Border& border = *border_;
  if (border.packed_step != time_step_) {
    device_.make_current();
    if (border.leaving_host.bytes() == 0) border.leaving_host = PinnedBuffer(device_, border.leaving.bytes());
    pack_messages();
    border.leaving.download(border.stream, border.leaving_host.data(), border.leaving.bytes());
    border.stream.synchronize();
    border.packed_step = time_step_;
  }
  const MessagePlace& place = border.leaving_messages[neighbour];
  if (place.bytes > 0) std::memcpy(out, border.leaving_host.template data<std::byte>() + place.offset, place.bytes);
}

/// When the last has come, all are unpacked. The memory they are copied from may be used again when the next are
/// packed, since steps wait for what has arrived.
template <class T>
void CudaSolver<T>::unpack(std::size_t neighbour, const std::byte* in) {
  Border& border = *border_;
  device_.make_current();
  if (border.arriving_host.bytes() == 0) border.arriving_host = PinnedBuffer(device_, border.arriving.bytes());
  const MessagePlace& place = border.arriving_messages[neighbour];
  if (place.bytes > 0) std::memcpy(border.arriving_host.template data<std::byte>() + place.offset, in, place.bytes);
  if (++border.arrived < border.arriving_messages.size()) return;
  border.arrived = 0;
  border.packed_step = -1;
  border.arriving.upload(border.stream, border.arriving_host.data(), border.arriving.bytes());
  queue_unpack();
}

template <class T>
void CudaSolver<T>::finish() const {
  device_.make_current();
  if (border_) border_->stream.synchronize();
  channel_.stream.synchronize();
  if (streamed_) streamed_->streaming().downloads().synchronize();
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
