// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/options/case_options.hpp"

#include <fmt/format.h>

#include "fluvia/base/text.hpp"
#include "fluvia/case/gpus.hpp"

namespace fluvia::cli {

void CaseOptions::add_to(CLI::App& command) {
  command.add_option("CASE", file, "Case file (TOML)")->required()->type_name("FILE.toml");
  command.add_option("--set", settings, "Replace one value of the case, e.g. --set numerics.scheme=aa")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--threads", threads, "CPU threads (default: numerics.threads, else OMP_NUM_THREADS, else all cores)")
      ->check(CLI::Range(1, 4096));
  CLI::Option* one =
      command
          .add_option("--device", device,
                      "auto, cpu, cuda, or the GPUs that share the domain, as in cuda:0,1 (default: numerics.device)")
          ->check(is_device());
  command.add_option("--devices", devices, "So many GPUs share the domain, or all")->type_name("N")->excludes(one);
  command
      .add_option("--memory-limit", memory_limit,
                  "Memory of the device that a run may take; larger domains are streamed to a GPU in parts "
                  "(default: numerics.memory_limit, else what is free)")
      ->type_name("MIB")
      ->check(CLI::Range(0.01, 1e9));
}

/// Names of devices; shells complete the names in braces.
CLI::Validator is_device() {
  return {[](const std::string& text) {
            if (text == "auto" || text == "cpu" || is_on_gpus(text)) return std::string();
            return "'" + shorten(text) + "' is no device; use auto, cpu, cuda, cuda:all or GPUs as in cuda:0,1";
          },
          "{auto,cpu,cuda}"};
}

CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? std::string("the name is empty") : std::string(); }, ""};
}

Case CaseOptions::read(const std::vector<std::string>& more) const {
  std::vector<std::string> all = settings;
  all.insert(all.end(), more.begin(), more.end());
  Case c = read_case(file, all);
  if (threads > 0) c.numerics.threads = threads;
  if (!device.empty()) c.numerics.device = device;
  if (!devices.empty()) c.numerics.device = device_of_gpus("--devices", devices);
  if (is_on_gpus(c.numerics.device)) parse_gpus("numerics.device", c.numerics.device);
  if (memory_limit > 0) c.numerics.memory_limit = memory_limit;
  return c;
}

std::filesystem::path CaseOptions::output_folder(const Case& c) const {
  return c.output.directory.empty() ? std::filesystem::path("out") / file.stem() : c.output.directory;
}

std::vector<std::string> CaseOptions::words() const {
  std::vector<std::string> words = {file.string()};
  const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
  for (const std::string& setting : settings) add("--set", setting);
  if (threads > 0) add("--threads", std::to_string(threads));
  if (!device.empty()) add("--device", device);
  if (!devices.empty()) add("--devices", devices);
  if (memory_limit > 0) add("--memory-limit", fmt::format("{}", memory_limit));
  return words;
}

}  // namespace fluvia::cli
