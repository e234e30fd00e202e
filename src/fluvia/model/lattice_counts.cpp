// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/lattice_counts.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia::model {

const std::vector<LatticeCounts>& lattice_counts() {
  static const std::vector<LatticeCounts> all = {{"D2Q9", 2, 4, 4, 0},
                                                 {"D3Q13", 3, 0, 12, 0},
                                                 {"D3Q15", 3, 6, 0, 8},
                                                 {"D3Q19", 3, 6, 12, 0},
                                                 {"D3Q27", 3, 6, 12, 8}};
  return all;
}

const LatticeCounts& lattice_counts(const std::string& name) {
  std::vector<std::string> names;
  for (const LatticeCounts& lattice : lattice_counts()) {
    if (lattice.name == name) return lattice;
    names.push_back(lattice.name);
  }
  throw_input(fmt::format("model: there is no lattice '{}'; choose one of {}", name, join(names)));
}

}  // namespace fluvia::model
