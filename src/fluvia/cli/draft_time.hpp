// SPDX-License-Identifier: Apache-2.0
// How long the case of a draft takes on this machine, and drafts that take no longer than they may.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/draft/draft.hpp"

namespace fluvia::cli {

struct DraftTime {
  double seconds = 0;
  std::string where;  ///< "cpu, 2 threads"
};

struct TimedDraft {
  Draft draft;
  std::optional<DraftTime> time;      ///< none where the device of the case cannot be asked
  std::vector<std::string> warnings;  ///< what `fluvia plan` would warn of
};

/// The draft of a request, planned as `fluvia plan` does it. Throws like make_draft(), and Error(input) for a case that
/// cannot be planned.
TimedDraft timed_draft(const DraftRequest& request);

/// The draft of a request that leaves the grid open, on the finest grid, no finer than usual, that takes no longer than
/// `seconds` here; on the coarsest on which the flow lives and thin parts stay, if that takes longer. Throws like
/// timed_draft().
TimedDraft fit_draft(DraftRequest request, double seconds);

/// "12 s", "2.5 minutes", "19 hours".
std::string show_duration(double seconds);

}  // namespace fluvia::cli
