// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/measured.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "fluvia/case/physics/registered_formats.hpp"

namespace fluvia::model {
namespace {

// docs/performance.md, November 2026: two cores of an AMD EPYC with AVX-512 (family 26), one H100. The spheres of
// porosity 0.9, 0.5 and 0.2 there fill 0.90, 0.52 and 0.27 of a CPU's segments and 0.97, 0.82 and 0.64 of tiles. Ranges
// over several runs are given by their middle. Of `pull` on a CPU below full rows: the fractions of `aa` times what
// `pull` reached of its speed in single steps, 0.41 to 0.61, on another processor (two cores of an AMD EPYC of family
// 25).
constexpr std::array table = {
    MeasuredFraction{"cpu", "aa", "fp32", 3, 1, 0.93},
    MeasuredFraction{"cpu", "aa", "fp32", 3, 0.98, 0.865},
    MeasuredFraction{"cpu", "aa", "fp32", 3, 0.95, 0.705},
    MeasuredFraction{"cpu", "aa", "fp32", 3, 0.9, 0.455},
    MeasuredFraction{"cpu", "aa", "fp32", 3, 0.8, 0.32},
    MeasuredFraction{"cpu", "aa", "fp32", 3, 0.7, 0.235},
    MeasuredFraction{"cpu", "aa", "fp32", 3, 0.52, 0.135},
    MeasuredFraction{"cpu", "aa", "fp32", 3, 0.27, 0.06},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 1, 0.95},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 0.98, 0.925},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 0.95, 0.8},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 0.9, 0.58},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 0.8, 0.39},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 0.7, 0.305},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 0.52, 0.175},
    MeasuredFraction{"cpu", "aa", "fp64", 3, 0.27, 0.085},
    MeasuredFraction{"cpu", "aa", "fp16s", 3, 1, 0.175},
    MeasuredFraction{"cpu", "aa", "fp16s", 3, 0.95, 0.165},
    MeasuredFraction{"cpu", "aa", "fp16s", 3, 0.9, 0.15},
    MeasuredFraction{"cpu", "aa", "fp16s", 3, 0.8, 0.105},
    MeasuredFraction{"cpu", "aa", "fp16s", 3, 0.7, 0.105},
    MeasuredFraction{"cpu", "aa", "fp16s", 3, 0.52, 0.065},
    MeasuredFraction{"cpu", "aa", "fp16s", 3, 0.27, 0.03},
    MeasuredFraction{"cpu", "esoteric-pull", "fp32", 3, 1, 0.95},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 1, 0.4},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 0.98, 0.35},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 0.95, 0.32},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 0.9, 0.21},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 0.8, 0.18},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 0.7, 0.14},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 0.52, 0.075},
    MeasuredFraction{"cpu", "pull", "fp32", 3, 0.27, 0.04},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 1, 0.6},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 0.98, 0.59},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 0.95, 0.575},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 0.9, 0.54},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 0.8, 0.46},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 0.7, 0.45},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 0.52, 0.375},
    MeasuredFraction{"cpu", "compact-aa", "fp32", 3, 0.27, 0.29},
    MeasuredFraction{"cpu", "compact-aa", "fp64", 3, 1, 0.53},
    MeasuredFraction{"cpu", "compact-aa", "fp64", 3, 0.95, 0.515},
    MeasuredFraction{"cpu", "compact-aa", "fp64", 3, 0.9, 0.49},
    MeasuredFraction{"cpu", "compact-aa", "fp64", 3, 0.8, 0.45},
    MeasuredFraction{"cpu", "compact-aa", "fp64", 3, 0.7, 0.405},
    MeasuredFraction{"cpu", "compact-aa", "fp64", 3, 0.52, 0.35},
    MeasuredFraction{"cpu", "compact-aa", "fp64", 3, 0.27, 0.32},
    MeasuredFraction{"cpu", "compact-aa", "fp16s", 3, 1, 0.24},
    MeasuredFraction{"cpu", "compact-aa", "fp16s", 3, 0.95, 0.225},
    MeasuredFraction{"cpu", "compact-aa", "fp16s", 3, 0.9, 0.205},
    MeasuredFraction{"cpu", "compact-aa", "fp16s", 3, 0.8, 0.19},
    MeasuredFraction{"cpu", "compact-aa", "fp16s", 3, 0.7, 0.18},
    MeasuredFraction{"cpu", "compact-aa", "fp16s", 3, 0.52, 0.155},
    MeasuredFraction{"cpu", "compact-aa", "fp16s", 3, 0.27, 0.125},
    MeasuredFraction{"cpu", "compact-pull", "fp32", 3, 1, 0.43},
    MeasuredFraction{"cpu", "compact-pull", "fp32", 3, 0.9, 0.355},
    MeasuredFraction{"cpu", "compact-pull", "fp32", 3, 0.52, 0.25},
    MeasuredFraction{"cpu", "compact-pull", "fp32", 3, 0.27, 0.185},
    MeasuredFraction{"cuda", "pull", "fp32", 3, 1, 0.92},
    MeasuredFraction{"cuda", "pull", "fp16s", 3, 1, 0.894},
    MeasuredFraction{"cuda", "pull", "fp64", 3, 1, 0.935},
    MeasuredFraction{"cuda", "pull", "fp32", 2, 1, 0.96},
    MeasuredFraction{"cuda", "pull", "fp16s", 2, 1, 0.933},
    // Passes over memory: bgk and trt have 1.36 and 1.15 in 3D, where single steps are what the roofline is of.
    MeasuredFraction{"cuda", "fused", "fp32", 3, 1, 1.33},
    MeasuredFraction{"cuda", "fused", "fp64", 3, 1, 1.27},
    MeasuredFraction{"cuda", "fused-sliding", "fp32", 3, 1, 1.32},
    MeasuredFraction{"cuda", "fused-sliding", "fp32", 2, 1, 2.0},
    MeasuredFraction{"cuda", "fused", "fp32", 2, 1, 2.2},
    MeasuredFraction{"cuda", "fused", "fp64", 2, 1, 2.2},
    // Over moments, of `regularized`, of the roofline of populations; one H200. In fp32 in space D3Q19 has 1.84, D3Q27
    // 1.74, D3Q15 1.67; in one copy D3Q19 1.72, D3Q27 1.77.
    MeasuredFraction{"cuda", "moments", "fp32", 3, 1, 1.75},
    MeasuredFraction{"cuda", "moments", "fp64", 3, 1, 1.71},
    MeasuredFraction{"cuda", "moments", "fp32", 2, 1, 2.71},
    MeasuredFraction{"cuda", "moments", "fp16s", 3, 1, 0.65},
    MeasuredFraction{"cuda", "moments", "fp16s", 2, 1, 0.6},
    MeasuredFraction{"cuda", "moments-sliding", "fp32", 3, 1, 1.74},
    MeasuredFraction{"cuda", "moments-sliding", "fp32", 2, 1, 2.59},
    MeasuredFraction{"cuda", "moments-sliding", "fp16s", 3, 1, 0.64},
    MeasuredFraction{"cuda", "aa", "fp32", 3, 1, 0.907},
    MeasuredFraction{"cuda", "aa", "fp16s", 3, 1, 0.859},
    MeasuredFraction{"cuda", "aa", "fp32", 2, 1, 0.932},
    MeasuredFraction{"cuda", "aa", "fp16s", 2, 1, 0.842},
    MeasuredFraction{"cuda", "aa", "fp64", 3, 1, 0.934},
    MeasuredFraction{"cuda", "esoteric-pull", "fp32", 3, 1, 0.895},
    MeasuredFraction{"cuda", "esoteric-pull", "fp64", 3, 1, 0.94},
    MeasuredFraction{"cuda", "esoteric-pull", "fp16s", 3, 1, 0.826},
    MeasuredFraction{"cuda", "compact-pull", "fp32", 3, 1, 0.939},
    MeasuredFraction{"cuda", "compact-pull", "fp32", 3, 0.97, 0.93},
    MeasuredFraction{"cuda", "compact-pull", "fp32", 3, 0.82, 0.893},
    MeasuredFraction{"cuda", "compact-pull", "fp32", 3, 0.64, 0.873},
    MeasuredFraction{"cuda", "compact-pull", "fp16s", 3, 1, 0.862},
    MeasuredFraction{"cuda", "compact-pull", "fp16s", 3, 0.97, 0.862},
    MeasuredFraction{"cuda", "compact-pull", "fp16s", 3, 0.82, 0.758},
    MeasuredFraction{"cuda", "compact-pull", "fp16s", 3, 0.64, 0.592},
    MeasuredFraction{"cuda", "compact-aa", "fp32", 3, 0.97, 0.795},
    MeasuredFraction{"cuda", "compact-aa", "fp32", 3, 0.82, 0.762},
    MeasuredFraction{"cuda", "compact-aa", "fp32", 3, 0.64, 0.692},
    MeasuredFraction{"cuda", "compact-aa", "fp64", 3, 0.97, 0.846},
    MeasuredFraction{"cuda", "compact-aa", "fp64", 3, 0.82, 0.846},
    MeasuredFraction{"cuda", "compact-aa", "fp64", 3, 0.64, 0.825},
    MeasuredFraction{"cuda", "compact-aa", "fp16s", 3, 0.97, 0.682},
    MeasuredFraction{"cuda", "compact-aa", "fp16s", 3, 0.82, 0.567},
    MeasuredFraction{"cuda", "compact-aa", "fp16s", 3, 0.64, 0.45},
    MeasuredFraction{"cuda", "compact-sliding", "fp32", 3, 1, 0.882},
    MeasuredFraction{"cuda", "compact-sliding", "fp32", 3, 0.97, 0.884},
    MeasuredFraction{"cuda", "compact-sliding", "fp32", 3, 0.82, 0.855},
    MeasuredFraction{"cuda", "compact-sliding", "fp32", 3, 0.64, 0.809},
    MeasuredFraction{"cuda", "compact-sliding", "fp16s", 3, 1, 0.744},
    MeasuredFraction{"cuda", "compact-sliding", "fp16s", 3, 0.97, 0.759},
    MeasuredFraction{"cuda", "compact-sliding", "fp16s", 3, 0.82, 0.684},
    MeasuredFraction{"cuda", "compact-sliding", "fp16s", 3, 0.64, 0.533},
};

/// The format of 16 bits that the table has: all of them move as many bytes.
constexpr const char* measured_of_16_bits = "fp16s";

std::string measured_like(const std::string& format) {
  return storage_bytes(format) == 2 ? std::string(measured_of_16_bits) : format;
}

/// Rows of a scheme, in the order of the table: by falling fill.
std::vector<MeasuredFraction> rows_of(std::string_view device, std::string_view scheme, std::string_view format,
                                      int dimension) {
  std::vector<MeasuredFraction> rows;
  for (const MeasuredFraction& row : table)
    if (row.device == device && row.scheme == scheme && row.format == format && row.dimension == dimension)
      rows.push_back(row);
  return rows;
}

double interpolate(const std::vector<MeasuredFraction>& rows, double fill) {
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const MeasuredFraction &above = rows[k - 1], &below = rows[k];
    if (fill < below.fill) continue;
    const double part = (fill - below.fill) / (above.fill - below.fill);
    return below.fraction + std::min(part, 1.0) * (above.fraction - below.fraction);
  }
  return rows.back().fraction;
}

}  // namespace

std::span<const MeasuredFraction> measured_fractions() {
  return table;
}

bool was_measured(const std::string& device, const std::string& scheme, const std::string& format, int dimension) {
  return !rows_of(device, scheme, measured_like(format), dimension).empty();
}

double measured_fraction(const std::string& device, const std::string& scheme, const std::string& format, int dimension,
                         double fill) {
  for (const std::string& f : {measured_like(format), std::string("fp32"), std::string(measured_of_16_bits)})
    for (const int d : {dimension, 5 - dimension})
      if (const auto rows = rows_of(device, scheme, f, d); !rows.empty()) return interpolate(rows, fill);
  return 0;
}

}  // namespace fluvia::model
