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
  if (from.source.empty()) return;
  const double step = problem.units.time_step;
  source_.add_formulas(problem, path + "source", false, {from.source == "age" ? "1" : from.source},
                       [step](double rate) { return step * rate; });
}

std::vector<std::string> ScalarFields::check(const Problem& problem) const {
  std::vector<std::string> warnings = initial_.look(problem, "start with `initial`").warnings;
  for (std::string& text : source_.look(problem, "get none of it").warnings) warnings.push_back(std::move(text));
  return warnings;
}

}  // namespace fluvia
