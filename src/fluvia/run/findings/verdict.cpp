// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fluvia {

namespace {

using Json = nlohmann::json;

/// Words and options of an advice; empty if there is none.
std::string to_do(const Advice& advice, bool checkpoint) {
  const std::string options = as_options(advice, checkpoint);
  if (options.empty()) return advice.text;
  return advice.text.empty() ? options : advice.text + ": " + options;
}

}  // namespace

std::string name_of(Judgement judgement) {
  constexpr const char* names[] = {"good", "unknown", "doubtful", "bad"};
  return names[static_cast<int>(judgement)];
}

Judgement Verdict::judgement() const {
  Judgement worst = Judgement::good;
  for (const Finding& finding : findings) worst = std::max(worst, finding.judgement);
  return worst;
}

std::string Verdict::word() const {
  constexpr const char* words[] = {"trust", "trust, grid error unknown", "trust with care", "do not trust"};
  return words[static_cast<int>(judgement())];
}

std::string Verdict::sentence() const {
  const Judgement worst = judgement();
  // The question is asked only for such runs.
  const bool cut = !findings.empty() && findings.front().question == "complete";
  std::string text = "verdict: " + (cut ? findings.front().found + ": " : "") + word();
  if (worst == Judgement::good)
    return text + fmt::format(": {} of {} checks are good", findings.size(), findings.size());
  const auto count = [&](const auto& which) { return std::count_if(findings.begin(), findings.end(), which); };
  const auto is_worst = [&](const Finding& finding) { return finding.judgement == worst; };
  const auto first = std::find_if(findings.begin(), findings.end(), is_worst);
  const auto is_good = [](const Finding& finding) { return finding.judgement == Judgement::good; };
  if (worst == Judgement::unknown)
    return text + fmt::format(": {} of {} checks are good; next: {}", count(is_good), findings.size(),
                              to_do(first->advice, checkpoint));
  text += ": " + (first->brief.empty() ? first->question + ": " + first->found : first->brief);
  const auto others = count([](const Finding& finding) { return finding.judgement > Judgement::unknown; }) - 1;
  if (others > 0) text += fmt::format(" (and {} more above)", others);
  const std::string next = to_do(first->advice, checkpoint);
  return next.empty() ? text : text + "; next: " + next;
}

std::string Verdict::table() const {
  std::size_t longest = 0;
  for (const Finding& finding : findings) longest = std::max(longest, finding.question.size());
  std::string text = "checks:\n";
  for (const Finding& finding : findings) {
    text += fmt::format("  {:<8}  {:<{}}  {}\n", name_of(finding.judgement), finding.question, longest, finding.found);
    const std::string advice = to_do(finding.advice, checkpoint);
    if (!advice.empty()) text += fmt::format("  {:<8}  {:<{}}  to do: {}\n", "", "", longest, advice);
  }
  return text + sentence() + "\n";
}

nlohmann::json Verdict::json() const {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back({{"question", finding.question},
                    {"judgement", name_of(finding.judgement)},
                    {"value", finding.value ? Json(*finding.value) : Json()},
                    {"limit", finding.limit ? Json(*finding.limit) : Json()},
                    {"unit", finding.unit},
                    {"found", finding.found},
                    {"advice", finding.advice.text},
                    {"settings", finding.advice.settings}});
  return {{"verdict", word()}, {"sentence", sentence()}, {"findings", list}};
}

}  // namespace fluvia
