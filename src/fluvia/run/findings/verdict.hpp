// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/run/findings/findings.hpp"

namespace fluvia {

/// Whether the numbers of a run may be trusted, from the findings for all questions (docs/verdict.md).
struct Verdict {
  std::vector<Finding> findings;
  bool checkpoint = false;  ///< whether the run can go on from its end

  [[nodiscard]] Judgement judgement() const;  ///< The worst judgement of all findings.
  /// The verdict in words: "trust", "trust, grid error unknown", "trust with care" or "do not trust".
  [[nodiscard]] std::string word() const;
  /// The verdict in one line: "verdict: trust with care: steady: not yet: ...; next: --resume --set run.steps=40000",
  /// with what counts most, and the first thing to do that settings do.
  [[nodiscard]] std::string sentence() const;
  /// The findings as aligned lines, one for each and one for each advice; then the sentence.
  [[nodiscard]] std::string table() const;
  /// The verdict for summary.json: verdict, sentence, findings: question, judgement, value, limit, unit, found, advice,
  /// settings.
  [[nodiscard]] nlohmann::json json() const;
};

std::string name_of(Judgement judgement);

}  // namespace fluvia
