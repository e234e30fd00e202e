// SPDX-License-Identifier: Apache-2.0
// What follows from the values of a case: what is averaged, the spacing of the coarsest level.
#include <algorithm>
#include <cmath>

#include "fluvia/case/validate.hpp"

namespace fluvia {

namespace {
const std::string prefix = "average_";

/// True for names of fields that end in "_x", "_y" or "_z".
bool ends_in_component(const std::string& field) {
  return field.size() > 2 && field[field.size() - 2] == '_' && field.back() >= 'x' && field.back() <= 'z';
}
}  // namespace

int Case::finest_level() const {
  int finest = 0;
  for (const Refine& region : refine) finest = std::max(finest, region.level);
  return finest;
}

std::optional<double> Case::spacing() const {
  if (units.finest_spacing) return *units.finest_spacing * std::exp2(finest_level());
  return units.spacing;
}

std::pair<std::string, double> Case::spacing_setting(double coarsest) const {
  if (units.finest_spacing) return {"units.finest_spacing", coarsest / std::exp2(finest_level())};
  return {"units.spacing", coarsest};
}

std::string Case::Output::Slice::quantity() const {
  return ends_in_component(field) ? field.substr(0, field.size() - 2) : field;
}

std::optional<int> Case::Output::Slice::component() const {
  if (!ends_in_component(field)) return {};
  return field.back() - 'x';
}

std::string Case::Output::Slice::flow_field() const {
  return field.starts_with(prefix) ? prefix + "velocity" : "velocity";
}

std::vector<std::string> Case::Output::averaged_fields() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& field) {
    if (!field.starts_with(prefix)) return;
    const std::string name = field.substr(prefix.size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& field : fields) add(field);
  for (const Slice& slice : slices) {
    add(slice.quantity());
    if (slice.shows_flow()) add(slice.flow_field());
  }
  return names;
}

Case::Output Case::Output::without_averages() const {
  Output rest = *this;
  std::erase_if(rest.fields, [](const std::string& field) { return field.starts_with(prefix); });
  std::erase_if(rest.slices, [](const Slice& slice) { return slice.field.starts_with(prefix); });
  if (rest.fields.empty() && !fields.empty()) rest.vtk = "none";
  return rest;
}

void check_averages(const Case& c, std::int64_t last_step) {
  if (!c.monitors.average_from) return;
  const std::int64_t from = *c.monitors.average_from, every = c.monitors.every;
  if (from >= last_step)
    validation::fail(
        c, "monitor.average_from",
        "'" + std::to_string(from) + "' is not before the end of the run (step " + std::to_string(last_step) + ")");
  if (last_step / every * every < from)
    validation::fail(c, "monitor.average_from",
                     "there is nothing to average from step " + std::to_string(from) + " to the end of the run (step " +
                         std::to_string(last_step) + "): a sample is taken every monitor.every = " +
                         std::to_string(every) + " steps; make that smaller");
}

}  // namespace fluvia
