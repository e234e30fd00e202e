// SPDX-License-Identifier: Apache-2.0
// How kernels store 16 bits, run on the host: the bits of the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda/emulation/spec.hpp"
#include "fluvia/cuda/kernels/rounding.hpp"

namespace {

namespace core = fluvia::core;
using core::Uint16;
using core::Uint32;
using fluvia::cuda::kernels::TruncatingCodec;

constexpr Uint32 not_a_sign = 0x7fff7fffu;  ///< nobody promises the sign of NaN

/// A format that kernels have no instructions or tricks for, as a new one has none.
struct PlainHalf : core::SmallFloat<5, 10, 15> {
  static constexpr const char* name = "plain-half";
};

template <class Visit>
void for_each_format(const Visit& visit) {
  core::for_each_type(core::Formats{}, visit);
  visit(PlainHalf{});
}

/// Kernels convert by instructions and tricks of their own.
TEST(KernelFormats, HaveTheBitsOfCore) {
  for_each_format([]<class Format>(Format) {
    using Codec = fluvia::cuda::kernels::Codec<Format>;
    if constexpr (core::rounds<Format>) {
      for (Uint32 h = 0; h < 0x10000; ++h) {
        if (Format::encode(Format::decode(static_cast<Uint16>(h))) != h) continue;  // infinity, NaN
        ASSERT_EQ(core::detail::bits_of(Codec::decode(static_cast<Uint16>(h))),
                  core::detail::bits_of(Format::decode(static_cast<Uint16>(h))))
            << Format::name << ' ' << h;
      }
      // All signs and exponents, and all ways to round: those of a few bits of the mantissa, and ties.
      constexpr Uint32 step = 251;
      for (Uint32 bits = 0; bits < 0xffffffffu - step; bits += bits % 0x800000u < 0x10000u ? 1 : step) {
        const float x = core::detail::float_of(bits);
        const Uint32 expected = Format::encode(x), of_pair = expected | (expected ^ 0x8000u) << 16;
        const Uint32 sure = std::isnan(x) ? not_a_sign : 0xffffffffu;
        ASSERT_EQ(Codec::encode(x) & sure, expected & sure) << Format::name << ' ' << x;
        ASSERT_EQ(Codec::encode_pair(x, -x) & sure, of_pair & sure) << Format::name << ' ' << x;
      }
    }
  });
}

/// All signs and exponents, denormals of the format among them, with few and many random bits.
TEST(KernelFormats, DitherAsCoreDoes) {
  for_each_format([]<class Format>(Format) {
    using Codec = TruncatingCodec<Format>;
    if constexpr (core::rounds<Format>) {
      constexpr Uint32 step = 1009, most = (1u << Format::random_bits) - 1;
      for (const Uint32 random : {0u, 1u, most / 3, most / 2 + 1, most - 1, most})
        for (Uint32 bits = 0; bits < 0xffffffffu - step; bits += step) {
          const float x = core::detail::float_of(bits);
          const Uint32 expected = Format::encode(x, random), of_pair = expected | (expected ^ 0x8000u) << 16;
          if (!std::isfinite(x)) {  // what a Mach guard sees: the largest number, or NaN
            ASSERT_GE(Codec::encode(Codec::dither(x, random)) & 0x7fffu, Format::largest) << Format::name << ' ' << x;
            continue;
          }
          const float dithered = Codec::dither_number(x, random);
          ASSERT_EQ(core::detail::bits_of(Codec::dither(x, random)), core::detail::bits_of(dithered));
          ASSERT_EQ(Codec::encode(dithered), expected) << Format::name << ' ' << x << ' ' << random;
          ASSERT_EQ(Codec::encode_pair(dithered, Codec::dither_number(-x, random)), of_pair)
              << Format::name << ' ' << x;
        }
    }
  });
}

/// The NaN that CUDA's arithmetic gives has all bits set, so that random ones make a small number of it. Not of all.
TEST(KernelFormats, LeaveANodeThatBlewUpThatIsVisible) {
  const float nan = core::detail::float_of(0x7fffffffu), infinity = std::numeric_limits<float>::infinity();
  for (const float x : {nan, infinity, -infinity}) {
    float f[19];
    std::fill(std::begin(f), std::end(f), x);
    fluvia::cuda::kernels::dither_node<core::Fp16S>(f, 0xffffffffu);
    EXPECT_GE(TruncatingCodec<core::Fp16S>::encode(f[0]) & 0x7fffu, core::Fp16S::largest) << x;
    std::fill(std::begin(f), std::end(f), x);
    fluvia::cuda::kernels::dither_node<core::Fp16C>(f, 0xffffffffu);
    EXPECT_GE(TruncatingCodec<core::Fp16C>::encode(f[0]) & 0x7fffu, core::Fp16C::largest) << x;
  }
}

}  // namespace
