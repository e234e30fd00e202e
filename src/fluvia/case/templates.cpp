// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/templates.hpp"

#include <algorithm>

#include "fluvia/base/embedded_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/case.hpp"

namespace fluvia {

extern const std::span<const EmbeddedFile> embedded_cases;  // written by cmake/Embed.cmake

namespace {

const std::string extension = ".toml";

/// Files that a case reads, relative to it.
std::vector<std::string> inputs(const Case& c) {
  std::vector<std::string> files;
  for (const auto& stl : c.geometry.stl) files.push_back(stl.file.generic_string());
  if (c.geometry.voxels) files.push_back(c.geometry.voxels->file.generic_string());
  if (c.geometry.mask) files.push_back(c.geometry.mask->file.generic_string());
  for (const auto& boundary : c.boundaries) files.push_back(boundary.series.generic_string());
  for (const auto& body : c.bodies) files.push_back(body.motion.series.generic_string());
  std::erase(files, std::string());
  return files;
}

}  // namespace

std::string shipped_file(const std::string& file) {
  const auto found = std::find_if(embedded_cases.begin(), embedded_cases.end(),
                                  [&](const EmbeddedFile& embedded) { return embedded.name == file; });
  if (found == embedded_cases.end()) throw Error(ExitCode::internal, "file " + file + " is not compiled in");
  return std::string(found->content);
}

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_cases) {
    if (file.name.ends_with(extension)) names.emplace_back(file.name.substr(0, file.name.size() - extension.size()));
  }
  return names;
}

std::string template_text(const std::string& name) {
  const std::vector<std::string> names = template_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error(ExitCode::usage, "template: '" + shorten(name) + "' does not exist" + did_you_mean(name, names) +
                                     " (templates: " + join(names) + ")");
  }
  return shipped_file(name + extension);
}

std::string template_title(const std::string& name) {
  return parse_case(template_text(name), name + extension).title;
}

std::vector<std::pair<std::string, std::string>> template_files(const std::string& name) {
  const std::string text = template_text(name), file = name + extension;
  std::vector<std::pair<std::string, std::string>> files = {{file, text}};
  for (const std::string& input : inputs(parse_case(text, file))) files.emplace_back(input, shipped_file(input));
  return files;
}

}  // namespace fluvia
