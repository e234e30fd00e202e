// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/program/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scalar/lattices.hpp"
#include "fluvia/core/second_moments.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/passes/pass_shape.hpp"
#include "fluvia/cuda/kernels/tile_neighbours.hpp"
#include "fluvia/cuda/program/format_type.hpp"
#include "fluvia/solver/plan/passes.hpp"

namespace fluvia::cuda {
namespace {

/// C++ name of a type, as the compiler spells it.
template <class T>
std::string type_name() {
  const std::string text = __PRETTY_FUNCTION__;  // "... [with T = NAME; ...]" or "... [T = NAME]"
  const auto first = text.find("T = ") + 4;
  return text.substr(first, text.find_first_of(";]", first) - first);
}

/// C++ name of the registered type with this name.
template <class Types>
std::string registered(Types types, const std::string& name, const char* what) {
  std::string found;
  core::for_each_type(types, [&]<class Type>(Type) {
    if (name == Type::name) found = type_name<Type>();
  });
  if (found.empty()) throw Error(ExitCode::internal, fmt::format("no {} '{}' is registered", what, name));
  return found;
}

std::string registered_viscosity(const std::string& name) {
  std::string found;
  core::for_each_type(core::Viscosities{}, [&]<class Model>(Model) {
    if (name == Model::facts.name) found = type_name<Model>();
  });
  if (found.empty()) throw Error(ExitCode::internal, fmt::format("no model of viscosity '{}' is registered", name));
  return found;
}

constexpr const char* spec_type = "fluvia::cuda::kernels::CaseSpec";
constexpr const char* name_space = "fluvia::cuda::kernels::";

/// Aliases that tell kernels the storage indices of an index map.
std::string index_map_of(const Specification& s) {
  if (!s.scheme.uses_index_map()) return "";
  const char* const in_rows = (s.omissions & core::omits_layout) != 0 ? "::In<core::Order::by_slot>" : "";
  const std::string omissions =
      (s.reads_ahead ? "  static constexpr bool reads_ahead = true;\n" : "") +
      (s.omissions != 0 ? fmt::format("  static constexpr core::Uint32 omissions = {};\n", s.omissions) : "");
  return fmt::format(
      R"(  using Facts = core::StorageIndicesOf<Lattice, Streaming, core::Addressing({0}), {1}, core::Stepping({2})>;
  using Indices = Facts::Type{3};
  using StepIndices = Facts::Step{3};
{4})",
      static_cast<int>(s.scheme.addressing), s.tile, static_cast<int>(s.scheme.stepping), in_rows, omissions);
}

/// Constants of kernels of passes.
std::string passes_of(const Specification& s) {
  if (s.steps_per_pass == 1 && !kernels_of(s.scheme).steps_by_pass) return "";
  const PassRow pass = s.pass.width > 0 ? s.pass : pass_row(s);
  return fmt::format(
      "  static constexpr int steps = {}, pass_width = {}, pass_depth = {}, pass_blocks = {};\n"
      "  static constexpr bool loads_early = {}, changes = {}, mirrors = {};\n",
      s.steps_per_pass, pass.width, pass.depth, pass.blocks, pass.loads_early, s.changes, s.mirrors);
}

/// Types of the lattices of scalars.
std::string scalars_of(const Specification& s) {
  std::string types;
  for (const std::string& scalar : s.scalars)
    types += (types.empty() ? "" : ", ") + registered(core::ScalarLattices{}, scalar, "lattice of scalars");
  return types;
}

bool has_local_viscosity(const Specification& s) {
  return s.viscosity != core::Newtonian::facts.name;
}

bool is_in_place(const Specification& s) {
  return s.scheme.copies == 1;
}

/// Most directions for which a collision's own work counts: with more, populations alone take so many registers that it
/// counts as one that computes long.
constexpr int most_usual_directions = 19;

/// Threads on a multiprocessor for which kernels without walls between the nodes are compiled.
int resident_threads_half_way(const Specification& s) {
  const ResidentThreads& resident = kernels_of(s.scheme).resident;
  const bool large = resident.large > 0 && block_threads(s) > 256;
  const SpecificationFacts facts = facts_of(s);
  const core::Work work = facts_of_collision(s.collision).work;
  const bool collides_long =
      facts.directions > most_usual_directions || has_local_viscosity(s) || work == core::Work::much;
  const bool fits = resident.fits_in_fp64 && work == core::Work::least && !s.force && !large;
  const bool wide = collides_long || (facts.arithmetic_bytes == 8 && !fits);
  if (nodes_per_thread(s) == 2) return wide ? resident.wide_pairs : resident.pairs;
  if (wide) return resident.wide;
  if (large) return resident.large;
  if (facts.converted_in_software && is_in_place(s) && resident.converting_in_place > 0)
    return resident.converting_in_place;
  const int most = facts.converted_in_software && resident.converting > 0 ? resident.converting : resident.usual;
  return is_in_place(s) || facts.reads_own_slots ? std::min(most, resident.in_place) : most;
}

bool walls_in_shared_memory(const Specification& s) {
  return kernels_of(s.scheme).walls_in_shared_memory && arithmetic_bytes(s.format) < 8;
}

/// Fewer where populations of scalars take registers, too; what waits for a guard keeps more of them meanwhile.
int resident_threads_beside_scalars(const Specification& s) {
  constexpr int most_beside_scalars = 1024;
  const int threads = resident_threads_half_way(s);
  if (s.scalars.empty()) return threads;
  const int most = std::min(threads, most_beside_scalars);
  return kernels_of(s.scheme).guard_threads > 0 ? most * 4 / 5 : most;
}

/// Threads on a multiprocessor for which kernels are compiled. With walls between the nodes they are fewer: even and,
/// for viscosity-independent walls, odd sums from before the collision take registers that kernels with little room do
/// not have.
int default_resident_threads(const Specification& s) {
  const int threads = resident_threads_beside_scalars(s);
  const bool keeps_odd = s.walls == core::WallRule::viscosity_independent;
  if (s.walls == core::WallRule::half_way) return threads;
  const bool computes_least = facts_of_collision(s.collision).work == core::Work::least;
  if (walls_in_shared_memory(s) && computes_least && !s.force && !keeps_odd) return threads;
  const ResidentThreads& resident = kernels_of(s.scheme).resident;
  if (arithmetic_bytes(s.format) == 8)
    return keeps_odd || s.force ? threads * resident.walls_in_fp64.over / resident.walls_in_fp64.under : threads;
  if (nodes_per_thread(s) == 2) return keeps_odd ? threads * 2 / 3 : threads * 4 / 5;
  if (keeps_odd) return threads * 3 / 5;
  const Share share = s.force && resident.walls_with_force.under != 0 ? resident.walls_with_force
                      : is_in_place(s)                                ? resident.walls_in_place
                                                                      : resident.walls;
  return threads * share.over / share.under;
}

int default_blocks(const Specification& s) {
  return std::max(1, default_resident_threads(s) / (block_threads(s) + kernels_of(s.scheme).guard_threads));
}

}  // namespace

int nodes_per_thread(const Specification& s) {
  return facts_of(s).storage_bytes == 2 && kernels_of(s.scheme).resident.pairs > 0 ? 2 : 1;
}

bool completes_in_step(const Specification& s) {
  return s.scheme.completes_in_step && s.conditions != 0 && (s.conditions & ~conditions_like_walls) == 0;
}

int block_threads(const Specification& s) {
  if (s.tile > 0) return facts_of_lattice(s.lattice).dimension == 2 ? s.tile * s.tile : s.tile * s.tile * s.tile;
  const KernelRow& row = kernels_of(s.scheme);
  const bool pairs = nodes_per_thread(s) == 2;
  if (s.threads > 0 && row.has_thread_groups) {
    // A power of two, since they divide chunks, whose tables fit into shared memory.
    const int group = kernels::nodes_per_tile / nodes_per_thread(s);
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(s.threads / group, 1, 16)))) * group;
  }
  if (s.threads > 0) return s.threads;
  if (s.scheme.block[0] > 0) return s.scheme.block[0];
  if (s.scheme.splits_rows) return facts_of(s).storage_bytes == 2 ? row.threads.in_rows_two_bytes : row.threads.in_rows;
  if (pairs) return row.threads.pairs;
  return is_in_place(s) && facts_of(s).storage_bytes == 4 ? row.threads.in_place_fp32 : row.threads.usual;
}

int block_rows(const Specification& s) {
  if (s.rows > 0) return s.rows;
  const int published = s.scheme.block[1];
  return s.threads == 0 ? published : std::min(published, 1);
}

bool goes_in_rows(const Specification& s) {
  return s.rows > 0 || s.scheme.goes_in_rows();
}

int row_threads(const Specification& s, int row) {
  constexpr int warp = 32, most_threads = 1024, shared_bytes = 48 * 1024;
  constexpr int short_rows = 128;  // least threads of a block of several rows; measured, docs/performance.md
  const SpecificationFacts facts = facts_of(s);
  const int rows = std::max(1, (short_rows + row - 1) / row);
  const int threads = (rows * row + warp - 1) / warp * warp;
  // RowLines: a line for each direction that moves along x (8 of D3Q13's 13) and a word.
  const int lines = 8, most = std::min(most_threads, shared_bytes / (lines * facts.storage_bytes + 4) / warp * warp);
  if (threads > most)
    throw_input(
        fmt::format("numerics.scheme: {} takes a block of threads for each row along x, which holds at most {} "
                    "nodes in {}; this box has {}; use fcc",
                    s.scheme.name, 2 * most, s.format, 2 * row));
  return threads;
}

unsigned tiles_at_a_time(const Specification& s) {
  return static_cast<unsigned>(block_threads(s) * nodes_per_thread(s) / kernels::nodes_per_tile);
}

std::string Specification::text() const {
  std::string text = fmt::format("{}, {}, {}, {}, {}", lattice, collision, equilibrium, scheme.name, format);
  if (force) text += own_forces ? ", forces of nodes" : ", force";
  for (const std::string& scalar : scalars) text += ", a scalar on " + scalar;
  if (scalars_act) text += ", buoyancy";
  if (has_local_viscosity(*this)) text += ", " + viscosity;
  if (walls == core::WallRule::interpolated) text += ", interpolated walls";
  if (walls == core::WallRule::viscosity_independent) text += ", viscosity-independent walls";
  for (int kind = 0; kind < core::Boundaries::size; ++kind)
    if (core::boundary_rule(kind) == kind && (conditions >> kind & 1u) != 0)
      text += std::string(", ") + core::boundary_facts(kind).name;
  if ((conditions & core::sponges) != 0) text += ", sponge";
  if ((conditions & core::meeting_openings) != 0) text += ", openings that meet";
  if (cut_tiles) text += ", cut tiles";
  if (reads_ahead) text += ", reading ahead";
  if (stochastic) text += ", stochastic rounding";
  const bool goes_in_passes = steps_per_pass > 1 || kernels_of(scheme).completes;
  if (goes_in_passes) text += fmt::format(", {} steps in tiles of {}x{}", steps_per_pass, pass.width, pass.depth);
  if (steps_per_pass > 1 && changes) text += ", changing values";
  if (goes_in_passes && mirrors) text += ", planes of symmetry";
  if (tile > 0) text += fmt::format(", tiles of {}", tile);
  for (const core::OmissionFacts& facts : core::omissions)
    if ((omissions & facts.bit) != 0) text += std::string(", without ") + facts.name;
  return text;
}

SpecificationFacts facts_of(const Specification& s) {
  SpecificationFacts facts;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (s.lattice != Lattice::name) return;
    facts.directions = Lattice::Q;
    facts.numbers = s.scheme.keeps_moments() ? core::SecondMoments<Lattice>::count : Lattice::Q;
    facts.dimension = Lattice::D;
    facts.values_between_stages = kernels::values_between_stages<Lattice>(s.mirrors || !s.scheme.keeps_moments());
    facts.tile_neighbour_bits = kernels::tile_neighbour_bits<Lattice>();
  });
  if (const FormatFacts* const format = find_format(s.format)) {
    facts.storage_bytes = format->storage_bytes;
    facts.arithmetic_bytes = format->arithmetic_bytes;
    facts.converted_in_software = !format->gpus_convert;
  }
  bool found = false;
  core::for_each_type(core::Streamings{}, [&]<class Streaming>(Streaming) {
    if (s.scheme.streaming != std::string(Streaming::name)) return;
    found = true;
    facts.parities = Streaming::parities;
    facts.reads_own_slots = Streaming::read_from(0, 1).side == 0 && Streaming::parities == 1;
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      if (s.lattice == Lattice::name) facts.cut_links_beside = !core::needs_fluid_storage_only<Streaming, Lattice>();
    });
  });
  if (!found || facts.directions == 0 || facts.storage_bytes == 0)
    throw Error(ExitCode::internal, "no kernels for " + s.text());
  return facts;
}

namespace {

/// Kernels that are templates of the storage, with one name for every scheme.
struct StorageKernel {
  KernelKind kind;
  const char* name;
};
constexpr StorageKernel storage_kernels[] = {{KernelKind::complete_boundaries, "complete_boundaries"},
                                             {KernelKind::moments, "moments"},
                                             {KernelKind::write_field, "write_field"},
                                             {KernelKind::sum_tiles, "sum_tiles"},
                                             {KernelKind::sum_links, "sum_links"},
                                             {KernelKind::save_direction, "save_direction"},
                                             {KernelKind::load_direction, "load_direction"},
                                             {KernelKind::place_equilibrium, "place_equilibrium"},
                                             {KernelKind::list_halo_populations, "list_halo_populations"},
                                             {KernelKind::meet_bodies, "meet_bodies"},
                                             {KernelKind::return_from_bodies, "return_from_bodies"},
                                             {KernelKind::rest_covered, "rest_covered"},
                                             {KernelKind::look_beside_uncovered, "look_beside_uncovered"},
                                             {KernelKind::refill_uncovered, "refill_uncovered"}};

bool is_of_bodies(KernelKind kind) {
  return kind >= KernelKind::meet_bodies && kind <= KernelKind::refill_uncovered;
}

bool finds_links(KernelKind kind) {
  return kind >= KernelKind::find_body_nodes && kind <= KernelKind::list_body_links;
}

const char* name_of_any_storage(KernelKind kind) {
  for (const StorageKernel& kernel : storage_kernels)
    if (kernel.kind == kind) return kernel.name;
  throw Error(ExitCode::internal, "a kind of kernel has no name");
}

}  // namespace

std::string kernel_name(const Specification& s, KernelKind kind, int parity) {
  const KernelRow& row = kernels_of(s.scheme);
  const auto of_case = [](const std::string& name) {
    return name.empty() ? "" : fmt::format("{}{}<{}>", name_space, name, spec_type);
  };
  const auto of_scalars = [&](const char* name) { return s.scalars.empty() ? "" : of_case(name); };
  if (kind == KernelKind::pass) return s.steps_per_pass > 1 ? of_case(row.pass) : "";
  if (kind == KernelKind::first_step) return of_case(row.first);
  if (kind == KernelKind::propagate) return of_case(row.propagate);
  if (kind == KernelKind::ghost_cells) return of_case(row.ghost_cells);
  if (kind == KernelKind::pack_messages) return of_case("pack_messages");
  if (kind == KernelKind::unpack_messages) return of_case("unpack_messages");
  if (kind == KernelKind::forward_messages) return of_case("forward_messages");
  if (kind == KernelKind::swap_mirrored) return of_case("swap_mirrored");
  const auto of_search = [&](const char* name) { return s.finds_links ? of_case(name) : ""; };
  if (kind == KernelKind::find_body_nodes) return of_search("find_body_nodes");
  if (kind == KernelKind::number_body_links) return of_search("number_body_links");
  if (kind == KernelKind::list_body_links) return of_search("list_body_links");
  if (kind == KernelKind::step_solids) return s.solids ? of_scalars("step_solids") : "";
  if (kind == KernelKind::complete_scalars) return of_scalars("complete_scalars");
  if (kind == KernelKind::scalar_values) return of_scalars("scalar_values");
  if (kind == KernelKind::sum_scalars) return of_scalars("sum_scalars");
  if (kind == KernelKind::pack_scalars) return of_scalars("pack_scalars");
  if (kind == KernelKind::unpack_scalars) return of_scalars("unpack_scalars");
  if (kind == KernelKind::join_scalars) return of_scalars("join_scalars");
  if (kind == KernelKind::step)
    return row.has_parity ? fmt::format("{}{}<{}, {}>", name_space, row.step, spec_type, parity) : of_case(row.step);
  if (is_of_bodies(kind) && !s.bodies) return "";
  return fmt::format("{0}{1}<{2}, {0}{3}Storage<{2}, {4}>, {0}{5}>", name_space, name_of_any_storage(kind), spec_type,
                     row.populations, parity, row.geometry);
}

namespace {

std::string source_of(const Specification& s) {
  return fmt::format(
      R"(#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scalar/lattices.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/kernels/bodies/exchange.hpp"
#include "fluvia/cuda/kernels/bodies/search.hpp"
#include "fluvia/cuda/kernels/halo_populations.hpp"
#include "fluvia/cuda/kernels/scalars/exchange.hpp"
#include "fluvia/cuda/kernels/state.hpp"
#include "fluvia/cuda/kernels/{}.hpp"
namespace fluvia::cuda::kernels {{
struct CaseSpec {{
  using Lattice = {};
  using Collision = {};
  using Equilibrium = {};
  using Viscosity = {};
  using Streaming = {};
  using Format = {};
  using Scalars = core::TypeList<{}>;
{}{}  static constexpr bool force = {}, own_forces = {}, scalars_act = {}, cut_tiles = {}, stochastic = {};
  static constexpr core::ConditionSet conditions = {}u;
  static constexpr core::WallRule walls = core::WallRule({});
  static constexpr bool walls_in_shared_memory = {}, prefetches_tiles = {};
  static constexpr bool completes_in_step = {}, in_rows = {};
  static constexpr int threads = {}, blocks = {};
}};
}}
)",
      s.steps_per_pass > 1 ? fmt::format("passes/{}", kernels_of(s.scheme).pass) : kernels_of(s.scheme).header,
      registered(core::Lattices{}, s.lattice, "lattice"), registered(core::Collisions{}, s.collision, "collision"),
      registered(core::Equilibria{}, s.equilibrium, "equilibrium"), registered_viscosity(s.viscosity),
      registered(core::Streamings{}, s.scheme.streaming, "streaming"), registered(core::Formats{}, s.format, "format"),
      scalars_of(s), index_map_of(s), passes_of(s), s.force, s.own_forces, s.scalars_act, s.cut_tiles, s.stochastic,
      s.conditions, static_cast<int>(s.walls), walls_in_shared_memory(s), s.prefetches_tiles, completes_in_step(s),
      goes_in_rows(s), block_threads(s), s.blocks > 0 ? s.blocks : default_blocks(s));
}

}  // namespace

std::string format_type(const std::string& format) {
  return registered(core::Formats{}, format, "format");
}

std::vector<KernelChoice> first_kernels(const Specification& s) {
  std::vector<KernelChoice> first;
  for (int parity = 0; parity < facts_of(s).parities; ++parity)
    for (int k = 0; k < kernel_kinds; ++k) {
      const auto kind = static_cast<KernelKind>(k);
      const bool completed = completes_in_step(s) || kernels_of(s.scheme).completes;
      const bool steps = kind == KernelKind::step || kind == KernelKind::first_step || kind == KernelKind::pass ||
                         kind == KernelKind::propagate || kind == KernelKind::ghost_cells ||
                         ((kind == KernelKind::step_solids || kind == KernelKind::complete_scalars) && parity == 0) ||
                         (kind == KernelKind::complete_boundaries && s.conditions != 0 && !completed);
      // Kernels that begin a run, write good states and measure.
      const bool begins = kind == KernelKind::place_equilibrium || kind == KernelKind::sum_tiles ||
                          kind == KernelKind::moments || kind == KernelKind::save_direction;
      if ((steps || is_of_bodies(kind) || (finds_links(kind) && parity == 0) || (begins && parity == 0)) &&
          !kernel_name(s, kind, parity).empty())
        first.push_back({kind, parity});
    }
  return first;
}

bool applies_conditions(KernelKind kind) {
  return kind == KernelKind::pass || kind == KernelKind::first_step || kind == KernelKind::complete_boundaries ||
         kind == KernelKind::moments || kind == KernelKind::write_field || kind == KernelKind::sum_tiles ||
         kind == KernelKind::sum_links || kind == KernelKind::look_beside_uncovered;
}

CompileRequest compile_request(const Specification& specification, const KernelChoice& choice) {
  Specification s = specification;
  const bool in_pass = kernels_of(s.scheme).completes;
  const bool completes = choice.kind == KernelKind::step && (completes_in_step(s) || in_pass);
  if (!applies_conditions(choice.kind) && !completes)
    s.conditions = 0;  // cases with other boundary conditions share the kernel
  if (choice.kind != KernelKind::step) {
    s.omissions &= core::omits_layout;  // all kernels find populations by it
    s.reads_ahead = false;
  }
  const std::string name = kernel_name(s, choice.kind, choice.parity);
  // Cases with other boundary conditions share the kernel; and without any NVRTC 13.0 spills in 16 bits.
  if (choice.kind == KernelKind::pass || (choice.kind == KernelKind::step && in_pass))
    s.conditions |= conditions_like_walls;
  if (choice.kind != KernelKind::pass) {
    // Cases with other passes share the kernel.
    s.steps_per_pass = 1;
    s.changes = false;
    if (!in_pass) s.mirrors = false;
  }
  if (name.empty()) throw Error(ExitCode::internal, "a kernel that this scheme does not have: " + s.text());
  // Links that hosts find have the same bits then, and both ends of one are told the same.
  const std::vector<std::string> options =
      finds_links(choice.kind) ? std::vector<std::string>{"--fmad=false"} : std::vector<std::string>();
  const std::size_t start = std::string_view(name_space).size();
  return {.name = name.substr(start, name.find('<') - start),
          .specialisation = s.text(),
          .source = source_of(s),
          .kernels = {name},
          .options = options};
}

}  // namespace fluvia::cuda
