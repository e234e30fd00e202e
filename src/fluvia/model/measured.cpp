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
// over several runs are given by their middle. Of `pull` on a CPU below full rows: the shares of `aa` times what `pull`
// reached of its speed in single steps, 0.41 to 0.61, on another processor (two cores of an AMD EPYC of family 25).
constexpr std::array table = {
    MeasuredShare{"cpu", "aa", "fp32", 3, 1, 0.93},
    MeasuredShare{"cpu", "aa", "fp32", 3, 0.98, 0.865},
    MeasuredShare{"cpu", "aa", "fp32", 3, 0.95, 0.705},
    MeasuredShare{"cpu", "aa", "fp32", 3, 0.9, 0.455},
    MeasuredShare{"cpu", "aa", "fp32", 3, 0.8, 0.32},
    MeasuredShare{"cpu", "aa", "fp32", 3, 0.7, 0.235},
    MeasuredShare{"cpu", "aa", "fp32", 3, 0.52, 0.135},
    MeasuredShare{"cpu", "aa", "fp32", 3, 0.27, 0.06},
    MeasuredShare{"cpu", "aa", "fp64", 3, 1, 0.95},
    MeasuredShare{"cpu", "aa", "fp64", 3, 0.98, 0.925},
    MeasuredShare{"cpu", "aa", "fp64", 3, 0.95, 0.8},
    MeasuredShare{"cpu", "aa", "fp64", 3, 0.9, 0.58},
    MeasuredShare{"cpu", "aa", "fp64", 3, 0.8, 0.39},
    MeasuredShare{"cpu", "aa", "fp64", 3, 0.7, 0.305},
    MeasuredShare{"cpu", "aa", "fp64", 3, 0.52, 0.175},
    MeasuredShare{"cpu", "aa", "fp64", 3, 0.27, 0.085},
    MeasuredShare{"cpu", "aa", "fp16s", 3, 1, 0.175},
    MeasuredShare{"cpu", "aa", "fp16s", 3, 0.95, 0.165},
    MeasuredShare{"cpu", "aa", "fp16s", 3, 0.9, 0.15},
    MeasuredShare{"cpu", "aa", "fp16s", 3, 0.8, 0.105},
    MeasuredShare{"cpu", "aa", "fp16s", 3, 0.7, 0.105},
    MeasuredShare{"cpu", "aa", "fp16s", 3, 0.52, 0.065},
    MeasuredShare{"cpu", "aa", "fp16s", 3, 0.27, 0.03},
    MeasuredShare{"cpu", "esoteric-pull", "fp32", 3, 1, 0.95},
    MeasuredShare{"cpu", "pull", "fp32", 3, 1, 0.4},
    MeasuredShare{"cpu", "pull", "fp32", 3, 0.98, 0.35},
    MeasuredShare{"cpu", "pull", "fp32", 3, 0.95, 0.32},
    MeasuredShare{"cpu", "pull", "fp32", 3, 0.9, 0.21},
    MeasuredShare{"cpu", "pull", "fp32", 3, 0.8, 0.18},
    MeasuredShare{"cpu", "pull", "fp32", 3, 0.7, 0.14},
    MeasuredShare{"cpu", "pull", "fp32", 3, 0.52, 0.075},
    MeasuredShare{"cpu", "pull", "fp32", 3, 0.27, 0.04},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 1, 0.6},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 0.98, 0.59},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 0.95, 0.575},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 0.9, 0.54},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 0.8, 0.46},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 0.7, 0.45},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 0.52, 0.375},
    MeasuredShare{"cpu", "compact-aa", "fp32", 3, 0.27, 0.29},
    MeasuredShare{"cpu", "compact-aa", "fp64", 3, 1, 0.53},
    MeasuredShare{"cpu", "compact-aa", "fp64", 3, 0.95, 0.515},
    MeasuredShare{"cpu", "compact-aa", "fp64", 3, 0.9, 0.49},
    MeasuredShare{"cpu", "compact-aa", "fp64", 3, 0.8, 0.45},
    MeasuredShare{"cpu", "compact-aa", "fp64", 3, 0.7, 0.405},
    MeasuredShare{"cpu", "compact-aa", "fp64", 3, 0.52, 0.35},
    MeasuredShare{"cpu", "compact-aa", "fp64", 3, 0.27, 0.32},
    MeasuredShare{"cpu", "compact-aa", "fp16s", 3, 1, 0.24},
    MeasuredShare{"cpu", "compact-aa", "fp16s", 3, 0.95, 0.225},
    MeasuredShare{"cpu", "compact-aa", "fp16s", 3, 0.9, 0.205},
    MeasuredShare{"cpu", "compact-aa", "fp16s", 3, 0.8, 0.19},
    MeasuredShare{"cpu", "compact-aa", "fp16s", 3, 0.7, 0.18},
    MeasuredShare{"cpu", "compact-aa", "fp16s", 3, 0.52, 0.155},
    MeasuredShare{"cpu", "compact-aa", "fp16s", 3, 0.27, 0.125},
    MeasuredShare{"cpu", "compact-pull", "fp32", 3, 1, 0.43},
    MeasuredShare{"cpu", "compact-pull", "fp32", 3, 0.9, 0.355},
    MeasuredShare{"cpu", "compact-pull", "fp32", 3, 0.52, 0.25},
    MeasuredShare{"cpu", "compact-pull", "fp32", 3, 0.27, 0.185},
    MeasuredShare{"cuda", "pull", "fp32", 3, 1, 0.92},
    MeasuredShare{"cuda", "pull", "fp16s", 3, 1, 0.894},
    MeasuredShare{"cuda", "pull", "fp64", 3, 1, 0.935},
    MeasuredShare{"cuda", "pull", "fp32", 2, 1, 0.96},
    MeasuredShare{"cuda", "pull", "fp16s", 2, 1, 0.933},
    // Passes over memory: bgk and trt have 1.36 and 1.15 in 3D, where single steps are what the roofline is of.
    MeasuredShare{"cuda", "fused", "fp32", 3, 1, 1.33},
    MeasuredShare{"cuda", "fused", "fp64", 3, 1, 1.27},
    MeasuredShare{"cuda", "fused-sliding", "fp32", 3, 1, 1.32},
    MeasuredShare{"cuda", "fused-sliding", "fp32", 2, 1, 2.0},
    MeasuredShare{"cuda", "fused", "fp32", 2, 1, 2.2},
    MeasuredShare{"cuda", "fused", "fp64", 2, 1, 2.2},
    MeasuredShare{"cuda", "aa", "fp32", 3, 1, 0.907},
    MeasuredShare{"cuda", "aa", "fp16s", 3, 1, 0.859},
    MeasuredShare{"cuda", "aa", "fp32", 2, 1, 0.932},
    MeasuredShare{"cuda", "aa", "fp16s", 2, 1, 0.842},
    MeasuredShare{"cuda", "aa", "fp64", 3, 1, 0.934},
    MeasuredShare{"cuda", "esoteric-pull", "fp32", 3, 1, 0.895},
    MeasuredShare{"cuda", "esoteric-pull", "fp64", 3, 1, 0.94},
    MeasuredShare{"cuda", "esoteric-pull", "fp16s", 3, 1, 0.826},
    MeasuredShare{"cuda", "compact-pull", "fp32", 3, 1, 0.939},
    MeasuredShare{"cuda", "compact-pull", "fp32", 3, 0.97, 0.93},
    MeasuredShare{"cuda", "compact-pull", "fp32", 3, 0.82, 0.893},
    MeasuredShare{"cuda", "compact-pull", "fp32", 3, 0.64, 0.873},
    MeasuredShare{"cuda", "compact-pull", "fp16s", 3, 1, 0.862},
    MeasuredShare{"cuda", "compact-pull", "fp16s", 3, 0.97, 0.862},
    MeasuredShare{"cuda", "compact-pull", "fp16s", 3, 0.82, 0.758},
    MeasuredShare{"cuda", "compact-pull", "fp16s", 3, 0.64, 0.592},
    MeasuredShare{"cuda", "compact-aa", "fp32", 3, 0.97, 0.795},
    MeasuredShare{"cuda", "compact-aa", "fp32", 3, 0.82, 0.762},
    MeasuredShare{"cuda", "compact-aa", "fp32", 3, 0.64, 0.692},
    MeasuredShare{"cuda", "compact-aa", "fp64", 3, 0.97, 0.846},
    MeasuredShare{"cuda", "compact-aa", "fp64", 3, 0.82, 0.846},
    MeasuredShare{"cuda", "compact-aa", "fp64", 3, 0.64, 0.825},
    MeasuredShare{"cuda", "compact-aa", "fp16s", 3, 0.97, 0.682},
    MeasuredShare{"cuda", "compact-aa", "fp16s", 3, 0.82, 0.567},
    MeasuredShare{"cuda", "compact-aa", "fp16s", 3, 0.64, 0.45},
    MeasuredShare{"cuda", "compact-sliding", "fp32", 3, 1, 0.882},
    MeasuredShare{"cuda", "compact-sliding", "fp32", 3, 0.97, 0.884},
    MeasuredShare{"cuda", "compact-sliding", "fp32", 3, 0.82, 0.855},
    MeasuredShare{"cuda", "compact-sliding", "fp32", 3, 0.64, 0.809},
    MeasuredShare{"cuda", "compact-sliding", "fp16s", 3, 1, 0.744},
    MeasuredShare{"cuda", "compact-sliding", "fp16s", 3, 0.97, 0.759},
    MeasuredShare{"cuda", "compact-sliding", "fp16s", 3, 0.82, 0.684},
    MeasuredShare{"cuda", "compact-sliding", "fp16s", 3, 0.64, 0.533},
};

/// The format of 16 bits that the table has: all of them move as many bytes.
constexpr const char* measured_of_16_bits = "fp16s";

std::string measured_like(const std::string& format) {
  return storage_bytes(format) == 2 ? std::string(measured_of_16_bits) : format;
}

/// Rows of a scheme, in the order of the table: by falling fill.
std::vector<MeasuredShare> rows_of(std::string_view device, std::string_view scheme, std::string_view format,
                                   int dimension) {
  std::vector<MeasuredShare> rows;
  for (const MeasuredShare& row : table)
    if (row.device == device && row.scheme == scheme && row.format == format && row.dimension == dimension)
      rows.push_back(row);
  return rows;
}

double interpolate(const std::vector<MeasuredShare>& rows, double fill) {
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const MeasuredShare &above = rows[k - 1], &below = rows[k];
    if (fill < below.fill) continue;
    const double part = (fill - below.fill) / (above.fill - below.fill);
    return below.share + std::min(part, 1.0) * (above.share - below.share);
  }
  return rows.back().share;
}

}  // namespace

std::span<const MeasuredShare> measured_shares() {
  return table;
}

bool was_measured(const std::string& device, const std::string& scheme, const std::string& format, int dimension) {
  return !rows_of(device, scheme, measured_like(format), dimension).empty();
}

double measured_share(const std::string& device, const std::string& scheme, const std::string& format, int dimension,
                      double fill) {
  for (const std::string& f : {measured_like(format), std::string("fp32"), std::string(measured_of_16_bits)})
    for (const int d : {dimension, 5 - dimension})
      if (const auto rows = rows_of(device, scheme, f, d); !rows.empty()) return interpolate(rows, fill);
  return 0;
}

}  // namespace fluvia::model
