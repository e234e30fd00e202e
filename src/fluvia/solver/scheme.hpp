// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace fluvia {

/// A scheme is a streaming on an addressing.
struct Scheme {
  std::string streaming;  ///< pull, aa, esoteric-pull
  bool compact = false;   ///< tiles that store fluid nodes only; else the dense box
};

/// Splits a scheme's name. Throws Error(input) with the list of names.
Scheme parse_scheme(const std::string& name);
/// Every valid scheme: each streaming on the dense box, and on compact tiles where it needs no storage in solid nodes.
std::vector<std::string> scheme_names();

}  // namespace fluvia
