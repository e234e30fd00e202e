// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/run/findings/advice.hpp"
#include "fluvia/run/run_end.hpp"

namespace fluvia {

/// The worse the later. Unknown: nobody has looked.
enum class Judgement { good, unknown, doubtful, bad };

/// The answer to one question about a run.
struct Finding {
  std::string question;  ///< "steady", "inflow = outflow", ...
  Judgement judgement = Judgement::good;
  std::optional<double> value;  ///< in `unit`; none if nothing bounds it
  std::optional<double> limit;  ///< of good, in the same
  std::string unit;             ///< "%", "nodes", "-"
  std::string found{};          ///< for people, with value and limit
  Advice advice{};              ///< empty if it is good
  std::string brief{};          ///< what is wrong, for the verdict's sentence; empty: question and what was found
};

/// All questions that the run has an answer to, the most general first.
std::vector<Finding> find_out(const RunEnd& end, const Assessment& assessment);

}  // namespace fluvia
