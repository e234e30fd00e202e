// SPDX-License-Identifier: Apache-2.0
// Runs of up to 64 values between storage and the 64 lanes of a group. AVX-512 does a vector per instruction, AVX2 in a
// few (for values of four and eight bytes); the plain loops are for other machines.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__BMI2__)
#define FLUVIA_AVX512 1
#elif defined(__AVX2__) && defined(__BMI2__)
#define FLUVIA_AVX2 1
#endif
#if defined(FLUVIA_AVX512) || defined(FLUVIA_AVX2)
#define FLUVIA_LANE_VECTORS 1
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
  static __m512i load(const void* p, std::uint64_t mask) {
    return _mm512_maskz_loadu_epi32(static_cast<Mask>(mask), p);
  }
  static void store(void* p, std::uint64_t mask, __m512i v) { _mm512_mask_storeu_epi32(p, static_cast<Mask>(mask), v); }
};

template <>
struct Vector<8> {
  static constexpr int lanes = 8;
  using Mask = __mmask8;
  static __m512i load(const void* p, std::uint64_t mask) {
    return _mm512_maskz_loadu_epi64(static_cast<Mask>(mask), p);
  }
  static void store(void* p, std::uint64_t mask, __m512i v) { _mm512_mask_storeu_epi64(p, static_cast<Mask>(mask), v); }
};

#if defined(__AVX512VBMI2__)
template <>
struct Vector<2> {
  static constexpr int lanes = 32;
  using Mask = __mmask32;
  static __m512i load(const void* p, std::uint64_t mask) {
    return _mm512_maskz_loadu_epi16(static_cast<Mask>(mask), p);
  }
  static void store(void* p, std::uint64_t mask, __m512i v) { _mm512_mask_storeu_epi16(p, static_cast<Mask>(mask), v); }
};
inline constexpr bool has_two_byte_vectors = true;
#else
inline constexpr bool has_two_byte_vectors = false;
#endif

/// Vectors that chunks are made of: 16 lanes, or 8 of eight bytes.
template <int bytes>
struct Part;

template <>
struct Part<4> {
  static constexpr int lanes = 16;
  using Register = __m512i;
  static Register load(const void* p) { return detail::load(p); }
  static Register expand(std::uint32_t mask, Register v) {
    return _mm512_maskz_expand_epi32(static_cast<__mmask16>(mask), v);
  }
  static Register compress(std::uint32_t mask, Register v) {
    return _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), v);
  }
  static Register select(std::uint32_t mask, Register no, Register yes) {
    return _mm512_mask_mov_epi32(no, static_cast<__mmask16>(mask), yes);
  }
  static void store(void* p, Register v) { _mm512_storeu_si512(p, v); }
  static void store(void* p, std::uint32_t mask, Register v) {
    _mm512_mask_storeu_epi32(p, static_cast<__mmask16>(mask), v);
  }
};

template <>
struct Part<8> {
  static constexpr int lanes = 8;
  using Register = __m512i;
  static Register load(const void* p) { return detail::load(p); }
  static Register expand(std::uint32_t mask, Register v) {
    return _mm512_maskz_expand_epi64(static_cast<__mmask8>(mask), v);
  }
  static Register compress(std::uint32_t mask, Register v) {
    return _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), v);
  }
  static Register select(std::uint32_t mask, Register no, Register yes) {
    return _mm512_mask_mov_epi64(no, static_cast<__mmask8>(mask), yes);
  }
  static void store(void* p, Register v) { _mm512_storeu_si512(p, v); }
  static void store(void* p, std::uint32_t mask, Register v) {
    _mm512_mask_storeu_epi64(p, static_cast<__mmask8>(mask), v);
  }
};

#if defined(__AVX512VBMI2__)
template <>
struct Part<2> {
  static constexpr int lanes = 16;
  using Register = __m256i;
  static Register load(const void* p) {
    Register v = _mm256_loadu_si256(static_cast<const __m256i*>(p));
    asm("" : "+v"(v));
    return v;
  }
  static Register expand(std::uint32_t mask, Register v) {
    return _mm256_maskz_expand_epi16(static_cast<__mmask16>(mask), v);
  }
  static Register compress(std::uint32_t mask, Register v) {
    return _mm256_maskz_compress_epi16(static_cast<__mmask16>(mask), v);
  }
  static Register select(std::uint32_t mask, Register no, Register yes) {
    return _mm256_mask_mov_epi16(no, static_cast<__mmask16>(mask), yes);
  }
  static void store(void* p, Register v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
  static void store(void* p, std::uint32_t mask, Register v) {
    _mm256_mask_storeu_epi16(p, static_cast<__mmask16>(mask), v);
  }
};
#endif
}  // namespace detail
#elif defined(FLUVIA_AVX2)
namespace detail {
inline constexpr bool has_two_byte_vectors = false;

/// For each mask of eight lanes: where expansion finds the value of each lane, and compression that of each packed
/// value.
struct Permutations {
  alignas(64) std::uint8_t expand[256][8], compress[256][8];
};
inline constexpr Permutations permutations = [] {
  Permutations p{};
  for (int mask = 0; mask < 256; ++mask)
    for (int lane = 0, packed = 0; lane < 8; ++lane) {
      p.expand[mask][lane] = static_cast<std::uint8_t>(packed);
      if ((mask >> lane & 1) != 0) p.compress[mask][packed++] = static_cast<std::uint8_t>(lane);
    }
  return p;
}();

/// Eight lanes of four bytes. Lanes without a value hold anything.
template <int bytes>
struct Vector {
  static_assert(bytes == 4);
  static constexpr int lanes = 8;
  using Register = __m256i;
  static Register load(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
  static Register permute(const std::uint8_t (&order)[8], Register v) {
    return _mm256_permutevar8x32_epi32(v,
                                       _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(order))));
  }
  /// All bits of the lanes whose bit is set.
  static Register spread(std::uint32_t mask) {
    const Register bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(mask)), bits), bits);
  }
  static Register expand(std::uint32_t mask, Register v) { return permute(permutations.expand[mask], v); }
  static Register compress(std::uint32_t mask, Register v) { return permute(permutations.compress[mask], v); }
  static Register select(std::uint32_t mask, Register no, Register yes) {
    return _mm256_blendv_epi8(no, yes, spread(mask));
  }
  static Register load(const void* p, std::uint64_t mask) {
    return _mm256_maskload_epi32(static_cast<const int*>(p), spread(static_cast<std::uint32_t>(mask)));
  }
  static void store(void* p, Register v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
  /// Masked stores are some forty micro-operations on AMD's processors up to Zen 3; most masks are all or nothing.
  static void store(void* p, std::uint64_t mask, Register v) {
    const auto m = static_cast<std::uint32_t>(mask) & 255u;
    if (m == 255)
      store(p, v);
    else if (m != 0)
      _mm256_maskstore_epi32(static_cast<int*>(p), spread(m), v);
  }
};

/// Four lanes of eight bytes: pairs of lanes of four.
template <>
struct Vector<8> {
  static constexpr int lanes = 4;
  using Half = Vector<4>;
  using Register = Half::Register;
  static std::uint32_t halves(std::uint64_t mask) { return _pdep_u32(static_cast<std::uint32_t>(mask), 0x55) * 3; }
  static Register load(const void* p) { return Half::load(p); }
  static Register load(const void* p, std::uint64_t mask) { return Half::load(p, halves(mask)); }
  static Register expand(std::uint32_t mask, Register v) { return Half::expand(halves(mask), v); }
  static Register compress(std::uint32_t mask, Register v) { return Half::compress(halves(mask), v); }
  static Register select(std::uint32_t mask, Register no, Register yes) { return Half::select(halves(mask), no, yes); }
  static void store(void* p, Register v) { Half::store(p, v); }
  static void store(void* p, std::uint64_t mask, Register v) { Half::store(p, halves(mask), v); }
};
inline __m256i load(const void* p) {
  return Vector<4>::load(p);
}
template <int bytes>
using Part = Vector<bytes>;
}  // namespace detail
#endif

/// True if runs of T go through vectors; then the chunk functions may read up to 64 bytes behind a run.
template <class T>
constexpr bool has_lane_vectors() {
#if defined(FLUVIA_LANE_VECTORS)
  return sizeof(T) >= 4 || detail::has_two_byte_vectors;
#else
  return false;
#endif
}

/// Packs the bits of `value` at the set bits of `mask`; unpack_bits() is the inverse.
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
// A type that is copied as a vector, because compilers turn a memcpy of a few hundred bytes into a call, which costs
// more than the copy.
typedef std::uint64_t AlignedBytes __attribute__((vector_size(64), may_alias));
typedef std::uint64_t PackedBytes __attribute__((vector_size(64), aligned(1), may_alias));
}  // namespace detail

/// Sets aligned[lane] = packed[lane] for 64 values; `aligned` is 64-byte aligned.
template <class T>
inline __attribute__((always_inline)) void copy_to_aligned(T* aligned, const T* packed) {
  for (std::size_t k = 0; k < group_lanes * sizeof(T) / 64; ++k)
    reinterpret_cast<detail::AlignedBytes*>(aligned)[k] = reinterpret_cast<const detail::PackedBytes*>(packed)[k];
}
/// Sets packed[lane] = aligned[lane] for 64 values, the inverse.
template <class T>
inline __attribute__((always_inline)) void copy_from_aligned(T* packed, const T* aligned) {
  for (std::size_t k = 0; k < group_lanes * sizeof(T) / 64; ++k)
    reinterpret_cast<detail::PackedBytes*>(packed)[k] = reinterpret_cast<const detail::AlignedBytes*>(aligned)[k];
}

/// Sets to[lane] = from[lane] for the lanes in `mask`; no other is written, but all 64 may be read. Any alignment.
template <class T>
inline __attribute__((always_inline)) void copy_lanes(T* to, const T* from, std::uint64_t mask) {
#if defined(FLUVIA_LANE_VECTORS)
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

/// True if the set bits are consecutive, or if there are none.
constexpr bool is_run(std::uint64_t mask) {
  return (mask & (mask + (mask & -mask))) == 0;
}

/// Sets aligned[lane] = packed[lane] for the lanes in `mask`, 0 for others; no other is read. `aligned` is 64-byte
/// aligned.
template <class T>
inline __attribute__((always_inline)) void load_lanes(T* aligned, const T* packed, std::uint64_t mask) {
#if defined(FLUVIA_LANE_VECTORS)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Vector<sizeof(T)>;
    for (int lane = 0; lane < group_lanes; lane += V::lanes) {
      const auto values = V::load(packed + lane, mask >> lane & lanes_below(V::lanes));
      __builtin_memcpy(aligned + lane, &values, sizeof values);
    }
    return;
  }
#endif
  for (int lane = 0; lane < group_lanes; ++lane) aligned[lane] = T{};
  if (is_run(mask)) {  // most masks are runs: all but one end
    const int first = std::countr_zero(mask), count = std::popcount(mask);
    for (int lane = 0; lane < count; ++lane) aligned[first + lane] = packed[first + lane];
    return;
  }
  for (; mask; mask &= mask - 1) aligned[std::countr_zero(mask)] = packed[std::countr_zero(mask)];
}

/// Stores the first `count` lanes of a register of values at `to`; nothing else is written. Any alignment.
template <class T, class Register>
inline __attribute__((always_inline)) void store_lanes_below(T* to, int count, const Register& values) {
#if defined(FLUVIA_LANE_VECTORS)
  if constexpr (sizeof(values) == sizeof(decltype(detail::load(to)))) {
    decltype(detail::load(to)) bits;
    __builtin_memcpy(&bits, &values, sizeof bits);
    detail::Vector<sizeof(T)>::store(to, lanes_below(count), bits);
    return;
  }
#endif
  for (int k = 0; k < count; ++k) to[k] = values[k];
}

/// A chunk is up to 16 lanes of a row; masks say which of them hold a node, and packed values belong to the set bits.
inline constexpr int chunk_lanes = 16;
inline constexpr std::uint32_t whole_chunk = 0xffff;

/// Sets to[k] = from[k] for a whole chunk. Any alignment.
template <class T>
inline __attribute__((always_inline)) void copy_chunk(T* to, const T* from) {
  struct Bytes {
    T values[chunk_lanes];
  };
  __builtin_memcpy(to, from, sizeof(Bytes));
}

/// Sets to[k], for the k-th lane of `mask`, to what `from` (packed by the mask `there`) has for that lane, or to cut[k]
/// if it has nothing. A whole chunk may be read of `from` and `cut`, and written if it `may_spill`. Any alignment.
/// Compressing and expanding take five cycles each, runs do without. If `is_run`, the lanes are the first ones, those
/// in `there` are one run, and `from` belongs to the first lane.
template <bool is_run, bool may_spill, class T>
inline __attribute__((always_inline)) void gather_chunk(T* to, std::uint32_t mask, const T* from, std::uint32_t there,
                                                        const T* cut) {
#if defined(FLUVIA_LANE_VECTORS)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Part<sizeof(T)>;
    for (int lane = 0; lane < chunk_lanes; lane += V::lanes) {
      const auto m = mask >> lane & static_cast<std::uint32_t>(lanes_below(V::lanes)),
                 t = there >> lane & static_cast<std::uint32_t>(lanes_below(V::lanes));
      if constexpr (is_run) {
        const auto v = V::select(t, V::load(cut + lane), V::load(from + lane));
        if constexpr (may_spill)
          V::store(to + lane, v);
        else
          V::store(to + lane, m, v);
      } else {
        const auto v = V::select(_pext_u32(t, m), V::load(cut), V::compress(m, V::expand(t, V::load(from))));
        if constexpr (may_spill)
          V::store(to, v);
        else
          V::store(to, static_cast<std::uint32_t>(lanes_below(std::popcount(m))), v);
        to += std::popcount(m);
        cut += std::popcount(m);
        from += std::popcount(t);
      }
    }
    return;
  }
#endif
  for (; mask; mask &= mask - 1, ++to, ++cut) {
    const int lane = std::countr_zero(mask);
    const std::uint64_t below = is_run ? lanes_below(lane) : there & lanes_below(lane);
    *to = there >> lane & 1 ? from[std::popcount(below)] : *cut;
  }
}

/// The inverse of gather_chunk() for the lanes `wanted`: no other value of `to` or `cut` is written.
template <bool is_run, class T>
inline __attribute__((always_inline)) void scatter_chunk(const T* from, std::uint32_t mask, T* to, std::uint32_t there,
                                                         T* cut, std::uint32_t cut_lanes, std::uint32_t wanted) {
#if defined(FLUVIA_LANE_VECTORS)
  if constexpr (has_lane_vectors<T>()) {
    using V = detail::Part<sizeof(T)>;
    for (int lane = 0; lane < chunk_lanes; lane += V::lanes) {
      const auto m = mask >> lane & static_cast<std::uint32_t>(lanes_below(V::lanes)),
                 t = there >> lane & static_cast<std::uint32_t>(lanes_below(V::lanes)), w = wanted >> lane;
      if constexpr (is_run) {
        const auto v = V::load(from + lane);
        V::store(to + lane, t & m & w, v);
        V::store(cut + lane, cut_lanes >> lane & w, v);
      } else {
        const auto v = V::load(from);
        V::store(to, _pext_u32(m & w, t), V::compress(t, V::expand(m, v)));
        V::store(cut, _pext_u32(cut_lanes >> lane & w, m), v);
        to += std::popcount(t);
        cut += std::popcount(m);
        from += std::popcount(m);
      }
    }
    return;
  }
#endif
  for (; mask; mask &= mask - 1, ++from, ++cut) {
    const int lane = std::countr_zero(mask);
    if (!(wanted >> lane & 1)) continue;
    const std::uint64_t below = is_run ? lanes_below(lane) : there & lanes_below(lane);
    if (there >> lane & 1) to[std::popcount(below)] = *from;
    if (cut_lanes >> lane & 1) *cut = *from;
  }
}

}  // namespace fluvia::cpu
