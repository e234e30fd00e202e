// SPDX-License-Identifier: Apache-2.0
// NCCL whose ranks are communicators of one process, on the fake driver, whose memory is the host's: a message is
// delivered when both of its ends are known.
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <utility>

namespace {

struct End {
  void* memory;
  std::size_t bytes;
};
/// Of messages from one rank to another, in order.
struct Waiting {
  std::deque<End> sent, wanted;
};
std::map<std::pair<int, int>, Waiting> waiting;

constexpr int success = 0, invalid_usage = 5;

int deliver(Waiting& messages) {
  while (!messages.sent.empty() && !messages.wanted.empty()) {
    const End from = messages.sent.front(), to = messages.wanted.front();
    if (from.bytes != to.bytes) return invalid_usage;
    std::memcpy(to.memory, from.memory, from.bytes);
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
int ncclSend(const void* memory, std::size_t bytes, int type, int peer, NcclCommunicatorObject* own, void*) {
  if (type != 1 || peer >= own->count || bytes == 0) return invalid_usage;
  Waiting& messages = waiting[{own->rank, peer}];
  messages.sent.push_back({const_cast<void*>(memory), bytes});
  return deliver(messages);
}
int ncclRecv(void* memory, std::size_t bytes, int type, int peer, NcclCommunicatorObject* own, void*) {
  if (type != 1 || peer >= own->count || bytes == 0) return invalid_usage;
  Waiting& messages = waiting[{peer, own->rank}];
  messages.wanted.push_back({memory, bytes});
  return deliver(messages);
}
const char* ncclGetErrorString(int) {
  return "invalid usage";
}
}
