// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/processor.hpp"

#include <fstream>

namespace fluvia {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string maker, part, line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1), value = line.substr(colon + 2);
    if (key == "model name") return value;
    if (key == "CPU implementer" && maker.empty()) maker = value;
    if (key == "CPU part" && part.empty()) part = value;
  }
  return maker.empty() && part.empty() ? "" : "maker " + maker + " part " + part;
}

}  // namespace fluvia
