// SPDX-License-Identifier: Apache-2.0
// Levels of refinement and the memory of a GPU: what all of them take, and what is done if that is not there.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "fluvia/backend/levels.hpp"

namespace fluvia {

/// Levels on one GPU in parts that take turns (docs/decisions/0065-levels-take-turns.md): which are streamed through
/// it, and what these share there, the largest of any part.
struct LevelTurns {
  int parts = 1;               ///< of each level
  std::vector<bool> streamed;  ///< by level; the others stay
  std::uint64_t slot_bytes = 0, references_bytes = 0, exchange_bytes = 0;
};

/// Levels as they fit into the memory of a device, if they do.
struct FittingLevels {
  Plan plan;
  std::unique_ptr<LevelDevice> device;  ///< another than was asked for; null if it is that
};

/// The plan of levels with what they take of a device that tells only when they are prepared. If they do not fit into
/// one GPU, and the case leaves the scheme open, they get one that takes less, and then parts that take turns.
FittingLevels fit_levels(const Problem& problem, const LevelDevice& device, PreparedLevels& levels);
/// The same for whoever will make solvers, who are told if their device is too small: does nothing where levels are so
/// small that they fit, or on several GPUs. Throws Error(resource) if nothing fits.
FittingLevels fit_levels_if_needed(const Problem& problem, const LevelDevice& device, PreparedLevels& levels);

/// Looks for as few parts of each level as fit into a GPU if they take turns, and which levels stay there, so that the
/// fewest bytes are moved. `all`: the plan of all levels in one piece, which do not fit; gets what it says of these
/// parts, also if none are few enough.
LevelTurns find_turns(const PreparedLevels& levels, const Case& c, const LevelDevice& device, Plan& all);
/// Turns of so many parts and these levels, whatever fits.
LevelTurns turns_of(const PreparedLevels& levels, const LevelDevice& device, int parts,
                    const std::vector<bool>& streamed);

}  // namespace fluvia
