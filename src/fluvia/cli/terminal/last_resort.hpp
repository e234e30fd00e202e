// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/error.hpp"

namespace fluvia::cli {

/// Makes the process end with one message and a documented code whatever happens to it from now on: exceptions that
/// nobody can catch (memory that runs out on a thread, in a destructor) and libraries that call exit().
void install_last_resort();
/// To be called before main returns: an exit from now on is intended.
void remove_last_resort() noexcept;

/// Prints "fluvia: MESSAGE" on standard error, printable and cut to a sensible length; needs no memory if there is
/// none. Returns the code.
int report(ExitCode code, const char* message) noexcept;

/// Reports the exception being handled as the end of the program, and returns its code.
int report_current_exception() noexcept;

}  // namespace fluvia::cli
