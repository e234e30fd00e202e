// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/divergence/diverged_run.hpp"

#include <fstream>
#include <initializer_list>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/run/findings/verdict.hpp"

namespace fluvia {

namespace {

using Json = nlohmann::json;

/// Lines of a message joined to one sentence.
std::string in_one_line(std::string text) {
  for (const std::string begin : {"\n  likely cause: ", "\n  tried: ", "\n  "})
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at))
      text.replace(at, begin.size(), at == 0 ? "" : "; ");
  return text;
}

}  // namespace

Json results_of_divergence(const std::string& diagnosis, std::int64_t step, std::int64_t planned_last_step) {
  const std::size_t causes = diagnosis.find('\n');
  Finding finding{"stable", Judgement::bad, {}, {}, ""};
  finding.found = finding.brief = diagnosis.substr(0, causes);
  if (causes != std::string::npos) finding.advice.text = in_one_line(diagnosis.substr(causes));
  return {{"ended_because", "diverged"},
          {"last_step", step},
          {"planned_last_step", planned_last_step},
          {"verdict", Verdict{{finding}}.json()}};
}

void add_remedies(const std::filesystem::path& folder, const std::string& remedies) {
  const std::filesystem::path path = folder / "summary.json";
  std::ifstream file(path, std::ios::binary);
  Json summary = Json::parse(file, nullptr, false);
  const Json::json_pointer place("/results/verdict/findings/0/advice");
  if (summary.is_discarded() || !summary.contains(place)) return;
  Json& advice = summary[place];
  advice = "tried: " + in_one_line(remedies) + "; " + advice.get<std::string>();
  write_file(path, summary.dump(2) + "\n");
}

}  // namespace fluvia
