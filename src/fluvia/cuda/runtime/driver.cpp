// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/runtime/binder.hpp"

namespace fluvia::cuda {
namespace {

constexpr const char* library_name = "libcuda.so.1";

void bind_queries(Binder& bind, Driver& d) {
  bind("cuInit", d.cuInit);
  bind("cuDriverGetVersion", d.cuDriverGetVersion);
  bind("cuGetErrorName", d.cuGetErrorName);
  bind("cuGetErrorString", d.cuGetErrorString);
  bind("cuDeviceGetCount", d.cuDeviceGetCount);
}

void bind_devices(Binder& bind, Driver& d) {
  bind("cuDeviceGet", d.cuDeviceGet);
  bind("cuDeviceGetName", d.cuDeviceGetName);
  bind("cuDeviceGetAttribute", d.cuDeviceGetAttribute);
  bind("cuDeviceTotalMem_v2", d.cuDeviceTotalMem);
  bind("cuDeviceGetUuid_v2", d.cuDeviceGetUuid);
  bind("cuDeviceGetPCIBusId", d.cuDeviceGetPCIBusId);
  bind("cuDevicePrimaryCtxRetain", d.cuDevicePrimaryCtxRetain);
  bind("cuDevicePrimaryCtxRelease_v2", d.cuDevicePrimaryCtxRelease);
  bind("cuCtxSetCurrent", d.cuCtxSetCurrent);
  bind("cuCtxSynchronize", d.cuCtxSynchronize);
  bind("cuCtxSetLimit", d.cuCtxSetLimit);
  bind("cuCtxGetStreamPriorityRange", d.cuCtxGetStreamPriorityRange);
  bind("cuCtxEnablePeerAccess", d.cuCtxEnablePeerAccess);
  bind("cuDeviceCanAccessPeer", d.cuDeviceCanAccessPeer);
  bind("cuMemGetInfo_v2", d.cuMemGetInfo);
  bind("cuMemAlloc_v2", d.cuMemAlloc);
  bind("cuMemFree_v2", d.cuMemFree);
  bind("cuMemAllocHost_v2", d.cuMemAllocHost);
  bind("cuMemFreeHost", d.cuMemFreeHost);
  bind("cuMemcpyHtoDAsync_v2", d.cuMemcpyHtoDAsync);
  bind("cuMemcpyDtoHAsync_v2", d.cuMemcpyDtoHAsync);
  bind("cuMemcpyDtoDAsync_v2", d.cuMemcpyDtoDAsync);
  bind("cuMemcpyPeerAsync", d.cuMemcpyPeerAsync);
  bind("cuMemsetD8Async", d.cuMemsetD8Async);
}

void bind_execution(Binder& bind, Driver& d) {
  bind("cuStreamCreate", d.cuStreamCreate);
  bind("cuStreamCreateWithPriority", d.cuStreamCreateWithPriority);
  bind("cuStreamDestroy_v2", d.cuStreamDestroy);
  bind("cuStreamSynchronize", d.cuStreamSynchronize);
  bind("cuStreamWaitEvent", d.cuStreamWaitEvent);
  bind("cuEventCreate", d.cuEventCreate);
  bind("cuEventDestroy_v2", d.cuEventDestroy);
  bind("cuEventRecord", d.cuEventRecord);
  bind("cuEventSynchronize", d.cuEventSynchronize);
  bind("cuEventElapsedTime", d.cuEventElapsedTime);
  bind("cuModuleLoadDataEx", d.cuModuleLoadDataEx);
  bind("cuModuleUnload", d.cuModuleUnload);
  bind("cuModuleGetFunction", d.cuModuleGetFunction);
  bind("cuModuleGetGlobal_v2", d.cuModuleGetGlobal);
  bind("cuFuncGetAttribute", d.cuFuncGetAttribute);
  bind("cuFuncSetAttribute", d.cuFuncSetAttribute);
  bind.optional("cuFuncGetParamInfo", d.cuFuncGetParamInfo);
  bind("cuLaunchKernel", d.cuLaunchKernel);
  bind.optional("cuLaunchKernelEx", d.cuLaunchKernelEx);
  bind("cuOccupancyMaxActiveBlocksPerMultiprocessor", d.cuOccupancyMaxActiveBlocksPerMultiprocessor);
  bind("cuStreamBeginCapture_v2", d.cuStreamBeginCapture);
  bind("cuStreamEndCapture", d.cuStreamEndCapture);
  bind("cuGraphInstantiateWithFlags", d.cuGraphInstantiateWithFlags);
  bind("cuGraphLaunch", d.cuGraphLaunch);
  bind("cuGraphExecDestroy", d.cuGraphExecDestroy);
  bind("cuGraphDestroy", d.cuGraphDestroy);
}

std::string describe_with(const Driver& d, CuResult result) {
  const char *name = nullptr, *text = nullptr;
  if (d.cuGetErrorName) d.cuGetErrorName(result, &name);
  if (d.cuGetErrorString) d.cuGetErrorString(result, &text);
  if (!name) return fmt::format("CUDA error {}", result);
  return fmt::format("{}: {}", name, text ? text : "unknown");
}

struct Loaded {
  Driver driver;
  CudaVersion version;
  std::string problem;
};

/// What a user can do about a driver that sees no GPU.
std::string visibility_hint() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible ? fmt::format("; CUDA_VISIBLE_DEVICES is '{}'", visible) : "";
}

std::string load(Loaded& loaded) {
  void* library = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = ::dlerror();
    return fmt::format("no NVIDIA driver was found ({})", reason ? reason : library_name);
  }
  Driver& d = loaded.driver;
  Binder bind(library);
  bind_queries(bind, d);
  if (!bind.missing().empty()) return fmt::format("{} is no NVIDIA driver: it lacks {}", library_name, bind.missing());
  CudaVersion version;
  if (const CuResult result = d.cuDriverGetVersion(&version.number)) {
    return "the NVIDIA driver does not tell its version: " + describe_with(d, result);
  }
  if (version.number < oldest_driver.number) {
    return fmt::format("the NVIDIA driver is too old: it supports CUDA {}, Fluvia needs {} or later", version.text(),
                       oldest_driver.text());
  }
  int count = 0;
  CuResult result = d.cuInit(0);
  if (result == cu_success) result = d.cuDeviceGetCount(&count);
  if (result != cu_success || count == 0) {
    return fmt::format("the NVIDIA driver (CUDA {}) offers no GPU{}{}", version.text(),
                       result == cu_success ? "" : " (" + describe_with(d, result) + ")", visibility_hint());
  }
  bind_devices(bind, d);
  bind_execution(bind, d);
  if (!bind.missing().empty()) {
    return fmt::format("the NVIDIA driver (CUDA {}) lacks {}; update it", version.text(), bind.missing());
  }
  loaded.version = version;
  return {};
}

const Loaded& loaded() {
  static const Loaded result = [] {
    Loaded fresh;
    fresh.problem = load(fresh);
    return fresh;
  }();
  return result;
}

/// Errors that a machine causes, not a bug: no memory, no device, hardware faults, drivers that do not fit.
ExitCode exit_code_of(CuResult result) {
  constexpr std::array<CuResult, 13> machine = {
      cu_out_of_memory,
      34,   // stub library
      46,   // device unavailable
      100,  // no device
      101,  // invalid device
      102,  // device not licensed
      209,  // no binary for this GPU
      214,  // uncorrectable memory error
      304,  // operating system call failed
      802,  // system not ready
      803,  // driver and kernel module differ
      804,  // forward compatibility not supported
      999,  // unknown
  };
  return std::find(machine.begin(), machine.end(), result) != machine.end() ? ExitCode::resource : ExitCode::internal;
}

}  // namespace

std::string CudaVersion::text() const {
  return fmt::format("{}.{}", major(), minor());
}

const std::string& driver_problem() {
  return loaded().problem;
}

const Driver& driver() {
  if (!driver_problem().empty()) throw_resource("no GPU can be used: " + driver_problem());
  return loaded().driver;
}

CudaVersion driver_version() {
  return loaded().version;
}

std::string describe(CuResult result) {
  return describe_with(loaded().driver, result);
}

void check(CuResult result, const char* action) {
  if (result != cu_success) check(result, std::string(action));
}

void check(CuResult result, const std::string& action) {
  if (result != cu_success) throw Error(exit_code_of(result), action + ": " + describe(result));
}

}  // namespace fluvia::cuda
