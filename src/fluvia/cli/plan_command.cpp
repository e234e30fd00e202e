// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/transport.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/registered_physics.hpp"
#include "fluvia/cli/case_options.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/cpu/bandwidth.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/run/wall_output.hpp"
#include "fluvia/solver/boundary_setup.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "fluvia/solver/half_lattice.hpp"
#include "fluvia/solver/scheme.hpp"
#include "fluvia/solver/subdomain.hpp"

namespace fluvia::cli {

namespace {

constexpr double mebibyte = 1048576.0;

/// Rates of stresses where the lattice needs two, else nothing.
std::string stress_rates(const Plan& plan) {
  std::string text;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    using Isotropy = core::Isotropy<Lattice>;
    if (plan.lattice == Lattice::name && !Isotropy::isotropic)
      text = fmt::format(", rates of normal and shear stresses {:.6g} and {:.6g}",
                         core::rate_of_multiple(plan.omega, Isotropy::normal_time),
                         core::rate_of_multiple(plan.omega, Isotropy::shear_time));
  });
  return text;
}

/// What a domain in slabs costs; returns the seconds that a step spends on transfers.
double print_slabs(const Plan& plan, int gpu) {
  const double bandwidth = measure_gpu_transfer_bandwidth(gpu),
               seconds = static_cast<double>(plan.transfer_bytes) / bandwidth;
  fmt::print(
      "slabs        {} take turns on the GPU: {:.1f} MiB of populations are in host memory; each step moves {:.1f} "
      "MiB, {:.2f} ms at {:.1f} GB/s\n",
      plan.slabs, static_cast<double>(plan.host_bytes) / mebibyte, static_cast<double>(plan.transfer_bytes) / mebibyte,
      1e3 * seconds, bandwidth / 1e9);
  return seconds;
}

/// How several ranks or GPUs share the domain. `rate`: nodes that a part steps per second. Returns the share that parts
/// are expected to reach of what they would without each other.
double print_parts(const Geometry& geometry, const Plan& plan, const domain::Transport& transport, double rate) {
  const PartitionFacts facts = partition_facts(geometry.nodes, lattice_velocities(plan.lattice), plan.parts);
  const auto largest = [](const auto& values) { return *std::max_element(values.begin(), values.end()); };
  fmt::print(
      "parts        {}, one on each {}: {} to {} fluid nodes, the largest {:.2g}% above the mean; each step up to {} "
      "neighbours send a part {:.1f} KiB; the halo is up to {:.2g}% more nodes\n",
      plan.parts, ranks::count() > 1 ? "rank" : "GPU", *std::min_element(facts.nodes.begin(), facts.nodes.end()),
      largest(facts.nodes), 100 * facts.imbalance(), largest(facts.neighbours),
      static_cast<double>(largest(facts.crossings)) * storage_bytes(plan.format) / 1024, 100 * facts.largest_halo());
  if (ranks::count() > 1)
    fmt::print("ranks        {}, {}\n", ranks::library(),
               plan.device == "cuda" ? std::string("a GPU each") : fmt::format("{} threads each", plan.threads));
  const double efficiency = domain::expected_efficiency(facts, storage_bytes(plan.format), rate, transport);
  fmt::print(
      "transport    {}; assuming {:.0f} GB/s each way and {:.0f} us a step besides, the parts reach {:.1f}% of "
      "what they would without each other\n",
      transport.name, transport.bandwidth / 1e9, 1e6 * transport.seconds_of_step, 100 * efficiency);
  return efficiency;
}

/// GPUs that step the domain at a time; parts on one take turns.
int devices_of(const Plan& plan, const DeviceChoice& choice) {
  if (ranks::count() > 1) return plan.parts;
  return static_cast<int>(std::set<int>(choice.gpus.begin(), choice.gpus.end()).size());
}

/// Those of all ranks, as far as they may be on this machine.
int threads_here(const Plan& plan) {
  return plan.parts == 1 ? plan.threads : std::min(plan.threads * plan.parts, omp_get_num_procs());
}

/// How a format rounds, if it does.
std::string rounding_text(const Plan& plan) {
  if (!format_rounds(plan.format)) return "";
  return fmt::format(", {} rounding", core::rounding_names[static_cast<int>(plan.rounding)]);
}

/// A scheme, and what of it was chosen.
std::string scheme_text(const Plan& plan) {
  if (plan.tile > 0) return fmt::format("{}, tiles of {} nodes along an edge", plan.scheme, plan.tile);
  if (!parse_scheme(plan.scheme).is_fused()) return plan.scheme;
  const std::string steps = plan.steps_per_pass == 1 ? "one step" : fmt::format("{} steps", plan.steps_per_pass);
  return fmt::format("{}, {} per pass over memory{}", plan.scheme, steps,
                     plan.pass_reason.empty() ? "" : ": " + plan.pass_reason);
}

void print_plan(const Case& c, const Units& units, const Geometry& geometry, const Plan& plan) {
  const bool gpu = plan.device == "cuda";
  const DeviceChoice choice = choose_device(c);
  fmt::print("{}\n", format_units(units, c));
  fmt::print("lattice      {}\ncollision    {}{}\nequilibrium  {}\nscheme       {}\nformat       {}\ndevice       {}\n",
             plan.lattice, plan.collision,
             stress_rates(plan) + (plan.collision_reason.empty() ? "" : ", since " + plan.collision_reason),
             plan.equilibrium, scheme_text(plan), plan.format + rounding_text(plan),
             gpu ? "cuda, " + plan.device_name : fmt::format("{}, {} threads", plan.device, plan.threads));
  if (plan.viscosity.varies()) fmt::print("viscosity    {}\n", describe(plan.viscosity, units));
  if (!plan.reason.empty()) fmt::print("because      {}\n", plan.reason);
  fmt::print("nodes        {} of {} fluid{}, porosity {:.4g}\n", geometry.nodes.fluid_nodes, geometry.nodes.box_nodes(),
             geometry.nodes.half ? " and stored" : "", geometry.nodes.porosity());
  const double snapshot = static_cast<double>(plan.snapshot_bytes) / mebibyte;
  const bool keeps = plan.snapshot_bytes > 0 && plan.snapshot_fits;
  fmt::print("memory       {:.1f} MiB{}: populations {:.1f}, geometry {:.1f}, boundaries {:.1f}, program {:.1f}{}\n",
             static_cast<double>(plan.total_bytes()) / mebibyte, gpu && plan.parts > 1 ? " for the largest part" : "",
             static_cast<double>(plan.population_bytes) / mebibyte, static_cast<double>(plan.geometry_bytes) / mebibyte,
             static_cast<double>(plan.boundary_bytes) / mebibyte, static_cast<double>(plan.other_bytes) / mebibyte,
             keeps ? fmt::format(", snapshot {:.1f}", snapshot) : "");
  if (keeps)
    fmt::print("output       written from the snapshot while steps go on; {:.1f} MiB of pinned host memory\n",
               static_cast<double>(plan.staging_bytes) / mebibyte);
  else if (plan.snapshot_bytes > 0)
    fmt::print("output       holds up the stepping: a snapshot of {:.1f} MiB to write from does not fit\n", snapshot);
  // Of schemes that were not measured: what others reach; see docs/performance.md.
  const double share = plan.expected_share > 0 ? plan.expected_share : gpu ? 0.8 : 0.5;
  const double bandwidth = gpu ? measure_gpu_copy_bandwidth(choice.gpus.front())
                               : measure_copy_bandwidth(threads_here(plan), std::size_t{256} << 20);
  const auto fluid = static_cast<double>(geometry.nodes.fluid_nodes);
  // Ranks on CPUs are taken to share this machine, as its bandwidth is measured with all of their threads.
  const int devices = gpu ? devices_of(plan, choice) : 1;
  double seconds = fluid * plan.bytes_per_update / (share * bandwidth * devices);  // of a step
  fmt::print("traffic      {:.0f} bytes per fluid node and step; copy bandwidth {:.1f} GB/s\n", plan.bytes_per_update,
             bandwidth / 1e9);
  if (plan.slabs > 1) seconds += print_slabs(plan, choice.gpus.front());
  if (plan.parts > 1) {
    const double rate = fluid / seconds / plan.parts;
    seconds /= print_parts(geometry, plan, transport_of(c, bandwidth), rate);
  }
  const double steps = c.run.steps ? static_cast<double>(*c.run.steps) : c.run.time ? *c.run.time / units.time_step : 0;
  const double reached = fluid * plan.bytes_per_update / (seconds * bandwidth * devices);
  fmt::print("time         about {:.0f} s for {:.0f} steps at {:.0f} MFLUPS ({:.{}f}% of the roofline)\n",
             steps * seconds, steps, fluid / seconds / 1e6, 100 * reached, plan.slabs > 1 ? 1 : 0);
  if (!plan.refusal.empty()) fmt::print("warning: will not run: {}\n", plan.refusal);
}

void plan(const CaseOptions& source) {
  const Case c = source.read();
  std::vector<std::string> warnings;
  PreparedFlow flow(c, [&](const std::string& text) { warnings.push_back(text); });
  flow.build();
  const Units& units = flow.units();
  const Geometry geometry = stored_geometry(c, flow.take_geometry());
  const Plan plan = plan_case(c, units, geometry);
  const BoundarySetup boundaries = make_boundary_setup(c, units, geometry, plan.lattice);  // also for what it refuses
  print_plan(c, units, geometry, plan);
  for (const ChangingProfile& profile : boundaries.changing)
    fmt::print("profile      {}\n", printable(profile.description));
  if (c.output.wall) {
    const WallOutput::Size walls = WallOutput::planned(geometry, c.monitors.average_from.has_value());
    fmt::print("walls        {} triangles for output.wall, {:.1f} MiB of host memory\n", walls.triangles,
               static_cast<double>(walls.bytes) / mebibyte);
  }
  for (const std::string& advice : advise(plan.viscosity, units)) fmt::print("warning: {}\n", printable(advice));
  for (const std::string& warning : warnings) fmt::print("warning: {}\n", printable(warning));
}

}  // namespace

void add_plan_command(CLI::App& app) {
  auto source = std::make_shared<CaseOptions>();
  CLI::App* command = app.add_subcommand("plan", "Say what a run would need, without running");
  source->add_to(*command);
  command->callback([source] { plan(*source); });
}

}  // namespace fluvia::cli
