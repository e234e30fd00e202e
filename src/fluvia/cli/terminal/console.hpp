// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace fluvia::cli {

/// Gives descriptors 0, 1 and 2 that the caller closed a place to go: the next file to be opened would get their number
/// and with it every message.
void open_standard_streams();

/// Writes to standard error. Never fails: a lost message is no reason to lose a run.
void say(const std::string& text) noexcept;
void say(const char* text) noexcept;

/// Flushes standard output. Throws Error(resource) if not everything could be written.
void finish_output();

}  // namespace fluvia::cli
