// SPDX-License-Identifier: Apache-2.0
// Runs of up to 64 values between storage and the 64 lanes of a group. AVX-512 does a vector per instruction; the plain
// loops are for other machines.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__BMI2__)
#define FLUVIA_AVX512 1
#endif

namespace fluvia::cpu {

inline constexpr int group_lanes = 64;
/// Up to this many cut links are read one by one, more as a vector run.
inline constexpr int few_lanes = 2;
inline constexpr std::uint64_t all_lanes = ~std::uint64_t{0};

constexpr std::uint64_t lanes_below(int lane) {
  return lane >= 64 ? all_lanes : (std::uint64_t{1} << lane) - 1;
}

#if defined(FLUVIA_AVX512)
namespace detail {
template <int bytes>
struct Vector;

/// An unaligned load that compilers do not fold into an expansion: with a memory operand that runs as microcode.
inline __m512i load(const void* p) {
  __m512i v = _mm512_loadu_si512(p);
  asm("" : "+v"(v));
  return v;
}

template <>
struct Vector<4> {
  static constexpr int lanes = 16;
  using Mask = __mmask16;
  static __m512i expand(std::uint64_t mask, const void* p) {
    return _mm512_maskz_expand_epi32(static_cast<Mask>(mask), load(p));
  }
  static __m512i compress(std::uint64_t mask, __m512i v) {
    return _mm512_maskz_compress_epi32(static_cast<Mask>(mask), v);
  }
  static void store(void* p, std::uint64_t mask, __m512i v) { _mm512_mask_storeu_epi32(p, static_cast<Mask>(mask), v); }
};

template <>
struct Vector<8> {
  static constexpr int lanes = 8;
  using Mask = __mmask8;
  static __m512i expand(std::uint64_t mask, const void* p) {
    return _mm512_maskz_expand_epi64(static_cast<Mask>(mask), load(p));
  }
  static __m512i compress(std::uint64_t mask, __m512i v) {
    return _mm512_maskz_compress_epi64(static_cast<Mask>(mask), v);
  }
  static void store(void* p, std::uint64_t mask, __m512i v) { _mm512_mask_storeu_epi64(p, static_cast<Mask>(mask), v); }
};

#if defined(__AVX512VBMI2__)
template <>
struct Vector<2> {
  static constexpr int lanes = 32;
  using Mask = __mmask32;
  static __m512i expand(std::uint64_t mask, const void* p) {
    return _mm512_maskz_expand_epi16(static_cast<Mask>(mask), load(p));
  }
  static __m512i compress(std::uint64_t mask, __m512i v) {
    return _mm512_maskz_compress_epi16(static_cast<Mask>(mask), v);
  }
  static void store(void* p, std::uint64_t mask, __m512i v) { _mm512_mask_storeu_epi16(p, static_cast<Mask>(mask), v); }
};
inline constexpr bool has_two_byte_vectors = true;
#else
inline constexpr bool has_two_byte_vectors = false;
#endif
}  // namespace detail
#endif

/// True if runs of T go through vectors; then move_lanes may read up to 64 bytes behind a run.
template <class T>
constexpr bool has_lane_vectors() {
#if defined(FLUVIA_AVX512)
  return sizeof(T) >= 4 || detail::has_two_byte_vectors;
#else
  return false;
#endif
}

/// Bits of `value` at the set bits of `mask`, packed; and the reverse.
inline std::uint64_t pack_bits(std::uint64_t value, std::uint64_t mask) {
#if defined(__BMI2__)
  return _pext_u64(value, mask);
#else
  std::uint64_t packed = 0;
  for (int bit = 0; mask; mask &= mask - 1, ++bit) packed |= (value >> std::countr_zero(mask) & 1) << bit;
  return packed;
#endif
}
inline std::uint64_t unpack_bits(std::uint64_t packed, std::uint64_t mask) {
#if defined(__BMI2__)
  return _pdep_u64(packed, mask);
#else
  std::uint64_t value = 0;
  for (; mask; mask &= mask - 1, packed >>= 1) value |= (packed & 1) << std::countr_zero(mask);
  return value;
#endif
}

namespace detail {
// Spelled out because compilers turn a memcpy of a few hundred bytes into a call, which costs more than the copy.
typedef std::uint64_t AlignedBytes __attribute__((vector_size(64), may_alias));
typedef std::uint64_t PackedBytes __attribute__((vector_size(64), aligned(1), may_alias));
}  // namespace detail

/// aligned[lane] = packed[lane] for 64 values; `aligned` is 64-byte aligned.
template <class T>
inline __attribute__((always_inline)) void copy_to_aligned(T* aligned, const T* packed) {
  for (std::size_t k = 0; k < group_lanes * sizeof(T) / 64; ++k)
    reinterpret_cast<detail::AlignedBytes*>(aligned)[k] = reinterpret_cast<const detail::PackedBytes*>(packed)[k];
}
/// The reverse.
template <class T>
inline __attribute__((always_inline)) void copy_from_aligned(T* packed, const T* aligned) {
  for (std::size_t k = 0; k < group_lanes * sizeof(T) / 64; ++k)
    reinterpret_cast<detail::PackedBytes*>(packed)[k] = reinterpret_cast<const detail::AlignedBytes*>(aligned)[k];
}

/// to[lane] = from[lane] for the lanes in `mask`; no other is written, but all 64 may be read. Any alignment.
template <class T>
inline __attribute__((always_inline)) void copy_lanes(T* to, const T* from, std::uint64_t mask) {
#if defined(FLUVIA_AVX512)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    for (int lane = 0; lane < group_lanes; lane += V::lanes)
      if (const std::uint64_t part = mask >> lane & lanes_below(V::lanes))
        V::store(to + lane, part, detail::load(from + lane));  // masked loads do not forward from stores
    return;
  }
#endif
  for (; mask; mask &= mask - 1) to[std::countr_zero(mask)] = from[std::countr_zero(mask)];
}

/// True if the set bits are consecutive; also of none.
constexpr bool is_run(std::uint64_t mask) {
  return (mask & (mask + (mask & -mask))) == 0;
}

/// to[k] = from[k] for k < count; up to a vector more is read. Any alignment.
template <class T>
inline __attribute__((always_inline)) void copy_run(T* to, const T* from, int count) {
#if defined(FLUVIA_AVX512)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    for (; count >= V::lanes; count -= V::lanes, to += V::lanes, from += V::lanes)
      _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    V::store(to, lanes_below(count), _mm512_loadu_si512(from));
    return;
  }
#endif
  for (int k = 0; k < count; ++k) to[k] = from[k];
}

/// The k-th lane of `to_mask` gets the k-th lane of `from_mask`, for all k; both have as many bits. Any alignment.
template <class T>
inline __attribute__((always_inline)) void move_lanes(T* to, std::uint64_t to_mask, const T* from,
                                                      std::uint64_t from_mask) {
#if defined(FLUVIA_AVX512)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    while (from_mask != 0) {  // one run of consecutive sources at a time
      const int first = std::countr_zero(from_mask);
      const std::uint64_t after = from_mask + (from_mask & -from_mask);  // the run's bits carried away
      const std::uint64_t run = from_mask & ~after;
      from_mask &= after;
      std::uint64_t mask = to_mask;
      if (from_mask != 0) {
        mask = unpack_bits(lanes_below(std::popcount(run)), to_mask);
        to_mask ^= mask;
      }
      const T* packed = from + first;
      for (int lane = 0; lane < group_lanes; lane += V::lanes)
        if (const std::uint64_t part = mask >> lane & lanes_below(V::lanes)) {
          V::store(to + lane, part, V::expand(part, packed));
          packed += std::popcount(part);
        }
    }
    return;
  }
#endif
  for (; from_mask; from_mask &= from_mask - 1, to_mask &= to_mask - 1)
    to[std::countr_zero(to_mask)] = from[std::countr_zero(from_mask)];
}

/// out[lane] = packed[lane + shift] for shift -1, 0 or 1, where `packed` holds 64 values; the lane that would come from
/// outside is unspecified. Nothing outside of the 64 values is read: their neighbours are in cache lines of their own,
/// which nobody prefetched.
template <class T>
inline __attribute__((always_inline)) void shift_run(const T* packed, int shift, T* out) {
  if (shift == 0) {
    copy_to_aligned(out, packed);
    return;
  }
#if defined(FLUVIA_AVX512)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    constexpr std::uint64_t all_but_first = lanes_below(V::lanes) & ~std::uint64_t{1};
    constexpr int last = group_lanes - V::lanes;
    for (int lane = 0; lane < group_lanes; lane += V::lanes)
      if (lane != (shift < 0 ? 0 : last)) _mm512_store_si512(out + lane, _mm512_loadu_si512(packed + lane + shift));
    if (shift < 0)
      _mm512_store_si512(out, V::expand(all_but_first, packed));
    else
      _mm512_store_si512(out + last, V::compress(all_but_first, _mm512_loadu_si512(packed + last)));
    return;
  }
#endif
  for (int lane = shift < 0 ? 1 : 0; lane < group_lanes - (shift > 0); ++lane) out[lane] = packed[lane + shift];
}

}  // namespace fluvia::cpu
