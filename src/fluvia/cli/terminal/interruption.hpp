// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace fluvia::cli {

/// Makes Ctrl-C, batch systems (SIGTERM, SIGXCPU, SIGUSR1), a closed terminal and limits on CPU time ask for an end by
/// the flag that this returns, instead of ending the program; Ctrl-C a second time ends it.
const std::atomic<bool>* catch_interruptions();

}  // namespace fluvia::cli
