// SPDX-License-Identifier: Apache-2.0
// Messages between GPUs of several processes, on one machine or many, by NVIDIA's NCCL, loaded at run time: from memory
// to memory, by whatever links there are.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/stream.hpp"

namespace fluvia::cuda {

// Binary interface of libnccl.so.2. Names follow NVIDIA's.
using NcclResult = int;
using NcclCommunicator = struct NcclCommunicatorObject*;
struct NcclId {
  std::array<char, 128> bytes{};
};

struct NcclLibrary {
  NcclResult (*ncclGetVersion)(int* version) = nullptr;
  NcclResult (*ncclGetUniqueId)(NcclId*) = nullptr;
  NcclResult (*ncclCommInitRank)(NcclCommunicator*, int count, NcclId, int rank) = nullptr;
  NcclResult (*ncclCommDestroy)(NcclCommunicator) = nullptr;
  NcclResult (*ncclGroupStart)() = nullptr;
  NcclResult (*ncclGroupEnd)() = nullptr;
  NcclResult (*ncclSend)(const void*, std::size_t count, int type, int peer, NcclCommunicator, CuStream) = nullptr;
  NcclResult (*ncclRecv)(void*, std::size_t count, int type, int peer, NcclCommunicator, CuStream) = nullptr;
  const char* (*ncclGetErrorString)(NcclResult) = nullptr;

  std::string version;  ///< "2.27.7"
  std::string problem;  ///< why it cannot be used; empty if it can
};

/// The file that FLUVIA_NCCL names, else libnccl.so.2 where the loader or pip has it; loaded once. FLUVIA_NCCL=none:
/// not used.
const NcclLibrary& nccl();
/// Loads the library of nccl() anew.
NcclLibrary load_nccl();

/// A message to or from another process, in the memory of this one's GPU.
struct PeerMessage {
  int peer;
  CuDevicePointer address;
  std::size_t bytes;
};

/// This process among those that exchange messages; movable.
class PeerCommunicator {
 public:
  /// What all of them must be given, from one of them. Throws Error(resource).
  static NcclId make_id();
  /// All `count` of them call this alike, each with a GPU of its own. Throws Error(resource).
  PeerCommunicator(const Device& device, int count, int rank, const NcclId& id);

  /// Queues messages that travel together: nobody's need others' to have gone. Those of no bytes are left out, at both
  /// ends.
  void exchange(const Stream& stream, std::span<const PeerMessage> leaving,
                std::span<const PeerMessage> arriving) const;

 private:
  struct Destroy {
    void operator()(NcclCommunicator communicator) const { nccl().ncclCommDestroy(communicator); }
  };
  Device device_;
  std::unique_ptr<NcclCommunicatorObject, Destroy> communicator_;
};

}  // namespace fluvia::cuda
