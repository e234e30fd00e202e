// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/backend.hpp"

#include <spdlog/spdlog.h>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/make_solver.hpp"
#include "fluvia/cuda/bandwidth.hpp"
#include "fluvia/cuda/cuda_solver.hpp"
#include "fluvia/solver/half_lattice.hpp"

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
  Plan plan = make_plan(c, units, geometry, choice.device, on_gpu ? gpu().device.free_bytes() : 0);
  plan.device_name = choice.name;
  if (!choice.reason.empty()) plan.reason += (plan.reason.empty() ? "" : "; ") + ("on the CPU: " + choice.reason);
  return plan;
}
}  // namespace

DeviceChoice choose_device(const Case& c) {
  if (c.numerics.device == "cpu") return {"cpu", "", ""};
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
  if (choice.device == "cuda") cuda::plan_memory(cuda::prepare_case(c, units, geometry, plan), plan);
  return plan;
}

void compile_kernels(const Case& c, const Units& units, Geometry full) {
  const Geometry geometry = stored_geometry(c, std::move(full));
  const DeviceChoice choice = choose_device(c);
  if (choice.device != "cuda") return;
  const Plan plan = device_plan(c, units, geometry, choice);
  const cuda::Specification specification = cuda::prepare_case(c, units, geometry, plan).specification;
  gpu().cache.get(cuda::compile_request(specification), gpu().device.info().compute_capability);
}

std::string gpu_name() {
  return gpu().device.info().name;
}

double measure_gpu_copy_bandwidth() {
  return cuda::measure_copy_bandwidth(gpu().device, gpu().cache);
}

std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry full) {
  Geometry geometry = stored_geometry(c, std::move(full));
  const DeviceChoice choice = choose_device(c);
  Plan plan = device_plan(c, units, geometry, choice);
  if (choice.device == "cuda")
    return cuda::make_solver(c, units, std::move(geometry), std::move(plan), gpu().device, gpu().cache);
  return cpu::make_solver(c, units, std::move(geometry), std::move(plan));
}

}  // namespace fluvia
