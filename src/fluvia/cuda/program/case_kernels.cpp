// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/program/case_kernels.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <system_error>
#include <thread>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {
namespace {

/// Compilations at a time; each takes some 100 MiB.
constexpr std::size_t most_compilers = 8;

Kernel load(const Device& device, const CompiledKernels& compiled) {
  return Module(device, compiled).kernel(compiled.kernels.begin()->first);
}

}  // namespace

std::vector<CompiledKernels> compile_side_by_side(KernelCache& cache, const std::vector<CompileRequest>& requests,
                                                  int compute_capability) {
  std::vector<CompiledKernels> compiled(requests.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < requests.size(); k = next++)
      compiled[k] = cache.get(requests[k], compute_capability);
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<void>> workers;
  try {
    for (std::size_t k = 1; k < std::min({cores, most_compilers, requests.size()}); ++k)
      workers.push_back(std::async(std::launch::async, work));
  } catch (const std::system_error&) {  // no more threads are to be had
  }
  work();
  for (std::future<void>& worker : workers) worker.get();
  return compiled;
}

CaseKernels::CaseKernels(const Device& device, KernelCache& cache, const Specification& specification)
    : device_(device),
      cache_(cache),
      specification_(specification),
      parities_(facts_of(specification).parities),
      slots_(new Slot[static_cast<std::size_t>(parities_ * kernel_kinds)]) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const std::vector<KernelChoice> first = first_kernels(specification);
  std::vector<CompileRequest> requests;
  for (const KernelChoice& choice : first) requests.push_back(compile_request(specification, choice));
  const auto compiled = compile_side_by_side(cache, requests, device.info().compute_capability);
  for (std::size_t k = 0; k < first.size(); ++k)
    slot(first[k].kind, first[k].parity).kernel = load(device, compiled[k]);
  seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
}

CaseKernels::Slot& CaseKernels::slot(KernelKind kind, int parity) const {
  return slots_[static_cast<std::size_t>(parity * kernel_kinds + static_cast<int>(kind))];
}

const Kernel& CaseKernels::get(KernelKind kind, std::int64_t update) const {
  const int parity = static_cast<int>(update % parities_);
  Slot& place = slot(kind, parity);
  const std::lock_guard lock(place.mutex);
  if (!place.kernel) {
    const CompileRequest request = compile_request(specification_, {kind, parity});
    place.kernel = load(device_, cache_.get(request, device_.info().compute_capability));
  }
  return *place.kernel;
}

}  // namespace fluvia::cuda
