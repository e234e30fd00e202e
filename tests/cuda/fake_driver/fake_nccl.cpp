// SPDX-License-Identifier: Apache-2.0
// NCCL whose ranks are communicators of one process, on the fake driver, whose memory is the host's: a message is
// delivered when both of its ends are known. It waits for what was queued before, and so shows nothing of missing
// waits.
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace {

struct Room {
  void* memory;
  std::size_t bytes;
};
/// Messages from one rank to another, in order.
struct Waiting {
  std::deque<std::vector<char>> sent;
  std::deque<Room> wanted;
};
std::map<std::pair<int, int>, Waiting> waiting;

constexpr int success = 0, invalid_usage = 5;

int deliver(Waiting& messages) {
  while (!messages.sent.empty() && !messages.wanted.empty()) {
    const Room to = messages.wanted.front();
    if (messages.sent.front().size() != to.bytes) return invalid_usage;
    std::memcpy(to.memory, messages.sent.front().data(), to.bytes);
    messages.sent.pop_front();
    messages.wanted.pop_front();
  }
  return success;
}

}  // namespace

struct NcclCommunicatorObject {
  int count, rank;
};
struct Id {
  char bytes[128];
};

extern "C" {
int cuStreamSynchronize(void* stream);  // of the fake driver

int ncclGetVersion(int* version) {
  *version = 22707;
  return success;
}
int ncclGetUniqueId(Id* id) {
  std::memset(id->bytes, 7, sizeof(id->bytes));
  return success;
}
int ncclCommInitRank(NcclCommunicatorObject** communicator, int count, Id id, int rank) {
  if (id.bytes[0] != 7 || rank >= count) return invalid_usage;
  *communicator = new NcclCommunicatorObject{count, rank};
  return success;
}
int ncclCommDestroy(NcclCommunicatorObject* communicator) {
  delete communicator;
  return success;
}
int ncclGroupStart() {
  return success;
}
int ncclGroupEnd() {
  return success;
}
int ncclSend(const void* memory, std::size_t bytes, int type, int peer, NcclCommunicatorObject* own, void* stream) {
  if (type != 1 || peer >= own->count || bytes == 0 || cuStreamSynchronize(stream) != success) return invalid_usage;
  Waiting& messages = waiting[{own->rank, peer}];
  const auto* const first = static_cast<const char*>(memory);
  messages.sent.emplace_back(first, first + bytes);
  return deliver(messages);
}
int ncclRecv(void* memory, std::size_t bytes, int type, int peer, NcclCommunicatorObject* own, void* stream) {
  if (type != 1 || peer >= own->count || bytes == 0 || cuStreamSynchronize(stream) != success) return invalid_usage;
  Waiting& messages = waiting[{peer, own->rank}];
  messages.wanted.push_back({memory, bytes});
  return deliver(messages);
}
const char* ncclGetErrorString(int) {
  return "invalid usage";
}
}
