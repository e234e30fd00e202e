// SPDX-License-Identifier: Apache-2.0
// Runs CUDA kernels on the host, so that they are tested where there is no GPU. The threads of a block are fibers
// that take turns and change at barriers; blocks follow each other. Fibers are those of Boost, because swapcontext asks
// the system for the signals' mask at each change, which took four fifths of the time. Include before any kernel
// header.
#pragma once
#include <algorithm>
#include <boost/context/fiber.hpp>
#include <cstddef>
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
  /// The stack of one thread, which the next block uses again: new ones for every block would cost most of the time.
  struct Stack {
    static constexpr std::size_t bytes = 64 * 1024;
    char* memory;
    [[nodiscard]] boost::context::stack_context allocate() const {
      boost::context::stack_context stack;
      stack.size = bytes;
      stack.sp = memory + bytes;
      return stack;
    }
    void deallocate(boost::context::stack_context&) const {}
  };
  void run() {
    current_block() = this;
    static std::vector<std::unique_ptr<char[]>> stacks;
    while (stacks.size() < threads_.size()) stacks.push_back(std::make_unique<char[]>(Stack::bytes));
    for (std::size_t t = 0; t < threads_.size(); ++t)
      threads_[t].fiber =
          boost::context::fiber(std::allocator_arg, Stack{stacks[t].get()}, [this](boost::context::fiber&& scheduler) {
            scheduler_ = std::move(scheduler);
            run_thread();
            return std::move(scheduler_);
          });
    for (std::size_t left = threads_.size(); left > 0;) {
      bool moved = false;
      for (running_ = 0; running_ < threads_.size(); ++running_) {
        Thread& thread = threads_[running_];
        if (thread.done || thread.waiting) continue;
        moved = true;
        set_index();
        thread.fiber = std::move(thread.fiber).resume();
        left -= thread.done ? 1 : 0;
      }
      if (at_block_barrier_.size() == left)
        release(at_block_barrier_);
      else if (!moved)
        throw std::logic_error("threads of a block wait for each other for ever");
    }
    if (error_) std::rethrow_exception(error_);
  }
  void run_thread() {
    try {
      body_();
    } catch (const boost::context::detail::forced_unwind&) {  // by which the library ends a fiber that waits for ever
      throw;
    } catch (...) {
      error_ = std::current_exception();
    }
    threads_[running_].done = true;
  }
  /// Lets the block go on with its other threads.
  void leave_thread() { scheduler_ = std::move(scheduler_).resume(); }
  void wait(std::vector<std::size_t>& waiting, std::size_t expected) {
    Thread& thread = threads_[running_];
    thread.waiting = true;
    arrive(waiting, expected);
    while (thread.waiting) leave_thread();
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
    boost::context::fiber fiber;
    bool done = false, waiting = false;
  };
  Dim shape_;
  const std::function<void()>& body_;
  std::vector<Thread> threads_;
  std::size_t running_ = 0, passes_ = 0;
  std::vector<std::size_t> at_block_barrier_;
  std::map<unsigned, std::vector<std::size_t>> at_barrier_;  ///< by number
  boost::context::fiber scheduler_;                          ///< what goes on when a thread waits
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
  block.leave_thread();
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
