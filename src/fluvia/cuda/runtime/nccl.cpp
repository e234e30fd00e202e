// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/nccl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/runtime/binder.hpp"

namespace fluvia::cuda {
namespace {

constexpr int nccl_success = 0, bytes_type = 1;  // ncclUint8
constexpr int oldest_version = 2700;             // 2.7, the first with messages between two

/// Name of the first function that the library lacks; empty if it has all.
std::string bind_all(void* library, NcclLibrary& n) {
  Binder bind(library);
  bind("ncclGetVersion", n.ncclGetVersion);
  bind("ncclGetUniqueId", n.ncclGetUniqueId);
  bind("ncclCommInitRank", n.ncclCommInitRank);
  bind("ncclCommDestroy", n.ncclCommDestroy);
  bind("ncclGroupStart", n.ncclGroupStart);
  bind("ncclGroupEnd", n.ncclGroupEnd);
  bind("ncclSend", n.ncclSend);
  bind("ncclRecv", n.ncclRecv);
  bind("ncclGetErrorString", n.ncclGetErrorString);
  return bind.missing();
}

NcclLibrary load_file(const std::string& file) {
  NcclLibrary n;
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = ::dlerror();
    n.problem = fmt::format("NCCL cannot be loaded ({})", reason ? reason : file);
    return n;
  }
  int version = 0;
  if (const std::string missing = bind_all(library, n); !missing.empty())
    n.problem = fmt::format("'{}' is no NCCL, or one older than 2.7: it lacks {}", file, missing);
  else if (n.ncclGetVersion(&version) != nccl_success || version < oldest_version)
    n.problem = fmt::format("'{}' is older than NCCL 2.7", file);
  // 2708 is 2.7.8, 22707 is 2.27.7.
  const int major = version < 10000 ? version / 1000 : version / 10000,
            minor = version < 10000 ? version / 100 % 10 : version / 100 % 100;
  n.version = fmt::format("{}.{}.{}", major, minor, version % 100);
  return n;
}

void check_nccl(NcclResult result, const char* action) {
  if (result == nccl_success) return;
  throw_resource(fmt::format("{}: {}; FLUVIA_NCCL=none sends messages through host memory instead", action,
                             nccl().ncclGetErrorString(result)));
}

}  // namespace

NcclLibrary load_nccl() {
  if (const char* file = std::getenv("FLUVIA_NCCL"); file && *file) {
    if (file == std::string("none")) {
      NcclLibrary none;
      none.problem = "FLUVIA_NCCL is 'none'";
      return none;
    }
    NcclLibrary chosen = load_file(file);
    if (!chosen.problem.empty()) chosen.problem += fmt::format("; FLUVIA_NCCL names '{}'", file);
    return chosen;
  }
  return load_file("libnccl.so.2");
}

const NcclLibrary& nccl() {
  static const NcclLibrary library = load_nccl();
  return library;
}

NcclId PeerCommunicator::make_id() {
  NcclId id;
  check_nccl(nccl().ncclGetUniqueId(&id), "NCCL does not start");
  return id;
}

PeerCommunicator::PeerCommunicator(const Device& device, int count, int rank, const NcclId& id) : device_(device) {
  device_.make_current();
  NcclCommunicator communicator = nullptr;
  check_nccl(nccl().ncclCommInitRank(&communicator, count, id, rank), "NCCL does not reach the GPUs of all ranks");
  communicator_.reset(communicator);
}

void PeerCommunicator::exchange(const Stream& stream, std::span<const PeerMessage> leaving,
                                std::span<const PeerMessage> arriving) const {
  constexpr const char* action = "messages between GPUs";
  device_.make_current();
  check_nccl(nccl().ncclGroupStart(), action);
  for (const PeerMessage& m : arriving)
    if (m.bytes > 0)
      check_nccl(nccl().ncclRecv(reinterpret_cast<void*>(m.address), m.bytes, bytes_type, m.peer, communicator_.get(),
                                 stream.handle()),
                 action);
  for (const PeerMessage& m : leaving)
    if (m.bytes > 0)
      check_nccl(nccl().ncclSend(reinterpret_cast<const void*>(m.address), m.bytes, bytes_type, m.peer,
                                 communicator_.get(), stream.handle()),
                 action);
  check_nccl(nccl().ncclGroupEnd(), action);
}

}  // namespace fluvia::cuda
