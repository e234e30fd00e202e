// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace fluvia::cli {

/// From now on Ctrl-C, batch systems (SIGTERM, SIGXCPU, SIGUSR1), a closed terminal and limits on CPU time ask for an
/// end, by the flag that this returns, and end nothing by themselves; Ctrl-C a second time does.
const std::atomic<bool>* catch_interruptions();

}  // namespace fluvia::cli
