// SPDX-License-Identifier: Apache-2.0
// How deep a TOML text is nested, each counted by hand.
#include "fluvia/case/toml/nesting.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fluvia::test {
namespace {

struct Expected {
  const char* text;
  std::size_t depth, line;
};

void expect_all(const std::vector<Expected>& all) {
  for (const Expected& each : all) {
    const schema::Nesting found = schema::deepest_nesting(each.text);
    EXPECT_EQ(found.depth, each.depth) << each.text;
    EXPECT_EQ(found.line, each.line) << each.text;
  }
}

TEST(Nesting, CountsBracketsAndDots) {
  expect_all({{"", 0, 1},
              {"a = 1", 0, 1},
              {"a = [1]", 1, 1},
              {"a = [[1], [2]]", 2, 1},
              {"\n\na = {b = [1, {c = 2}]}\nd = [1]", 3, 3},
              {"a.b.c = 1", 2, 1},
              {"a = 1\nb.c = [1]\n", 2, 2},
              {"[a.b]\nc.d.e = 1", 2, 1},
              {"a = [1, 2]\nb = [3]\nc = [[4]]", 2, 3},
              {"a = [\n[1],\n[[2]]]", 3, 3},
              {"a.b = 1\nc.d = 1\ne.f = 1", 1, 1},
              {"a = {b.c = 1, d.e = 1, f.g.h = 1}", 3, 1},
              {"a = {b.c.d = {e.f = 1}}\ng = {h.i = {j = 1}}", 5, 1},
              {"a = [1.5, 2.5, 3.5]", 2, 1},
              {"]]] a = [1]", 1, 1}});
}

TEST(Nesting, LeavesStringsAndCommentsOut) {
  expect_all({{"a = \"[[[\"", 0, 1},
              {"a = '[[['", 0, 1},
              {"a = '[[\\' # [\nb = [1]", 1, 2},
              {"a = \"[[\\\"[[\" # [\nb = [1]", 1, 2},
              {"a = \"\\\\\" b = [[1]]", 2, 1},
              {"a = \"'[\" b = '\"[' c = [1]", 1, 1},
              {"a = \"\" b = [1]", 1, 1},
              {"# [[[ \" '\na = [1]", 1, 2},
              {"a = 1 # ...", 0, 1},
              {"a = \"\"\"[[ \" [[ \"\" [[ ' [[\n[[ \"\"\"\nb = [1]", 1, 3},
              {"a = '''[[ ' [[ '' [[ \" [[\n\n[[ \\'''\nb = [1]", 1, 4},
              {"a = \"\"\"[ \\\"\"\" [[ \"\"\" b = [1]", 1, 1},
              {"a = \"never ends [[\nb = [1]", 1, 2},
              {"a = \"\"\"never ends [[\nb = [1]", 0, 1},
              {"a = \"ends with \\", 0, 1},
              {"a.\"b.c\".d = 1", 2, 1}});
}

}  // namespace
}  // namespace fluvia::test
