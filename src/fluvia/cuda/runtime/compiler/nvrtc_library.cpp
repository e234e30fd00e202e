// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/compiler/nvrtc_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "fluvia/cuda/runtime/binder.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"

namespace fluvia::cuda {
namespace {

/// Name of the first function that the library lacks; empty if it has all.
std::string bind_all(void* library, NvrtcLibrary& nvrtc) {
  Binder bind(library);
  bind("nvrtcGetErrorString", nvrtc.nvrtcGetErrorString);
  bind("nvrtcVersion", nvrtc.nvrtcVersion);
  bind("nvrtcGetNumSupportedArchs", nvrtc.nvrtcGetNumSupportedArchs);
  bind("nvrtcGetSupportedArchs", nvrtc.nvrtcGetSupportedArchs);
  bind("nvrtcCreateProgram", nvrtc.nvrtcCreateProgram);
  bind("nvrtcDestroyProgram", nvrtc.nvrtcDestroyProgram);
  bind("nvrtcAddNameExpression", nvrtc.nvrtcAddNameExpression);
  bind("nvrtcCompileProgram", nvrtc.nvrtcCompileProgram);
  bind("nvrtcGetLoweredName", nvrtc.nvrtcGetLoweredName);
  bind("nvrtcGetProgramLogSize", nvrtc.nvrtcGetProgramLogSize);
  bind("nvrtcGetProgramLog", nvrtc.nvrtcGetProgramLog);
  bind("nvrtcGetCUBINSize", nvrtc.nvrtcGetCUBINSize);
  bind("nvrtcGetCUBIN", nvrtc.nvrtcGetCUBIN);
  return bind.missing();
}

std::string last_dl_error(const std::string& file) {
  const char* reason = ::dlerror();
  return reason ? reason : file;
}

/// Loads one file; `found` tells a library that does not fit from one that is not there.
NvrtcLibrary load_file(const std::string& file, bool& found) {
  NvrtcLibrary nvrtc;
  nvrtc.file = file;
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  found = library != nullptr;
  if (!library) {
    nvrtc.problem = fmt::format("the CUDA compiler NVRTC cannot be loaded ({})", last_dl_error(file));
    return nvrtc;
  }
  const std::string missing = bind_all(library, nvrtc);
  int major = 0, minor = 0;
  if (!missing.empty()) {
    nvrtc.problem =
        fmt::format("'{}' is no NVRTC, or one older than {}: it lacks {}", file, oldest_nvrtc.text(), missing);
  } else if (nvrtc.nvrtcVersion(&major, &minor) != nvrtc_success) {
    nvrtc.problem = fmt::format("'{}' does not tell its version", file);
  } else {
    nvrtc.version.number = 1000 * major + 10 * minor;
    nvrtc.problem = nvrtc_version_problem(nvrtc.version, driver_version());
  }
  return nvrtc;
}

}  // namespace

std::string nvrtc_version_problem(CudaVersion nvrtc, CudaVersion driver) {
  if (nvrtc.number < oldest_nvrtc.number) {
    return fmt::format("the CUDA compiler NVRTC {} is too old; Fluvia needs {} or later", nvrtc.text(),
                       oldest_nvrtc.text());
  }
  // Within a major version drivers take code of every newer compiler.
  if (driver.number > 0 && nvrtc.major() > driver.major()) {
    return fmt::format(
        "the NVIDIA driver (CUDA {}) does not take code of NVRTC {}; update the driver, or let FLUVIA_NVRTC name a "
        "libnvrtc.so.{}",
        driver.text(), nvrtc.text(), driver.major());
  }
  return {};
}

/// The folder of the program or library that this function is part of, with a slash; empty if it is not known.
std::string own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&nvrtc_candidates), &info) == 0 || !info.dli_fname) return {};
  std::filesystem::path file = info.dli_fname;
  std::error_code unknown;
  // A program is called what it was started as.
  if (!file.is_absolute()) file = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return unknown ? std::string() : file.parent_path().string() + "/";
}

std::vector<std::string> nvrtc_candidates() {
  std::vector<std::string> folders = {""};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* folder = std::getenv(variable);
    if (folder && *folder) folders.push_back(std::string(folder) + "/lib64/");
  }
  folders.emplace_back("/usr/local/cuda/lib64/");
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) files.push_back(folder + name);
  }
  // Where pip puts it, beside Fluvia's own package: that holds this code in its folder, or in bin or lib below.
  if (const std::string own = own_folder(); !own.empty()) {
    for (const char* up : {"../", "../../"}) {
      files.push_back(own + up + "nvidia/cu13/lib/libnvrtc.so.13");
      files.push_back(own + up + "nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    }
  }
  return files;
}

NvrtcLibrary load_nvrtc() {
  bool found = false;
  if (const char* file = std::getenv("FLUVIA_NVRTC"); file && *file) {
    NvrtcLibrary chosen = load_file(file, found);
    if (!chosen.problem.empty()) chosen.problem += fmt::format("; FLUVIA_NVRTC names '{}'", file);
    return chosen;
  }
  NvrtcLibrary unfit;
  for (const std::string& file : nvrtc_candidates()) {
    NvrtcLibrary candidate = load_file(file, found);
    if (candidate.problem.empty()) return candidate;
    if (found && unfit.problem.empty()) unfit = candidate;
  }
  if (unfit.problem.empty()) {
    unfit.problem =
        "the CUDA compiler NVRTC was not found (libnvrtc.so.13 or .12); install the CUDA toolkit or the Python package "
        "nvidia-cuda-nvrtc, and let FLUVIA_NVRTC name its libnvrtc.so if it is in no usual place";
  }
  return unfit;
}

}  // namespace fluvia::cuda
