// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// One configuration to be measured, and what came out.
struct BenchRow {
  std::string lattice, collision, scheme, format, device;
  std::string geometry = "box";  ///< box, aneurysm, coarctation
  double smagorinsky = 0;
  int size = 0;  ///< nodes along each axis
  double porosity = 1;
  int threads = 1;                      ///< 0 on a GPU
  int tile = 0;                         ///< see Case::Numerics; 0 for schemes without a choice
  int gpu_threads = 0, gpu_blocks = 0;  ///< see Case::Numerics
  double mlups = 0;                     ///< million fluid nodes a second, median of the repeats
  double bytes_per_update = 0;
  double share = 0;           ///< of the roofline measured with as many threads in the same run
  double memory_mib = 0;      ///< populations, masks and directories
  double bytes_per_node = 0;  ///< the same over fluid nodes
};

struct BenchSettings {
  std::vector<std::string> lattices = {"D3Q19"}, collisions = {"bgk"}, schemes, formats;
  std::vector<double> porosities = {1.0};         ///< of boxes
  std::vector<std::string> geometries = {"box"};  ///< box, aneurysm, coarctation
  std::string suite;  ///< dense or sparse: replaces all lists above but the device; empty: their product
  std::vector<int> threads;
  std::vector<int> gpu_threads = {0}, gpu_blocks = {0};  ///< to be swept; 0: the default
  std::vector<int> tiles = {0};                          ///< likewise, of schemes that have a choice
  std::string device = "cpu";                            ///< or cuda
  int size = 256;                                        ///< 2D lattices use about size^1.5
  double seconds = 1.0;                                  ///< of each of the three repeats
  bool profile = false;  ///< run a few steps of each combination, for a profiler, and measure nothing
};

struct BenchReport {
  std::string device;                             ///< cpu, or the name of the GPU
  std::vector<std::pair<int, double>> bandwidth;  ///< threads (0: of the GPU), bytes per second
  std::vector<BenchRow> rows;
};

/// Measures the copy bandwidth and then every combination that is valid; a box with a moving lid and walls, and for
/// porosities below 1 random overlapping spheres in it (RAS). `on_row` sees each row as it is measured.
BenchReport run_bench(const BenchSettings& settings, const std::function<void(const BenchRow&)>& on_row);

std::string bench_markdown(const BenchReport& report);
std::string bench_json(const BenchReport& report);

}  // namespace fluvia
