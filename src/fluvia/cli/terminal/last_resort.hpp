// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/error.hpp"

namespace fluvia::cli {

/// From here on the process ends with one message and a documented code whatever happens to it: exceptions that nobody
/// can catch (memory that runs out on a thread, in a destructor) and libraries that call exit().
void install_last_resort();
/// Before main returns: an exit from now on is meant.
void remove_last_resort() noexcept;

/// Says "fluvia: MESSAGE" on standard error, printable and cut to a sensible length; needs no memory if there is none.
/// Returns the code.
int report(ExitCode code, const char* message) noexcept;

/// Says what the exception being handled is, as the end of the program, and returns its code.
int report_current_exception() noexcept;

}  // namespace fluvia::cli
