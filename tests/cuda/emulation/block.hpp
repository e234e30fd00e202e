// SPDX-License-Identifier: Apache-2.0
// Runs CUDA kernels on the host, so that they are tested where there is no GPU. The threads of a block are contexts
// that take turns and change at barriers; blocks follow each other. Include before any kernel header.
#pragma once
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)
#ifndef __forceinline__
#define __forceinline__ inline
#endif

namespace emulation {
struct Dim {
  unsigned x = 1, y = 1, z = 1;
};
/// Waits for the other threads of the block that have not returned, or for `threads` of them at one of the numbered
/// barriers.
void barrier();
void barrier(unsigned number, unsigned threads);
/// Comes to a numbered barrier without waiting there.
void arrive(unsigned number, unsigned threads);
/// Lets the other threads go on first.
void pass();
/// What kernels ask the second cache for, address and bytes.
inline std::vector<std::pair<std::uint64_t, std::uint32_t>> prefetched;
inline void prefetch(std::uint64_t address, std::uint32_t bytes) {
  prefetched.emplace_back(address, bytes);
}
/// The dynamic shared memory of the block that runs: as much as a GPU has, with what the block before left in it.
inline constexpr std::size_t most_shared_bytes = 227 * 1024;
inline unsigned char* shared_memory() {
  alignas(16) static unsigned char bytes[most_shared_bytes];
  return bytes;
}
}  // namespace emulation

inline emulation::Dim threadIdx, blockIdx, blockDim, gridDim;

struct uint4 {
  unsigned x, y, z, w;
};
inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
inline void __syncthreads() {
  emulation::barrier();
}
inline void __syncwarp() {
  emulation::barrier(1000 + threadIdx.x / 32, 32);
}
/// Blocks run in order, so that nothing can be waited for that has not happened.
inline void __nanosleep(unsigned) {
  throw std::logic_error("a block waits for one that comes after it");
}
using std::min;
namespace emulation {

class Block {
 public:
  /// Runs `body` once per thread; those that return early are left out of later barriers of the whole block.
  static void run(Dim shape, const std::function<void()>& body) {
    Block block(shape, body);
    block.run();
  }
  /// Runs a body without barriers for all threads of a block, one after the other, which is much faster.
  static void run_straight(Dim shape, const std::function<void()>& body) {
    Block block(shape, body);
    current_block() = nullptr;
    for (block.running_ = 0; block.running_ < block.threads_.size(); ++block.running_) {
      block.set_index();
      body();
    }
  }

 private:
  Block(Dim shape, const std::function<void()>& body)
      : shape_(shape), body_(body), threads_(std::size_t{shape.x} * shape.y * shape.z) {}
  void run() {
    current_block() = this;
    constexpr std::size_t stack_bytes = 64 * 1024;
    static std::vector<std::unique_ptr<char[]>> stacks;  // new ones for every block would cost most of the time
    while (stacks.size() < threads_.size()) stacks.push_back(std::make_unique<char[]>(stack_bytes));
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      Thread& thread = threads_[t];
      ::getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = stacks[t].get();
      thread.context.uc_stack.ss_size = stack_bytes;
      thread.context.uc_link = &main_;
      ::makecontext(&thread.context, &Block::enter, 0);
    }
    for (std::size_t left = threads_.size(); left > 0;) {
      bool moved = false;
      for (running_ = 0; running_ < threads_.size(); ++running_) {
        Thread& thread = threads_[running_];
        if (thread.done || thread.waiting) continue;
        moved = true;
        set_index();
        ::swapcontext(&main_, &thread.context);
        left -= thread.done ? 1 : 0;
      }
      if (at_block_barrier_.size() == left)
        release(at_block_barrier_);
      else if (!moved)
        throw std::logic_error("threads of a block wait for each other for ever");
    }
    if (error_) std::rethrow_exception(error_);
  }
  static void enter() {
    Block& block = *current_block();
    try {
      block.body_();
    } catch (...) {
      block.error_ = std::current_exception();
    }
    block.threads_[block.running_].done = true;
  }
  void wait(std::vector<std::size_t>& waiting, std::size_t expected) {
    Thread& thread = threads_[running_];
    thread.waiting = true;
    arrive(waiting, expected);
    while (thread.waiting) ::swapcontext(&thread.context, &main_);
  }
  void arrive(std::vector<std::size_t>& waiting, std::size_t expected) {
    waiting.push_back(running_);
    if (waiting.size() == expected) release(waiting);
  }
  void release(std::vector<std::size_t>& waiting) {
    for (const std::size_t t : waiting) threads_[t].waiting = false;
    waiting.clear();
  }
  void set_index() const {
    const auto t = static_cast<unsigned>(running_);
    threadIdx = {t % shape_.x, t / shape_.x % shape_.y, t / shape_.x / shape_.y};
  }
  static Block*& current_block() {
    static Block* block = nullptr;
    return block;
  }
  static Block& with_barriers() {
    if (current_block() == nullptr) throw std::logic_error("a barrier in a kernel that was said to have none");
    return *current_block();
  }
  friend void barrier();
  friend void barrier(unsigned number, unsigned threads);
  friend void emulation::arrive(unsigned number, unsigned threads);
  friend void pass();

  struct Thread {
    ucontext_t context{};
    bool done = false, waiting = false;
  };
  Dim shape_;
  const std::function<void()>& body_;
  std::vector<Thread> threads_;
  std::size_t running_ = 0, passes_ = 0;
  std::vector<std::size_t> at_block_barrier_;
  std::map<unsigned, std::vector<std::size_t>> at_barrier_;  ///< by number
  ucontext_t main_{};
  std::exception_ptr error_;
};

inline void barrier() {
  Block& block = Block::with_barriers();
  block.wait(block.at_block_barrier_, block.threads_.size() + 1);  // released when all that are left have come
}
inline void barrier(unsigned number, unsigned threads) {
  Block& block = Block::with_barriers();
  block.wait(block.at_barrier_[number], threads);
}
inline void arrive(unsigned number, unsigned threads) {
  Block& block = *Block::current_block();
  block.arrive(block.at_barrier_[number], threads);
}
inline void pass() {
  Block& block = Block::with_barriers();
  constexpr std::size_t most_passes = 1000;
  if (++block.passes_ > most_passes * block.threads_.size())
    throw std::logic_error("threads of a block wait for a flag that nobody raises");
  ::swapcontext(&block.threads_[block.running_].context, &block.main_);
}

/// kernel<<<grid, block>>>(arguments...)
template <bool has_barriers, class... Parameters, class... Arguments>
void launch(Dim grid, Dim block, void (*kernel)(Parameters...), const Arguments&... arguments) {
  gridDim = grid;
  blockDim = block;
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        blockIdx = {x, y, z};
        const auto body = [&] { kernel(arguments...); };
        has_barriers ? Block::run(block, body) : Block::run_straight(block, body);
      }
}

}  // namespace emulation
