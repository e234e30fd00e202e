// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/block/block_border.hpp"

#include <algorithm>
#include <cstring>
#include <future>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/carried_scalars.hpp"

namespace fluvia::cuda {

template <class T>
BlockBorder<T>::Messages::Messages(const BlockKernels& on, const PreparedCase& prepared,
                                   const BlockStreaming* streaming)
    : own_stream(streaming != nullptr ? std::nullopt
                                      : std::optional<Stream>(std::in_place, on.device, StreamPriority::high)),
      stream(own_stream ? *own_stream : streaming->steps()),
      ready(on.device),
      stepped(on.device),
      unpacked(on.device),
      leaving(on.device, prepared.leaving.buffer_bytes(), "messages to other parts"),
      arriving(on.device, prepared.arriving.buffer_bytes(), "messages from other parts"),
      forwarded(on.device, streaming != nullptr ? prepared.forwarded.size() * sizeof(kernels::ForwardedValue) : 0,
                "what passes through a part to another level of refinement"),
      leaves(on.device, on.channel.stream, prepared.leaving, on.facts.parities, leaving),
      arrives(on.device, on.channel.stream, prepared.arriving, on.facts.parities, arriving),
      leaving_ranges(prepared.leaving.messages),
      arriving_ranges(prepared.arriving.messages),
      halos(halo_count(on.block)) {
  leaving.fill(on.channel.stream, 0);   // what lies between messages is sent, too
  arriving.fill(on.channel.stream, 0);  // a fluid at rest: streamed blocks take it before anything has arrived
  if (forwarded.bytes() > 0) {
    forwarded.upload(on.channel.stream, prepared.forwarded.data(), forwarded.bytes());
    on.channel.stream.synchronize();
  }
  stepped.record(stream);
}

template <class T>
BlockBorder<T>::BlockBorder(const BlockKernels& on, const PreparedCase& prepared, const BlockFlow<T>& flow)
    : on_(on), flow_(flow) {
  if (!on.block.neighbours.empty()) {
    messages_.emplace(on, prepared, flow.streamed() != nullptr ? &flow.streamed()->streaming() : nullptr);
    std::vector<std::future<void>> compilers;  // as the kernels of steps, side by side
    const auto compile = [&](KernelKind kind, int parity) {
      compilers.push_back(std::async(std::launch::async, [&on, kind, parity] { on.kernels.get(kind, parity); }));
    };
    for (int parity = 0; parity < on.facts.parities; ++parity) compile(KernelKind::list_halo_populations, parity);
    compile(KernelKind::pack_messages, 0);
    compile(KernelKind::unpack_messages, 0);
    if (messages_->forwarded.bytes() > 0) compile(KernelKind::forward_messages, 0);
    for (std::future<void>& compiler : compilers) compiler.get();
    list_halo_populations(prepared.leaving, messages_->leaves);
    list_halo_populations(prepared.arriving, messages_->arrives);
  }
  list_exchanged(StepShare::border, prepared.exchanged_at_border);
  list_exchanged(StepShare::interior, prepared.exchanged);
}

template <class T>
void BlockBorder<T>::carry_along(CarriedScalars<T>& scalars, const PreparedCase& prepared) {
  if (!messages_) return;
  scalars_ = &scalars;
  scalars.exchange_through(prepared, messages_->leaving, messages_->arriving);
}

template <class T>
void BlockBorder<T>::list_exchanged(StepShare share, const ExchangedArrays& arrays) {
  if (arrays.first.blocks.empty()) return;
  const Exchanged& listed = exchanged_.try_emplace(share, on_, arrays).first->second;
  list_halo_populations(arrays.first, listed.first);
  list_halo_populations(arrays.second, listed.second);
  on_.kernels.get(KernelKind::swap_mirrored, 0);
}

template <class T>
void BlockBorder<T>::list_halo_populations(const HaloPopulationArrays& arrays, const MessageLists& lists) const {
  if (arrays.tiles.empty()) return;
  constexpr std::uint64_t anywhere = 1 << 20;  // addresses are counted from there, and nothing is read
  const Stream& stream = on_.channel.stream;
  DeviceArrays needed(on_.device, stream);
  const kernels::HaloPopulations halo_populations{needed.give(arrays.tiles, "tiles at borders"),
                                                  needed.give(arrays.runs, "halo populations")};
  std::uint32_t is_far = 0;
  const DeviceBuffer far(on_.device, sizeof(is_far), "a flag");
  far.fill(stream, 0);
  for (int parity = 0; parity < on_.facts.parities; ++parity)
    for (const int origins : {1, 0})
      on_.kernels.get(KernelKind::list_halo_populations, parity)
          .launch(stream,
                  {{static_cast<unsigned>(arrays.tiles.size())}, {static_cast<unsigned>(kernels::nodes_per_tile)}},
                  on_.layout->geometry({anywhere, anywhere, parity}), halo_populations, anywhere, origins,
                  lists.blocks(parity), lists.entries(parity), far.data<std::uint32_t>());
  far.download(stream, &is_far, sizeof(is_far));
  stream.synchronize();
  if (is_far != 0)
    throw_resource(
        "domain: what crosses between two parts, or meets a plane of symmetry, lies too far apart in memory for 32-bit "
        "numbers; use more devices, a compact scheme or a larger spacing");
}

/// Few blocks go through all messages while an interior is stepped: they wait for the link, or for memory, and would
/// hold up that.
template <class T>
void BlockBorder<T>::carry(const Stream& stream, KernelKind kind, std::int64_t update, const MessageLists& lists,
                           Crossing crossing) const {
  const auto parity = static_cast<int>(update % on_.facts.parities);
  const kernels::MessageBlocks messages = of_crossing(lists, parity, on_.block, crossing);
  if (messages.count == 0) return;
  const auto most = static_cast<unsigned>(on_.device.info().multiprocessors) * (messages_->is_beside ? 2U : 8U);
  on_.kernels.get(kind, 0).launch(stream, {{std::min(messages.count, most)}, {kernels::message_threads}}, messages,
                                  flow_.at(update), flow_.kept().at(condition_numbers, update));
}

template <class T>
void BlockBorder<T>::pack_leaving(const Stream& stream, std::int64_t update, Crossing crossing) const {
  if (!messages_) return;
  carry(stream, KernelKind::pack_messages, update, messages_->leaves, crossing);
  if (scalars_ != nullptr) scalars_->queue_pack(stream, update, crossing);
}

template <class T>
void BlockBorder<T>::unpack_arriving(const Stream& stream, std::int64_t update, Crossing crossing) const {
  if (!messages_) return;
  carry(stream, KernelKind::unpack_messages, update, messages_->arrives, crossing);
  if (scalars_ != nullptr) scalars_->queue_unpack(stream, update, crossing);
  messages_->unpacked.record(stream);
}

template <class T>
void BlockBorder<T>::unpack_all(const Stream& stream, std::int64_t update) const {
  for (const Crossing crossing : {Crossing::halos, Crossing::levels}) unpack_arriving(stream, update, crossing);
}

template <class T>
void BlockBorder<T>::pack_arriving(const Stream& stream, std::int64_t update) const {
  if (!messages_) return;
  for (const Crossing crossing : {Crossing::halos, Crossing::levels})
    carry(stream, KernelKind::pack_messages, update, messages_->arrives, crossing);
}

template <class T>
void BlockBorder<T>::forward_arrived(const Stream& stream) const {
  const auto count = static_cast<std::uint32_t>(messages_->forwarded.bytes() / sizeof(kernels::ForwardedValue));
  if (count == 0) return;
  on_.kernels.get(KernelKind::forward_messages, 0)
      .launch(stream, {{(count + kernels::message_threads - 1) / kernels::message_threads}, {kernels::message_threads}},
              messages_->forwarded.template data<const kernels::ForwardedValue>(), count,
              static_cast<const kernels::MessageBlock*>(messages_->arrives.blocks(0)),
              static_cast<const kernels::MessageBlock*>(messages_->leaves.blocks(0)));
}

template <class T>
void BlockBorder<T>::swap_mirrored(const Stream& stream, StepShare share, std::int64_t update) const {
  const auto parity = static_cast<int>(update % on_.facts.parities);
  const auto most = static_cast<unsigned>(on_.device.info().multiprocessors) * 8U;
  for (const auto& [stepped, pairs] : exchanged_) {
    if (share != StepShare::all && share != stepped) continue;
    const kernels::MessageBlocks first = pairs.first.at(parity), second = pairs.second.at(parity);
    on_.kernels.get(KernelKind::swap_mirrored, 0)
        .launch(stream, {{std::min(first.count, most)}, {kernels::message_threads}}, first, second, flow_.at(update));
  }
}

template <class T>
void BlockBorder<T>::restart() const {
  if (!messages_) return;
  messages_->stepped.record(messages_->stream);
  messages_->unpacked.record(messages_->stream);
}

template <class T>
std::vector<DeviceMessages> BlockBorder<T>::device_messages() const {
  std::vector<DeviceMessages> messages;
  const auto at = [](const DeviceBuffer& buffer, const MessageRange& range) {
    return DeviceMessage{reinterpret_cast<CuDevicePointer>(buffer.data()) + range.offset, range.bytes};
  };
  for (std::size_t k = 0; k < on_.block.neighbours.size(); ++k)
    messages.push_back({on_.block.neighbours[k].block, at(messages_->leaving, messages_->leaving_ranges[k]),
                        at(messages_->arriving, messages_->arriving_ranges[k])});
  return messages;
}

template <class T>
void BlockBorder<T>::pack_into(std::size_t neighbour, CuDevicePointer address) {
  on_.device.make_current();
  messages_->leaves.place(messages_->stream, neighbour, address);
  if (scalars_ != nullptr) scalars_->pack_into(neighbour, address);
}

template <class T>
void BlockBorder<T>::pack(std::size_t neighbour, std::byte* out, std::int64_t update) {
  Messages& m = *messages_;
  if (!m.are_packed) {
    on_.device.make_current();
    const std::size_t bytes = halo_bytes(m.leaving_ranges);
    if (m.leaving_host.bytes() == 0) m.leaving_host = PinnedBuffer(on_.device, bytes);
    if (flow_.streamed() == nullptr) pack_leaving(m.stream, update);  // else while the block was resident
    m.leaving.download(m.stream, m.leaving_host.data(), bytes);
    m.stream.synchronize();
    m.are_packed = true;
  }
  const MessageRange& range = m.leaving_ranges[neighbour];
  if (range.bytes > 0) std::memcpy(out, m.leaving_host.template data<std::byte>() + range.offset, range.bytes);
}

/// The memory that messages are copied from may be used again when the next are packed, since steps wait for what has
/// arrived.
template <class T>
void BlockBorder<T>::unpack(std::size_t neighbour, const std::byte* in, std::int64_t update) {
  Messages& m = *messages_;
  on_.device.make_current();
  const std::size_t bytes = halo_bytes(m.arriving_ranges);
  if (m.arriving_host.bytes() == 0) m.arriving_host = PinnedBuffer(on_.device, bytes);
  const MessageRange& range = m.arriving_ranges[neighbour];
  if (range.bytes > 0) std::memcpy(m.arriving_host.template data<std::byte>() + range.offset, in, range.bytes);
  if (++m.arrived < m.halos) return;
  m.arrived = 0;
  m.are_packed = false;
  m.arriving.upload(m.stream, m.arriving_host.data(), bytes);
  if (flow_.streamed() == nullptr) unpack_arriving(m.stream, update);  // else the next residence begins with it
}

template class BlockBorder<float>;
template class BlockBorder<double>;

}  // namespace fluvia::cuda
