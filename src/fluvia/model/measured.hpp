// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace fluvia::model {

/// A fraction of the roofline that was reached: MFLUPS times B_node over the copy bandwidth. It depends on how full the
/// units of work are, `fill`, 0 to 1: on a CPU segments of 64 nodes along x (StorageCounts::row_porosity), on a GPU
/// tiles of 64 nodes. Dense boxes were measured on a GPU without solid nodes only.
struct MeasuredFraction {
  std::string_view device;  ///< cpu or cuda
  std::string_view scheme, format;
  int dimension;
  double fill, fraction;
};

/// The table, from docs/performance.md.
std::span<const MeasuredFraction> measured_fractions();

/// True if the table has the scheme in this format (one of 16 bits stands for all of them) and dimension.
bool was_measured(const std::string& device, const std::string& scheme, const std::string& format, int dimension);

/// The fraction of the roofline to be expected, interpolated in the fill; a format or dimension that was not measured
/// takes the values of another (16 bits: those of another of 16 bits, else fp32; 3D for 2D and the reverse). 0 if the
/// scheme was never measured.
double measured_fraction(const std::string& device, const std::string& scheme, const std::string& format, int dimension,
                         double fill);

}  // namespace fluvia::model
