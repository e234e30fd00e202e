// SPDX-License-Identifier: Apache-2.0
#include "fluvia/hdf5/chunk_packer.hpp"

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

using Extents = std::vector<hsize_t>;

hsize_t product(const Extents& extents) {
  hsize_t result = 1;
  for (const hsize_t extent : extents) result *= extent;
  return result;
}

/// Counts `place` up within `extents`, the last axis fastest; false at the end.
bool next(Extents& place, const Extents& extents) {
  for (std::size_t axis = place.size(); axis-- > 0;) {
    if (++place[axis] < extents[axis]) return true;
    place[axis] = 0;
  }
  return false;
}

/// Values with bytes of the same significance side by side, as HDF5's shuffle filter orders them.
std::vector<std::byte> shuffled(const std::vector<std::byte>& values, std::size_t value_bytes) {
  const std::size_t count = values.size() / value_bytes;
  std::vector<std::byte> result(values.size());
  for (std::size_t byte = 0; byte < value_bytes; ++byte)
    for (std::size_t k = 0; k < count; ++k) result[byte * count + k] = values[k * value_bytes + byte];
  return result;
}

}  // namespace

struct ChunkPacker::Block {
  const Extents &start, &count;
  const std::byte* values;
};

ChunkPacker::ChunkPacker(Extents shape, Extents chunk, std::size_t value_bytes, int level, bool grows)
    : shape_(std::move(shape)), chunk_(std::move(chunk)), value_bytes_(value_bytes), level_(level), grows_(grows) {}

ChunkPacker::Chunk& ChunkPacker::open(hsize_t number, Extents offset) {
  const auto [found, is_new] = open_.try_emplace(number);
  Chunk& chunk = found->second;
  if (!is_new) return chunk;
  chunk.missing = 1;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    const bool whole = grows_ && axis == 0;
    chunk.missing *= whole ? chunk_[axis] : std::min(chunk_[axis], shape_[axis] - offset[axis]);
  }
  chunk.offset = std::move(offset);
  return chunk;
}

/// Copies the common part of the block and the chunk, as many values at a time as lie together in both.
void ChunkPacker::fill(Chunk& chunk, const Block& block) const {
  chunk.values.resize(product(chunk_) * value_bytes_);
  const std::size_t axes = shape_.size();
  Extents first(axes), extents(axes);  // start and extents of the common part
  for (std::size_t axis = 0; axis < axes; ++axis) {
    first[axis] = std::max(chunk.offset[axis], block.start[axis]);
    extents[axis] = std::min(chunk.offset[axis] + chunk_[axis], block.start[axis] + block.count[axis]) - first[axis];
  }
  chunk.missing -= product(extents);
  std::size_t last = axes - 1;
  hsize_t run = extents[last];
  for (; last > 0 && extents[last] == chunk_[last] && extents[last] == block.count[last]; run *= extents[--last]) {
  }
  std::fill(extents.begin() + static_cast<std::ptrdiff_t>(last), extents.end(), 1);
  Extents place(axes, 0);
  do {
    hsize_t from = 0, to = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      from = from * block.count[axis] + first[axis] + place[axis] - block.start[axis];
      to = to * chunk_[axis] + first[axis] + place[axis] - chunk.offset[axis];
    }
    std::memcpy(chunk.values.data() + to * value_bytes_, block.values + from * value_bytes_, run * value_bytes_);
  } while (next(place, extents));
}

std::vector<std::byte> ChunkPacker::pack(const std::vector<std::byte>& values) const {
  const std::vector<std::byte> ordered = value_bytes_ > 1 ? shuffled(values, value_bytes_) : values;
  uLongf size = compressBound(ordered.size());
  std::vector<std::byte> bytes(size);
  const int result = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                               reinterpret_cast<const Bytef*>(ordered.data()), ordered.size(), level_);
  if (result != Z_OK) throw std::bad_alloc();  // compressBound() leaves no other reason
  bytes.resize(size);
  return bytes;
}

/// Fills the chunks from the block, if there is one, and packs those that are complete, or else all.
std::vector<PackedChunk> ChunkPacker::pack_all(const std::vector<Chunk*>& chunks, const Block* block) const {
  std::vector<PackedChunk> packed(chunks.size());
  std::atomic<bool> failed = false;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    try {
      if (block) fill(*chunks[k], *block);
      if (!block || chunks[k]->missing == 0) packed[k] = {chunks[k]->offset, pack(chunks[k]->values)};
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  }
  if (failed) throw std::bad_alloc();
  std::erase_if(packed, [](const PackedChunk& chunk) { return chunk.bytes.empty(); });
  return packed;
}

std::vector<PackedChunk> ChunkPacker::take(const Extents& start, const Extents& count, const void* values) {
  if (product(count) == 0) return {};
  const std::size_t axes = shape_.size();
  if (grows_) shape_[0] = std::max(shape_[0], start[0] + count[0]);
  Extents first(axes), extents(axes), all(axes);  // in chunks
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (start[axis] + count[axis] > shape_[axis]) throw Error(ExitCode::internal, "a block beyond its dataset");
    first[axis] = start[axis] / chunk_[axis];
    extents[axis] = (start[axis] + count[axis] - 1) / chunk_[axis] - first[axis] + 1;
    all[axis] = (shape_[axis] + chunk_[axis] - 1) / chunk_[axis];
  }
  std::vector<Chunk*> touched;
  Extents place(axes, 0);
  do {
    hsize_t number = 0;
    Extents offset(axes);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      number = number * all[axis] + first[axis] + place[axis];
      offset[axis] = (first[axis] + place[axis]) * chunk_[axis];
    }
    touched.push_back(&open(number, std::move(offset)));
  } while (next(place, extents));
  const Block block{start, count, static_cast<const std::byte*>(values)};
  std::vector<PackedChunk> packed = pack_all(touched, &block);
  std::erase_if(open_, [](const auto& entry) { return entry.second.missing == 0; });
  return packed;
}

std::vector<PackedChunk> ChunkPacker::finish() {
  std::vector<Chunk*> left;
  for (auto& [number, chunk] : open_) left.push_back(&chunk);
  std::vector<PackedChunk> packed = pack_all(left, nullptr);
  open_.clear();
  return packed;
}

}  // namespace fluvia
