// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/draft/draft.hpp"

namespace fluvia::draft {

/// A creeping flow that a force drives through a raw voxel image. Throws like make_draft().
Draft draft_voxels(const DraftRequest& request);
/// A creeping flow that a force drives through a mask, in 2D. Throws like make_draft().
Draft draft_mask(const DraftRequest& request);

}  // namespace fluvia::draft
