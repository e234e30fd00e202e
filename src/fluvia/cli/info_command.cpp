// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <span>

#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/cpu/physics/physics.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cli {

namespace {

template <class List>
std::string names_of(List list) {
  std::string names;
  core::for_each_type(list, [&]<class Type>(Type) { names += std::string(names.empty() ? "" : ", ") + Type::name; });
  return names;
}

constexpr double gibibyte = 1 << 30;

/// The GPUs of this machine and the CUDA versions, or why there are none.
void print_gpus() {
  const std::vector<cuda::DeviceInfo> gpus = cuda::list_devices();
  for (const cuda::DeviceInfo& gpu : gpus) {
    fmt::print("{:<13}{}, {:.1f} GiB, compute capability {}.{}, {} multiprocessors\n",
               fmt::format("gpu {}", gpu.ordinal), gpu.name, static_cast<double>(gpu.memory_bytes) / gibibyte,
               gpu.compute_capability / 10, gpu.compute_capability % 10, gpu.multiprocessors);
  }
  if (gpus.empty()) fmt::print("gpu          none: {}\n", cuda::driver_problem());
  const std::string driver = gpus.empty() ? "" : fmt::format("driver {}, ", cuda::driver_version().text());
  const std::string compiler = cuda::nvrtc_problem().empty()
                                   ? fmt::format("NVRTC {} ({})", cuda::nvrtc_version().text(), cuda::nvrtc_library())
                                   : cuda::nvrtc_problem();
  fmt::print("cuda         {}{}\n", driver, compiler);
}

void print_info() {
  fmt::print("fluvia       {}\ncompiler     {}\ncpu          {} threads, vectors of {} floats; kernels for {}\n",
             version(), __VERSION__, omp_get_num_procs(), cpu::vector_width(), FLUVIA_KERNEL_SETS);
  fmt::print("memory       {:.1f} GiB free\ndevices      {}\n", static_cast<double>(available_memory()) / gibibyte,
             cuda::why_unavailable().empty() ? "cpu, cuda" : "cpu");
  print_gpus();
  const std::string mpi = ranks::library();
  fmt::print("ranks        {}\n", mpi.empty() ? "one: built without MPI" : mpi);
  fmt::print("lattices     {}\ncollisions   {}\nequilibria   {}\nschemes      {}\nformats      {}\nboundaries   {}\n",
             names_of(core::Lattices{}), names_of(core::Collisions{}), names_of(core::Equilibria{}),
             join(std::span(names::schemes).subspan(1)), join(names::formats), join(names::boundary_types));
}

}  // namespace

void add_info_command(CLI::App& app) {
  app.add_subcommand("info", "List what this binary can do")->callback(print_info);
}

}  // namespace fluvia::cli
