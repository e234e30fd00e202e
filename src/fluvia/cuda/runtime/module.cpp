// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/module.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {
namespace {

/// Numbers of CUfunction_attribute.
enum FunctionAttribute : int {
  max_threads_per_block = 0,
  static_shared_bytes = 1,
  local_size_bytes = 3,
  number_of_registers = 4,
  max_dynamic_shared_bytes = 8,
};

/// Sizes of a kernel's parameters; the driver answers with an error behind the last.
std::vector<std::size_t> parameter_sizes_of(CuFunction function) {
  std::vector<std::size_t> sizes;
  std::size_t offset = 0, size = 0;
  while (driver().cuFuncGetParamInfo(function, sizes.size(), &offset, &size) == cu_success) sizes.push_back(size);
  return sizes;
}

}  // namespace

int Kernel::attribute(int number) const {
  int value = 0;
  const CuResult result = driver().cuFuncGetAttribute(&value, number, state_->function);
  if (result != cu_success) check(result, "cannot query " + *state_->label);
  return value;
}

KernelAttributes Kernel::attributes() const {
  return {.registers = attribute(number_of_registers),
          .most_threads = attribute(max_threads_per_block),
          .local_bytes = static_cast<std::size_t>(attribute(local_size_bytes)),
          .shared_bytes = static_cast<std::size_t>(attribute(static_shared_bytes))};
}

void Kernel::allow_shared_bytes(std::size_t bytes) const {
  const CuResult result =
      driver().cuFuncSetAttribute(state_->function, max_dynamic_shared_bytes, static_cast<int>(bytes));
  if (result != cu_success) check(result, fmt::format("{}: {} bytes of shared memory", *state_->label, bytes));
}

int Kernel::blocks_per_multiprocessor(int threads, std::size_t shared_bytes) const {
  int blocks = 0;
  const CuResult result =
      driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, state_->function, threads, shared_bytes);
  if (result != cu_success) check(result, "cannot query " + *state_->label);
  return blocks;
}

namespace {
CuResult launch_function(CuFunction function, const Stream& stream, const LaunchShape& shape, void** arguments) {
  const auto shared_bytes = static_cast<unsigned>(shape.shared_bytes);
  const Dimensions& blocks = shape.blocks;
  const Dimensions& threads = shape.threads;
  constexpr int records_early_launches = 12030;  // in graphs
  if (shape.early && driver().cuLaunchKernelEx && driver_version().number >= records_early_launches) {
    constexpr int programmatic_stream_serialization = 6;
    const CuLaunchAttribute attribute{.id = programmatic_stream_serialization, .value = 1};
    const CuLaunchConfig config{blocks.x,  blocks.y,     blocks.z,        threads.x,  threads.y,
                                threads.z, shared_bytes, stream.handle(), &attribute, 1};
    return driver().cuLaunchKernelEx(&config, function, arguments, nullptr);
  }
  return driver().cuLaunchKernel(function, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z, shared_bytes,
                                 stream.handle(), arguments, nullptr);
}
}  // namespace

void Kernel::launch_with(const Stream& stream, const LaunchShape& shape,
                         std::span<const ArgumentView> arguments) const {
  const std::vector<std::size_t>& expected = state_->parameter_sizes;
  if (state_->parameters_known && !std::ranges::equal(arguments, expected, {}, &ArgumentView::bytes)) {
    std::vector<std::size_t> sizes;
    for (const ArgumentView& argument : arguments) sizes.push_back(argument.bytes);
    throw Error(ExitCode::internal, fmt::format("{}: arguments of {} bytes were given, its parameters have {}",
                                                *state_->label, fmt::join(sizes, ", "), fmt::join(expected, ", ")));
  }
  std::vector<void*> addresses;
  for (const ArgumentView& argument : arguments) addresses.push_back(const_cast<void*>(argument.data));
  stream.note(state_->label);
  const CuResult result = launch_function(state_->function, stream, shape, addresses.data());
  if (result == cu_success) return;
  check(result, fmt::format("cannot launch {} with {}x{}x{} blocks of {}x{}x{} threads and {} bytes of shared memory",
                            *state_->label, shape.blocks.x, shape.blocks.y, shape.blocks.z, shape.threads.x,
                            shape.threads.y, shape.threads.z, shape.shared_bytes));
}

Module::Module(const Device& device, const CompiledKernels& compiled)
    : label_(compiled.label()), specialisation_(compiled.specialisation), kernels_(compiled.kernels) {
  device.make_current();
  CuModule handle = nullptr;
  const CuResult result = driver().cuModuleLoadDataEx(&handle, compiled.cubin.data(), 0, nullptr, nullptr);
  if (result != cu_success) check(result, fmt::format("{} does not accept {}", device.label(), label_));
  module_ = std::make_shared<const Kernel::ModuleHandle>(device.context(), handle);
}

Kernel Module::kernel(const std::string& name) const {
  const auto found = kernels_.find(name);
  if (found == kernels_.end()) throw Error(ExitCode::internal, fmt::format("{}: no kernel '{}'", label_, name));
  auto state = std::make_shared<Kernel::State>();
  state->module = module_;
  state->name = name;
  state->label = std::make_shared<const std::string>(kernel_label(name, specialisation_));
  const CuResult result =
      driver().cuModuleGetFunction(&state->function, module_->get(), found->second.lowered_name.c_str());
  if (result != cu_success) check(result, "cannot load " + *state->label);
  state->parameters_known = driver().cuFuncGetParamInfo != nullptr;
  if (state->parameters_known) state->parameter_sizes = parameter_sizes_of(state->function);
  return Kernel(std::move(state));
}

std::pair<CuDevicePointer, std::size_t> Module::global(const std::string& name) const {
  CuDevicePointer address = 0;
  std::size_t bytes = 0;
  const CuResult result = driver().cuModuleGetGlobal(&address, &bytes, module_->get(), name.c_str());
  if (result != cu_success) check(result, fmt::format("{}: no variable '{}'", label_, name));
  return {address, bytes};
}

}  // namespace fluvia::cuda
