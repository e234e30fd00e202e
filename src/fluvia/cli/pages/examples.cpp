// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "fluvia/base/error.hpp"
#include "fluvia/cli/pages/pages.hpp"

namespace fluvia::cli {
namespace {

/// One or more for each command. tests/docs/commands_test.py types all of them, in this order, beside the files
/// artery.stl, rock.raw.gz, network.png and car.stl.
const std::vector<std::pair<const char*, Example>> examples = {
    {"new", {"fluvia new cavity", "write cavity.toml, a commented case to start from"}},
    {"new", {"fluvia new --from artery.stl --unit mm --flow 250ml/min artery", "a case for blood through a vessel"}},
    {"new", {"fluvia new --from rock.raw.gz --shape 256 256 256 --voxel 5um rock", "for water through the pores"}},
    {"new", {"fluvia new --from car.stl --unit m --wind 30m/s --ground moving car", "for a body in a wind tunnel"}},
    {"plan", {"fluvia plan cavity.toml", "nodes, memory and time of a run, and what is wrong with the case"}},
    {"plan",
     {"fluvia plan cavity.toml --set domain.nodes=[256,256] --json plan.json", "of a finer grid, for a script"}},
    {"run", {"fluvia run cavity.toml", "the run, with pictures, tables and a verdict in out/cavity"}},
    {"run", {"fluvia run cavity.toml --resume", "go on from its last checkpoint"}},
    {"run",
     {"fluvia run cavity.toml --set units.viscosity=0.0323 --output out/thick", "another value of a key of the case"}},
    {"report", {"fluvia report out/cavity", "one page of that run, out/cavity/report.html"}},
    {"movie", {"fluvia movie out/cavity --series slice-velocity-z --output cavity.gif", "a film of its pictures"}},
    {"verify", {"fluvia verify cavity.toml --output out/verified", "how far the grid puts each result off"}},
    {"sweep", {"fluvia sweep cavity.toml --vary units.viscosity=0.0129,0.0323 --output out/sweep", "a table of runs"}},
    {"refine",
     {"fluvia refine cavity.toml --levels 1 --steps 500 --set numerics.collision=auto",
      "where it needs finer nodes: cavity-levels.toml"}},
    {"geometry", {"fluvia geometry artery.stl --unit mm --nodes 60 --png artery", "what a surface is, with pictures"}},
    {"geometry", {"fluvia geometry cavity.toml --json", "that of a case, for a script"}},
    {"convert", {"fluvia convert artery.stl --picture artery.png", "what Fluvia reads of a file, with a picture"}},
    {"convert", {"fluvia convert rock.raw.gz rock.nrrd --shape 256 256 256", "an image in another format"}},
    {"permeability", {"fluvia permeability rock.raw.gz --shape 256 256 256 --voxel 5um --axis x", "along one axis"}},
    {"model", {"fluvia model artery.stl --unit mm --nodes 60", "bytes that each way of storing the geometry costs"}},
    {"model", {"fluvia model ras --size 64 --porosity 0.4", "of a packing of spheres"}},
    {"bench", {"fluvia bench --scheme aa --size 64", "speed of this machine in a box, beside that of a copy"}},
    {"bench", {"fluvia bench --scheme soa-aa --format fp16s --size 64", "with another scheme and storage format"}},
    {"info", {"fluvia info", "schemes, formats, devices and libraries of this program"}},
};

}  // namespace

void add_examples(CLI::App& app) {
  std::map<std::string, std::string> footers;
  for (const auto& [command, example] : examples) {
    std::string& text = footers[command];
    text += fmt::format("{}  {}\n      {}\n", text.empty() ? "Examples:\n" : "", example.command, example.meaning);
  }
  for (CLI::App* command : app.get_subcommands({})) {
    const auto found = footers.find(command->get_name());
    if (found == footers.end())
      throw Error(ExitCode::internal, fmt::format("the command '{}' has no example", command->get_name()));
    command->footer(found->second);
  }
}

std::vector<Example> examples_of(const std::string& command) {
  std::vector<Example> found;
  for (const auto& [name, example] : examples)
    if (name == command) found.push_back(example);
  return found;
}

}  // namespace fluvia::cli
