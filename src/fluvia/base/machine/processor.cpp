// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/machine/processor.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "fluvia/base/machine/control_group.hpp"

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

std::optional<double> processors_of_quota(const std::string& text) {
  std::istringstream words(text);
  double time = 0, period = 0;
  if (!(words >> time >> period) || !(time > 0) || !(period > 0)) return std::nullopt;
  return time / period;
}

double usable_processors(int processors) {
  double usable = processors;
  for (const std::filesystem::path& group : control_groups()) {
    std::ifstream file(group / "cpu.max");
    std::string line;
    if (!std::getline(file, line)) continue;
    if (const std::optional<double> quota = processors_of_quota(line)) usable = std::min(usable, *quota);
  }
  return usable;
}

}  // namespace fluvia
