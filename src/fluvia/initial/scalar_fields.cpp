// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/scalar_fields.hpp"

#include <fmt/format.h>

namespace fluvia {

ScalarFields::ScalarFields(const Problem& problem, std::size_t scalar) {
  const Case::Scalar& from = problem.settings.scalars[scalar];
  const std::string path = fmt::format("scalar[{}].", scalar);
  const auto as_it_is = [](double value) { return value; };
  initial_.add({path + "initial", false, true, [value = from.initial](const Int3&, NodeValue& sum) {
                  sum.number += value;
                  return true;
                }});
  if (!from.initial_formula.empty())
    initial_.add_formulas(problem, path + "initial_formula", false, {from.initial_formula}, as_it_is);
  if (!from.initial_file.empty())
    initial_.add_numbers(problem, path + "initial_file", from.initial_file, from.name.c_str(), 0, as_it_is);
  const auto add_source = [&](NodeSources& to, const std::string& key, const std::string& formula) {
    if (formula.empty()) return;
    const bool changes = to.add_formula_over_time(
        problem, key, formula == "age" ? "1" : formula,
        [step = problem.units.time_step](double rate) { return step * rate; }, time_);
    source_changes_ = source_changes_ || changes;
  };
  add_source(source_, path + "source", from.source);
  const std::vector<Case::Solid>& solids = problem.settings.solids;
  solid_sources_.resize(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s)
    if (solids[s].scalar.empty() || solids[s].scalar == from.name)
      add_source(solid_sources_[s], fmt::format("solid[{}].source", s), solids[s].source);
}

std::vector<std::string> ScalarFields::check(const Problem& problem) const {
  std::vector<std::string> warnings = initial_.look(problem, "start with `initial`").warnings;
  for (std::string& text : source_.look(problem, "get none of it").warnings) warnings.push_back(std::move(text));
  return warnings;
}

}  // namespace fluvia
