// SPDX-License-Identifier: Apache-2.0
// How the ranks of a run are joined.
#pragma once
#include <memory>
#include <string>

#include "fluvia/case/case.hpp"
#include "fluvia/domain/rank_group.hpp"

namespace fluvia {

/// Why messages of this rank's GPU do not go straight to those of others; empty if they can, as far as this rank knows.
std::string why_no_peers(const Case& c);

/// What steps the parts of this rank, with messages from GPU to GPU if all ranks can, else by MPI. All ranks call it
/// alike; if one fails half-way, all of them are ended.
std::unique_ptr<domain::Stepping> connect_rank_parts(const Case& c, domain::RankParts& parts);

}  // namespace fluvia
