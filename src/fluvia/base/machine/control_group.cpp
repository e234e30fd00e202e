// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/machine/control_group.hpp"

#include <fstream>
#include <string>

namespace fluvia {

std::vector<std::filesystem::path> control_groups() {
  std::string group = "/", line;
  std::ifstream file("/proc/self/cgroup");
  while (std::getline(file, line))
    if (line.starts_with("0::/")) group = line.substr(3);
  std::vector<std::filesystem::path> folders;
  for (std::filesystem::path path = group; path != path.root_path(); path = path.parent_path())
    folders.push_back("/sys/fs/cgroup" + path.string());
  folders.emplace_back("/sys/fs/cgroup");
  return folders;
}

}  // namespace fluvia
