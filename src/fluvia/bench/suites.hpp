// SPDX-License-Identifier: Apache-2.0
// Named lists of combinations. A suite says what to measure and never how.
#pragma once
#include <string>
#include <vector>

#include "fluvia/bench/bench.hpp"
#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia {

/// Boxes: every lattice, every tuned dense scheme and format, and the cost of other collisions and large eddies.
RowList dense_suite(const BenchSettings& settings);
/// Random spheres from almost free to almost full, and vessels: every tuned scheme that stores fluid nodes only.
RowList sparse_suite(const BenchSettings& settings);
/// Several steps a pass beside single ones: the effect of pass lengths, formats, walls and a force.
RowList fused_suite(const BenchSettings& settings);
/// A sphere with two finer levels around it, beside a box of one level with as many nodes.
RowList levels_suite(const BenchSettings& settings);
/// The tables and figures of the papers that Fluvia's published schemes come from, and all schemes side by side.
RowList seeds_suite(const BenchSettings& settings);
/// Every combination of the settings' lists.
RowList product(const BenchSettings& settings);

/// Sets the box of a row: a cube or, in 2D, a square of as many nodes along each axis.
void set_cube(BenchRow& row, int nodes);
/// Edge of a 2D box with about as many nodes as a cube of this edge; a multiple of 64 as most cubes' are.
int plane_size(int cube);
/// The thread counts to measure; {0} on a GPU.
std::vector<int> thread_counts(const BenchSettings& settings);
/// The tuned schemes of an addressing that the device has.
std::vector<std::string> schemes_of(const BenchSettings& settings, core::Addressing addressing);
/// Most steps that a pass of a scheme takes on a device, "cpu" or "cuda".
int most_steps(const std::string& scheme, const std::string& device, int dimension);

}  // namespace fluvia
