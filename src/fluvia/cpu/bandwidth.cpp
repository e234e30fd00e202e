// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/bandwidth.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "fluvia/base/machine/memory.hpp"
#include "fluvia/cpu/buffer.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace fluvia {

namespace {
/// Copies 64 bytes, past the caches where the processor can.
inline void stream_line(char* to, const char* from) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_load_si512(from));
#elif defined(__AVX2__)
  for (int k = 0; k < 64; k += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + k),
                        _mm256_load_si256(reinterpret_cast<const __m256i*>(from + k)));
#elif defined(__SSE2__)
  for (int k = 0; k < 64; k += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + k), _mm_load_si128(reinterpret_cast<const __m128i*>(from + k)));
#else
  std::memcpy(to, from, 64);
#endif
}
}  // namespace

double measure_copy_bandwidth(int threads, std::size_t bytes) {
  require_memory(2 * bytes, "measuring the copy bandwidth", "close other programs");
  const cpu::Buffer source(bytes), target(bytes);
  char* to = static_cast<char*>(target.data());
  char* from = static_cast<char*>(source.data());
  const auto lines = static_cast<std::int64_t>(bytes / 64);
  // Untouched pages all map to one page of zeros, which would be read from cache.
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t k = 0; k < lines; ++k) from[k * 64] = to[k * 64] = static_cast<char>(k);
  double best = 0;
  for (int repeat = 0; repeat < 6; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int64_t k = 0; k < lines; ++k) stream_line(to + k * 64, from + k * 64);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds);
  }
  return best;
}

}  // namespace fluvia
