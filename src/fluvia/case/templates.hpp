// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace fluvia {

/// Names of the cases that `fluvia new` knows: cavity, channel, cylinder, ... They are the files of the folder cases/,
/// compiled in.
std::vector<std::string> template_names();

/// The commented case file of a template. Throws Error(usage) with the nearest name if there is none.
std::string template_text(const std::string& name);

/// One line that says what a template shows.
std::string template_title(const std::string& name);

/// Everything a template consists of: (relative file name, content) of the case, first, and of the files it reads.
/// Throws Error(usage) like template_text.
std::vector<std::pair<std::string, std::string>> template_files(const std::string& name);

/// Content of a file of the folder cases/, e.g. "data/bend.stl". Throws Error(internal) if it is not compiled in.
std::string shipped_file(const std::string& file);

}  // namespace fluvia
