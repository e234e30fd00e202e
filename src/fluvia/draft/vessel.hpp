// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/draft/draft.hpp"

namespace fluvia::draft {

/// A vessel from one or several STL files: an inlet, outlets, walls. Throws like make_draft().
Draft draft_vessel(const DraftRequest& request);

}  // namespace fluvia::draft
