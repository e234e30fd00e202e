// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fluvia {

/// Rows of numbers from a text file, separated by commas, semicolons or blanks; lines that are empty or start with '#'
/// are skipped, and so is a first line without digits (a header). Where semicolons or tabs separate numbers and there
/// is no decimal point, commas are decimal commas. Calls row(values, line number) for each. `columns`: their names, for
/// messages, e.g. {"time", "value"}. Throws Error(input), naming file and line, if the file cannot be read or a row
/// does not have as many finite numbers.
void read_number_rows(const std::filesystem::path& file, const std::vector<std::string>& columns,
                      const std::function<void(const std::vector<double>& values, int line)>& row);

/// The same of a file whose first column is a time: throws Error(input), too, where that does not increase.
void read_time_rows(const std::filesystem::path& file, const std::vector<std::string>& columns,
                    const std::function<void(const std::vector<double>& values)>& row);

/// The header of a file of number rows, empty if it has none. Throws Error(input) if the file cannot be read.
std::string read_header(const std::filesystem::path& file);

}  // namespace fluvia
