// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/runtime/compiler/kernel_sources.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc_library.hpp"

namespace fluvia::cuda {
namespace {

const NvrtcLibrary& loaded_nvrtc() {
  static const NvrtcLibrary library = load_nvrtc();
  return library;
}

const NvrtcLibrary& nvrtc() {
  if (!loaded_nvrtc().problem.empty()) throw_resource("no GPU kernel can be compiled: " + loaded_nvrtc().problem);
  return loaded_nvrtc();
}

void check_nvrtc(NvrtcResult result, const std::string& label) {
  if (result == nvrtc_success) return;
  throw Error(ExitCode::internal, fmt::format("{}: {}", label, nvrtc().nvrtcGetErrorString(result)));
}

/// A source and its compilation.
class Compilation {
 public:
  explicit Compilation(const CompileRequest& request) : label_(kernel_label(request.name, request.specialisation)) {
    std::vector<const char*> names, texts;
    // Embedded names and texts end with a zero, as NVRTC wants them (cmake/Embed.cmake).
    for (const EmbeddedFile& header : kernel_headers) {
      names.push_back(header.name.data());
      texts.push_back(header.content.data());
    }
    check_nvrtc(api_.nvrtcCreateProgram(&handle_, request.source.c_str(), (request.name + ".cu").c_str(),
                                        static_cast<int>(names.size()), texts.data(), names.data()),
                label_);
  }
  ~Compilation() { api_.nvrtcDestroyProgram(&handle_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  void compile(const CompileRequest& request, int target) {
    for (const std::string& kernel : request.kernels) {
      check_nvrtc(api_.nvrtcAddNameExpression(handle_, kernel.c_str()), label_);
    }
    const std::vector<std::string> options = compile_options(request, target);
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    const NvrtcResult result = api_.nvrtcCompileProgram(handle_, static_cast<int>(pointers.size()), pointers.data());
    if (result == nvrtc_success) return;
    throw Error(ExitCode::internal, fmt::format("{} does not compile for sm_{} with NVRTC {} ({}):\n{}", label_, target,
                                                nvrtc_version().text(), api_.nvrtcGetErrorString(result), log()));
  }

  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    check_nvrtc(api_.nvrtcGetProgramLogSize(handle_, &size), label_);
    std::string text(size, '\0');
    if (size > 0) check_nvrtc(api_.nvrtcGetProgramLog(handle_, text.data()), label_);
    return text.substr(0, text.find('\0'));
  }

  [[nodiscard]] CompiledKernels result(const CompileRequest& request) const {
    const std::string text = log();
    CompiledKernels compiled{request.name, request.specialisation, cubin(), {}, without_resources(text)};
    for (const std::string& kernel : request.kernels) {
      const char* lowered = nullptr;
      check_nvrtc(api_.nvrtcGetLoweredName(handle_, kernel.c_str(), &lowered), label_);
      compiled.kernels[kernel] = {lowered, parse_resources(text, lowered)};
    }
    return compiled;
  }

 private:
  [[nodiscard]] std::vector<char> cubin() const {
    std::size_t size = 0;
    check_nvrtc(api_.nvrtcGetCUBINSize(handle_, &size), label_);
    std::vector<char> bytes(size);
    if (size > 0) check_nvrtc(api_.nvrtcGetCUBIN(handle_, bytes.data()), label_);
    return bytes;
  }

  const NvrtcLibrary& api_ = nvrtc();
  std::string label_;
  NvrtcProgram handle_ = nullptr;
};

}  // namespace

const std::string& nvrtc_problem() {
  return loaded_nvrtc().problem;
}

CudaVersion nvrtc_version() {
  return loaded_nvrtc().version;
}

const std::string& nvrtc_library() {
  return loaded_nvrtc().file;
}

int target_for(int compute_capability) {
  const NvrtcLibrary& api = nvrtc();
  int count = 0;
  check_nvrtc(api.nvrtcGetNumSupportedArchs(&count), "NVRTC");
  std::vector<int> targets(static_cast<std::size_t>(count));
  check_nvrtc(api.nvrtcGetSupportedArchs(targets.data()), "NVRTC");
  int best = 0;
  for (const int target : targets) {
    const bool runs = target / 10 == compute_capability / 10 && target <= compute_capability;
    if (runs) best = std::max(best, target);
  }
  if (best == 0) {
    throw_resource(fmt::format("NVRTC {} ({}) cannot compile for GPUs of compute capability {}.{}; it knows sm_{}",
                               nvrtc_version().text(), api.file, compute_capability / 10, compute_capability % 10,
                               fmt::join(targets, ", sm_")));
  }
  return best;
}

std::vector<std::string> compile_options(const CompileRequest& request, int target) {
  std::vector<std::string> options = {"-std=c++20", fmt::format("--gpu-architecture=sm_{}", target), "-default-device",
                                      "--ptxas-options=-v"};
  // NVRTC's own cache says nothing about resources, and Fluvia has one.
  if (nvrtc_version().number >= 13000) options.push_back("--no-cache");
  if (request.line_info) options.emplace_back("--generate-line-info");
  options.insert(options.end(), request.options.begin(), request.options.end());
  return options;
}

CompiledKernels compile(const CompileRequest& request, int compute_capability) {
  const int target = target_for(compute_capability);
  Compilation program(request);
  program.compile(request, target);
  return program.result(request);
}

std::string why_unavailable() {
  if (!driver_problem().empty()) return driver_problem();
  return nvrtc_problem();
}

}  // namespace fluvia::cuda
