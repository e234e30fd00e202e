// SPDX-License-Identifier: Apache-2.0
// NVIDIA's run-time compiler, loaded when it is first needed. It works without a GPU.
#pragma once
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/compiler/compiled_kernels.hpp"
#include "fluvia/cuda/runtime/driver.hpp"

namespace fluvia::cuda {

/// What to compile.
struct CompileRequest {
  std::string name;                  ///< for messages, e.g. "stream and collide"
  std::string specialisation;        ///< for messages, e.g. "d3q19, trt, fp16s, esoteric-pull"
  std::string source;                ///< may include "fluvia/core/..." and "fluvia/cuda/kernels/..."
  std::vector<std::string> kernels;  ///< C++ names of the kernels wanted, e.g. "fluvia::cuda::kernels::step<float>"
  std::vector<std::string>
      options;             ///< options of NVRTC besides language, target and -default-device, e.g. "-use_fast_math"
  bool line_info = false;  ///< for profilers
};

/// The oldest NVRTC that knows C++20.
inline constexpr CudaVersion oldest_nvrtc{12000};

/// Why nothing can be compiled, in plain words; empty if it can. Loads NVRTC on the first call: the file that the
/// environment variable FLUVIA_NVRTC names, else the first of libnvrtc.so.13, .12 and libnvrtc.so that is in the
/// loader's path, $CUDA_HOME, $CUDA_PATH or /usr/local/cuda and not newer than the driver, if there is one.
const std::string& nvrtc_problem();

/// 0 if there is none.
CudaVersion nvrtc_version();
/// The file NVRTC was loaded from, as it was asked for.
const std::string& nvrtc_library();

/// The target to compile for: `compute_capability`, or the newest before it that NVRTC knows and whose code runs on it
/// (same major number). Throws Error(resource) if there is none.
int target_for(int compute_capability);

/// All options that compile() hands to NVRTC.
std::vector<std::string> compile_options(const CompileRequest& request, int target);

/// Compiles for GPUs of a compute capability (90 is sm_90). Throws Error(resource) with nvrtc_problem(), and
/// Error(internal) with the compiler's messages if the source is wrong.
CompiledKernels compile(const CompileRequest& request, int compute_capability);

/// Why cases cannot run on a GPU, in plain words: the driver's or NVRTC's reason, or that they do not fit together.
/// Empty if they can.
std::string why_unavailable();

}  // namespace fluvia::cuda
