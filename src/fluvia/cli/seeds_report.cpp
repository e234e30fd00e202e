// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/seeds_report.hpp"

#include <fmt/format.h>

#include <string>
#include <system_error>
#include <vector>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/cli/terminal/programs.hpp"

namespace fluvia::cli {

void make_seeds_report(const std::filesystem::path& folder) {
  const EmbeddedFile& tool = embedded_tool("seeds_report.pyz");
  const std::filesystem::path file = folder / tool.name;
  write_file(file, tool.content);
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::string binary = unknown ? "fluvia" : own.string();
  const std::vector<std::string> command = {"python3", file.string(), folder.string(), "--fluvia", binary};
  const std::string problem = run_program(command).problem;
  if (problem.empty()) return;
  throw_resource(fmt::format("rows.json is written, but there is no report: {}. To make it later:\n  {}", problem,
                             shell_line(command)));
}

}  // namespace fluvia::cli
