// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fluvia::cuda {

/// What a kernel takes from the GPU, as its assembler reported.
struct KernelResources {
  int registers = 0;                  ///< per thread
  std::size_t stack_bytes = 0;        ///< per thread
  std::size_t spill_store_bytes = 0;  ///< per thread: registers written to memory because they did not suffice
  std::size_t spill_load_bytes = 0;
  std::size_t shared_bytes = 0;  ///< static, per block
  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

struct CompiledKernel {
  std::string lowered_name;                  ///< the mangled name by which the driver knows it
  std::optional<KernelResources> resources;  ///< empty if the assembler reported in words that Fluvia does not know
  friend bool operator==(const CompiledKernel&, const CompiledKernel&) = default;
};

/// Machine code of one compilation.
struct CompiledKernels {
  std::string name;            ///< name of the request
  std::string specialisation;  ///< specialisation of the request
  std::vector<char> cubin;
  std::map<std::string, CompiledKernel> kernels;  ///< by the name that was asked for
  std::string log;                                ///< warnings of the compiler

  /// For messages: "kernel 'NAME' (SPECIALISATION)".
  [[nodiscard]] std::string label() const;
  friend bool operator==(const CompiledKernels&, const CompiledKernels&) = default;
};

/// "kernel 'NAME' (SPECIALISATION)".
std::string kernel_label(std::string_view name, std::string_view specialisation);

/// What `ptxas -v` reports about the kernel with this mangled name; empty if the text does not say.
std::optional<KernelResources> parse_resources(std::string_view assembler_log, std::string_view lowered_name);

/// A compiler's log without the lines of `ptxas -v`.
std::string without_resources(std::string_view log);

}  // namespace fluvia::cuda
