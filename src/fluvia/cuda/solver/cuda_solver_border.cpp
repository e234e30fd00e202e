// SPDX-License-Identifier: Apache-2.0
// CudaSolver: steps of a part of the domain, and what crosses between it and others.
#include <cstring>
#include <future>
#include <vector>

#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

template <class T>
CudaSolver<T>::Border::Border(const Device& device, const PreparedCase& prepared, const Turns* turns)
    : own_stream(turns != nullptr ? std::nullopt : std::optional<Stream>(std::in_place, device, StreamPriority::high)),
      stream(own_stream ? *own_stream : turns->steps()),
      ready(device),
      completed(device),
      stepped(device),
      unpacked(device),
      leaving(device, prepared.leaving.buffer_bytes(), "messages to other parts"),
      arriving(device, prepared.arriving.buffer_bytes(), "messages from other parts"),
      leaving_messages(prepared.leaving.messages),
      arriving_messages(prepared.arriving.messages) {}

template <class T>
void CudaSolver<T>::make_border(const PreparedCase& prepared) {
  border_.emplace(device_, prepared, visiting_ ? &visiting_->turns() : nullptr);
  border_->leaving.fill(channel_.stream, 0);  // what lies between messages is sent, too
  border_->stepped.record(border_->stream);
  const auto on_gpu = [&](const CrossingArrays& arrays) {
    return kernels::Crossings{arrays_.give(arrays.tiles, "tiles at borders"), arrays_.give(arrays.runs, "crossings"),
                              arrays_.give(arrays.numbers, "numbers that cross"),
                              static_cast<std::uint32_t>(arrays.tiles.size()),
                              static_cast<std::uint32_t>(arrays.numbers.size())};
  };
  border_->leaves = on_gpu(prepared.leaving);
  border_->arrives = on_gpu(prepared.arriving);
  std::vector<std::future<void>> compilers;  // as the kernels of steps, side by side
  for (const KernelKind kind : {KernelKind::pack_crossings, KernelKind::unpack_crossings})
    for (int parity = 0; parity < facts_.parities; ++parity)
      compilers.push_back(std::async(std::launch::async, [this, kind, parity] { kernels_.get(kind, parity); }));
  for (std::future<void>& compiler : compilers) compiler.get();
}

/// Border and interior are stepped side by side: no node of the one touches what one of the other does, nor what
/// messages bring. So the interior waits for the border's last step alone, and what arrives is unpacked beside it. Only
/// conditions, which know neither border nor interior, hold both up; a pass completes them by itself.
template <class T>
void CudaSolver<T>::step_border(int steps) {
  device_.make_current();
  use_keys(steps, steps - 1);
  if (visiting_) return queue_turn();
  if (!border_) {
    queue_pass(steps);
    return;
  }
  const StepAddresses at = addresses(now());
  Border& border = *border_;
  border.ready.record(channel_.stream);
  border.stream.wait(border.ready);
  program_.clear();
  if (steps == 1) append_boundaries(*layout_, at, physics_.boundaries.tile_count, program_);
  for (const Launch& launch : program_) execute(launch, border.stream);
  if (!program_.empty()) border.completed.record(border.stream);
  channel_.stream.wait(program_.empty() ? border.stepped : border.completed);
  // Both remember the same of nodes that both step in a pass, if what arrived is there for both.
  if (program_.empty() && memory_bytes_ > 0) channel_.stream.wait(border.unpacked);
  const auto append = [&](StepShare share) {
    program_.clear();
    if (steps == 1)
      layout_->append_step(at, share, program_);
    else
      layout_->append_pass(at, share, program_);
  };
  append(StepShare::border);
  for (const Launch& launch : program_) execute(launch, border.stream);
  border.stepped.record(border.stream);
  append(StepShare::interior);
  for (const Launch& launch : program_) execute(launch);
}

/// The interior was queued with the border, to run while messages are waited for.
template <class T>
void CudaSolver<T>::step_interior(int steps) {
  forget_values_ahead();
  ++updates_;
  time_step_ += steps;
}

template <class T>
template <class Message, class Memory>
void CudaSolver<T>::launch_crossings(const Stream& stream, KernelKind kind, std::int64_t update,
                                     const kernels::Crossings& crossings, Message* message, Memory* memory) const {
  const unsigned blocks =
      crossings.tile_count + (crossings.number_count + kernels::nodes_per_tile - 1) / kernels::nodes_per_tile;
  if (blocks == 0) return;
  const Source source{channel_, update, this->at(update), this->at(update + 1), physics_};
  kernels_.get(kind, update)
      .launch(stream, {{blocks}, {static_cast<unsigned>(kernels::nodes_per_tile)}},
              layout_->geometry(addresses(source)), crossings, message, memory);
}

template <class T>
void CudaSolver<T>::pack_messages() const {
  if (visiting_) return;  // they were packed in the part's turn
  device_.make_current();
  launch_crossings(border_->stream, KernelKind::pack_crossings, updates_ + 1, border_->leaves, border_->leaving.data(),
                   static_cast<const T*>(memory_at(updates_ + 1)));
}

template <class T>
void CudaSolver<T>::queue_unpack() {
  if (visiting_) return;  // the next turn begins with it
  device_.make_current();
  launch_crossings(border_->stream, KernelKind::unpack_crossings, updates_, border_->arrives,
                   static_cast<const void*>(border_->arriving.data()), memory_at(updates_));
  border_->unpacked.record(border_->stream);
}

template <class T>
DeviceMessage CudaSolver<T>::leaving(std::size_t neighbour) const {
  const MessagePlace& place = border_->leaving_messages[neighbour];
  return {reinterpret_cast<CuDevicePointer>(border_->leaving.data()) + place.offset, place.bytes};
}

template <class T>
DeviceMessage CudaSolver<T>::arriving(std::size_t neighbour) const {
  const MessagePlace& place = border_->arriving_messages[neighbour];
  return {reinterpret_cast<CuDevicePointer>(border_->arriving.data()) + place.offset, place.bytes};
}

/// Messages through host memory: all of them are packed and copied when the first is asked for.
template <class T>
void CudaSolver<T>::pack(std::size_t neighbour, std::byte* out) const {
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
  if (visiting_) visiting_->turns().downloads().synchronize();
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
