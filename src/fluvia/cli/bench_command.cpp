// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/bench/report.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/pages/pages.hpp"
#include "fluvia/cli/seeds_report.hpp"
#include "fluvia/cli/terminal/console.hpp"
#include "fluvia/cli/terminal/result_file.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/files/run_folder.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cli {

namespace {

struct BenchOptions {
  BenchSettings settings;
  std::string json, markdown, output, rows;
  bool rows_only = false;
};

/// Fills in what was not given: the device at hand and everything it has.
void fill_in(BenchSettings& s) {
  Case c;
  c.numerics.device = s.device;
  s.device = choose_device(c).device;
  if (s.schemes.empty()) s.schemes = s.device == "cuda" ? gpu_scheme_names() : scheme_names();
  if (s.formats.empty()) s.formats = names::formats;
  if (s.threads.empty()) {
    s.threads = {ranks::count() > 1 ? ranks::threads() : 1};
    if (ranks::count() == 1 && omp_get_num_procs() > 1) s.threads.push_back(omp_get_num_procs());
  }
  if (s.device != "cuda" && s.devices != std::vector<int>{1})
    throw Error(ExitCode::usage, "bench: --devices is a number of GPUs, but this runs on the CPU; give --device cuda");
  if (!s.suite.empty() && s.suite != "levels" && s.devices != std::vector<int>{1})
    throw Error(ExitCode::usage, "bench: --devices goes with lists of --scheme or --suite levels, not with others");
  s.keep_going = s.suite == "seeds";
}

/// Takes rows of a file instead of lists, with the numbers of threads that they have.
void take_rows(const std::string& file, BenchSettings& s) {
  if (!s.suite.empty())
    throw Error(ExitCode::usage, "bench: --rows and --suite each say what to measure; give one of them");
  s.rows = read_combinations(file, s.device);
  s.threads.clear();
  for (const BenchRow& row : s.rows)
    if (std::find(s.threads.begin(), s.threads.end(), row.threads) == s.threads.end()) s.threads.push_back(row.threads);
  s.keep_going = !s.profile;
}

/// Prints each row as it comes, and before the first one why some kernels could not be compiled ahead.
class BenchProgress {
 public:
  void tell(const BenchReport& report) {
    if (!std::exchange(told_reasons_, true))
      for (const std::string& reason : report.not_compiled) say("not compiled ahead: " + reason + "\n");
    say(bench_line(report.rows.back()));
  }

 private:
  bool told_reasons_ = false;
};

/// Measures the rows that DIR/rows.json does not have yet; the file is replaced after each row.
void measure_into(const std::filesystem::path& folder, const BenchSettings& settings) {
  const RunFolder lock(folder, "fluvia bench");  // two at once would each write its own rows only
  const std::filesystem::path file = folder / "rows.json";
  BenchReport known = read_bench_json(file);
  require_continuation(known, settings, file);
  if (!known.rows.empty())
    say(fmt::format("{}: {} rows are there and not measured again\n", file.string(), known.rows.size()));
  if (settings.device == "cuda") say("GPU kernels that are not on disk yet are compiled first\n");
  BenchProgress progress;
  run_bench(settings, known, [&](const BenchReport& report) {
    write_file(file, bench_json(report));
    progress.tell(report);
  });
}

/// Sets one size for boxes of two and of three dimensions.
void set_sizes(BenchSettings& s) {
  constexpr int largest_cube = 2048;
  const bool flat = s.suite.empty() &&
                    std::all_of(s.lattices.begin(), s.lattices.end(),
                                [](const std::string& lattice) { return facts_of_lattice(lattice).dimension == 2; });
  if (!flat && s.size > largest_cube)
    throw Error(ExitCode::usage, fmt::format("bench: --size {} is for 2D lattices alone, --lattice D2Q9; with others "
                                             "and in suites it is at most {}",
                                             s.size, largest_cube));
  s.plane = s.size;
}

/// Refuses, on several ranks, what only one can do: the others measure the rows of the same settings, one by one.
void check_ranks(const BenchOptions& options) {
  const BenchSettings& s = options.settings;
  if (ranks::count() == 1) return;
  if (!options.output.empty() || !options.rows.empty() || s.suite == "seeds" || s.profile ||
      s.devices != std::vector<int>{1} || s.without != std::vector<std::string>{""})
    throw Error(ExitCode::usage,
                "bench: on several ranks there is no --output, --rows, --suite seeds, --profile, --devices or "
                "--without; start one rank for these");
}

void bench(BenchOptions& options) {
  check_ranks(options);
  fill_in(options.settings);
  if (ranks::rank() > 0) throw EndOfService{serve_bench(options.settings)};
  if (!options.rows.empty()) take_rows(options.rows, options.settings);
  const BenchSettings& s = options.settings;
  if (s.suite == "seeds" && options.output.empty() && !s.profile)
    throw Error(ExitCode::usage, "bench: --suite seeds needs --output DIR, the folder of its rows and report");
  if (!options.output.empty() && !s.profile) {
    measure_into(options.output, s);
    if (s.suite == "seeds" && !options.rows_only) make_seeds_report(options.output);
    return;
  }
  if (s.profile) {
    run_bench(s, {}, {});
    return;
  }
  const ResultFile json(options.json), markdown(options.markdown);
  BenchProgress progress;
  const BenchReport report = run_bench(s, {}, [&](const BenchReport& so_far) { progress.tell(so_far); });
  fmt::print("{}", bench_markdown(report));
  json.write(bench_json(report));
  markdown.write(bench_markdown(report));
}

/// The names of a list that can be measured: those that a case may have, without "auto".
names::List without_auto(names::List list) {
  std::erase(list, "auto");
  return list;
}

void add_physics_options(CLI::App& command, BenchSettings& s) {
  command.add_option("--lattice", s.lattices, "Lattices")
      ->check(offer(without_auto(names::lattices)))
      ->capture_default_str();
  command.add_option("--collision", s.collisions, "Collisions (default: bgk, or the first that a scheme can have)")
      ->check(offer(without_auto(names::collisions)));
  command.add_option("--equilibrium", s.equilibria, "Equilibria: quasi-compressible, incompressible, improved")
      ->check(CLI::IsMember(names::equilibria))
      ->capture_default_str();
  command.add_option("--flow", s.flows, "In boxes: cavity (a moving lid), poiseuille (periodic along x, a body force)")
      ->check(CLI::IsMember({"cavity", "poiseuille"}))
      ->capture_default_str();
  command.add_option("--porosity", s.porosities, "Porosities of boxes; below 1 with random spheres")
      ->check(CLI::Range(0.05, 1.0))
      ->capture_default_str();
  command
      .add_option("--geometry", s.geometries, "box, aneurysm, coarctation, giant-aneurysm, aorta; in 2D: network, mask")
      ->check(CLI::IsMember({"box", "aneurysm", "coarctation", "giant-aneurysm", "aorta", "network", "mask"}))
      ->capture_default_str();
  command.add_option("--walls", s.walls, "Of spheres, aneurysm and coarctation: half-way, interpolated")
      ->check(CLI::IsMember({"half-way", "interpolated"}))
      ->capture_default_str();
  command.add_option("--channel", s.channels, "Nodes across the narrow channels of networks")
      ->check(CLI::Range(4, 512))
      ->capture_default_str();
}

void add_numerics_options(CLI::App& command, BenchSettings& s) {
  command.add_option("--scheme", s.schemes, "Schemes (default: all)")->check(offer(without_auto(names::schemes)));
  command.add_option("--format", s.formats, "Formats (default: all)")->check(offer(names::formats));
  command.add_option("--rounding", s.roundings, "auto, nearest, stochastic: of fp16s and fp16c")
      ->check(CLI::IsMember({"auto", "nearest", "stochastic"}))
      ->capture_default_str();
  s.device = "auto";
  command.add_option("--device", s.device, "auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  command.add_option("--devices", s.devices, "Numbers of GPUs that share the domain, to sweep over")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command.add_flag("--grow", s.grow, "Let boxes grow along their last axis with --devices (weak scaling)");
  command.add_option("--threads", s.threads, "Thread counts (default: 1 and all)")->check(CLI::Range(1, 4096));
  command.add_option("--tile", s.tiles, "Edges of tiles to sweep over, for schemes that have a choice (0: default)")
      ->check(CLI::Range(0, 32));
  command
      .add_option("--steps-per-pass", s.steps_per_pass,
                  "Steps over memory at a time to sweep over, for schemes that have a choice (0: default)")
      ->check(CLI::Range(0, 8));
  command
      .add_option("--gpu-threads", s.gpu_threads,
                  "Threads of a block to sweep over, schemes without tiles (0: default)")
      ->check(CLI::Range(0, 1024));
  command.add_option("--gpu-rows", s.gpu_rows, "Rows that a block of --gpu-threads is high to sweep over (0: default)")
      ->check(CLI::Range(0, 32));
  command.add_option(
      "--without", s.without,
      "What steps on a GPU do without, to sweep over and to measure what it costs: of t2c and tgb barriers, ghosts, "
      "collision, sharing, staging, layout, of soa-push and others that store whole boxes marks, haste, or several "
      "of them (barriers+ghosts). The first three compute another flow, and no case can run them");
  command.add_option("--gpu-blocks", s.gpu_blocks, "Blocks on a multiprocessor to sweep over (0: default)")
      ->check(CLI::Range(0, 32));
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto o = std::make_shared<BenchOptions>();
  BenchSettings& s = o->settings;
  CLI::App* command = app.add_subcommand("bench", "Measure this machine: MFLUPS and share of the copy bandwidth");
  add_physics_options(*command, s);
  add_numerics_options(*command, s);
  command
      ->add_option("--suite", s.suite,
                   "Instead of lists: all that is worth knowing of dense or sparse domains, or of several steps a pass "
                   "(fused), or levels of refinement; or seeds, the tables of "
                   "the papers that Fluvia's published schemes come from")
      ->check(CLI::IsMember({"dense", "sparse", "fused", "levels", "seeds"}));
  command->add_option("--experiment", s.experiments, "Of suite seeds: these tables only, e.g. \"S2 Table 1\"");
  command
      ->add_option(
          "--memory-limit", s.memory_limit_mib,
          "MiB of the device that a combination may take; what exceeds a GPU's is streamed there in parts, and "
          "rows say what fraction of the speed of the link to host memory that reaches")
      ->check(CLI::Range(1, 1000000000));
  auto* const size = command->add_option("--size", s.size, "Nodes along each axis of the box (2D default: 4096)")
                         ->check(CLI::Range(8, 65536))
                         ->capture_default_str();
  command->add_option("--seconds", s.seconds, "Length of each of three repeats")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  command->add_flag("--profile", s.profile, "Run four steps of each combination for a profiler; measure nothing");
  command
      ->add_option(
          "--output", o->output,
          "Folder for rows.json, written after each row, and for the report of suite seeds; a second run measures "
          "only what is missing")
      ->type_name("DIR");
  command
      ->add_option("--rows", o->rows,
                   "Instead of lists: the combinations of FILE, the rows.json of a run with --output; those of this "
                   "device, whatever came out")
      ->type_name("FILE");
  command->add_flag("--rows-only", o->rows_only, "Of suite seeds: measure, but make no report yet");
  command->add_option("--json", o->json, "Also write the table as JSON; - is standard output")->type_name("FILE");
  command->add_option("--markdown", o->markdown, "Also write the table as Markdown; - is standard output")
      ->type_name("FILE");
  command->callback([o, size] {
    if (size->count() > 0) set_sizes(o->settings);
    bench(*o);
  });
}

}  // namespace fluvia::cli
