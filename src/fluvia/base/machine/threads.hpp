// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluvia {

/// Throws Error(resource) unless `count` threads, this one among them, can run at once. OpenMP would end the process
/// where it cannot have its threads.
void require_threads(int count);

}  // namespace fluvia
