// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/format/formats.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/tile_neighbours.hpp"

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

constexpr const char* spec_type = "fluvia::cuda::kernels::CaseSpec";
constexpr const char* name_space = "fluvia::cuda::kernels::";

bool is_in_place(const Specification& s) {
  return !s.scheme.sliding && facts_of(s).copies == 1;
}

/// Threads on a multiprocessor for which kernels are compiled: the more, the fewer registers; measured, see
/// docs/performance.md.
int default_resident_threads(const Specification& s) {
  const bool wide = s.format == "fp64" || s.lattice == "D3Q27" || s.large_eddy || s.collision == "mrt" ||
                    s.collision == "regularized";
  if (nodes_per_thread(s) == 2) return wide ? 384 : s.scheme.sliding ? 480 : 640;
  if (s.scheme.compact) return wide ? 512 : is_in_place(s) ? 896 : 1280;
  return wide ? 512 : is_in_place(s) ? 768 : 1024;
}

int default_blocks(const Specification& s) {
  const int guard = s.scheme.sliding ? static_cast<int>(kernels::guard_threads) : 0;
  return std::max(1, default_resident_threads(s) / (block_threads(s) + guard));
}

}  // namespace

int nodes_per_thread(const Specification& s) {
  return facts_of(s).storage_bytes == 2 ? 2 : 1;
}

int block_threads(const Specification& s) {
  if (s.scheme.compact) {
    const int team = kernels::nodes_per_tile / nodes_per_thread(s);
    if (s.threads == 0) return s.scheme.sliding || team < 64 ? 4 * team : team;
    // A power of two, since they divide chunks, whose tables fit into shared memory.
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(s.threads / team, 1, 16)))) * team;
  }
  if (s.threads > 0) return s.threads;
  return is_in_place(s) && facts_of(s).storage_bytes == 4 ? 256 : 128;
}

unsigned tiles_at_a_time(const Specification& s) {
  return static_cast<unsigned>(block_threads(s) * nodes_per_thread(s) / kernels::nodes_per_tile);
}

std::string Specification::text() const {
  std::string text = fmt::format("{}, {}, {}, {}, {}", lattice, collision, equilibrium, scheme.name(), format);
  if (force) text += ", force";
  if (large_eddy) text += ", large eddies";
  if (boundaries) text += ", boundaries";
  if (cut_tiles) text += ", cut tiles";
  return text;
}

SpecificationFacts facts_of(const Specification& s) {
  SpecificationFacts facts;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (s.lattice != Lattice::name) return;
    facts.directions = Lattice::Q;
    facts.dimension = Lattice::D;
    facts.tile_neighbour_bits = kernels::tile_neighbour_bits<Lattice>();
  });
  core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
    if (s.format != Format::name) return;
    facts.storage_bytes = sizeof(typename Format::Storage);
    facts.arithmetic_bytes = sizeof(typename Format::Arithmetic);
  });
  bool found = false;
  core::for_each_type(core::Streamings{}, [&]<class Streaming>(Streaming) {
    if (s.scheme.streaming != Streaming::name) return;
    found = true;
    facts.copies = s.scheme.sliding ? 1 : Streaming::copies;
    facts.parities = Streaming::parities;
  });
  if (!found || facts.directions == 0 || facts.storage_bytes == 0)
    throw Error(ExitCode::internal, "no kernels for " + s.text());
  return facts;
}

std::string kernel_name(const Specification& s, KernelKind kind, int parity) {
  const char* addressing = s.scheme.compact ? "Compact" : "Dense";
  if (kind == KernelKind::step) {
    if (s.scheme.sliding) return fmt::format("{}step_sliding<{}>", name_space, spec_type);
    return fmt::format("{}step_{}<{}, {}>", name_space, s.scheme.compact ? "compact" : "dense", spec_type, parity);
  }
  const char* const names[] = {"",          "complete_boundaries", "moments",        "sum_nodes",
                               "sum_links", "save_direction",      "load_direction", "place_equilibrium"};
  return fmt::format("{0}{1}<{2}, {0}{3}Storage<{2}, {4}>, {0}{5}>", name_space, names[static_cast<int>(kind)],
                     spec_type, addressing, parity, s.scheme.compact ? "CompactTiles" : "DenseBox");
}

CompileRequest compile_request(const Specification& s) {
  CompileRequest request;
  request.name = "time step";
  request.specialisation = s.text();
  request.source = fmt::format(
      R"(#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/cuda/kernels/state.hpp"
#include "fluvia/cuda/kernels/step.hpp"
namespace fluvia::cuda::kernels {{
struct CaseSpec {{
  using Lattice = {};
  using Collision = {};
  using Equilibrium = {};
  using Streaming = {};
  using Format = {};
  static constexpr bool force = {}, large_eddy = {}, boundaries = {}, cut_tiles = {};
  static constexpr int threads = {}, blocks = {};
}};
}}
)",
      registered(core::Lattices{}, s.lattice, "lattice"), registered(core::Collisions{}, s.collision, "collision"),
      registered(core::Equilibria{}, s.equilibrium, "equilibrium"),
      registered(core::Streamings{}, s.scheme.streaming, "streaming"), registered(core::Formats{}, s.format, "format"),
      s.force, s.large_eddy, s.boundaries, s.cut_tiles, block_threads(s), s.blocks > 0 ? s.blocks : default_blocks(s));
  const int parities = facts_of(s).parities;
  for (int parity = 0; parity < parities; ++parity)
    for (int kind = 0; kind < kernel_kinds; ++kind)
      request.kernels.push_back(kernel_name(s, static_cast<KernelKind>(kind), parity));
  return request;
}

}  // namespace fluvia::cuda
