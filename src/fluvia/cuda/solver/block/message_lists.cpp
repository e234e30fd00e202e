// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/block/message_lists.hpp"

#include <algorithm>

namespace fluvia::cuda {

MessageLists::MessageLists(const Device& device, const Stream& stream, const HaloPopulationArrays& arrays, int parities,
                           const DeviceBuffer& buffer)
    : count_(arrays.blocks.size()),
      end_blocks_(arrays.end_blocks),
      blocks_(device, static_cast<std::size_t>(parities) * count_ * sizeof(kernels::MessageBlock),
              "messages between parts"),
      entries_(device, static_cast<std::size_t>(parities) * arrays.entries.size() * sizeof(int),
               "entries of messages between parts") {
  const auto first = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(buffer.data()));
  std::vector<kernels::MessageBlock> blocks = arrays.blocks;
  for (std::size_t k = 0, b = 0; k < end_blocks_.size(); ++k)
    for (; b < end_blocks_[k]; ++b) {
      offsets_.push_back(blocks[b].message - arrays.messages[k].offset);
      blocks[b].message += first;
    }
  const std::size_t block_bytes = blocks.size() * sizeof(blocks[0]), entry_bytes = arrays.entries.size() * sizeof(int);
  for (std::size_t parity = 0; parity < static_cast<std::size_t>(parities); ++parity) {
    blocks_.upload(stream, blocks.data(), block_bytes, parity * block_bytes);
    entries_.upload(stream, arrays.entries.data(), entry_bytes, parity * entry_bytes);
  }
}

kernels::MessageBlock* MessageLists::blocks(int parity) const {
  return blocks_.data<kernels::MessageBlock>() + static_cast<std::size_t>(parity) * count_;
}

int* MessageLists::entries(int parity) const {
  return entries_.data<int>() + (static_cast<std::size_t>(parity) * count_ << kernels::message_block_log2);
}

kernels::MessageBlocks MessageLists::between(int parity, std::size_t first_block, std::size_t end_block) const {
  return {blocks(parity) + first_block, entries(parity) + (first_block << kernels::message_block_log2),
          static_cast<std::uint32_t>(end_block - first_block)};
}

void MessageLists::place(const Stream& stream, std::size_t neighbour, CuDevicePointer address) {
  std::vector<kernels::MessageBlock> blocks(blocks_.bytes() / sizeof(kernels::MessageBlock));
  blocks_.download(stream, blocks.data(), blocks_.bytes());
  stream.synchronize();
  const std::size_t first = begin_of(neighbour);
  for (std::size_t begin = 0; begin < blocks.size(); begin += count_)
    for (std::size_t b = first; b < end_blocks_[neighbour]; ++b) blocks[begin + b].message = address + offsets_[b];
  blocks_.upload(stream, blocks.data(), blocks_.bytes());
  stream.synchronize();
}

std::size_t halo_count(const Block& block) {
  return static_cast<std::size_t>(std::ranges::count(block.neighbours, ExchangeLink::copy, &Neighbour::link));
}

kernels::MessageBlocks of_crossing(const MessageLists& lists, int parity, const Block& block, Crossing crossing) {
  const std::size_t halos = halo_count(block);
  return crossing == Crossing::halos ? lists.at(parity, 0, halos) : lists.at(parity, halos, lists.neighbours());
}

}  // namespace fluvia::cuda
