// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/draft_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/expected_time.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/solver/local_viscosity.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"

namespace fluvia::cli {

namespace {

/// A draft whose case asks for the stress on walls although some of them turn out to be sheets.
struct WallsAreSheets {};

std::optional<DraftTime> time_of(const std::string& text, const std::filesystem::path& file,
                                 std::vector<std::string>& warnings) {
  try {
    const Case written = parse_case(text, file);
    Case c = written;
    c.output.wall = false;
    PreparedFlow flow(c, [&](const std::string& warning) { warnings.push_back(warning); });
    flow.build();
    if (written.output.wall && !flow.geometry().report.sheets.empty()) throw WallsAreSheets();
    const Geometry geometry = stored_geometry(c, flow.take_geometry());
    const Problem problem{c, flow.units(), geometry};
    const Plan plan = plan_case(problem);
    for (const std::string& advice : advise(plan.flow().viscosity, problem.units)) warnings.push_back(advice);
    const std::string where =
        plan.device == "cuda" ? plan.device_name : fmt::format("{}, {} threads", plan.device, plan.threads);
    return DraftTime{expected_time(problem, plan).seconds(), where};
  } catch (const Error& e) {
    if (e.code() != ExitCode::resource) throw;
    return {};
  }
}

}  // namespace

std::string show_duration(double seconds) {
  if (seconds < 90) return format_short(std::max(1.0, std::round(seconds)), 2) + " s";
  return seconds < 5400 ? format_short(seconds / 60, 2) + " minutes" : format_short(seconds / 3600, 2) + " hours";
}

TimedDraft timed_draft(const DraftRequest& request) {
  TimedDraft timed{make_draft(request), {}, {}};
  const std::filesystem::path file = request.folder / (timed.draft.name + ".toml");
  try {
    timed.time = time_of(timed.draft.text, file, timed.warnings);
  } catch (const WallsAreSheets&) {
    DraftRequest without = request;
    without.wall_files = false;
    timed = {make_draft(without), {}, {}};
    timed.draft.notes.push_back(
        "walls        some are sheets, with fluid on both sides, beside which the stress on walls is not known: the "
        "case "
        "does not ask for it (output.wall)");
    timed.time = time_of(timed.draft.text, file, timed.warnings);
  }
  return timed;
}

TimedDraft fit_draft(DraftRequest request, double seconds) {
  constexpr double first_nodes = 3e4, fewest_nodes = 1e3;
  constexpr double near = 0.8;        // a draft that takes so much of the time is good enough
  constexpr double aim = 0.92;        // of the time, so that the next draft hardly takes more
  constexpr double power = 0.75;      // nodes go with the time to this power: steps go with the edge of a node
  constexpr double most_nodes = 2e6;  // as without --minutes
  constexpr int most_drafts = 10;
  request.lives = true;
  double nodes = first_nodes, least = fewest_nodes;
  std::optional<TimedDraft> best;
  std::string before;
  for (int k = 0; k < most_drafts; ++k) {
    request.most_nodes = nodes;
    TimedDraft next;
    try {
      next = timed_draft(request);
    } catch (const Error&) {  // perhaps nodes are too far apart for thin parts
      if (nodes >= most_nodes) throw;
      least = nodes = std::min(most_nodes, 4 * nodes);
      continue;
    }
    if (!next.time) return next;
    const double taken = next.time->seconds;
    const bool fits = taken <= seconds, is_same = next.draft.text == before;
    before = next.draft.text;
    if (!best || (fits ? best->time->seconds > seconds || taken > best->time->seconds : taken < best->time->seconds))
      best = std::move(next);
    if (is_same || (fits && taken >= near * seconds)) break;
    nodes = std::clamp(nodes * std::pow(aim * seconds / taken, power), least, most_nodes);
  }
  return *best;
}

}  // namespace fluvia::cli
