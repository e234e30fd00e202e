// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/driver.hpp"

namespace fluvia::cuda {

// Binary interface of libnvrtc. Names follow NVIDIA's.
using NvrtcResult = int;
using NvrtcProgram = struct NvrtcProgramObject*;
inline constexpr NvrtcResult nvrtc_success = 0;

struct NvrtcLibrary {
  const char* (*nvrtcGetErrorString)(NvrtcResult) = nullptr;
  NvrtcResult (*nvrtcVersion)(int* major, int* minor) = nullptr;
  NvrtcResult (*nvrtcGetNumSupportedArchs)(int* count) = nullptr;
  NvrtcResult (*nvrtcGetSupportedArchs)(int* targets) = nullptr;
  NvrtcResult (*nvrtcCreateProgram)(NvrtcProgram*, const char* source, const char* name, int headers,
                                    const char* const* header_texts, const char* const* header_names) = nullptr;
  NvrtcResult (*nvrtcDestroyProgram)(NvrtcProgram*) = nullptr;
  NvrtcResult (*nvrtcAddNameExpression)(NvrtcProgram, const char* name) = nullptr;
  NvrtcResult (*nvrtcCompileProgram)(NvrtcProgram, int count, const char* const* options) = nullptr;
  NvrtcResult (*nvrtcGetLoweredName)(NvrtcProgram, const char* name, const char** lowered) = nullptr;
  NvrtcResult (*nvrtcGetProgramLogSize)(NvrtcProgram, std::size_t*) = nullptr;
  NvrtcResult (*nvrtcGetProgramLog)(NvrtcProgram, char*) = nullptr;
  NvrtcResult (*nvrtcGetCUBINSize)(NvrtcProgram, std::size_t*) = nullptr;
  NvrtcResult (*nvrtcGetCUBIN)(NvrtcProgram, char*) = nullptr;

  CudaVersion version;
  std::string file;
  std::string problem;  ///< why it cannot be used; empty if it can
};

/// The file that FLUVIA_NVRTC names, else the first of nvrtc_candidates() that loads, is new enough and not newer than
/// the driver (if there is a driver). The library stays loaded.
NvrtcLibrary load_nvrtc();

/// Library names for the loader, then files in the usual folders.
std::vector<std::string> nvrtc_candidates();

/// Why a compiler of this version is of no use with a driver of that version (0: no driver); empty if it is.
std::string nvrtc_version_problem(CudaVersion nvrtc, CudaVersion driver);

}  // namespace fluvia::cuda
