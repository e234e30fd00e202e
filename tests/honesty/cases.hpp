// SPDX-License-Identifier: Apache-2.0
// Small flows whose answers are known: a row each.
#pragma once
#include <ostream>
#include <string>
#include <vector>

namespace fluvia::test {

/// One flow and the right value of one of its results.
struct HonestCase {
  std::string name;
  std::string text;                   ///< a case
  std::vector<std::string> settings;  ///< on top of it
  std::string result;                 ///< name of the quantity, as in the table of results
  double exact = 0;                   ///< its right value, case units
  bool grids = true;                  ///< with --refine-check
};
inline void PrintTo(const HonestCase& value, std::ostream* out) {
  *out << value.name;
}

/// All of them. A new one is a row in one of the tables of cases.cpp, or a value in one of its lists.
std::vector<HonestCase> honest_cases();

}  // namespace fluvia::test
