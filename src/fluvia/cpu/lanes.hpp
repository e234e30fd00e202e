// SPDX-License-Identifier: Apache-2.0
// Runs of up to 64 values between packed storage and the 64 lanes of a group. AVX-512 does a vector per instruction;
// the plain loops are for other machines.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__BMI2__)
#include <immintrin.h>
#define FLUVIA_AVX512 1
#endif

namespace fluvia::cpu {

inline constexpr int group_lanes = 64;
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

/// True if runs of T go through vectors; then up to 64 bytes behind a run may be read.
template <class T>
constexpr bool has_lane_vectors() {
#if defined(FLUVIA_AVX512)
  return sizeof(T) >= 4 || detail::has_two_byte_vectors;
#else
  return false;
#endif
}

namespace detail {
// Spelled out because compilers turn a memcpy of a few hundred bytes into a call, which costs more than the copy.
typedef std::uint64_t AlignedBytes __attribute__((vector_size(64), may_alias));
typedef std::uint64_t PackedBytes __attribute__((vector_size(64), aligned(1), may_alias));

/// Copy 64 values to or from a 64-byte aligned run.
template <class T>
inline __attribute__((always_inline)) void copy_to_aligned(T* aligned, const T* packed) {
  for (std::size_t k = 0; k < group_lanes * sizeof(T) / 64; ++k)
    reinterpret_cast<AlignedBytes*>(aligned)[k] = reinterpret_cast<const PackedBytes*>(packed)[k];
}
template <class T>
inline __attribute__((always_inline)) void copy_from_aligned(T* packed, const T* aligned) {
  for (std::size_t k = 0; k < group_lanes * sizeof(T) / 64; ++k)
    reinterpret_cast<PackedBytes*>(packed)[k] = reinterpret_cast<const AlignedBytes*>(aligned)[k];
}
}  // namespace detail

/// out[lane] = the next packed value, for every set lane; other lanes of `out` are unspecified. `out` is 64-byte
/// aligned.
template <class T>
inline void expand_run(const T* packed, std::uint64_t mask, T* out) {
  if (mask == all_lanes) {
    detail::copy_to_aligned(out, packed);
    return;
  }
#if defined(FLUVIA_AVX512)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    for (int lane = 0; lane < group_lanes; lane += V::lanes) {
      const std::uint64_t part = mask >> lane & lanes_below(V::lanes);
      if (part == 0) continue;
      _mm512_store_si512(out + lane, V::expand(part, packed));
      packed += std::popcount(part);
    }
    return;
  }
#endif
  for (; mask; mask &= mask - 1) out[std::countr_zero(mask)] = *packed++;
}

/// out[lane] = packed[lane + shift] for shift -1, 0 or 1, where `packed` holds 64 values; the lane that would come from
/// outside is unspecified. Nothing outside of the 64 values is read: their neighbours are in cache lines of their own,
/// which nobody prefetched.
template <class T>
inline __attribute__((always_inline)) void shift_run(const T* packed, int shift, T* out) {
  if (shift == 0) {
    detail::copy_to_aligned(out, packed);
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

/// out[lane] = in[lane] for the lanes in `mask`; both are 64-byte aligned.
template <class T>
inline void blend_lanes(T* out, const T* in, std::uint64_t mask) {
#if defined(FLUVIA_AVX512)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    for (int lane = 0; lane < group_lanes; lane += V::lanes)
      if (const std::uint64_t part = mask >> lane & lanes_below(V::lanes))
        V::store(out + lane, part, _mm512_load_si512(in + lane));
    return;
  }
#endif
  for (; mask; mask &= mask - 1) out[std::countr_zero(mask)] = in[std::countr_zero(mask)];
}

/// packed[rank of lane among `present`] = in[lane] for every lane in `wanted`, a subset of `present`; no other element
/// is written. `in` is 64-byte aligned.
template <class T>
inline void compress_run(T* packed, const T* in, std::uint64_t present, std::uint64_t wanted) {
  if (wanted == all_lanes) {
    detail::copy_from_aligned(packed, in);
    return;
  }
#if defined(FLUVIA_AVX512)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    for (int lane = 0; lane < group_lanes; lane += V::lanes) {
      const std::uint64_t here = present >> lane & lanes_below(V::lanes);
      const std::uint64_t write = wanted >> lane & lanes_below(V::lanes);
      if (write != 0) {
        const __m512i values = V::compress(here, _mm512_load_si512(in + lane));
        V::store(packed, _pext_u64(write, here), values);
      }
      packed += std::popcount(here);
    }
    return;
  }
#endif
  for (; present; present &= present - 1, ++packed) {
    const int lane = std::countr_zero(present);
    if (wanted >> lane & 1) *packed = in[lane];
  }
}

}  // namespace fluvia::cpu
