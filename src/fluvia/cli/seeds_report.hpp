// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace fluvia::cli {

/// Makes the report of `fluvia bench --suite seeds` from a folder's rows.json: writes the tool, a Python program that
/// is compiled in, to the folder and runs it with python3. Throws Error(resource), which says how to run it later,
/// where that fails.
void make_seeds_report(const std::filesystem::path& folder);

}  // namespace fluvia::cli
