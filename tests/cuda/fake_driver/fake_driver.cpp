// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 for machines without a GPU: "device" memory is host memory, streams run at once unless told otherwise,
// and the kernels it can run are fluvia::cuda::kernels::copy and those that a test brings along (fake_driver.hpp).
// Tests steer it by environment variables, read at each call:
//   FAKE_CUDA_VERSION   driver version (13000)
//   FAKE_CUDA_DEVICES   number of GPUs (1)
//   FAKE_CUDA_MEMORY    bytes of memory (64 MiB)
//   FAKE_CUDA_FAIL      "FUNCTION=ERROR": this function returns this error
//   FAKE_CUDA_SHARED    bytes of shared memory that a block of threads may have (227 KiB)
//   FAKE_CUDA_PEERS     whether GPUs reach each other's memory (1)
//   FAKE_CUDA_ORDER     a seed: streams run late and in an order drawn at random (streams.hpp); none: at once
#include "cuda/fake_driver/fake_driver.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda/fake_driver/graphs.hpp"
#include "cuda/fake_driver/streams.hpp"

namespace {

constexpr int success = 0, invalid_value = 1, out_of_memory = 2, no_device = 100, not_found = 500, timeout = 702,
              not_while_recording = 900;

struct Function {
  std::string name;
};
struct Module {
  std::map<std::string, Function> functions;
};
struct Event {
  double milliseconds = 0;
  fake_cuda::Point point;
  fake_cuda::RecordedPoint recorded;
};
struct Stream {
  std::shared_ptr<fake_cuda::Queue> queue;
};

struct State {
  std::map<void*, std::size_t> allocations;
  std::map<char*, std::size_t> pinned;
  int live = 0;  ///< handles and allocations that were not given back
  double clock = 0;
  int graphs = 0;  ///< launched
};
State state;
fake_cuda::Streams streams;
fake_cuda::Recording recording;
const fake_cuda::HostKernels* host_kernels = nullptr;

/// The kernel that a test brought along for a mangled name, or null.
const fake_cuda::HostKernel* host_kernel(const std::string& name) {
  if (host_kernels)
    for (const fake_cuda::HostKernel& kernel : *host_kernels)
      if (name.find(kernel.name) != std::string::npos && name.find(kernel.also) != std::string::npos) return &kernel;
  return nullptr;
}

std::size_t number(const char* variable, std::size_t otherwise) {
  const char* value = std::getenv(variable);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// The error that FAKE_CUDA_FAIL wants from a function, or success.
int injected(const char* function) {
  const char* wish = std::getenv("FAKE_CUDA_FAIL");
  const std::size_t length = std::strlen(function);
  if (!wish || std::strncmp(wish, function, length) != 0 || wish[length] != '=') return success;
  return std::atoi(wish + length + 1);
}

bool runs_late() {
  const std::size_t seed = number("FAKE_CUDA_ORDER", 0);
  if (seed != 0) streams.seed(seed);
  return seed != 0;
}

fake_cuda::Queue& queue_of(void* stream) {
  return *static_cast<Stream*>(stream)->queue;
}

int queue(const char* function, void* stream, std::function<void()> work) {
  if (const int error = injected(function)) return error;
  if (recording.has(queue_of(stream))) {
    recording.add(queue_of(stream), std::move(work));
  } else if (runs_late()) {
    streams.add(queue_of(stream), std::move(work));
  } else {
    work();
  }
  return success;
}

int wait_for(const char* function, const fake_cuda::Point& point) {
  if (const int error = injected(function)) return error;
  if (recording.is_active()) return not_while_recording;
  return streams.run_until([&] { return point.reached(); }) ? success : timeout;
}

bool is_pinned(const void* memory) {
  const auto* const at = static_cast<const char*>(memory);
  return std::any_of(state.pinned.begin(), state.pinned.end(),
                     [&](const auto& block) { return at >= block.first && at < block.first + block.second; });
}

template <class Object>
int create(const char* function, void** handle) {
  if (const int error = injected(function)) return error;
  *handle = new Object();
  ++state.live;
  return success;
}

int create_stream(const char* function, void** handle) {
  const int error = create<Stream>(function, handle);
  if (error == success) static_cast<Stream*>(*handle)->queue = streams.open();
  return error;
}

template <class Object>
int destroy(void* handle) {
  delete static_cast<Object*>(handle);
  --state.live;
  return success;
}

std::size_t memory_bytes() {
  return number("FAKE_CUDA_MEMORY", 64 << 20);
}

std::size_t free_bytes() {
  std::size_t used = 0;
  for (const auto& [address, bytes] : state.allocations) used += bytes;
  return memory_bytes() > used ? memory_bytes() - used : 0;
}

void* pointer(unsigned long long address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace

extern "C" {

void fake_cuda_bring(const fake_cuda::HostKernels* kernels) {
  host_kernels = kernels;
}

/// Handles, allocations and contexts that were not given back.
int fake_cuda_live() {
  return state.live;
}

int fake_cuda_graphs() {
  return state.graphs;
}

int cuInit(unsigned) {
  if (const int error = injected("cuInit")) return error;
  return number("FAKE_CUDA_DEVICES", 1) == 0 ? no_device : success;
}
/// NVRTC asks the driver it finds for undocumented services, and goes without where there are none.
int cuGetExportTable(const void**, const void*) {
  return not_found;
}
int cuDriverGetVersion(int* version) {
  *version = static_cast<int>(number("FAKE_CUDA_VERSION", 13000));
  return success;
}
int cuGetErrorName(int error, const char** name) {
  static const std::map<int, const char*> names = {{1, "CUDA_ERROR_INVALID_VALUE"},
                                                   {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {100, "CUDA_ERROR_NO_DEVICE"},
                                                   {500, "CUDA_ERROR_NOT_FOUND"},
                                                   {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  const auto found = names.find(error);
  *name = found == names.end() ? nullptr : found->second;
  return found == names.end() ? invalid_value : success;
}
int cuGetErrorString(int, const char** text) {
  *text = "as the fake driver says";
  return success;
}

int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(number("FAKE_CUDA_DEVICES", 1));
  return success;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return success;
}
int cuDeviceGetName(char* name, int length, int) {
  std::snprintf(name, static_cast<std::size_t>(length), "Fake GPU");
  return success;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> values = {
      {16, 132}, {38, 52428800}, {39, 2048},  {75, 9},
      {76, 0},   {81, 233472},   {82, 65536}, {97, static_cast<int>(number("FAKE_CUDA_SHARED", 232448))}};
  const auto found = values.find(attribute);
  if (found == values.end()) return invalid_value;
  *value = found->second;
  return success;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = memory_bytes();
  return success;
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int) {
  for (int i = 0; i < 16; ++i) uuid[i] = static_cast<unsigned char>(16 * i + i);
  return success;
}
int cuDeviceGetPCIBusId(char* id, int length, int) {
  std::snprintf(id, static_cast<std::size_t>(length), "0000:17:00.0");
  return success;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &state;
  ++state.live;
  return injected("cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state.live;
  return success;
}
int cuCtxSetCurrent(void*) {
  return success;
}
int cuCtxSetLimit(int, std::size_t) {
  return injected("cuCtxSetLimit");
}
int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return injected("cuCtxGetStreamPriorityRange");
}
int cuCtxEnablePeerAccess(void*, unsigned) {
  return injected("cuCtxEnablePeerAccess");
}
int cuDeviceCanAccessPeer(int* can, int, int) {
  *can = static_cast<int>(number("FAKE_CUDA_PEERS", 1));
  return injected("cuDeviceCanAccessPeer");
}
int cuCtxSynchronize() {
  return streams.run_all() ? injected("cuCtxSynchronize") : timeout;
}

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *free = free_bytes();
  *total = memory_bytes();
  return success;
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  if (const int error = injected("cuMemAlloc")) return error;
  if (bytes == 0) return invalid_value;
  if (bytes > free_bytes()) return out_of_memory;
  void* memory = std::malloc(bytes);
  std::memset(memory, 0xff, bytes);  // nobody may expect zeros there
  state.allocations[memory] = bytes;
  ++state.live;
  *address = reinterpret_cast<unsigned long long>(memory);
  return success;
}
int cuMemFree_v2(unsigned long long address) {
  streams.run_all();
  if (state.allocations.erase(pointer(address)) == 0) return invalid_value;
  std::free(pointer(address));
  --state.live;
  return success;
}
int cuMemAllocHost_v2(void** memory, std::size_t bytes) {
  if (const int error = injected("cuMemAllocHost")) return error;
  *memory = std::malloc(bytes);
  state.pinned[static_cast<char*>(*memory)] = bytes;
  ++state.live;
  return success;
}
int cuMemFreeHost(void* memory) {
  streams.run_all();
  state.pinned.erase(static_cast<char*>(memory));
  std::free(memory);
  --state.live;
  return success;
}
/// Every copy between host and "device" takes a millisecond. Host memory that is not pinned is read before these
/// return, and has been written then.
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void* stream) {
  std::shared_ptr<std::vector<char>> copy;
  if (runs_late() && !is_pinned(from)) {
    copy = std::make_shared<std::vector<char>>(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
    from = copy->data();
  }
  return queue("cuMemcpyHtoDAsync", stream, [=] {
    std::memcpy(pointer(to), from, bytes);
    state.clock += 1;
    static_cast<void>(copy);
  });
}
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void* stream) {
  const int error = queue("cuMemcpyDtoHAsync", stream, [=] {
    std::memcpy(to, pointer(from), bytes);
    state.clock += 1;
  });
  if (error != success || recording.is_active() || is_pinned(to)) return error;
  return wait_for("cuMemcpyDtoHAsync", streams.end_of(static_cast<Stream*>(stream)->queue));
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t bytes, void* stream) {
  return queue("cuMemcpyDtoDAsync", stream, [=] { std::memcpy(pointer(to), pointer(from), bytes); });
}
int cuMemcpyPeerAsync(unsigned long long to, void*, unsigned long long from, void*, std::size_t bytes, void* stream) {
  return queue("cuMemcpyPeerAsync", stream, [=] { std::memcpy(pointer(to), pointer(from), bytes); });
}
int cuMemsetD8Async(unsigned long long address, unsigned char value, std::size_t bytes, void* stream) {
  return queue("cuMemsetD8Async", stream, [=] { std::memset(pointer(address), value, bytes); });
}

int cuStreamCreate(void** stream, unsigned) {
  return create_stream("cuStreamCreate", stream);
}
int cuStreamCreateWithPriority(void** stream, unsigned, int) {
  return create_stream("cuStreamCreateWithPriority", stream);
}
int cuStreamDestroy_v2(void* stream) {
  streams.close(static_cast<Stream*>(stream)->queue);
  return destroy<Stream>(stream);
}
int cuStreamSynchronize(void* stream) {
  return wait_for("cuStreamSynchronize", streams.end_of(static_cast<Stream*>(stream)->queue));
}
int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  if (const int error = injected("cuStreamWaitEvent")) return error;
  const auto* const awaited = static_cast<Event*>(event);
  bool taken = false;
  const int error = recording.wait(queue_of(stream), awaited->recorded, taken);
  if (error == success && !taken && runs_late()) streams.add(queue_of(stream), {}, awaited->point);
  return error;
}
int cuEventCreate(void** event, unsigned) {
  return create<Event>("cuEventCreate", event);
}
int cuEventDestroy_v2(void* event) {
  streams.run_all();
  return destroy<Event>(event);
}
int cuEventRecord(void* event, void* stream) {
  auto* const recorded = static_cast<Event*>(event);
  const int error = queue("cuEventRecord", stream, [=] { recorded->milliseconds = state.clock; });
  if (error != success) return error;
  const bool is_in_recording = recording.has(queue_of(stream));
  recorded->recorded = is_in_recording ? recording.end_of(queue_of(stream)) : fake_cuda::RecordedPoint{};
  if (!is_in_recording) recorded->point = streams.end_of(static_cast<Stream*>(stream)->queue);
  return success;
}
int cuEventSynchronize(void* event) {
  return wait_for("cuEventSynchronize", static_cast<Event*>(event)->point);
}
int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
  *milliseconds = static_cast<float>(static_cast<Event*>(end)->milliseconds - static_cast<Event*>(start)->milliseconds);
  return success;
}

int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
  if (std::memcmp(image, "\177ELF", 4) != 0) return invalid_value;
  return create<Module>("cuModuleLoadDataEx", module);
}
int cuModuleUnload(void* module) {
  return destroy<Module>(module);
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  if (const int error = injected("cuModuleGetFunction")) return error;
  Function& found = static_cast<Module*>(module)->functions[name];
  found.name = name;
  *function = &found;
  return success;
}
int cuModuleGetGlobal_v2(unsigned long long*, std::size_t*, void*, const char*) {
  return not_found;
}
int cuFuncGetAttribute(int* value, int attribute, void*) {
  *value = 10 * attribute;
  return injected("cuFuncGetAttribute");
}
int cuFuncSetAttribute(void*, int, int) {
  return injected("cuFuncSetAttribute");
}
int cuFuncGetParamInfo(void* function, std::size_t index, std::size_t* offset, std::size_t* size) {
  if (const fake_cuda::HostKernel* kernel = host_kernel(static_cast<Function*>(function)->name)) {
    if (index >= kernel->sizes.size()) return invalid_value;
    *offset = 0;
    *size = kernel->sizes[index];
    return success;
  }
  *offset = 8 * index;
  *size = 8;
  return index < 3 ? success : invalid_value;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
  *blocks = 2048 / threads;
  return success;
}
/// Every launch takes a millisecond. Threads that the grid lacks copy nothing, as on a GPU.
int cuLaunchKernel(void* function, unsigned grid, unsigned grid_y, unsigned grid_z, unsigned block, unsigned block_y,
                   unsigned block_z, unsigned, void* stream, void** arguments, void**) {
  if (const fake_cuda::HostKernel* kernel = host_kernel(static_cast<Function*>(function)->name)) {
    std::vector<std::vector<char>> values;
    for (std::size_t k = 0; k < kernel->sizes.size(); ++k) {
      const auto* const value = static_cast<const char*>(arguments[k]);
      values.emplace_back(value, value + kernel->sizes[k]);
    }
    return queue("cuLaunchKernel", stream, [=, values = std::move(values)]() mutable {
      std::vector<void*> views;
      for (std::vector<char>& value : values) views.push_back(value.data());
      kernel->run({grid, grid_y, grid_z}, {block, block_y, block_z}, views.data());
      state.clock += 1;
    });
  }
  if (static_cast<Function*>(function)->name.find("copy") == std::string::npos) return not_found;
  if (grid == 0 || block == 0 || block > 1024) return invalid_value;
  char* to = *static_cast<char**>(arguments[0]);
  const char* from = *static_cast<const char**>(arguments[1]);
  const auto bytes = 16 * *static_cast<unsigned long long*>(arguments[2]);
  return queue("cuLaunchKernel", stream, [=] {
    std::memcpy(to, from, bytes);
    state.clock += 1;
  });
}

int cuStreamBeginCapture_v2(void* stream, int) {
  if (const int error = injected("cuStreamBeginCapture")) return error;
  recording.begin(queue_of(stream));
  return success;
}
int cuStreamEndCapture(void*, void** graph) {
  const int result = create<fake_cuda::Graph>("cuStreamEndCapture", graph);
  fake_cuda::Graph recorded;
  const int error = recording.end(recorded);
  if (result != success) return result;
  *static_cast<fake_cuda::Graph*>(*graph) = std::move(recorded);
  return error;
}
int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  const int result = create<fake_cuda::Graph>("cuGraphInstantiateWithFlags", executable);
  if (result == success) *static_cast<fake_cuda::Graph*>(*executable) = *static_cast<fake_cuda::Graph*>(graph);
  return result;
}
int cuGraphLaunch(void* executable, void* stream) {
  const auto& graph = *static_cast<fake_cuda::Graph*>(executable);
  ++state.graphs;
  if (runs_late())
    graph.run(streams, static_cast<Stream*>(stream)->queue);
  else
    graph.run_at_once();
  return injected("cuGraphLaunch");
}
int cuGraphExecDestroy(void* executable) {
  return destroy<fake_cuda::Graph>(executable);
}
int cuGraphDestroy(void* graph) {
  return destroy<fake_cuda::Graph>(graph);
}

}  // extern "C"
