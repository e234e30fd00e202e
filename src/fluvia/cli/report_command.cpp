// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/cli/case_options.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/terminal/programs.hpp"

namespace fluvia::cli {

namespace {

struct ReportSettings {
  std::filesystem::path folder, output;
};

/// A file in memory that programs started from here can open by name; it is gone when they have ended, however they
/// end.
class MemoryFile {
 public:
  explicit MemoryFile(const EmbeddedFile& file) : descriptor_(::memfd_create(std::string(file.name).c_str(), 0)) {
    std::string_view rest = file.content;
    while (descriptor_ >= 0 && !rest.empty()) {
      const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) break;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    if (!rest.empty()) {
      const std::string problem = std::strerror(errno);
      if (descriptor_ >= 0) ::close(descriptor_);
      throw_resource(fmt::format("report: no memory for the program that makes it: {}", problem));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }
  [[nodiscard]] std::string name() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

/// Runs the program of the report, which has its own messages, and ends with this program's codes.
int run(const ReportSettings& settings) {
  const char* const chosen = std::getenv("FLUVIA_PYTHON");
  const std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  const MemoryFile tool(embedded_tool("report.pyz"));
  // "./" keeps a folder's name that begins with a dash from being an option.
  const std::filesystem::path folder = settings.folder.is_absolute() ? settings.folder : "." / settings.folder;
  std::vector<std::string> command = {python, "-B", tool.name(), folder.lexically_normal().string()};
  if (!settings.output.empty()) command.push_back("--output=" + settings.output.string());
  const ProgramEnd end = run_program(command);
  if (end.code == static_cast<int>(ExitCode::internal))  // its traceback stands above
    throw Error(ExitCode::internal,
                fmt::format("report: {} could not make the page; please report what it says above", python));
  if (end.code && *end.code <= static_cast<int>(ExitCode::interrupted)) return *end.code;
  throw_resource(fmt::format("report: {} has to make the page, but {}; FLUVIA_PYTHON names another Python 3.9 or later",
                             python, end.problem));
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<ReportSettings>();
  CLI::App* command =
      app.add_subcommand("report", "Make one HTML page of a run: verdict, results, plots, pictures, 3D");
  command->add_option("OUT", settings->folder, "Output folder of a run")->required()->check(not_empty());
  command->add_option("--output", settings->output, "The page to write (default: OUT/report.html)")
      ->type_name("FILE")
      ->check(not_empty());
  command->callback([settings, &exit_code] { exit_code = run(*settings); });
}

}  // namespace fluvia::cli
