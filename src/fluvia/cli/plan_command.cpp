// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/expected_time.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/terminal/result_file.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/domain/rank_communicator.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/model/lattice_counts.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/files/disk_use.hpp"
#include "fluvia/run/files/wall_output.hpp"
#include "fluvia/run/planning.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/run/serve.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cli {

namespace {

constexpr double mebibyte = 1048576.0;

/// Text of the rates of stresses where the lattice needs two; empty elsewhere.
std::string stress_rates(const Plan& plan) {
  std::string text;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    using Isotropy = core::Isotropy<Lattice>;
    if (plan.flow().lattice->name == Lattice::name && !Isotropy::isotropic)
      text = fmt::format(", rates of normal and shear stresses {:.6g} and {:.6g}",
                         core::rate_of_multiple(plan.flow().omega(), Isotropy::normal_time),
                         core::rate_of_multiple(plan.flow().omega(), Isotropy::shear_time));
  });
  return text;
}

/// Text of the magic parameter of the coarsest level where it is not that of the case; empty elsewhere.
std::string magic_text(const Plan& plan, const Case& c) {
  const Distribution& flow = plan.flow();
  if (flow.collision->odd_rates != core::OddRates::magic || flow.parameters.magic == c.numerics.magic) return "";
  return fmt::format(", magic {:.4g} beside finer levels", flow.parameters.magic);
}

/// Prints what an out-of-core domain costs whose blocks, or those of some of its levels, are streamed through the GPU.
void print_streaming(const Plan& plan, double bandwidth) {
  const double one_way = static_cast<double>(plan.transfer_bytes) / 2;
  std::string levels;
  for (std::size_t l = 0; l < plan.levels.size(); ++l)
    if (plan.levels[l].is_streamed) levels += fmt::format("{}{}", levels.empty() ? " of each of the levels " : ", ", l);
  fmt::print(
      "blocks       {}{} are streamed through the GPU, which has room for the populations of three: {:.1f} MiB of "
      "them are in host memory; each step{} moves {:.1f} MiB to the GPU and as much back meanwhile, {:.2f} ms at "
      "{:.1f} GB/s each way\n",
      plan.domain.blocks, levels, static_cast<double>(plan.host_bytes) / mebibyte,
      plan.levels.empty() ? "" : " of the coarsest level", one_way / mebibyte, 1e3 * one_way / bandwidth,
      bandwidth / 1e9);
}

/// Prints how several ranks or GPUs share the domain.
void print_parts(const Plan& plan, const ExpectedParts& parts) {
  const PartitionFacts& facts = parts.facts;
  const auto largest = [](const auto& values) { return *std::max_element(values.begin(), values.end()); };
  fmt::print(
      "parts        {}, one on each {}: {} to {} {}, the largest {:.2g}% above the mean; each {} up to {} "
      "neighbours send a part {:.1f} KiB; the halo is up to {:.2g}% more nodes\n",
      plan.domain.blocks, plan.domain.is_on_ranks() ? "rank" : "GPU",
      *std::min_element(facts.nodes.begin(), facts.nodes.end()), largest(facts.nodes),
      plan.levels.empty() ? "fluid nodes" : "updates of nodes in a step of the coarsest level", 100 * facts.imbalance(),
      facts.steps == 1 ? "step" : fmt::format("{} steps", facts.steps), largest(facts.neighbours),
      static_cast<double>(largest(facts.halo_populations)) * plan.format->storage_bytes / 1024,
      100 * facts.largest_halo());
  if (plan.domain.is_on_ranks())
    fmt::print("ranks        {}, {}\n", ranks::library(),
               plan.device == "cuda" ? std::string("a GPU each") : fmt::format("{} threads each", plan.threads));
  fmt::print(
      "transport    {}; assuming {:.0f} GB/s each way and {:.0f} us each time besides, the parts reach {:.1f}% of "
      "what they would without each other\n",
      parts.transport.name, parts.transport.bandwidth / 1e9,
      1e6 * parts.transport.seconds_besides(largest(facts.halo_populations)), 100 * parts.efficiency);
}

/// Text of how a level is shared by several parts; empty if it is not.
std::string parts_of_level(const std::vector<PartitionFacts>& levels, std::size_t level) {
  if (levels.empty()) return "";
  const PartitionFacts& facts = levels[level];
  return fmt::format("; {} to {} nodes in a part, the largest {:.2g}% above the mean",
                     *std::min_element(facts.nodes.begin(), facts.nodes.end()),
                     *std::max_element(facts.nodes.begin(), facts.nodes.end()), 100 * facts.imbalance());
}

/// Prints what each level of refinement takes, and what the finest spacing everywhere would.
void print_levels(const Problem& problem, const Planned& planned) {
  const Plan& plan = planned.plan;
  if (plan.levels.empty()) return;
  double nodes = 0, updates = 0;
  for (const LevelPlan& level : plan.levels) {
    nodes += static_cast<double>(level.nodes);
    updates += level.updates;
  }
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const LevelPlan& level = plan.levels[l];
    fmt::print(
        "level {}      spacing {:.6g}{}, tau {:.4g}: {} nodes ({:.3g}%), {:.3g}% of the work, {:.1f} MiB{}{}{}\n", l,
        level.spacing, problem.units.si ? " m" : "", level.tau, level.nodes,
        100 * static_cast<double>(level.nodes) / nodes, 100 * level.updates / updates,
        static_cast<double>(level.bytes) / mebibyte, level.is_streamed ? ", streamed" : "",
        level.steps_per_pass > 1 ? fmt::format(", {} steps per pass over memory", level.steps_per_pass) : "",
        parts_of_level(planned.levels, l));
  }
  const auto finest = static_cast<double>(plan.levels.size() - 1);
  const double uniform =
      static_cast<double>(problem.geometry.nodes.fluid_nodes) * std::exp2(finest * problem.geometry.nodes.dimension);
  fmt::print(
      "levels       {:.0f} nodes, {:.3g}% of the {:.3g} that the finest spacing everywhere would take; {:.3g}% of "
      "the work\n",
      nodes, 100 * nodes / uniform, uniform, 100 * updates / (uniform * std::exp2(finest)));
}

/// Text of how a format rounds; empty if it does not.
std::string rounding_text(const Plan& plan) {
  if (!plan.format->rounds) return "";
  return fmt::format(", {} rounding", core::rounding_names[static_cast<int>(plan.rounding)]);
}

/// Text of a scheme, and of what was chosen of it.
std::string scheme_text(const Plan& plan) {
  if (plan.tile > 0) return fmt::format("{}, tiles of {} nodes along an edge", plan.scheme_name(), plan.tile);
  if (plan.steps_per_pass == 1 && plan.pass_reason.empty()) return plan.scheme_name();
  const std::string steps = plan.steps_per_pass == 1 ? "one step" : fmt::format("{} steps", plan.steps_per_pass);
  return fmt::format("{}, {} per pass over memory{}", plan.scheme_name(), steps,
                     plan.pass_reason.empty() ? "" : ": " + plan.pass_reason);
}

void print_plan(const Problem& problem, const Planned& planned, const Trial& trial) {
  const Geometry& geometry = problem.geometry;
  const Plan& plan = planned.plan;
  const bool gpu = plan.device == "cuda";
  fmt::print("{}\n", format_units(problem.units, problem.settings));
  fmt::print("lattice      {}\ncollision    {}{}\nequilibrium  {}\nscheme       {}\nformat       {}\ndevice       {}\n",
             plan.flow().lattice->name, plan.flow().collision->name,
             stress_rates(plan) + magic_text(plan, problem.settings) +
                 (plan.flow().collision_reason.empty() ? "" : ", since " + plan.flow().collision_reason),
             plan.flow().equilibrium->name, scheme_text(plan), plan.format->name + rounding_text(plan),
             gpu ? "cuda, " + plan.device_name : fmt::format("{}, {} threads", plan.device, plan.threads));
  if (plan.flow().viscosity.varies()) fmt::print("viscosity    {}\n", describe(plan.flow().viscosity, problem.units));
  for (const ScalarMethod& scalar : plan.scalars)
    fmt::print("scalar       {} on {}, tau {:.4g}{}\n", scalar.name, scalar.lattice->name, scalar.tau(),
               scalar.expansion != 0 ? ", drives the flow" : "");
  if (!plan.reason.empty()) fmt::print("because      {}\n", plan.reason);
  if (!trial.note.empty()) fmt::print("trial        {}\n", trial.note);
  fmt::print("nodes        {} of {} fluid{}, porosity {:.4g}\n", geometry.nodes.fluid_nodes, geometry.nodes.box_nodes(),
             geometry.nodes.half ? " and stored" : "", geometry.nodes.porosity());
  print_levels(problem, planned);
  for (const GeometryReport::Sheet& sheet : geometry.report.sheets) fmt::print("sheet        {}\n", sheet.line());
  const double snapshot = static_cast<double>(plan.snapshot_bytes) / mebibyte;
  const bool keeps = plan.snapshot_bytes > 0 && plan.snapshot_fits;
  fmt::print(
      "memory       {:.1f} MiB{}: populations {:.1f}, geometry {:.1f}, boundaries {:.1f}, program {:.1f}{}{}\n",
      static_cast<double>(plan.total_bytes()) / mebibyte,
      gpu && plan.domain.side_by_side() > 1 ? " for the largest part" : "",
      static_cast<double>(plan.population_bytes) / mebibyte, static_cast<double>(plan.geometry_bytes) / mebibyte,
      static_cast<double>(plan.boundary_bytes) / mebibyte, static_cast<double>(plan.other_bytes) / mebibyte,
      plan.scalars.empty() ? "" : fmt::format(", scalars {:.1f}", static_cast<double>(plan.scalar_bytes) / mebibyte),
      keeps ? fmt::format(", snapshot {:.1f}", snapshot) : "");
  if (keeps)
    fmt::print("output       written from the snapshot while steps go on; {:.1f} MiB of pinned host memory\n",
               static_cast<double>(plan.staging_bytes) / mebibyte);
  else if (plan.snapshot_bytes > 0)
    fmt::print("output       holds up the stepping: a snapshot of {:.1f} MiB to write from does not fit\n", snapshot);
  if (plan.beginning_bytes > 0)
    fmt::print("begin        {:.1f} MiB of pinned host memory{} until the first step\n",
               static_cast<double>(plan.beginning_bytes) / mebibyte,
               plan.domain.side_by_side() > 1 ? " for the largest part" : "");
  const ExpectedTime time = expected_time(problem, plan, planned.partition);
  fmt::print("traffic      {:.0f} bytes per fluid node and step; copy bandwidth {:.1f} GB/s\n", plan.bytes_per_update,
             time.bandwidth / 1e9);
  if (plan.domain.is_streamed()) print_streaming(plan, time.transfer_bandwidth);
  if (time.parts) print_parts(plan, *time.parts);
  const double rate = plan.updates_per_step(geometry.nodes.fluid_nodes) / time.step_seconds;
  fmt::print("time         about {:.0f} s for {:.0f} steps at {:.0f} MFLUPS ({:.{}f}% of the roofline){}\n",
             time.seconds(), time.steps, rate / 1e6,
             100 * rate * plan.bytes_per_update / (time.bandwidth * time.devices), plan.transfer_bytes > 0 ? 1 : 0,
             gpu                ? ""
             : time.is_measured ? ", as its first steps took here"
                                : ", if these cores have nothing else to do");
  if (!plan.refusal.empty()) fmt::print("warning: will not run: {}\n", plan.refusal);
}

/// Boxes with more nodes take minutes to be looked at node by node: about 16 s for 1e9 of them on one core.
double most_nodes_to_look_at() {
  return 1e9 * omp_get_max_threads() * ranks::count();
}

double nodes_of(const Grid& grid) {
  return static_cast<double>(grid.size[0]) * grid.size[1] * grid.size[2];
}

/// Says in a moment what a huge box takes at most: one copy of the populations of all its nodes.
void print_most(const Case& c, const Grid& grid) {
  const double nodes = nodes_of(grid);
  const Case::GeometryInput& shapes = c.geometry;
  const bool has_walls =
      !shapes.shapes.empty() || !shapes.stl.empty() || shapes.voxels || shapes.mask || shapes.generator;
  const FormatFacts& format = facts_of_format(c.numerics.format);
  const std::string lattice =
      c.numerics.lattice == "auto" ? (grid.dimension == 2 ? "D2Q9" : "D3Q19") : c.numerics.lattice;
  const double bytes = nodes * model::lattice_counts(lattice).populations() * format.storage_bytes;
  const auto available = static_cast<double>(available_memory());
  fmt::print("nodes        {:.0f} in the box, too many to look at each of them here (more than {:.0f})\n", nodes,
             most_nodes_to_look_at());
  fmt::print("memory       {} {:.1f} MiB: one copy of the populations of all nodes, {} {}{}\n",
             has_walls ? "at most" : "at least", bytes / mebibyte, lattice, format.name,
             has_walls ? "; with compact-aa only of those that are fluid, which counting would tell" : "");
  if (bytes > available)
    fmt::print(
        "warning: {}: {:.1f} GiB are free on this machine; use a coarser spacing, several machines (mpirun) or "
        "fewer bytes (numerics.format = \"fp16s\")\n",
        has_walls ? "may not run here" : "will not run here", available / (1024 * mebibyte));
}

/// What a run writes, and where.
struct Disk {
  DiskUse use;
  std::filesystem::path folder;
  std::optional<double> free_bytes;  ///< none if the system does not say
};

std::string show_size(double bytes) {
  return bytes < 1024 * mebibyte ? fmt::format("{:.1f} MiB", bytes / mebibyte)
                                 : fmt::format("{:.1f} GiB", bytes / (1024 * mebibyte));
}

/// Prints what the files of a run take; returns a warning if that is more than is free, else "".
std::string print_disk(const Disk& disk) {
  std::string kinds;
  for (const FilesOfKind& kind : disk.use.kinds)
    kinds +=
        fmt::format("{}{} {}{}", kinds.empty() ? "" : ", ", kind.kind,
                    kind.files == 1 ? "" : fmt::format("{} x ", kind.files), format_short(kind.bytes / mebibyte, 2));
  const double total = disk.use.total();
  fmt::print("disk         at most about {:.1f} MiB in {}: {}{}\n", total / mebibyte, printable(disk.folder.string()),
             kinds, disk.free_bytes ? fmt::format("; {} are free", show_size(*disk.free_bytes)) : "");
  if (!disk.free_bytes || total <= *disk.free_bytes) return "";
  return fmt::format(
      "the files of the run may take {}, and {} are free on the disk of '{}'; write fewer or smaller "
      "ones (output.every, output.stride, output.region), or elsewhere (fluvia run --output)",
      show_size(total), show_size(*disk.free_bytes), disk.folder.string());
}

nlohmann::json disk_json(const Disk& disk) {
  nlohmann::json files = nlohmann::json::array();
  for (const FilesOfKind& kind : disk.use.kinds)
    files.push_back({{"kind", kind.kind}, {"files", kind.files}, {"bytes", kind.bytes}});
  return {{"total", disk.use.total()},
          {"free", disk.free_bytes ? nlohmann::json(*disk.free_bytes) : nlohmann::json()},
          {"folder", disk.folder.string()},
          {"kinds", files}};
}

nlohmann::json levels_json(const Plan& plan) {
  nlohmann::json levels = nlohmann::json::array();
  for (const LevelPlan& level : plan.levels)
    levels.push_back({{"spacing", level.spacing},
                      {"tau", level.tau},
                      {"nodes", level.nodes},
                      {"updates", level.updates},
                      {"bytes", level.bytes},
                      {"streamed", level.is_streamed}});
  return levels;
}

/// What a plan says, for other programs: bytes, seconds, and why it will not run, which is empty if it will.
nlohmann::json plan_json(const Problem& problem, const Planned& planned, const Disk& disk,
                         const std::vector<std::string>& warnings) {
  const Plan& plan = planned.plan;
  const ExpectedTime time = expected_time(problem, plan, planned.partition);
  const NodeMap& nodes = problem.geometry.nodes;
  return {{"lattice", plan.flow().lattice->name},
          {"collision", plan.flow().collision->name},
          {"equilibrium", plan.flow().equilibrium->name},
          {"scheme", plan.scheme_name()},
          {"steps_per_pass", plan.steps_per_pass},
          {"format", plan.format->name},
          {"device", plan.device},
          {"threads", plan.threads},
          {"fluid_nodes", nodes.fluid_nodes},
          {"box_nodes", nodes.box_nodes()},
          {"levels", levels_json(plan)},
          {"memory",
           {{"total", plan.total_bytes()},
            {"populations", plan.population_bytes},
            {"geometry", plan.geometry_bytes},
            {"boundaries", plan.boundary_bytes},
            {"scalars", plan.scalar_bytes},
            {"program", plan.other_bytes}}},
          {"disk", disk_json(disk)},
          {"bytes_per_update", plan.bytes_per_update},
          {"steps", time.steps},
          {"seconds", time.seconds()},
          {"refusal", plan.refusal},
          {"warnings", warnings}};
}

void plan(const CaseOptions& source, bool anew, const std::string& json_name) {
  const Case c = source.read();
  if (ranks::rank() > 0) throw EndOfService{serve_run(c)};
  const ResultFile json(json_name);
  std::vector<std::string> warnings;
  PreparedFlow flow(c, [&](const std::string& text) { warnings.push_back(text); });
  if (nodes_of(flow.grid()) > most_nodes_to_look_at()) {
    if (json.is_wanted())
      throw_input("--json: the box has too many nodes for a whole plan; see `fluvia plan` without it");
    print_most(c, flow.grid());
    for (const std::string& warning : warnings) fmt::print("warning: {}\n", printable(warning));
    return;
  }
  flow.build_on_all_ranks();
  const Geometry geometry = stored_geometry(c, flow.take_geometry());
  const Problem problem{c, flow.units(), geometry};
  const Trial trial = make_trial(problem, anew ? TrialMode::anew : TrialMode::remembered);
  domain::call_others(domain::Request::plan);
  domain::RankCommunicator communicator;
  Planned planned;
  together(communicator, [&] { planned = plan_together(problem.with(communicator), trial); });
  const Plan& plan = planned.plan;
  print_plan(problem, planned, trial);
  for (const ChangingProfile& profile : planned.boundaries.changing)
    fmt::print("profile      {}\n", printable(profile.description));
  if (c.output.wall) {
    const WallOutput::Size walls = WallOutput::planned(problem);
    fmt::print("walls        {} triangles for output.wall, {:.1f} MiB of host memory\n", walls.triangles,
               static_cast<double>(walls.bytes) / mebibyte);
  }
  const Disk disk{expected_disk_use(problem, plan, planned.boundaries), source.output_folder(c),
                  free_bytes_at(source.output_folder(c))};
  if (const std::string warning = print_disk(disk); !warning.empty()) warnings.push_back(warning);
  for (const std::string& advice : advise(plan.flow().viscosity, problem.units)) warnings.push_back(advice);
  for (const std::string& warning : warnings) fmt::print("warning: {}\n", printable(warning));
  if (json.is_wanted())
    json.write(
        plan_json(problem, planned, disk, warnings).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
        "\n");
}

}  // namespace

void add_plan_command(CLI::App& app) {
  auto source = std::make_shared<CaseOptions>();
  CLI::App* command = app.add_subcommand("plan", "Say what a run would need, without running");
  source->add_to(*command);
  auto anew = std::make_shared<bool>(false);
  command->add_flag(
      "--trial", *anew,
      "Try for some seconds which scheme and steps a pass are fastest of those that the case leaves open, "
      "and keep that for runs");
  auto json = std::make_shared<std::string>();
  command->add_option("--json", *json, "Also write the plan as JSON; - is standard output")->type_name("FILE");
  command->callback([source, anew, json] { plan(*source, *anew, *json); });
}

}  // namespace fluvia::cli
