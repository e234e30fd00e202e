// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia {

using core::Scheme;

/// The registered scheme of a name. Throws Error(input) with the list of names.
const Scheme& parse_scheme(const std::string& name);
/// Every scheme that runs on a CPU.
std::vector<std::string> scheme_names();
/// Every scheme that runs on a GPU.
std::vector<std::string> gpu_scheme_names();
/// Throws Error(input) with the reason if a scheme does not run on a device, "cpu" or "cuda".
void require_device(const Scheme& scheme, const std::string& device);
/// Edge of the tiles of a scheme: `asked`, or the scheme's default if that is 0; 0 if the scheme has none. Throws
/// Error(input) with the edges to choose from.
int tile_edge(const Scheme& scheme, int dimension, int asked);

}  // namespace fluvia
