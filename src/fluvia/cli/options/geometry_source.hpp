// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include "fluvia/geometry/source.hpp"

namespace fluvia::cli {

/// Adds the options that say how to read a file, without the file itself.
void add_source_options(CLI::App& command, GeometrySource& source);

}  // namespace fluvia::cli
