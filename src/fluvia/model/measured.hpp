// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace fluvia::model {

/// A share of the roofline that was reached: MFLUPS times B_node over the copy bandwidth, at a tile porosity (tiles of
/// 64 nodes). Dense boxes were measured without solid nodes.
struct MeasuredShare {
  std::string_view device;  ///< cpu or cuda
  std::string_view scheme, format;
  int dimension;
  double tile_porosity, share;
};

/// The table, from docs/performance.md.
std::span<const MeasuredShare> measured_shares();

/// The share to be expected, interpolated in the tile porosity; a format or dimension that was not measured takes the
/// values of another (fp16s for fp16c, else fp32; 3D for 2D and the reverse). 0 if the scheme was never measured.
double measured_share(const std::string& device, const std::string& scheme, const std::string& format, int dimension,
                      double tile_porosity);

}  // namespace fluvia::model
