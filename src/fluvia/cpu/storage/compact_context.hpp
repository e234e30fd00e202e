// SPDX-License-Identifier: Apache-2.0
// Loads and stores of a group of CompactRows, over the links that CompactLinks found.
#pragma once
#include "fluvia/cpu/storage/compact_links.hpp"

namespace fluvia::cpu {

/// One group with what its Q loads and stores share. Blocks of populations are f[direction][64 lanes].
class CompactRows::Context : public CompactLinks {
 public:
  /// Finds the runs in which arriving populations lie in the order of the lanes; returns the set of directions with a
  /// run.
  template <class Storage, class Pointer>
  std::uint32_t load_runs(const StepAccess& step, Storage* memory, Pointer* in) const {
    std::uint32_t found = 0;
    for (int i = 0; i < step.directions; ++i)
      if (Storage* const run = ordered(step.read[i], step.read_link[i], memory, i)) in[i] = run, found |= 1u << i;
    return found;
  }
  template <class Storage>
  std::uint32_t store_runs(const StepAccess& step, Storage* memory, Storage** out) const {
    std::uint32_t found = 0;
    for (int i = 0; i < step.directions; ++i)
      if (Storage* const run = ordered(step.write[i], step.write_link[i], memory, i)) out[i] = run, found |= 1u << i;
    return found;
  }
  template <class Storage>
  void settle(const StepAccess&, Storage*) const {}

  /// Fills the block's rows of a set of directions with what arrives, and asks for what load() of `ahead` will read.
  template <class Format>
  void load(const StepAccess& step, const typename Format::Storage* memory, std::uint32_t directions,
            typename Format::Arithmetic* f, const Context* ahead = nullptr) const {
    using Storage = typename Format::Storage;
    if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
      gather(step, memory, directions, f, ahead);
    } else {
      alignas(64) Storage stored[max_directions * group_lanes];
      gather(step, memory, directions, stored, ahead);
      for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
        const int row = std::countr_zero(rest) * group_lanes;
        decode_row<Format>(f + row, stored + row);
      }
    }
  }
  /// Stores the block's rows of a set of directions where the next step reads them.
  template <class Format>
  void store(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
             const typename Format::Arithmetic* f) const {
    put_rows<Format>(step.write, step.write_cut, step.write_link, memory, directions, f, mask());
  }
  /// Stores arriving populations of the wanted lanes where `step` itself reads them.
  template <class Format>
  void put(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
           const typename Format::Arithmetic* f, std::uint64_t wanted) const {
    put_rows<Format>(step.read, step.read_cut, step.read_link, memory, directions, f, wanted);
  }

 private:
  /// True if an access does not leave the node; direction 0 is the rest.
  [[nodiscard]] static bool stays(core::Access a, int i) { return a.side == 0 || i == 0; }
  template <class Storage>
  [[nodiscard]] Storage* own(Storage* memory, int slot) const {
    return memory + base_ + static_cast<std::uint64_t>(slot) * stride_;
  }
  template <class Storage>
  [[nodiscard]] static Storage* neighbours(Storage* memory, const ChunkLinks& links, int neighbour, int slot) {
    return memory + links.offset[neighbour] + static_cast<std::uint64_t>(slot) * links.stride[neighbour];
  }
  template <class Storage>
  [[nodiscard]] Storage* ordered(core::Access a, int neighbour, Storage* memory, int i) const {
    if (stays(a, i)) return own(memory, a.slot);
    return is_whole_run_ ? neighbours(memory, links_of(last_chunk), neighbour, a.slot) : nullptr;
  }
  /// Chooses `yes` or `no` without a branch, which would be mispredicted at every rough wall.
  template <class Storage>
  [[nodiscard]] static Storage* choose(bool condition, Storage* yes, Storage* no) {
    const auto y = reinterpret_cast<std::uintptr_t>(yes), n = reinterpret_cast<std::uintptr_t>(no);
    return reinterpret_cast<Storage*>(n ^ ((y ^ n) & (std::uintptr_t{0} - static_cast<std::uintptr_t>(condition))));
  }

  template <class Storage>
  void copy_own(Storage* to, const Storage* from) const {
    if (nodes_ == group_lanes)
      copy_to_aligned(to, from);
    else
      copy_lanes(to, from, mask());
  }
  template <class Storage>
  __attribute__((always_inline)) static void prefetch_run(const Storage* first, int count) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first) & ~std::uintptr_t{63};
    const auto end = reinterpret_cast<std::uintptr_t>(first + count);
    for (std::uintptr_t line = begin; line < end; line += 64) __builtin_prefetch(reinterpret_cast<void*>(line));
  }
  // Always inline: GCC drops calls of functions that only prefetch.
  template <class Storage>
  __attribute__((always_inline)) void prefetch_own(const StepAccess& step, const Storage* memory) const {
    for (int i = 0; i < step.directions; ++i)
      if (stays(step.read[i], i)) prefetch_run(own(memory, step.read[i].slot), nodes_);
  }
  /// Prefetches every line that a chunk's vectors touch, also where they reach over the ends of a run.
  template <bool is_whole, class Storage>
  __attribute__((always_inline)) void prefetch_chunk(const StepAccess& step, const Storage* memory, int chunk) const {
    const ChunkLinks& links = links_of(chunk);
    const int lane = chunks_[chunk].lane;
    for (int i = 1; i < step.directions; ++i) {
      const int link = step.read_link[i];
      const Storage* from = neighbours(memory, links, link, step.read[i].slot);
      __builtin_prefetch(from);
      __builtin_prefetch(from + chunk_lanes - 1);
      if constexpr (!is_whole) {
        const Storage* bounced = choose(links.cut[link] != 0, own(memory, step.read_cut[i].slot) + lane, from);
        __builtin_prefetch(bounced);
        __builtin_prefetch(bounced + chunk_lanes - 1);
      }
    }
  }

  // Not inline: in the loop over directions GCC 12 does not vectorise them.
  template <class Format>
  __attribute__((noinline)) static void decode_row(typename Format::Arithmetic* __restrict to,
                                                   const typename Format::Storage* __restrict from) {
    for (int lane = 0; lane < group_lanes; ++lane) to[lane] = Format::decode(from[lane]);
  }
  template <class Format>
  __attribute__((noinline)) static void encode_row(typename Format::Storage* __restrict to,
                                                   const typename Format::Arithmetic* __restrict from) {
    for (int lane = 0; lane < group_lanes; ++lane) to[lane] = Format::encode(from[lane]);
  }

  // Not inline: with both in one function the compiler runs out of registers.
  template <class Storage>
  __attribute__((noinline)) void gather(const StepAccess& step, const Storage* memory, std::uint32_t directions,
                                        Storage* out, const Context* ahead) const;

  template <class Format>
  void put_rows(const core::Access* regular, const core::Access* cut, const signed char* towards,
                typename Format::Storage* memory, std::uint32_t directions, const typename Format::Arithmetic* f,
                std::uint64_t wanted) const {
    using Storage = typename Format::Storage;
    if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
      scatter(regular, cut, towards, memory, directions, f, wanted);
    } else {
      alignas(64) Storage stored[max_directions * group_lanes + chunk_lanes];
      for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
        const int row = std::countr_zero(rest) * group_lanes;
        encode_row<Format>(stored + row, f + row);
      }
      scatter(regular, cut, towards, memory, directions, stored, wanted);
    }
  }
  template <class Storage>
  __attribute__((noinline)) void scatter(const core::Access* regular, const core::Access* cut,
                                         const signed char* towards, Storage* memory, std::uint32_t directions,
                                         const Storage* in, std::uint64_t wanted) const;
};

template <class Storage>
void CompactRows::Context::gather(const StepAccess& step, const Storage* memory, std::uint32_t directions, Storage* out,
                                  const Context* ahead) const {
  std::uint32_t moving = 0;
  for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (stays(step.read[i], i))
      copy_own(out + i * group_lanes, own(memory, step.read[i].slot));
    else
      moving |= 1u << i;
  }
  if (ahead) ahead->prefetch_own(step, memory);
  const auto each = [&](auto&& body) __attribute__((always_inline)) {
    for (int i = 1; i < step.directions; ++i)
      if (moving >> i & 1) body(i);
  };
  int fetched = 0;
  // Whole chunks come last: values that the others write too much are written over.
  if (moving)
    for (int k = 0; k < partial_chunks_; ++k) {
      const Chunk chunk = chunks_[k];
      const ChunkLinks& links = links_of(k);
      const auto part = [&]<bool is_run, bool may_spill>() __attribute__((always_inline)) {
        each([&](int i) __attribute__((always_inline)) {
          const int link = step.read_link[i];
          const Storage* from = neighbours(memory, links, link, step.read[i].slot);
          // Where nothing is cut, read a line that is there anyway.
          const Storage* bounced = choose(links.cut[link] != 0, own(memory, step.read_cut[i].slot) + chunk.lane, from);
          gather_chunk<is_run, may_spill>(out + i * group_lanes + chunk.lane, chunk.mask, from, links.there[link],
                                          bounced);
        });
      };
      if (chunk.shape != Shape::run)
        part.template operator()<false, false>();
      else if (chunk.lane + chunk_lanes > group_lanes)
        part.template operator()<true, false>();
      else
        part.template operator()<true, true>();
      if (ahead && fetched < ahead->partial_chunks_) ahead->prefetch_chunk<false>(step, memory, fetched++);
    }
  if (ahead) {
    for (; fetched < ahead->partial_chunks_; ++fetched) ahead->prefetch_chunk<false>(step, memory, fetched);
    for (int k = 0; k < ahead->whole_chunks_; ++k) ahead->prefetch_chunk<true>(step, memory, last_chunk - k);
  }
  if (!moving) return;
  for (int k = 0; k < whole_chunks_; ++k) {
    const ChunkLinks& links = links_of(last_chunk - k);
    Storage* to = out + chunks_[last_chunk - k].lane;
    each([&](int i) __attribute__((always_inline)) {
      copy_chunk(to + i * group_lanes, neighbours(memory, links, step.read_link[i], step.read[i].slot));
    });
  }
  for (const Edge& edge : edges_)
    for (int i = 1; i < step.directions; ++i)
      if (step.read_link[i] == edge.neighbour && (moving >> i & 1))
        out[i * group_lanes + edge.lane] =
            memory[edge.offset + static_cast<std::uint64_t>(step.read[i].slot) * edge.stride];
}

template <class Storage>
void CompactRows::Context::scatter(const core::Access* regular, const core::Access* cut, const signed char* towards,
                                   Storage* memory, std::uint32_t directions, const Storage* in,
                                   std::uint64_t wanted) const {
  std::uint32_t moving = 0;
  for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    Storage* to = own(memory, regular[i].slot);
    if (!stays(regular[i], i))
      moving |= 1u << i;
    else if (wanted == all_lanes)
      copy_from_aligned(to, in + i * group_lanes);
    else
      copy_lanes(to, in + i * group_lanes, wanted);
  }
  if (!moving) return;
  const auto each = [&](auto&& body) __attribute__((always_inline)) {
    for (int i = 1; i < directions_; ++i)
      if (moving >> i & 1) body(i);
  };
  const auto part = [&]<bool is_run>(int k) __attribute__((always_inline)) {
    const Chunk chunk = chunks_[k];
    const ChunkLinks& links = links_of(k);
    const auto here = static_cast<std::uint32_t>(unpack_bits(wanted >> chunk.lane, chunk.mask));
    each([&](int i) __attribute__((always_inline)) {
      const int link = towards[i];
      Storage* to = neighbours(memory, links, link, regular[i].slot);
      Storage* bounced = choose(links.cut[link] != 0, own(memory, cut[i].slot) + chunk.lane, to);
      scatter_chunk<is_run>(in + i * group_lanes + chunk.lane, chunk.mask, to, links.there[link], bounced,
                            links.cut[link], here);
    });
  };
  for (int k = 0; k < partial_chunks_; ++k)
    if (chunks_[k].shape == Shape::run)
      part.template operator()<true>(k);
    else
      part.template operator()<false>(k);
  for (int k = last_chunk; k > last_chunk - whole_chunks_; --k)
    if (wanted == mask()) {
      const ChunkLinks& links = links_of(k);
      const Storage* from = in + chunks_[k].lane;
      each([&](int i) __attribute__((always_inline)) {
        copy_chunk(neighbours(memory, links, towards[i], regular[i].slot), from + i * group_lanes);
      });
    } else {
      part.template operator()<true>(k);
    }
  for (const Edge& edge : edges_)
    for (int i = 1; i < directions_; ++i)
      if (towards[i] == edge.neighbour && (moving >> i & 1) && (wanted >> edge.lane & 1))
        memory[edge.offset + static_cast<std::uint64_t>(regular[i].slot) * edge.stride] =
            in[i * group_lanes + edge.lane];
}

}  // namespace fluvia::cpu
