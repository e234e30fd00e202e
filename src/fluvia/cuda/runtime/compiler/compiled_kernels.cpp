// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/compiler/compiled_kernels.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

namespace fluvia::cuda {
namespace {

/// The number in front of `unit` in a line such as "Used 40 registers, 132 bytes smem"; 0 if it is not named.
std::size_t number_before(const std::string& line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string::npos) return 0;
  std::size_t start = end;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
  return start == end ? 0 : std::stoull(line.substr(start, end - start));
}

bool is_resource_line(const std::string& line) {
  return line.starts_with("ptxas info ") || line.starts_with("ptxas         .");
}

}  // namespace

std::string kernel_label(std::string_view name, std::string_view specialisation) {
  return specialisation.empty() ? fmt::format("kernel '{}'", name)
                                : fmt::format("kernel '{}' ({})", name, specialisation);
}

std::string CompiledKernels::label() const {
  return kernel_label(name, specialisation);
}

std::optional<KernelResources> parse_resources(std::string_view assembler_log, std::string_view lowered_name) {
  const std::string entry = fmt::format("Compiling entry function '{}'", lowered_name);
  const std::string properties = fmt::format("Function properties for {}", lowered_name);
  std::istringstream lines{std::string(assembler_log)};
  KernelResources resources;
  bool in_entry = false, in_properties = false, has_stack = false, has_registers = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("Compiling entry function") != std::string::npos) in_entry = line.find(entry) != std::string::npos;
    if (line.find("Function properties for") != std::string::npos) in_properties = line.ends_with(properties);
    if (in_properties && line.find(" bytes stack frame") != std::string::npos) {
      resources.stack_bytes = number_before(line, " bytes stack frame");
      resources.spill_store_bytes = number_before(line, " bytes spill stores");
      resources.spill_load_bytes = number_before(line, " bytes spill loads");
      has_stack = true;
    }
    if (in_entry && !has_registers && line.find("Used ") != std::string::npos) {
      resources.registers = static_cast<int>(number_before(line, " registers"));
      resources.shared_bytes = number_before(line, " bytes smem");
      has_registers = true;
    }
  }
  return has_stack && has_registers ? std::optional(resources) : std::nullopt;
}

std::string without_resources(std::string_view log) {
  std::istringstream lines{std::string(log)};
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!is_resource_line(line) && !line.empty() && line[0] != '\0') result += line + "\n";
  }
  return result;
}

}  // namespace fluvia::cuda
