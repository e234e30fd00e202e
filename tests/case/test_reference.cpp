// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "fluvia/base/error.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/toml/reference.hpp"

namespace {

using namespace fluvia::schema;

const std::string begin_mark = "<!-- reference: written by the test Reference.DocsAreUpToDate -->\n";
const std::string end_mark = "<!-- end of reference -->\n";
const std::string file = std::string(FLUVIA_SOURCE_DIR) + "/docs/case-file.md";

/// Set FLUVIA_UPDATE_DOCS=1 to write the tables of docs/case-file.md anew from the schema.
TEST(Reference, DocsAreUpToDate) {
  std::ostringstream stream;
  stream << std::ifstream(file).rdbuf();
  const std::string text = stream.str();
  const std::size_t begin = text.find(begin_mark), end = text.find(end_mark);
  ASSERT_NE(begin, std::string::npos) << file;
  ASSERT_NE(end, std::string::npos) << file;
  const std::size_t start = begin + begin_mark.size();
  if (std::getenv("FLUVIA_UPDATE_DOCS") != nullptr) {
    std::ofstream(file) << text.substr(0, start) << reference_markdown() << "\n" << text.substr(end);
    return;
  }
  EXPECT_EQ(text.substr(start, end - start), reference_markdown() + "\n")
      << "the schema changed; run this test with FLUVIA_UPDATE_DOCS=1";
}

TEST(Reference, EveryKeyIsExplainedOnce) {
  std::set<std::string> seen;
  for (const KeyEntry& entry : reference_keys()) {
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
    EXPECT_TRUE(seen.insert(entry.section + entry.name).second) << entry.section << entry.name;
  }
  EXPECT_GT(seen.size(), 100u);
  EXPECT_TRUE(seen.contains("[units]tau"));
  EXPECT_TRUE(seen.contains("[[geometry.shape]]radius"));
  EXPECT_TRUE(seen.contains("[run.steady]window"));
}

/// What completions offer after --set: a key that the reader of cases knows, and values that it takes.
TEST(Reference, SettingsAreThoseThatCasesTake) {
  std::set<std::string> settings;
  for (const KeyEntry& entry : reference_keys()) {
    settings.insert(entry.setting);
    const bool in_list = entry.setting.find(".1.") != std::string::npos;
    for (const std::string& choice : in_list ? std::vector<std::string>{} : entry.choices) {
      try {
        fluvia::parse_case("", "case.toml", {entry.setting + "=" + choice});
      } catch (const fluvia::Error& error) {
        const std::string message = error.what();
        // An empty case lacks this and that.
        const bool complains = message.find("--set") != std::string::npos;
        EXPECT_FALSE(complains && message.find("is missing") == std::string::npos) << message;
      }
    }
    if (entry.setting == "numerics.format") {
      EXPECT_EQ(entry.choices, fluvia::names::formats);
    }
  }
  EXPECT_EQ(settings.size(), reference_keys().size());
  for (const char* setting : {"title", "units.tau", "run.steady.window", "boundary.1.type", "geometry.shape.1.radius"})
    EXPECT_TRUE(settings.contains(setting)) << setting;
}

}  // namespace
