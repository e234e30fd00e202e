// SPDX-License-Identifier: Apache-2.0
// The suite "seeds": one function for each table of the papers S1 to S4 of docs/schemes.md. At size 256 boxes are as
// large as the papers', or as DESIGN's own comparison; other sizes scale them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fluvia/bench/suites.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

using Names = std::vector<std::string>;
using Sizes = std::vector<int>;

constexpr int published_size = 256;  // the size in the settings for which boxes are those of the papers

class Seeds {
 public:
  explicit Seeds(const BenchSettings& settings) : settings_(settings) {
    base_.device = settings.device;
    base_.threads = thread_counts(settings).back();
  }

  [[nodiscard]] RowList all() const {
    RowList rows = s1_dense() + s1_sparse_3d() + s1_sparse_2d();
    rows += s2_sizes() + s2_blocks() + s2_flows() + s2_parities();
    rows += s3_cavity();
    rows += s4_squares() + s4_beyond_memory();
    rows += fluvia_comparison();
    // The papers take one step at a time, and so do their schemes here.
    return rows.each_of(
        [](const BenchRow& row) {
          const bool has_passes = row.device == "cpu" && most_steps(row.scheme, row.device, row.dimension()) > 1;
          return std::vector{has_passes ? 1 : row.steps_per_pass};
        },
        [](BenchRow& row, int steps) { row.steps_per_pass = steps; });
  }

 private:
  // S1: Tomczak & Szafran, all in double precision.

  /// Dense cavities: BGK and MRT with both equilibria; tiles as published, plain arrays, and Fluvia's own.
  [[nodiscard]] RowList s1_dense() const {
    const RowList space = with_models(cubes("D3Q19", {scaled(192)})).with(&BenchRow::format, fp64);
    const RowList plane = with_models(squares({plane_size(scaled(192))})).with(&BenchRow::format, fp64);
    // Table 5 has the cavity of tiles in space with BGK.
    return label(schemes(space, {"t2c", "soa-pull", "pull", own_compact()}) +
                     schemes(plane, {"tgb", "t2c", "soa-pull", "pull", own_compact()}),
                 {"S1 Table 2"}) +
           label(schemes(cubes("D3Q19", {scaled(192)}).with(&BenchRow::format, fp64), {"t2c"}), {"S1 Table 5"}) +
           s1_without();
  }

  /// What barriers, ghost buffers and sharing work around a tile cost (sections 3.2 and 4.2.1), in the model that the
  /// paper takes its barriers out of; and the layout of T2C's tiles. Kernels that no case can run.
  [[nodiscard]] RowList s1_without() const {
    if (!gpu()) return {};
    const auto of = [&](const RowList& boxes, const char* scheme, const Names& omitted) {
      return schemes(boxes.with(&BenchRow::format, fp64).with(&BenchRow::equilibrium, "incompressible"), {scheme})
          .each(&BenchRow::without, omitted);
    };
    return label(of(squares({plane_size(scaled(192))}), "tgb",
                    {"barriers", "barriers+collision", "ghosts", "barriers+ghosts", "sharing", "staging"}) +
                     of(cubes("D3Q19", {scaled(192)}), "t2c", {"barriers", "sharing", "layout"}),
                 {"S1 Table 2"});
  }

  /// Spheres, with the preprint's denser ones, and vessels: tiles, indirect addressing, and Fluvia's own.
  [[nodiscard]] RowList s1_sparse_3d() const {
    const RowList box = cubes("D3Q19", {scaled(192)}).with(&BenchRow::format, fp64);
    const RowList rows =
        box.each(&BenchRow::porosity, {0.9, 0.8, 0.7}) +
        (vessel("giant-aneurysm", scaled(256)) + vessel("aorta", scaled(128))).with(&BenchRow::format, fp64);
    const RowList dense_spheres = box.each(&BenchRow::porosity, {0.3, 0.2, 0.1});
    return label(schemes(dense_spheres, {"t2c", "tgb", "cm", "cm-aa", "fia", "fia-fused", own_compact()}),
                 {"S1 Table 3"}) +
           label(schemes(rows, {"t2c"}), {"S1 Table 3", "S1 Table 5", "S1 Fig 9"}) +
           label(schemes(rows, {"t2c", "tgb", "cm", "fia"}), {"S1 Table 1", "S1 Table 3", "S1 Fig 8"}) +
           label(schemes(rows, {"cm-aa", "fia-fused", own_compact()}), {"S1 Table 3"});
  }

  /// Networks of vessels, from the generator and from an image, with channels one, two and four tiles wide: those that
  /// have the tile porosity of the paper's chips, whose narrow channels are half as wide, since theirs have wide ones,
  /// too.
  [[nodiscard]] RowList s1_sparse_2d() const {
    RowList rows;
    for (const char* geometry : {"network", "mask"})
      for (const int channel : {16, 32, 64})
        if (channel <= std::max(16, settings_.size / 4)) rows += network(geometry, channel);
    rows = rows.with(&BenchRow::format, fp64);
    return label(schemes(with_models(rows), {"tgb"}), {"S1 Table 4"}) +
           label(schemes(rows, {"tgb"}), {"S1 Table 5", "S1 Fig 7", "S1 Fig 9"}) +
           label(schemes(rows, {"tgb", "t2c", "cm", "fia"}), {"S1 Table 1", "S1 Table 4", "S1 Fig 8"}) +
           label(schemes(rows, {own_compact()}), {"S1 Table 4"});
  }

  // S2: Lu & Long. D2Q9, BGK; the lid moves unless something else is said.

  [[nodiscard]] RowList s2_sizes() const {
    const RowList boxes = squares(s2_edges({64, 128, 256, 512, 1024, 2048, 8192}));
    // Lu & Long's numbers agree with Poiseuille flow where Table 5 has both.
    const RowList flows = boxes.each(&BenchRow::flow, Names{"poiseuille", "cavity"});
    RowList rows = label(schemes(flows, {"aos-push", "soa-push", "soa-aa"}) + schemes(in_half(flows), {"soa-aa"}),
                         {"S2 Table 1", "S2 Table 2", "S2 Table 3", "S2 Fig 1"})
                       .each_of(
                           [](const BenchRow& row) {
                             return std::vector<bool>{row.scheme != "aos-push" && row.flow == "poiseuille"};
                           },
                           [](BenchRow& row, bool rearranged) { row.transposes = rearranged; });
    rows += label(schemes(boxes, {"soa-pull", "pull", "aa", "esoteric-pull"}) +
                      schemes(boxes.with(&BenchRow::format, fp16s), {"aa"}),
                  {"S2 Table 1"});
    if (gpu()) rows += label(s2_published_blocks(boxes), {"S2 Table 1"});
    return rows + label(s2_serial(), {"S2 Table 1"});
  }

  /// Rows in their default blocks, 32 x 8, which the sweep of their Table 4 finds to be slower than those that Fluvia
  /// takes.
  [[nodiscard]] RowList s2_published_blocks(const RowList& boxes) const {
    const RowList channels = boxes.with(&BenchRow::flow, "poiseuille");
    return (schemes(channels, {"soa-push", "soa-aa"}) + schemes(in_half(channels), {"soa-aa"}))
        .with(&BenchRow::gpu_threads, 256)
        .with(&BenchRow::gpu_rows, 8);
  }

  /// The rows in Lu & Long's 16 bits, which round to the nearest number.
  [[nodiscard]] static RowList in_half(const RowList& rows) {
    return rows.with(&BenchRow::format, fp16s).with(&BenchRow::rounding, "nearest");
  }

  /// The CPU program that theirs started from, on one thread, also beside a GPU; the largest box would take it minutes.
  [[nodiscard]] RowList s2_serial() const {
    return squares(s2_edges({64, 128, 256, 512, 1024, 2048}))
        .with(&BenchRow::device, "cpu")
        .with(&BenchRow::threads, 1)
        .with(&BenchRow::scheme, "serial");
  }

  /// Blocks of threads: those of their table, the default, and the largest.
  [[nodiscard]] RowList s2_blocks() const {
    if (!gpu()) return {};
    using Block = std::pair<int, int>;  // threads along x and y
    const std::vector<Block> blocks = {{32, 1},  {64, 1},  {128, 1}, {256, 1}, {512, 1}, {1024, 1}, {64, 2},
                                       {128, 2}, {256, 2}, {32, 4},  {64, 4},  {32, 8},  {32, 32}};
    const RowList boxes = squares(s2_edges({64, 128, 256, 512, 1024, 2048})).with(&BenchRow::flow, "poiseuille");
    return label(schemes(boxes, {"soa-aa"})
                     .each(blocks,
                           [](BenchRow& row, const Block& block) {
                             row.gpu_threads = block.first * block.second;
                             row.gpu_rows = block.second;
                           }),
                 {"S2 Table 4"});
  }

  [[nodiscard]] RowList s2_flows() const {
    // Their box, and one that today's second-level caches do not hold, as theirs did not hold the first.
    const RowList boxes = squares(s2_edges({1024, 4096})).each(&BenchRow::flow, Names{"poiseuille", "cavity"});
    return label(schemes(boxes, {"aos-push", "soa-push", "soa-aa", "aa", "pull"}) +
                     schemes(in_half(boxes), {"soa-aa"}) +
                     schemes(boxes.with(&BenchRow::format, fp16s), {"aa", "pull"}),
                 {"S2 Table 5"});
  }

  [[nodiscard]] RowList s2_parities() const {
    const RowList boxes = squares(s2_edges({256, 512, 1024, 2048})).with(&BenchRow::flow, "poiseuille");
    return label(schemes(boxes + in_half(boxes), {"soa-aa"}) +
                     schemes(boxes.each(&BenchRow::format, {fp32, fp16s}), {"aa"}),
                 {"S2 Table 6"})
        .with(&BenchRow::split, true);
  }

  // S3: Tölke & Krafczyk. D3Q13, MRT; nx stored nodes along x, that is 2 nx nodes of the box; ny = nz.

  [[nodiscard]] RowList s3_cavity() const {
    RowList boxes;
    for (const int across : {32, 64, 128})
      for (const int nx : {16, 32, 64, 80, 128, 192, 256})
        if (across <= std::max(32, settings_.size / 2) && nx <= std::max(16, settings_.size))
          boxes += lattice("D3Q13").each(Sizes{2 * nx}, [across](BenchRow& row, int length) {
            row.size = length;
            row.nodes = {length, across, across};
          });
    boxes = boxes.with(&BenchRow::collision, "mrt");
    RowList rows = schemes(boxes, {"fcc-shared", "fcc", "fcc-aa"});
    // Obstacles cost their part of the nodes (section 8): spheres in the largest box of a cube's sides.
    rows += schemes(cubes("D3Q13", {std::min(128, settings_.size)})
                        .with(&BenchRow::collision, "mrt")
                        .each(&BenchRow::porosity, {1.0, 0.8, 0.5}),
                    {"fcc-shared", "fcc"});
    // The programs for PCs that theirs is compared with: D3Q19 in double precision, here on one thread.
    rows += cubes("D3Q19", {std::min(64, settings_.size)})
                .with(&BenchRow::format, fp64)
                .with(&BenchRow::device, "cpu")
                .with(&BenchRow::threads, 1)
                .with(&BenchRow::scheme, "serial");
    // The whole lattice carries two flows that never meet.
    return label(
        rows + schemes(cubes("D3Q13", {std::min(128, settings_.size)}).with(&BenchRow::collision, "mrt"), {"pull"}),
        {"S3 Table 4"});
  }

  // S4: Valero-Lara. D2Q9, double precision, squares of 9 to 72 million nodes.

  [[nodiscard]] RowList s4_squares() const {
    Sizes edges;
    for (const int edge : {3008, 4256, 6016, 7360, 8480}) edges.push_back(scaled(edge));
    if (!gpu()) edges.resize(3);
    const RowList rows = squares(edges).with(&BenchRow::format, fp64).with(&BenchRow::parts, true);
    // Blocks of threads as large as can be, as published, and those that Fluvia takes if nobody asks.
    return label(
        schemes(rows, {"soa-pull", "ghost", own_compact()}) + schemes(rows, {"ghost"}).with(&BenchRow::tile, 32),
        {"S4 Fig 6", "S4 Fig 7"});
  }

  /// Two lattices on a device that has room for the three smallest squares, as theirs had, are streamed through it.
  [[nodiscard]] RowList s4_beyond_memory() const {
    if (!gpu()) return {};
    // Two copies of nine values and a byte a node of a square between the third and the fourth: one copy of the fifth
    // fits, too.
    const double bytes = std::pow(scaled(6600), 2) * (2 * 9 * sizeof(double) + 1);
    const RowList rows = squares({scaled(7360), scaled(8480)})
                             .with(&BenchRow::format, fp64)
                             .with(&BenchRow::memory_limit_mib, static_cast<int>(std::ceil(bytes / 1048576)));
    return label(schemes(rows, {"pull"}), {"S4 Fig 6", "S4 Fig 7"});
  }

  // Fluvia: every scheme on the same boxes and spheres.

  [[nodiscard]] RowList fluvia_comparison() const {
    const RowList boxes = cubes("D3Q19", {scaled(256)}).each(&BenchRow::porosity, {1.0, 0.9, 0.5, 0.2});
    std::vector<std::string> all = gpu() ? gpu_scheme_names() : scheme_names();
    std::erase_if(all,
                  [](const std::string& name) { return parse_scheme(name).keeps_moments(); });  // of another collision
    RowList rows = schemes(boxes, all);
    rows += schemes(boxes.with(&BenchRow::format, fp16s), {"pull", "aa", own_compact()});
    return label(rows, {"Fluvia"});
  }

  // The functions that rows are made with:

  [[nodiscard]] bool gpu() const { return settings_.device == "cuda"; }
  [[nodiscard]] std::string own_compact() const { return gpu() ? "compact-sliding" : "compact-aa"; }

  /// A published number of nodes for the size of the settings: a multiple of eight, 16 at least.
  [[nodiscard]] int scaled(int published) const {
    const auto nodes = static_cast<int>(static_cast<std::int64_t>(published) * settings_.size / published_size);
    return std::max(16, nodes / 8 * 8);
  }
  [[nodiscard]] int largest_square() const { return std::max(64, settings_.size * (gpu() ? 32 : 8)); }
  /// The edges that a machine can be asked for; they are not scaled, but one is left.
  [[nodiscard]] Sizes s2_edges(Sizes edges) const {
    std::erase_if(edges, [&](int edge) { return edge > largest_square(); });
    return edges.empty() ? Sizes{largest_square()} : edges;
  }

  [[nodiscard]] RowList lattice(const std::string& name) const { return RowList(base_).with(&BenchRow::lattice, name); }
  [[nodiscard]] RowList cubes(const std::string& name, const Sizes& edges) const {
    return lattice(name).each(edges, set_cube);
  }
  [[nodiscard]] RowList squares(const Sizes& edges) const { return cubes("D2Q9", edges); }
  [[nodiscard]] RowList vessel(const std::string& geometry, int size) const {
    return lattice("D3Q19")
        .with(&BenchRow::flow, "vessel")
        .with(&BenchRow::geometry, geometry)
        .with(&BenchRow::size, size);
  }
  [[nodiscard]] RowList network(const std::string& geometry, int channel) const {
    return lattice("D2Q9")
        .with(&BenchRow::flow, "vessel")
        .with(&BenchRow::geometry, geometry)
        .with(&BenchRow::size, settings_.size)
        .with(&BenchRow::channel, channel);
  }
  [[nodiscard]] static RowList with_models(const RowList& rows) {
    return rows.each(&BenchRow::collision, Names{"bgk", "mrt"})
        .each(&BenchRow::equilibrium, Names{"incompressible", "quasi-compressible"});
  }
  /// Rows for each scheme that the device has.
  [[nodiscard]] RowList schemes(const RowList& rows, Names names) const {
    std::erase_if(names, [&](const std::string& name) {
      const Scheme& scheme = parse_scheme(name);
      return gpu() ? !scheme.cuda : !scheme.cpu;
    });
    return rows.each(&BenchRow::scheme, names)
        .each_of([](const BenchRow& row) { return Sizes{tile_edge(parse_scheme(row.scheme), row.dimension(), 0)}; },
                 [](BenchRow& row, int edge) { row.tile = edge; });
  }
  [[nodiscard]] static RowList label(const RowList& rows, const Names& experiments) {
    return rows.with(&BenchRow::experiments, experiments);
  }

  inline static const std::string fp64 = "fp64", fp32 = "fp32", fp16s = "fp16s";
  const BenchSettings& settings_;
  BenchRow base_;
};

}  // namespace

RowList seeds_suite(const BenchSettings& settings) {
  return Seeds(settings).all();
}

}  // namespace fluvia
