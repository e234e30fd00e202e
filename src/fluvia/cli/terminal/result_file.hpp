// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace fluvia::cli {

/// The file of an option such as `--json FILE`. "-" is standard output: then, as long as this object lives, all else
/// that the command prints goes to standard error, so that another program can read the result. An empty name: no file.
class ResultFile {
 public:
  /// Throws Error(usage) where a case would be replaced, which was named by mistake.
  explicit ResultFile(std::string name);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// Writes the whole result. Throws Error(resource) if that is not possible.
  void write(std::string_view content) const;
  [[nodiscard]] bool is_wanted() const { return !name_.empty(); }

 private:
  std::string name_;
  int output_ = -1;  ///< descriptor of standard output while other text goes elsewhere
};

}  // namespace fluvia::cli
