// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/compile_ahead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "fluvia/backend/backend.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

BenchRow small_stand_in(BenchRow row) {
  // Kernels depend on the kinds of boundary conditions, not on where they are; spheres and vessels are walls like
  // others.
  row.geometry = "box";
  row.porosity = 1;
  row.size = row.channel = row.memory_limit_mib = 0;
  row.devices = 1;
  row.gpu_rows = std::min(row.gpu_rows, 1);  // they do not depend on how high blocks of threads are
  // Rows in one block of threads have kernels for their length.
  const bool long_rows = row.scheme == "fcc-shared";
  const int across = row.dimension() == 2 ? 64 : 16;
  row.nodes = {long_rows ? row.nodes[0] : 64, across, row.dimension() == 2 ? 1 : across};
  return row;
}

std::vector<std::string> compile_ahead(const std::vector<BenchRow>& rows) {
  std::vector<BenchRow> kinds;
  for (const BenchRow& row : rows) {
    const BenchRow small = small_stand_in(row);
    if (row.device == "cpu") continue;
    if (std::none_of(kinds.begin(), kinds.end(), [&](const BenchRow& kind) { return same_combination(kind, small); }))
      kinds.push_back(small);
  }
  if (kinds.size() < 3) return {};  // solvers compile their kernels side by side, too
  std::vector<std::string> failures(kinds.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t k = next++; k < kinds.size(); k = next++) {
      try {
        const Case c = bench_case(kinds[k], {});
        compile_kernels({c, make_units(c, 1.0), build_geometry(c, make_grid(c))}, kinds[k].without);
      } catch (const std::exception& error) {
        failures[k] = fmt::format("{} {} {} {}: {}", kinds[k].lattice, kinds[k].collision, kinds[k].scheme,
                                  kinds[k].format, error.what());
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t count = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), kinds.size());
    for (std::size_t k = 0; k < count; ++k) workers.emplace_back(work);
  }
  std::erase(failures, "");
  return failures;
}

}  // namespace fluvia
