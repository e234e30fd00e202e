// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/run/findings/advice.hpp"
#include "fluvia/run/run_end.hpp"

namespace fluvia {

/// Answers from best to worst. Unknown: it has not been examined.
enum class Judgement { good, unknown, doubtful, bad };

/// The answer to one question about a run.
struct Finding {
  std::string question;  ///< "steady", "inflow = outflow", ...
  Judgement judgement = Judgement::good;
  std::optional<double> value;  ///< measured value in `unit`; none if nothing bounds it
  std::optional<double> limit;  ///< largest value that counts as good, in `unit`
  std::string unit;             ///< "%", "nodes", "-"
  std::string found{};          ///< sentence with value and limit
  Advice advice{};              ///< what to do; empty if the judgement is good
  std::string brief{};          ///< the fault, for the verdict's sentence; empty: question and `found`
};

/// Findings for all questions that apply to the run, the most general first.
std::vector<Finding> find_out(const RunEnd& end, const Assessment& assessment);

}  // namespace fluvia
