// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/bench/row.hpp"

namespace fluvia {

struct BenchSettings {
  std::vector<std::string> lattices = {"D3Q19"}, equilibria = {"quasi-compressible"};
  std::vector<std::string> collisions = {};  ///< none: bgk, or the first that a scheme can have
  std::vector<std::string> schemes, formats;
  std::vector<std::string> roundings = {"auto"};  ///< [case], roundings of formats that round
  std::vector<std::string> flows = {"cavity"};    ///< [case], flows of boxes: cavity, poiseuille
  std::vector<double> porosities = {1.0};         ///< [case], porosities of boxes
  std::vector<std::string> geometries = {"box"};  ///< [case], see BenchRow; network and mask in 2D
  std::vector<std::string> walls = {"half-way"};  ///< [case], walls of spheres and vessels: half-way, interpolated
  std::vector<int> channels = {16};               ///< nodes across the channels of networks
  std::string
      suite;  ///< dense, sparse, fused, levels or seeds: replaces all lists above but the device; empty: their product
  std::vector<std::string> experiments;  ///< only the rows of a suite that serve these; empty: all
  std::vector<BenchRow> rows;            ///< rows that replace lists and suites, if there are any
  std::vector<int> threads;
  std::vector<int> gpu_threads = {0},
                   gpu_blocks = {0};  ///< [case], threads of a block and blocks of a multiprocessor; 0: the default
  std::vector<int> gpu_rows = {0};    ///< [case], rows of nodes of blocks of gpu_threads; 0: the default
  std::vector<std::string> without = {""};  ///< [case], see BenchRow
  std::vector<int> tiles = {0};  ///< [case], edges of tiles, nodes, of schemes that have a choice; 0: the default
  std::vector<int> steps_per_pass = {
      0};                          ///< [case], time steps of a pass, of schemes that have a choice; 0: the default
  std::vector<int> devices = {1};  ///< [case], number of GPUs that share the domain
  bool grow = false;               ///< boxes grow along their last axis with the GPUs
  int memory_limit_mib = 0;        ///< see Case::Numerics; 0: none
  std::string device = "cpu";      ///< cpu or cuda
  int size = 256;                  ///< nodes along an axis of a 3D box
  int plane = 0;                   ///< nodes along an axis of a 2D box; 0: plane_size(size)
  double seconds = 1.0;            ///< length of each of the three repeats, s
  bool profile = false;            ///< run a few steps of each combination, for a profiler, and measure nothing
  bool keep_going = false;         ///< a row that does not fit into memory, or whose geometry cannot be made, is kept
                                   ///< with the reason, and the next one follows
};

struct BenchReport {
  std::string device;  ///< cpu, or the name of the GPU
  int size = 0;        ///< BenchSettings::size
  double seconds = 0;
  std::vector<std::pair<int, double>> bandwidth = {};  ///< threads (0: of the GPU), bytes per second
  double link_one_way = 0,
         link_both_ways = 0;  ///< bandwidths between GPU and host memory, bytes per second each way; 0: not needed
  std::vector<BenchRow> rows = {};
  std::vector<std::string> not_compiled = {};  ///< why kernels of this run could not be compiled ahead
};

/// Called with everything measured so far; the last row is new.
using OnRow = std::function<void(const BenchReport&)>;

/// Measures the copy bandwidth and then every combination that is valid. Rows that `report` has already are not
/// measured again, and its bandwidth stays the roofline of the rows to come.
/// On several ranks, of which the first one calls it, they share each domain.
BenchReport run_bench(const BenchSettings& settings, BenchReport report, const OnRow& on_row);

/// What the other ranks do meanwhile, with the same settings; returns the exit code of the first.
int serve_bench(const BenchSettings& settings);

/// The device of the settings as reports name it.
std::string bench_device(const BenchSettings& settings);

}  // namespace fluvia
