// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/bench/bench.hpp"

namespace fluvia {

/// One line for each row, for a terminal.
std::string bench_line(const BenchRow& row);

std::string bench_markdown(const BenchReport& report);
std::string bench_json(const BenchReport& report);

/// The report that bench_json() wrote to a file; empty if there is no file. Throws Error(input) with the file and what
/// is wrong.
BenchReport read_bench_json(const std::filesystem::path& file);

/// The combinations of a file by bench_json() that ran on this device, "cpu" or "cuda", without their results. Throws
/// Error(input) as read_bench_json() does, and if there are none.
std::vector<BenchRow> read_combinations(const std::filesystem::path& file, const std::string& device);

/// Throws Error(input) if a report cannot be continued with these settings: another device or another size.
void require_continuation(const BenchReport& report, const BenchSettings& settings, const std::filesystem::path& file);

}  // namespace fluvia
