// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/case.hpp"

namespace fluvia {

/// Work of ranks other than the first in a run of a case, until the first one ends: they step their parts and answer
/// requests. Returns the exit code of the first rank, which reports all errors.
int serve_run(const Case& c);

/// Work of ranks other than the first where this one could not even read the case, or has a command that does not run
/// on ranks: any request for a part is refused with this message.
int serve_refusal(ExitCode code, const std::string& message);

}  // namespace fluvia
