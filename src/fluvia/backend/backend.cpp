// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/backend.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/make_solver.hpp"
#include "fluvia/cuda/runtime/bandwidth.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/domain/rank_team.hpp"
#include "fluvia/domain/split_solver.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "fluvia/solver/half_lattice.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia {

namespace {
/// GPU 0 and its kernels on disk, shared by all solvers of the process.
struct Gpu {
  cuda::Device device;
  cuda::KernelCache cache{cuda::KernelCache::default_folder(), [](const std::string& text) { spdlog::warn(text); }};
};
Gpu& gpu() {
  static Gpu instance;
  return instance;
}

Plan device_plan(const Case& c, const Units& units, const Geometry& geometry, const DeviceChoice& choice) {
  const bool on_gpu = choice.device == "cuda";
  Plan plan = make_plan(c, units, geometry, choice.device, on_gpu ? cuda::memory_for_run(c, gpu().device) : 0);
  plan.device_name = choice.name;
  if (ranks::count() > 1 && c.numerics.threads == 0) plan.threads = ranks::threads();
  const double limit = c.numerics.memory_limit;
  if (const double needed = static_cast<double>(plan.total_bytes()) / 1048576; !on_gpu && limit > 0 && needed > limit) {
    plan.refusal = fmt::format(
        "numerics.memory_limit: this run needs {:.1f} MiB on the CPU, {:.1f} MiB more than the {:.1f} MiB that it may "
        "take. Only a GPU takes a domain slab by slab: the slabs wait in the memory of the CPU, which must hold all of "
        "it anyway. What would fit: half the bytes with numerics.format = \"fp16s\", one copy of fluid nodes only "
        "(compact-aa), or a larger spacing",
        needed, needed - limit, limit);
    if (!choice.reason.empty()) plan.refusal += "; on the CPU because " + choice.reason;
  }
  if (!choice.reason.empty()) plan.reason += (plan.reason.empty() ? "" : "; ") + ("on the CPU: " + choice.reason);
  return plan;
}
}  // namespace

DeviceChoice choose_device(const Case& c) {
  if (c.numerics.device == "cpu") return {"cpu", "", ""};
  if (ranks::count() > 1) {
    if (c.numerics.device == "cuda")
      throw_input("numerics.device: cuda runs on one rank only; start fluvia without mpirun, or use cpu");
    return {"cpu", "", "several ranks do not use GPUs yet"};
  }
  if (c.numerics.device == "auto" && c.numerics.scheme != "auto" && !parse_scheme(c.numerics.scheme).cuda)
    return {"cpu", "", "scheme " + c.numerics.scheme + " runs there only"};
  const std::string problem = cuda::why_unavailable();
  if (problem.empty()) return {"cuda", gpu().device.info().name, ""};
  if (c.numerics.device == "cuda")
    throw_resource("numerics.device: cuda was asked for, but " + problem + "; use cpu or auto");
  return {"cpu", "", problem};
}

Plan plan_case(const Case& c, const Units& units, const Geometry& full) {
  const Geometry geometry = stored_geometry(c, full);
  const DeviceChoice choice = choose_device(c);
  Plan plan = device_plan(c, units, geometry, choice);
  plan.parts = ranks::count();
  if (plan.parts > 1) require_splittable(parse_scheme(plan.scheme));
  if (choice.device == "cuda") cuda::prepare_within_memory(c, units, geometry, gpu().device, plan);
  return plan;
}

void compile_kernels(const Case& c, const Units& units, Geometry full) {
  const Geometry geometry = stored_geometry(c, std::move(full));
  const DeviceChoice choice = choose_device(c);
  if (choice.device != "cuda") return;
  const Plan plan = device_plan(c, units, geometry, choice);
  const cuda::Specification specification = cuda::prepare_case(c, units, geometry, plan).specification;
  for (const cuda::KernelChoice& kernel : cuda::first_kernels(specification))
    gpu().cache.get(cuda::compile_request(specification, kernel), gpu().device.info().compute_capability);
}

std::string gpu_name() {
  return gpu().device.info().name;
}

double measure_gpu_copy_bandwidth() {
  return cuda::measure_copy_bandwidth(gpu().device, gpu().cache);
}

double measure_gpu_transfer_bandwidth() {
  return cuda::measure_transfer_bandwidth(gpu().device);
}

std::unique_ptr<PartSolver> make_part(const Case& c, const Units& units, Geometry full, int part, int parts) {
  const Geometry geometry = stored_geometry(c, std::move(full));
  Case on_cpu = c;
  on_cpu.numerics.device = "cpu";
  Plan plan = device_plan(on_cpu, units, geometry, choose_device(on_cpu));
  if (!plan.refusal.empty()) throw_resource(plan.refusal);
  const NodeMap& nodes = geometry.nodes;
  const Subdomain subdomain = make_subdomain(nodes, lattice_velocities(plan.lattice), cut_tiles(nodes, parts), part);
  return cpu::make_solver(c, units, geometry, std::move(plan), &subdomain);
}

std::unique_ptr<Solver> make_split_solver(const Case& c, const Units& units, const Geometry& geometry, int parts) {
  std::vector<std::unique_ptr<PartSolver>> solvers;
  for (int part = 0; part < parts; ++part) solvers.push_back(make_part(c, units, geometry, part, parts));
  return std::make_unique<domain::SplitSolver>(std::make_unique<domain::LocalTeam>(std::move(solvers)), parts);
}

std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry full) {
  if (ranks::count() > 1) {
    choose_device(c);
    auto team = std::make_unique<domain::RankTeam>(
        [&] { return make_part(c, units, std::move(full), ranks::rank(), ranks::count()); });
    return std::make_unique<domain::SplitSolver>(std::move(team), ranks::count());
  }
  Geometry geometry = stored_geometry(c, std::move(full));
  const DeviceChoice choice = choose_device(c);
  Plan plan = device_plan(c, units, geometry, choice);
  if (choice.device == "cuda")
    return cuda::make_solver(c, units, std::move(geometry), std::move(plan), gpu().device, gpu().cache);
  if (!plan.refusal.empty()) throw_resource(plan.refusal);
  return cpu::make_solver(c, units, std::move(geometry), std::move(plan));
}

}  // namespace fluvia
