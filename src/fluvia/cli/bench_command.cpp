// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <memory>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/atomic_file.hpp"
#include "fluvia/bench/bench.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/console.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia::cli {

namespace {

struct BenchOptions {
  BenchSettings settings;
  std::string json, markdown;
};

void bench(BenchOptions& options) {
  BenchSettings& s = options.settings;
  Case c;
  c.numerics.device = s.device;
  s.device = choose_device(c).device;
  if (s.schemes.empty()) s.schemes = s.device == "cuda" ? gpu_scheme_names() : scheme_names();
  if (s.formats.empty()) s.formats = {"fp64", "fp32", "fp16s", "fp16c"};
  if (s.threads.empty()) {
    s.threads = {1};
    if (omp_get_num_procs() > 1) s.threads.push_back(omp_get_num_procs());
  }
  const BenchReport report = run_bench(s, [](const BenchRow& row) {
    const std::string where = row.threads > 0 ? fmt::format("{} threads", row.threads)
                              : row.gpu_threads > 0 || row.gpu_blocks > 0
                                  ? fmt::format("{}x{}", row.gpu_threads, row.gpu_blocks)
                                  : "";
    say(fmt::format("{:6} {:11} {:15} {:5} {:4} phi {:.2f} {:9} {:8.1f} MFLUPS {:5.1f}%\n", row.lattice, row.collision,
                    row.scheme, row.format, row.size, row.porosity, where, row.mlups, 100 * row.share));
  });
  if (s.profile) return;
  fmt::print("{}", bench_markdown(report));
  if (!options.json.empty()) write_file(options.json, bench_json(report));
  if (!options.markdown.empty()) write_file(options.markdown, bench_markdown(report));
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto o = std::make_shared<BenchOptions>();
  BenchSettings& s = o->settings;
  CLI::App* command = app.add_subcommand("bench", "Measure this machine: MFLUPS and share of the copy bandwidth");
  command->add_option("--lattice", s.lattices, "Lattices")->capture_default_str();
  command->add_option("--collision", s.collisions, "Collisions")->capture_default_str();
  command->add_option("--scheme", s.schemes, "Schemes (default: all)");
  command->add_option("--format", s.formats, "Formats (default: all)");
  command->add_option("--porosity", s.porosities, "Porosities; below 1 with random spheres")
      ->check(CLI::Range(0.05, 1.0))
      ->capture_default_str();
  command->add_option("--geometry", s.geometries, "box, aneurysm, coarctation")
      ->check(CLI::IsMember({"box", "aneurysm", "coarctation"}))
      ->capture_default_str();
  command->add_option("--suite", s.suite, "Instead of lists: all that is worth knowing of dense or sparse domains")
      ->check(CLI::IsMember({"dense", "sparse"}));
  s.device = "auto";
  command->add_option("--device", s.device, "auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  command->add_option("--threads", s.threads, "Thread counts (default: 1 and all)")->check(CLI::Range(1, 4096));
  command->add_option("--tile", s.tiles, "Edges of tiles to sweep over, for schemes that have a choice (0: default)")
      ->check(CLI::Range(0, 32));
  command
      ->add_option("--gpu-threads", s.gpu_threads,
                   "Threads of a block to sweep over, schemes without tiles (0: default)")
      ->check(CLI::Range(0, 1024));
  command->add_option("--gpu-blocks", s.gpu_blocks, "Blocks on a multiprocessor to sweep over (0: default)")
      ->check(CLI::Range(0, 32));
  command->add_option("--size", s.size, "Nodes along each axis of the 3D box")
      ->check(CLI::Range(8, 2048))
      ->capture_default_str();
  command->add_option("--seconds", s.seconds, "Length of each of three repeats")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  command->add_flag("--profile", s.profile, "Run four steps of each combination for a profiler; measure nothing");
  command->add_option("--json", o->json, "Also write the table as JSON");
  command->add_option("--markdown", o->markdown, "Also write the table as Markdown");
  command->callback([o] { bench(*o); });
}

}  // namespace fluvia::cli
