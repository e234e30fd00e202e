// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/terminal/console.hpp"
#include "fluvia/cli/terminal/interruption.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/adaptive/adaptive_levels.hpp"
#include "fluvia/run/prepared_flow.hpp"

namespace fluvia::cli {

namespace {

struct RefineSettings {
  CaseOptions source;
  AdaptiveRequest request;
  std::filesystem::path output;
};

/// Lines that say where the boxes of a case come from.
std::string describe(const AdaptiveRequest& request, const AdaptiveLevels& found) {
  std::string nodes;
  for (std::size_t l = 0; l < found.nodes.size(); ++l)
    nodes += fmt::format("{}{}", nodes.empty() ? "" : ", ", format_count(found.nodes[l]));
  return fmt::format(
      "\n# Found by `fluvia refine`: where {} was largest after {} steps on one level. About {} fluid nodes on levels "
      "0 "
      "to {}.\n",
      request.quantity, found.steps, nodes, found.nodes.size() - 1);
}

/// Throws what a run of the case would be refused with.
void require_plan(const Case& c) {
  PreparedFlow flow(c, [](const std::string&) {});
  flow.build();
  plan_case({c, flow.units(), flow.geometry()});
}

void refine(const RefineSettings& settings) {
  if (ranks::count() > 1) refuse_ranks();
  const Case c = settings.source.read();
  if (!c.refine.empty())
    throw_input(fmt::format("{}: refine: the case has regions already; remove them, and their place will be found",
                            c.place("refine")));
  std::filesystem::path path = settings.output;
  // Files that a case names lie relative to it, so that the new one goes beside it.
  if (path.empty()) path = settings.source.file.parent_path() / (settings.source.file.stem().string() + "-levels.toml");
  if (std::filesystem::exists(path))
    throw Error(
        ExitCode::usage,
        fmt::format("refine: '{}' exists already; remove it or name another file with --output", path.string()));
  const std::atomic<bool>* const interrupted = catch_interruptions();
  const AdaptiveLevels found = find_levels(
      c, settings.request, [](const std::string& text) { say(text + "\n"); }, [&] { return interrupted->load(); });
  const std::string text = c.text + describe(settings.request, found) + text_of(found.regions, c.domain.dimension);
  require_plan(parse_case(text, path));
  write_file(path, text);
  for (std::size_t l = 0; l < found.nodes.size(); ++l)
    fmt::print("level {}      about {} fluid nodes\n", l, format_count(found.nodes[l]));
  fmt::print("wrote {} with {} boxes\nlook at it with: fluvia geometry {} --png levels\n", path.string(),
             found.regions.size(), path.string());
}

}  // namespace

void add_refine_command(CLI::App& app) {
  auto s = std::make_shared<RefineSettings>();
  CLI::App* command = app.add_subcommand(
      "refine", "Find where a case needs finer levels by a run on one level, and write it with them");
  s->source.add_to(*command);
  command->add_option("--quantity", s->request.quantity, "What says where: " + join(adaptive_quantities()))
      ->check(CLI::IsMember(adaptive_quantities()))
      ->capture_default_str();
  command->add_option("--levels", s->request.levels, "Levels finer than the spacing of the case")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  command->add_option("--nodes", s->request.nodes, "Fluid nodes of all levels, at most (three times those of the case)")
      ->check(CLI::Range(1.0, 1e12));
  command->add_option("--steps", s->request.steps, "Steps of the run (those of the case)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 50));
  command->add_option("--output", s->output, "File to write (CASE-levels.toml, beside the case)")->type_name("FILE");
  command->callback([s] { refine(*s); });
}

}  // namespace fluvia::cli
