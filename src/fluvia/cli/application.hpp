// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluvia {

/// The whole command line: parses, dispatches to a subcommand, turns every exception into one message on stderr and
/// an ExitCode.
int run_application(int argc, char** argv);

}  // namespace fluvia
