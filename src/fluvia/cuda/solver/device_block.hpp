// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/cuda/runtime/stream.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::cuda {

/// A message between parts, in the memory of the GPU of one of them.
struct DeviceMessage {
  CuDevicePointer address = 0;
  std::size_t bytes = 0;
};

/// What a part exchanges with one of its neighbours in a step.
struct DeviceMessages {
  int block;              ///< the neighbour's number
  DeviceMessage leaving;  ///< where what leaves is packed, if nothing else was said (DeviceBlock::pack_into)
  DeviceMessage arriving;
};

/// What crosses from a block to others: to parts of its own level, or between levels of refinement. That between levels
/// may have come from another part in the same step, and so is packed when halos have been unpacked.
enum class Crossing { halos, levels };

/// The solver of one block on a GPU. Its steps are queued, not carried out, when step_border() and step_interior()
/// return; so is what crosses if an exchange between GPUs asks for that by the functions below instead of pack() and
/// unpack(), which wait. finish() waits for all of it, before anything else is asked.
class DeviceBlock : public BlockSolver {
 public:
  /// The GPU that it is on.
  [[nodiscard]] virtual const Device& device() const = 0;
  /// By Block::neighbours.
  [[nodiscard]] virtual std::vector<DeviceMessages> messages() const = 0;
  /// From now on what leaves to a neighbour is packed straight to where it arrives, an address that this part's GPU
  /// reaches. False if that cannot be: where blocks are streamed, what arrived from parts of the same level is read
  /// after others have packed.
  virtual bool pack_into(std::size_t neighbour, CuDevicePointer address) = 0;
  /// After step_border() for halos, after step_interior() between levels: queues the packing of all messages, on this
  /// stream, in whose order they may be sent.
  virtual void queue_pack(Crossing crossing) = 0;
  /// The stream of the border's steps and of messages.
  [[nodiscard]] virtual const Stream& border_stream() const = 0;
  /// The point where all messages of the step before have been unpacked, so that others may arrive.
  [[nodiscard]] virtual const Event& unpacked() const = 0;
  /// After step_interior(): queues the unpacking of all messages, on that stream, once they have arrived there.
  virtual void queue_unpack(Crossing crossing) = 0;

  /// What kernels know of each surface, in the memory of the GPU.
  [[nodiscard]] virtual const core::SurfaceState* surface_states() const = 0;

  // Passes of all parts can be recorded, as a graph that is queued at once, and replayed: graph_passes of them.
  /// The steps of a recording, if so many are wanted, it fits now, and the part is small enough to be faster by it;
  /// else 0.
  [[nodiscard]] virtual int recorded_steps(std::int64_t wanted) const = 0;
  /// The stream of all that is not on that of the border.
  [[nodiscard]] virtual const Stream& interior_stream() const = 0;
  /// Before a recording or a replay: uploads what steps read that the host computes.
  virtual void prepare_recorded() = 0;
  /// Where the border's stream is now, all its last steps have been taken and unpacked: first in a recording, which
  /// must wait for nothing outside, and after it.
  virtual void restart_border() = 0;
  /// Counts passes that were replayed, or, if less than none, takes back those that were only recorded.
  virtual void count_passes(int passes) = 0;
};

}  // namespace fluvia::cuda
