// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/case.hpp"

namespace fluvia {

/// What ranks other than the first do in a run of a case, until the first one ends: step and tell of their part.
/// Returns the exit code of the first. Errors are the first rank's to report.
int serve_run(const Case& c);

/// What ranks other than the first do where this one could not even read the case, or has a command that does not run
/// on ranks: any request for a part is refused with this message.
int serve_refusal(ExitCode code, const std::string& message);

}  // namespace fluvia
