// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/out_of_core/block_streaming.hpp"

#include <algorithm>
#include <cstring>

namespace fluvia::cuda {

namespace {

std::uint64_t bytes_of(const std::vector<Range>& ranges, std::uint64_t value_bytes) {
  std::uint64_t bytes = 0;
  for (const Range& range : ranges) bytes += range.count * value_bytes;
  return bytes;
}

/// By all threads: there are many pages.
void clear(const PinnedBuffer& memory) {
  constexpr std::size_t chunk = std::size_t{16} << 20;
  const auto chunks = static_cast<std::int64_t>((memory.bytes() + chunk - 1) / chunk);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < chunks; ++k) {
    const std::size_t first = static_cast<std::size_t>(k) * chunk;
    std::memset(memory.data<char>() + first, 0, std::min(chunk, memory.bytes() - first));
  }
}

}  // namespace

StreamedPopulations::StreamedPopulations(const Device& device, const std::vector<Range>& ranges,
                                         std::uint64_t value_bytes, std::shared_ptr<BlockStreaming> streaming)
    : streaming_(std::move(streaming)), host_(device, bytes_of(ranges, value_bytes)), back_(device) {
  std::uint64_t host = 0;
  for (const Range& range : ranges) {
    pieces_.push_back({host, range.first * value_bytes, range.count * value_bytes});
    host += pieces_.back().bytes;
  }
  clear(host_);
}

void StreamedPopulations::fetch(std::uint64_t offset) const {
  slot_ = &streaming_->next_slot();
  const Stream& stream = streaming_->uploads();
  stream.wait(slot_->emptied);
  stream.wait(back_);
  for (const Piece& piece : pieces_)
    slot_->memory.upload(stream, host_.data<char>() + piece.host, piece.bytes, offset + piece.offset);
  slot_->filled.record(stream);
  streaming_->steps().wait(slot_->filled);
}

void StreamedPopulations::write_back(std::uint64_t offset) const {
  const Stream& stream = streaming_->downloads();
  slot_->stepped.record(streaming_->steps());
  stream.wait(slot_->stepped);
  for (const Piece& piece : pieces_)
    slot_->memory.download(stream, host_.data<char>() + piece.host, piece.bytes, offset + piece.offset);
  back_.record(stream);
  slot_->emptied.record(stream);
  slot_ = nullptr;
  is_changed_ = false;
}

void StreamedPopulations::release() const {
  slot_->emptied.record(streaming_->steps());
  slot_ = nullptr;
}

}  // namespace fluvia::cuda
