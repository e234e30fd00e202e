// SPDX-License-Identifier: Apache-2.0
// Machine instructions that C++ cannot name. Other compilers than CUDA's, with which tests run kernels on the host, get
// the same meaning in plain C++.
#pragma once
#include "fluvia/core/format/registry.hpp"

namespace fluvia::cuda::kernels {

using core::Uint16;
using core::Uint32;
using core::Uint64;

/// A flag in shared memory by which one thread of a block tells others: an mbarrier of one arrival, which checkers
/// know.
using Flag = Uint64;

#if defined(__CUDACC__)

// Reads and writes of global memory, at addresses that the compiler cannot tell from those of other memory; generic
// ones are slower.
// are slower.
__device__ __forceinline__ void read_global(Uint64 address, Uint16& x) {
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(x) : "l"(address) : "memory");
}
__device__ __forceinline__ void read_global(Uint64 address, float& x) {
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(address) : "memory");
}
__device__ __forceinline__ void read_global(Uint64 address, double& x) {
  asm volatile("ld.global.f64 %0, [%1];" : "=d"(x) : "l"(address) : "memory");
}
__device__ __forceinline__ void read_global(Uint64 address, Uint32& x) {
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(address) : "memory");
}
__device__ __forceinline__ void write_global(Uint64 address, Uint16 x) {
  asm volatile("st.global.u16 [%0], %1;" ::"l"(address), "h"(x) : "memory");
}
__device__ __forceinline__ void write_global(Uint64 address, float x) {
  asm volatile("st.global.f32 [%0], %1;" ::"l"(address), "f"(x) : "memory");
}
__device__ __forceinline__ void write_global(Uint64 address, double x) {
  asm volatile("st.global.f64 [%0], %1;" ::"l"(address), "d"(x) : "memory");
}
__device__ __forceinline__ void write_global(Uint64 address, Uint32 x) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(x) : "memory");
}
/// Must be called in every kernel of a step before it reads or writes data of other kernels of the step: its blocks may
/// start before the kernel before has ended (LaunchShape::early). Returns when that has ended, and lets the blocks of
/// the next kernel come when all of this one have called it.
__device__ __forceinline__ void begin_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
/// Asks the first-level cache for the line at an address.
__device__ __forceinline__ void prefetch_line(const void* address) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(address));
}
/// One of the block's numbered barriers, for `threads` of its threads, whole warps; 0 is that of __syncthreads(). The
/// numbers are constants: a multiprocessor has 64 barriers, and a block whose numbers are not known takes 16.
template <Uint32 barrier, Uint32 threads>
__device__ __forceinline__ void wait_at_barrier() {
  asm volatile("bar.sync %0, %1;" ::"n"(barrier), "n"(threads) : "memory");
}
/// Lets the other threads pass a barrier without waiting for them; what this thread has read and written comes before
/// what they do then.
template <Uint32 barrier, Uint32 threads>
__device__ __forceinline__ void arrive_at_barrier() {
  asm volatile("bar.arrive %0, %1;" ::"n"(barrier), "n"(threads) : "memory");
}
/// Reads a counter; what other blocks did before they released it is visible afterwards.
__device__ __forceinline__ Uint32 acquire(const Uint32* counter) {
  Uint32 value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
  return value;
}
/// Adds 1 to a counter after all that this block did before its last barrier.
__device__ __forceinline__ void release_increment(Uint32* counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
/// Makes a flag in shared memory, not raised; others may use it after the next barrier of the block.
__device__ __forceinline__ void make_flag(Flag& flag) {
  const auto address = static_cast<Uint32>(__cvta_generic_to_shared(&flag));
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address) : "memory");
}
/// Raises a flag, once, after all that this warp did before its last barrier.
__device__ __forceinline__ void raise_flag(Flag& flag) {
  const auto address = static_cast<Uint32>(__cvta_generic_to_shared(&flag));
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(address) : "memory");
}
/// Returns when the flag is up; what was done before it was raised is visible afterwards.
__device__ __forceinline__ void wait_for_flag(Flag& flag) {
  const auto address = static_cast<Uint32>(__cvta_generic_to_shared(&flag));
  Uint32 is_up;
  do {
    asm volatile("{ .reg .pred up; mbarrier.test_wait.parity.shared.b64 up, [%1], 0; selp.u32 %0, 1, 0, up; }"
                 : "=r"(is_up)
                 : "r"(address)
                 : "memory");
  } while (is_up == 0);
}
/// Asks the second-level cache for the whole pieces of 16 bytes among those that begin at an address. GPUs before
/// compute capability 9.0 have no instruction for it.
__device__ __forceinline__ void prefetch_global(Uint64 address, Uint32 bytes) {
#if __CUDA_ARCH__ >= 900
  const Uint64 first = (address + 15) & ~Uint64{15};
  const Uint32 whole = (static_cast<Uint32>(address) + bytes - static_cast<Uint32>(first)) & ~15u;
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first), "r"(whole) : "memory");
#endif
}
/// Returns x in each turn of a loop, in a way that keeps the compiler from knowing that it does not change.
__device__ __forceinline__ float in_turn(float x, int turn) {
  asm("" : "+f"(x) : "r"(turn));
  return x;
}
__device__ __forceinline__ double in_turn(double x, int turn) {
  asm("" : "+d"(x) : "r"(turn));
  return x;
}
/// The dynamic shared memory of the block.
template <class T>
__device__ __forceinline__ T* shared_memory() {
  extern __shared__ __align__(16) unsigned char bytes[];
  return reinterpret_cast<T*>(bytes);
}
/// Returns x in a way that the compiler does not see through: it computes anew what follows from it, and keeps no
/// register for that meanwhile.
__device__ __forceinline__ Uint32 anew(Uint32 x) {
  asm volatile("" : "+r"(x));
  return x;
}
/// True if x is true for any of the threads of a warp that are here together.
__device__ __forceinline__ bool any_of_warp(bool x) {
  return __any_sync(__activemask(), x ? 1 : 0) != 0;
}
__device__ __forceinline__ float half_to_float(Uint16 h) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  return x;
}
/// The smaller of two numbers; if one is NaN, the other.
__device__ __forceinline__ float smaller(float a, float b) {
  return fminf(a, b);
}
/// Rounds to the nearest half; a number that is too large becomes the largest.
__device__ __forceinline__ Uint16 float_to_half(float x) {
  Uint16 h;
  asm("cvt.rn.satfinite.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  return h;
}
/// Converts two numbers to halves, rounded to nearest, the first in the low half.
__device__ __forceinline__ Uint32 floats_to_halves(float first, float second) {
  Uint32 h;
  asm("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(h) : "f"(second), "f"(first));
  return h;
}
/// Converts one number, or two, to halves, rounded towards zero; the first in the low half.
__device__ __forceinline__ Uint16 truncate_to_half(float x) {
  Uint16 h;
  asm("cvt.rz.satfinite.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  return h;
}
__device__ __forceinline__ Uint32 truncate_to_halves(float first, float second) {
  Uint32 h;
  asm("cvt.rz.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(h) : "f"(second), "f"(first));
  return h;
}

#else

inline void begin_kernel() {}
inline void prefetch_line(const void*) {}
template <class T>
void read_global(Uint64 address, T& x) {
  x = *reinterpret_cast<const T*>(address);
}
template <class T>
void write_global(Uint64 address, T x) {
  *reinterpret_cast<T*>(address) = x;
}
template <Uint32 barrier, Uint32 threads>
void wait_at_barrier() {
  emulation::barrier(barrier, threads);
}
template <Uint32 barrier, Uint32 threads>
void arrive_at_barrier() {
  emulation::arrive(barrier, threads);
}
inline Uint32 acquire(const Uint32* counter) {
  return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}
inline void release_increment(Uint32* counter) {
  __atomic_fetch_add(counter, 1u, __ATOMIC_RELEASE);
}
inline void make_flag(Flag& flag) {
  flag = 0;
}
inline void raise_flag(Flag& flag) {
  flag = 1;
}
inline void wait_for_flag(Flag& flag) {
  while (flag == 0) emulation::pass();
}
inline void prefetch_global(Uint64 address, Uint32 bytes) {
  emulation::prefetch(address, bytes);
}
template <class T>
T in_turn(T x, int) {
  return x;
}
template <class T>
T* shared_memory() {
  return reinterpret_cast<T*>(emulation::shared_memory());
}
inline Uint32 anew(Uint32 x) {
  return x;
}
inline bool any_of_warp(bool x) {
  return x;
}
inline float smaller(float a, float b) {
  return a < b ? a : b;
}
inline float half_to_float(Uint16 h) {
  return core::SmallFloat<5, 10, 0>::decode(h);
}
inline Uint16 float_to_half(float x) {
  return core::SmallFloat<5, 10, 0>::encode(x);
}
inline Uint32 floats_to_halves(float first, float second) {
  return float_to_half(first) | static_cast<Uint32>(float_to_half(second)) << 16;
}
inline Uint16 truncate_to_half(float x) {
  return core::SmallFloat<5, 10, 0>::truncate(x);
}
inline Uint32 truncate_to_halves(float first, float second) {
  return truncate_to_half(first) | static_cast<Uint32>(truncate_to_half(second)) << 16;
}

#endif

}  // namespace fluvia::cuda::kernels
