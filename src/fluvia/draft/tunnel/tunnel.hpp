// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/draft/draft.hpp"

namespace fluvia::draft {

/// A body from a surface, or several, in a wind tunnel. Throws like make_draft().
Draft draft_tunnel(const DraftRequest& request);

/// What may be below a body: names for DraftRequest::ground.
std::vector<std::string> tunnel_grounds();

}  // namespace fluvia::draft
