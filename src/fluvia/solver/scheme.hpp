// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace fluvia {

/// A scheme is a streaming on an addressing.
struct Scheme {
  std::string streaming;  ///< pull, aa, esoteric-pull
  bool compact = false;   ///< only fluid nodes are stored; else the dense box
  bool sliding = false;   ///< one copy of a two-copy streaming, whose array slides between sweeps; on GPUs

  [[nodiscard]] std::string name() const;
};

/// Splits a scheme's name. Throws Error(input) with the list of names.
Scheme parse_scheme(const std::string& name);
/// Every scheme that runs on a CPU and on a GPU: each streaming on the dense box, and on compact storage where it needs
/// none in solid nodes.
std::vector<std::string> scheme_names();
/// Those and the ones that run on GPUs only.
std::vector<std::string> gpu_scheme_names();
/// Bytes of a stored population, or 0 if there is no such format.
int storage_bytes(const std::string& format);

}  // namespace fluvia
