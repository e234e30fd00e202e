// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fluvia/case/physics/registered_physics.hpp"

namespace fluvia {

/// One combination to be measured, and what came out.
struct BenchRow {
  // Which combination.
  std::string lattice = "D3Q19", collision = "bgk", equilibrium = "quasi-compressible", scheme = "pull";
  std::string format = "fp32", device = "cpu";
  std::string rounding = "auto";  ///< see Case::Numerics
  std::string flow = "cavity";    ///< cavity (moving lid), poiseuille (periodic along x, body force); else vessel
  std::string geometry =
      "box";  ///< box, aneurysm, coarctation, giant-aneurysm and aorta (the papers'), network,
              ///< mask (a network from an image), levels (a sphere in a box, with two finer levels around it)
  std::string walls = "half-way";  ///< see Case::Walls::method; interpolated where the geometry has curved walls
  double smagorinsky = 0;
  /// Nodes along x of a box; four diameters of a vessel; eight times the narrow channels of a network.
  int size = 0;
  Int3 nodes{};  ///< nodes of the box along each axis; geometries that set their own number are measured once they are
                 ///< made
  double porosity = 1;     ///< fluid nodes over all nodes: as asked for of a box, as it turned out of other geometries
  int channel = 0;         ///< nodes across the narrow channels of networks
  int threads = 1;         ///< 0 on a GPU
  int tile = 0;            ///< see Case::Numerics; 0 for schemes without a choice
  int steps_per_pass = 0;  ///< see Case::Numerics; 0: the measured best, or schemes without a choice
  int gpu_threads = 0, gpu_rows = 0, gpu_blocks = 0;  ///< see Case::Numerics
  int memory_limit_mib = 0;                           ///< see Case::Numerics; 0: none
  std::string without;                                ///< see make_solver_without(); empty: steps as they are
  int devices = 1;                                    ///< GPUs that share the domain

  // What for.
  std::vector<std::string> experiments;  ///< tables and figures of papers that the row serves
  bool split = false;                    ///< time even and odd steps one by one, too
  bool parts = false;                    ///< time the parts of steps, too, where the device has a clock
  bool transposes = false;               ///< time rearranging the populations of the box on a GPU, too

  // What came out.
  int ranks = 1;  ///< that shared the domain, each with so many threads or GPUs
  std::uint64_t fluid_nodes = 0;
  double mlups = 0;  ///< million fluid nodes a second, median of the repeats; 0 if it did not run
  double bytes_per_update = 0;
  int steps_taken = 0;             ///< time steps taken in a pass over memory
  double roofline_fraction = 0;    ///< speed over the roofline that as many threads reach in the same run
  double efficiency = 0;           ///< speed of several GPUs over as many times the speed of one, if that was measured
  double memory_mib = 0;           ///< populations, masks and directories, MiB
  double bytes_per_node = 0;       ///< memory over the number of fluid nodes, bytes
  double step_ms = 0;              ///< mean time of a step, ms
  double even_ms = 0, odd_ms = 0;  ///< times of even and odd steps waited for one by one, ms, if `split`
  /// step, ghost; empty without `parts`. With levels of refinement: their steps by themselves, and what the exchange
  /// between them adds.
  std::map<std::string, double> parts_ms;
  /// From populations of a node together to those of a direction together, and back; 0 without `transposes`.
  double to_soa_ms = 0, to_aos_ms = 0;
  int blocks = 1;           ///< blocks of the domain that were streamed through the GPU
  double transfer_mib = 0;  ///< bytes sent to the GPU in a step, and as many back, MiB; 0: all stays there
  double link_fraction = 0,
         both_ways_fraction = 0;  ///< transfer over what the link reaches one way at a time, and both ways at once
  std::string reason;             ///< why it did not run

  [[nodiscard]] int dimension() const { return facts_of_lattice(lattice).dimension; }
  [[nodiscard]] bool is_box() const { return geometry == "box"; }
  [[nodiscard]] bool has_levels() const { return geometry == "levels"; }
};

/// Whether two rows are of the same combination.
bool same_combination(const BenchRow& a, const BenchRow& b);

/// Whether a row is of one GPU and another is the same on several, on the same box or a box that grew with them.
bool is_one_of(const BenchRow& one, const BenchRow& several);

/// Whether two rows have the same geometry and boundaries.
bool same_geometry(const BenchRow& a, const BenchRow& b);

/// The case of a row: a box with walls and a moving lid or, periodic along x, a body force, with random spheres in it
/// if the porosity is below 1; or a vessel or network with a parabolic inflow and an outlet. `folder` holds
/// mask_file().
Case bench_case(const BenchRow& row, const std::filesystem::path& folder);

/// Pixels across the narrow channels of the image below; `channel` of rows that read it is a multiple.
inline constexpr int mask_channel = 8;

/// Name and content of the image that rows of geometry "mask" read.
std::pair<std::string, std::string> mask_file();

/// Rows being listed: every call gives the product of the rows so far with values of one field.
class RowList {
 public:
  RowList() = default;
  explicit RowList(BenchRow row) : rows_{std::move(row)} {}

  template <class Value>
  [[nodiscard]] RowList each(Value BenchRow::*field, const std::vector<std::type_identity_t<Value>>& values) const {
    return each(values, [field](BenchRow& row, const Value& value) { row.*field = value; });
  }
  /// A copy of each row for each value, which `set` puts into the row.
  template <class Value, class Set>
  [[nodiscard]] RowList each(const std::vector<Value>& values, Set&& set) const {
    return each_of([&](const BenchRow&) { return values; }, set);
  }
  /// A copy of each row for each of the values that `values_of` gives for that row; `set` puts one into it.
  template <class ValuesOf, class Set>
  [[nodiscard]] RowList each_of(ValuesOf&& values_of, Set&& set) const {
    RowList product;
    for (const BenchRow& row : rows_)
      for (const auto& value : values_of(row)) set(product.rows_.emplace_back(row), value);
    return product;
  }
  template <class Value>
  [[nodiscard]] RowList with(Value BenchRow::*field, const std::type_identity_t<Value>& value) const {
    return each(field, std::vector<Value>{value});
  }
  RowList& operator+=(const RowList& more) {
    rows_.insert(rows_.end(), more.rows_.begin(), more.rows_.end());
    return *this;
  }
  [[nodiscard]] friend RowList operator+(RowList a, const RowList& b) { return a += b; }
  [[nodiscard]] const std::vector<BenchRow>& rows() const { return rows_; }

 private:
  std::vector<BenchRow> rows_;
};

}  // namespace fluvia
