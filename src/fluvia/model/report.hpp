// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/model/overhead.hpp"
#include "fluvia/model/storage.hpp"
#include "fluvia/model/tile_statistics.hpp"

namespace fluvia::model {

/// One method in one geometry.
struct ReportRow {
  Overhead overhead;
  double bytes_per_node = 0;   ///< M_node (1 + Delta^M)
  double ideal_mflups = 0;     ///< with the overhead Delta^B
  double burst_mflups = 0;     ///< with Delta^B and the bound for bursts
  double measured_mflups = 0;  ///< at the fraction of the roofline that Fluvia reached; 0 if it was not measured
};

/// Everything that `fluvia model` prints.
struct Report {
  std::string geometry, format, device;
  double bandwidth = 0;  ///< bytes per second, read plus written
  bool bandwidth_was_measured = false;
  Inputs inputs;
  TileStatistics tiles;
  std::uint64_t boundary_nodes = 0;  ///< fluid nodes beside solid ones
  StorageCounts storage;
  double fill = 1;  ///< how full the device's units of work are, 0 to 1; see MeasuredFraction
  std::vector<ReportRow> rows;
};

/// Fills in the inputs' geometry from `tiles`, and the rows: published methods, then Fluvia's on that device.
void fill_rows(Report& report);

/// Two sentences: which method takes the least memory and which moves the least, and why.
std::string verdict(const Report& report);

std::string report_text(const Report& report);
std::string report_markdown(const Report& report);
std::string report_json(const Report& report);

}  // namespace fluvia::model
