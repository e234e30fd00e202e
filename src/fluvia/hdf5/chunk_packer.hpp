// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <H5public.h>

#include <cstddef>
#include <map>
#include <vector>

namespace fluvia {

/// A chunk of a dataset as it lies in an HDF5 file whose filters are shuffle and deflate.
struct PackedChunk {
  std::vector<hsize_t> offset;  ///< position of its first value
  std::vector<std::byte> bytes;
};

/// Cuts the blocks of a dataset into chunks and compresses those that are complete, side by side on all cores: HDF5
/// itself compresses one chunk at a time, which takes most of the time of writing a file. Packed chunks are, byte for
/// byte, those that HDF5 would make.
class ChunkPacker {
 public:
  /// `shape` and `chunk`: extents, slowest axis first; `value_bytes`: bytes of a value; `level`: deflate's, 1 to 9. A
  /// dataset that grows along its first axis begins with 0 there, and its last chunks are complete at finish() only.
  ChunkPacker(std::vector<hsize_t> shape, std::vector<hsize_t> chunk, std::size_t value_bytes, int level, bool grows);

  /// Takes the block that starts at `start` and has the extents `count`; returns the chunks that it completes. Each
  /// value must be given once.
  std::vector<PackedChunk> take(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
                                const void* values);
  /// The chunks of a dataset that grew which are left; values never given are zero.
  std::vector<PackedChunk> finish();
  /// Whether chunks are left.
  [[nodiscard]] bool pending() const { return !open_.empty(); }

 private:
  struct Chunk {
    std::vector<hsize_t> offset;
    std::vector<std::byte> values;
    hsize_t missing = 0;  ///< values that are missing
  };
  struct Block;
  Chunk& open(hsize_t number, std::vector<hsize_t> offset);
  void fill(Chunk& chunk, const Block& block) const;
  [[nodiscard]] std::vector<std::byte> pack(const std::vector<std::byte>& values) const;
  [[nodiscard]] std::vector<PackedChunk> pack_all(const std::vector<Chunk*>& chunks, const Block* block) const;

  std::vector<hsize_t> shape_, chunk_;
  std::size_t value_bytes_;
  int level_;
  bool grows_;
  std::map<hsize_t, Chunk> open_;  ///< incomplete chunks by number, row by row
};

}  // namespace fluvia
