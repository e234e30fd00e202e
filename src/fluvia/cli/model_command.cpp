// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <map>
#include <memory>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/geometry_source.hpp"
#include "fluvia/cli/pages/pages.hpp"
#include "fluvia/cli/terminal/result_file.hpp"
#include "fluvia/cpu/bandwidth.hpp"
#include "fluvia/cuda/solver/storage_counts.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/model/choice.hpp"
#include "fluvia/model/report.hpp"

namespace fluvia::cli {

namespace {

struct ModelOptions {
  GeometrySource source;
  int size = 192;                        ///< edge of a box or of the space of spheres (ras), nodes
  int dimension = 0;                     ///< dimension that generators make; 0: 2 for networks, else 3
  double diameter = 40, porosity = 0.5;  ///< nodes across spheres (ras) and vessels; fraction of fluid nodes (ras)
  std::uint64_t seed = 1;                ///< seed of the spheres (ras)
  std::string lattice, format, device = "auto";  ///< as in a case; lattice and format empty: the case's
  int tile = 0;                                  ///< edge of tiles, nodes; 0: as published
  int type_bytes = 2, index_bytes = 4;           ///< s_t and all of s_ti, s_gbi, s_CM_idx, s_FIA_idx, as published
  int burst_bytes = 32;                          ///< s_b
  double bandwidth = 0;                          ///< copy bandwidth, GB/s; 0: it is measured
  std::string json, markdown;
};

/// What GEOMETRY may be besides a file: generators, by the kind they have in a case; a box has none.
const std::map<std::string, std::string>& generators() {
  static const std::map<std::string, std::string> kinds = {{"box", ""},
                                                           {"ras", "sphere_packing"},
                                                           {"pipe", "pipe"},
                                                           {"aneurysm", "aneurysm"},
                                                           {"coarctation", "coarctation"},
                                                           {"network", "network"}};
  return kinds;
}

Case generated_case(const ModelOptions& o, const std::string& kind) {
  Case c;
  c.domain.dimension = o.dimension > 0 ? o.dimension : kind == "network" ? 2 : 3;
  if (kind.empty() || kind == "sphere_packing")
    c.domain.nodes = Int3{o.size, o.size, c.domain.dimension == 3 ? o.size : 1};
  if (!kind.empty()) {
    c.geometry.generator = Case::Generator{.kind = kind, .seed = o.seed, .porosity = o.porosity};
    c.geometry.generator->diameter = o.diameter;
    c.geometry.generator->centers_in_fluid = true;
  }
  c.geometry.keep_isolated = true;
  return c;
}

Case make_case(const ModelOptions& o) {
  const std::string name = o.source.file.string();
  if (const auto generator = generators().find(name); generator != generators().end())
    return generated_case(o, generator->second);
  if (!o.source.file.has_extension()) {
    std::vector<std::string> names;
    for (const auto& [known, kind] : generators()) names.push_back(known);
    throw Error(ExitCode::usage, fmt::format("model: '{}' is no file with an extension and none of {}{}", name,
                                             join(names), did_you_mean(name, names)));
  }
  return o.source.make_case();
}

model::Inputs make_inputs(const ModelOptions& o, const Case& c, model::Report& report) {
  model::Inputs in;
  in.lattice = model::lattice_counts(o.lattice.empty() ? lattice_of(c) : o.lattice);
  if (in.lattice.dimension != c.domain.dimension)
    throw Error(ExitCode::usage,
                fmt::format("--lattice: {} is for {} dimensions but the geometry has {}; use {}", in.lattice.name,
                            in.lattice.dimension, c.domain.dimension, default_lattice(c.domain.dimension)));
  report.format = o.format.empty() ? c.numerics.format : o.format;
  in.value_bytes = storage_bytes(report.format);
  in.tile_edge = o.tile > 0 ? o.tile : in.lattice.dimension == 2 ? 16 : 4;
  in.node_type_bytes = o.type_bytes;
  in.tile_index_bytes = in.buffer_index_bytes = in.node_index_bytes = o.index_bytes;
  in.burst_bytes = o.burst_bytes;
  return in;
}

void choose_bandwidth(const ModelOptions& o, model::Report& report) {
  Case c;
  c.numerics.device = o.device;
  report.bandwidth_was_measured = o.bandwidth <= 0;
  // With a given bandwidth nothing runs on the device, so a GPU need not be there.
  const bool absent = o.device == "cuda" && !report.bandwidth_was_measured;
  report.device = absent ? o.device : choose_device(c).device;
  report.bandwidth = o.bandwidth > 0           ? o.bandwidth * 1e9
                     : report.device == "cuda" ? measure_gpu_copy_bandwidth()
                                               : measure_copy_bandwidth(omp_get_num_procs(), std::size_t{256} << 20);
}

void print_model(const ModelOptions& o) {
  const ResultFile json(o.json), markdown(o.markdown);
  const Case c = make_case(o);
  model::Report report;
  report.geometry = o.source.file.filename().string();
  report.inputs = make_inputs(o, c, report);
  const Geometry geometry = build_geometry(c, make_grid(c));
  report.tiles = model::measure_tiles(geometry.nodes, report.inputs.tile_edge);
  report.boundary_nodes = geometry.report.boundary_nodes;
  report.storage = cuda::count_storage(geometry.nodes, report.inputs.lattice, report.format);
  choose_bandwidth(o, report);
  report.fill = model::fill_of(report.device, geometry.nodes);
  model::fill_rows(report);
  fmt::print("{}", model::report_text(report));
  if (json.is_wanted()) json.write(model::report_json(report));
  if (markdown.is_wanted()) markdown.write(model::report_markdown(report));
}

/// The sizes that the formulas of Tomczak & Szafran leave open.
void add_byte_options(CLI::App& command, ModelOptions& o) {
  command.add_option("--type-bytes", o.type_bytes, "t2c, tgb: bytes of a node's type")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  command
      .add_option("--index-bytes", o.index_bytes,
                  "t2c, tgb, cm, fia: bytes of the number of a node, a tile or a ghost buffer")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  command
      .add_option("--burst-bytes", o.burst_bytes,
                  "Shortest transaction of the memory in bytes, of tgb's corners and of what a GPU's tiles end with")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
}

void add_generator_options(CLI::App& command, ModelOptions& o) {
  command.add_option("--size", o.size, "box, ras: nodes along each axis")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command.add_option("--dimension", o.dimension, "Generators: 2 or 3 (default: 2 for network, else 3)")
      ->check(CLI::IsMember({2, 3}));
  command
      .add_option("--diameter", o.diameter,
                  "Spheres or vessel: diameter in nodes; network: width of its narrow channels")
      ->check(CLI::Range(1.0, 4096.0))
      ->capture_default_str();
  command.add_option("--porosity", o.porosity, "ras: share of fluid nodes")
      ->check(CLI::Range(0.01, 0.99))
      ->capture_default_str();
  command.add_option("--seed", o.seed, "ras, network: of the random numbers")->capture_default_str();
}

}  // namespace

void add_model_command(CLI::App& app) {
  auto o = std::make_shared<ModelOptions>();
  CLI::App* command =
      app.add_subcommand("model", "Say what memory and bandwidth each method of storing a geometry costs");
  command
      ->add_option("GEOMETRY", o->source.file,
                   "Case, STL, raw voxel image, mask (see geometry), or box, ras, pipe, aneurysm, coarctation, network")
      ->required()
      ->type_name("FILE")
      ->check(offer({"box", "ras", "pipe", "aneurysm", "coarctation", "network"}));
  std::vector<std::string> lattices;
  for (const model::LatticeCounts& lattice : model::lattice_counts()) lattices.push_back(lattice.name);
  command->add_option("--lattice", o->lattice, "Lattice (default: the case's, else D2Q9 or D3Q19)")
      ->check(CLI::IsMember(lattices));
  command->add_option("--format", o->format, "Format (default: the case's, else fp32)")
      ->check(CLI::IsMember(names::formats));
  command->add_option("--tile", o->tile, "Nodes along a tile's edge, t2c and tgb (default: 4 in 3D, 16 in 2D)")
      ->check(CLI::Range(2, 64));
  add_byte_options(*command, *o);
  command->add_option("--bandwidth", o->bandwidth, "GB/s, read plus written (default: measured on the device)")
      ->check(CLI::Range(1e-3, 1e6));
  command->add_option("--device", o->device, "auto, cpu or cuda: whose bandwidth and layouts")
      ->check(CLI::IsMember(names::devices))
      ->capture_default_str();
  add_generator_options(*command, *o);
  add_source_options(*command, o->source);
  command->add_option("--json", o->json, "Also write everything as JSON; - is standard output")->type_name("FILE");
  command->add_option("--markdown", o->markdown, "Also write the table as Markdown; - is standard output")
      ->type_name("FILE");
  command->callback([o] { print_model(*o); });
}

}  // namespace fluvia::cli
