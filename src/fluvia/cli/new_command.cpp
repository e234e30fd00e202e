// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/templates.hpp"
#include "fluvia/cli/commands.hpp"

namespace fluvia::cli {

namespace {

void write_template(const std::string& name, const std::filesystem::path& folder) {
  const auto files = template_files(name);
  for (const auto& [relative, content] : files)
    if (std::filesystem::exists(folder / relative))
      throw Error(ExitCode::usage, fmt::format("new: '{}' exists already; remove it or name another folder",
                                               (folder / relative).string()));
  for (const auto& [relative, content] : files) {
    const auto path = folder / relative;
    std::error_code error;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      throw_resource(fmt::format("new: folder '{}' cannot be made: {}", path.parent_path().string(), error.message()));
    write_file(path, content);
    fmt::print("wrote {}\n", path.string());
  }
  fmt::print("run it with: fluvia run {}\n", (folder / files.front().first).string());
}

}  // namespace

void add_new_command(CLI::App& app) {
  struct Settings {
    std::string name;
    std::filesystem::path folder = ".";
  };
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("new", "Write a commented case to start from");
  std::string names;
  for (const std::string& name : template_names()) names += (names.empty() ? "" : ", ") + name;
  command->add_option("TEMPLATE", settings->name, "One of: " + names)->required();
  command->add_option("DIR", settings->folder, "Folder to write to (default: here)");
  command->callback([settings] { write_template(settings->name, settings->folder); });
}

}  // namespace fluvia::cli
