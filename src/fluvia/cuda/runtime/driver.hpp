// SPDX-License-Identifier: Apache-2.0
// The CUDA driver API, as far as Fluvia uses it, loaded at run time: the build needs no CUDA, and the program starts
// where there is no driver.
#pragma once
#include <cstddef>
#include <string>

namespace fluvia::cuda {

// Binary interface of libcuda.so.1. Names follow NVIDIA's; enumerations are passed as int.
using CuResult = int;
using CuDevice = int;
using CuDevicePointer = unsigned long long;
using CuContext = struct CuContextObject*;
using CuModule = struct CuModuleObject*;
using CuFunction = struct CuFunctionObject*;
using CuStream = struct CuStreamObject*;
using CuEvent = struct CuEventObject*;
using CuGraph = struct CuGraphObject*;
using CuGraphExec = struct CuGraphExecObject*;
struct CuUuid {
  char bytes[16];
};

/// CUlaunchAttribute and CUlaunchConfig.
struct CuLaunchAttribute {
  int id = 0, unused = 0;
  int value = 0;
  char more[60] = {};
};
struct CuLaunchConfig {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  CuStream stream;
  const CuLaunchAttribute* attributes;
  unsigned attribute_count;
};

inline constexpr CuResult cu_success = 0;
inline constexpr CuResult cu_out_of_memory = 2;

/// Functions of the driver, under NVIDIA's names without their `_v2` endings.
struct Driver {
  CuResult (*cuInit)(unsigned flags) = nullptr;
  CuResult (*cuDriverGetVersion)(int* version) = nullptr;
  CuResult (*cuGetErrorName)(CuResult, const char** name) = nullptr;
  CuResult (*cuGetErrorString)(CuResult, const char** text) = nullptr;

  CuResult (*cuDeviceGetCount)(int* count) = nullptr;
  CuResult (*cuDeviceGet)(CuDevice*, int ordinal) = nullptr;
  CuResult (*cuDeviceGetName)(char* name, int length, CuDevice) = nullptr;
  CuResult (*cuDeviceGetAttribute)(int* value, int attribute, CuDevice) = nullptr;
  CuResult (*cuDeviceTotalMem)(std::size_t* bytes, CuDevice) = nullptr;
  CuResult (*cuDeviceGetUuid)(CuUuid*, CuDevice) = nullptr;
  CuResult (*cuDeviceGetPCIBusId)(char* id, int length, CuDevice) = nullptr;
  CuResult (*cuDevicePrimaryCtxRetain)(CuContext*, CuDevice) = nullptr;
  CuResult (*cuDevicePrimaryCtxRelease)(CuDevice) = nullptr;
  CuResult (*cuCtxSetCurrent)(CuContext) = nullptr;
  CuResult (*cuCtxSynchronize)() = nullptr;
  CuResult (*cuCtxSetLimit)(int, std::size_t) = nullptr;
  CuResult (*cuCtxGetStreamPriorityRange)(int* least, int* greatest) = nullptr;
  CuResult (*cuCtxEnablePeerAccess)(CuContext, unsigned flags) = nullptr;
  CuResult (*cuDeviceCanAccessPeer)(int* can, CuDevice, CuDevice peer) = nullptr;

  CuResult (*cuMemGetInfo)(std::size_t* free, std::size_t* total) = nullptr;
  CuResult (*cuMemAlloc)(CuDevicePointer*, std::size_t bytes) = nullptr;
  CuResult (*cuMemFree)(CuDevicePointer) = nullptr;
  CuResult (*cuMemAllocHost)(void** memory, std::size_t bytes) = nullptr;
  CuResult (*cuMemFreeHost)(void* memory) = nullptr;
  CuResult (*cuMemcpyHtoDAsync)(CuDevicePointer, const void*, std::size_t bytes, CuStream) = nullptr;
  CuResult (*cuMemcpyDtoHAsync)(void*, CuDevicePointer, std::size_t bytes, CuStream) = nullptr;
  CuResult (*cuMemcpyDtoDAsync)(CuDevicePointer to, CuDevicePointer from, std::size_t bytes, CuStream) = nullptr;
  CuResult (*cuMemcpyPeerAsync)(CuDevicePointer to, CuContext, CuDevicePointer from, CuContext, std::size_t bytes,
                                CuStream) = nullptr;
  CuResult (*cuMemsetD8Async)(CuDevicePointer, unsigned char value, std::size_t bytes, CuStream) = nullptr;

  CuResult (*cuStreamCreate)(CuStream*, unsigned flags) = nullptr;
  CuResult (*cuStreamCreateWithPriority)(CuStream*, unsigned flags, int priority) = nullptr;
  CuResult (*cuStreamDestroy)(CuStream) = nullptr;
  CuResult (*cuStreamSynchronize)(CuStream) = nullptr;
  CuResult (*cuStreamWaitEvent)(CuStream, CuEvent, unsigned flags) = nullptr;
  CuResult (*cuEventCreate)(CuEvent*, unsigned flags) = nullptr;
  CuResult (*cuEventDestroy)(CuEvent) = nullptr;
  CuResult (*cuEventRecord)(CuEvent, CuStream) = nullptr;
  CuResult (*cuEventSynchronize)(CuEvent) = nullptr;
  CuResult (*cuEventElapsedTime)(float* milliseconds, CuEvent start, CuEvent end) = nullptr;

  CuResult (*cuModuleLoadDataEx)(CuModule*, const void* image, unsigned options, int* names, void** values) = nullptr;
  CuResult (*cuModuleUnload)(CuModule) = nullptr;
  CuResult (*cuModuleGetFunction)(CuFunction*, CuModule, const char* name) = nullptr;
  CuResult (*cuModuleGetGlobal)(CuDevicePointer*, std::size_t* bytes, CuModule, const char* name) = nullptr;
  CuResult (*cuFuncGetAttribute)(int* value, int attribute, CuFunction) = nullptr;
  CuResult (*cuFuncSetAttribute)(CuFunction, int attribute, int value) = nullptr;
  /// Null before CUDA 12.4.
  CuResult (*cuFuncGetParamInfo)(CuFunction, std::size_t index, std::size_t* offset, std::size_t* size) = nullptr;
  CuResult (*cuLaunchKernel)(CuFunction, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                             unsigned block_y, unsigned block_z, unsigned shared_bytes, CuStream, void** arguments,
                             void** extra) = nullptr;
  /// Null before CUDA 11.8.
  CuResult (*cuLaunchKernelEx)(const CuLaunchConfig*, CuFunction, void** arguments, void** extra) = nullptr;
  CuResult (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, CuFunction, int threads,
                                                          std::size_t shared_bytes) = nullptr;

  CuResult (*cuStreamBeginCapture)(CuStream, int mode) = nullptr;
  CuResult (*cuStreamEndCapture)(CuStream, CuGraph*) = nullptr;
  CuResult (*cuGraphInstantiateWithFlags)(CuGraphExec*, CuGraph, unsigned long long flags) = nullptr;
  CuResult (*cuGraphLaunch)(CuGraphExec, CuStream) = nullptr;
  CuResult (*cuGraphExecDestroy)(CuGraphExec) = nullptr;
  CuResult (*cuGraphDestroy)(CuGraph) = nullptr;
};

/// CUDA's version number, as 1000 major + 10 minor.
struct CudaVersion {
  int number = 0;
  [[nodiscard]] int major() const { return number / 1000; }
  [[nodiscard]] int minor() const { return number % 1000 / 10; }
  /// "13.0".
  [[nodiscard]] std::string text() const;
};

/// The oldest driver that Fluvia works with.
inline constexpr CudaVersion oldest_driver{12000};

/// Why no GPU can be used, in plain words; empty if one can. Loads the driver on the first call.
const std::string& driver_problem();

/// The driver. Throws Error(resource) with driver_problem().
const Driver& driver();

/// The newest CUDA version that the driver supports; 0 if there is no driver.
CudaVersion driver_version();

/// "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
std::string describe(CuResult result);

/// Throws Error if `result` is none of success: "ACTION: CUDA_ERROR_...: TEXT". The code is `resource` for what the
/// machine lacks, else `internal`.
void check(CuResult result, const char* action);
void check(CuResult result, const std::string& action);

}  // namespace fluvia::cuda
