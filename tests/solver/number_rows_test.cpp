// SPDX-License-Identifier: Apache-2.0
// What files of numbers may look like, and what a message says of a row that is none.
#include <gtest/gtest.h>

#include "fluvia/base/csv.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

class NumberRows : public testing::Test {
 protected:
  using Rows = std::vector<std::vector<double>>;
  Rows read(const std::string& text, const std::vector<std::string>& columns = {"a", "b"}) {
    std::ofstream(file_, std::ios::binary) << text;
    Rows rows;
    lines_.clear();
    read_number_rows(file_, columns, [&](const std::vector<double>& values, int line) {
      rows.push_back(values);
      lines_.push_back(line);
    });
    return rows;
  }
  std::string refusal(const std::string& text, const std::vector<std::string>& columns = {"a", "b"}) {
    return error_of(ExitCode::input, [&] { read(text, columns); });
  }
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "rows.csv";
  std::vector<int> lines_;
};

TEST_F(NumberRows, AreSeparatedByCommasSemicolonsOrBlanks) {
  const Rows rows{{1, 2.5}};
  for (const char* text : {"1,2.5", "1;2.5", "1 2.5", "1\t2.5", "1 , 2.5", "1  ;  2.5", " \t1 \t 2.5 \t\r\n", "+1,+2.5",
                           "1, +2.5", "1,2.5,", "1e0,25e-1;"})
    EXPECT_EQ(read(text), rows) << text;
  EXPECT_EQ(read("1,2,3\n4 , 5 , -6\n", {"a", "b", "c"}), (Rows{{1, 2, 3}, {4, 5, -6}}));
  EXPECT_EQ(read("a b\n\n# 7,8\n1,2\n   \n3,4"), (Rows{{1, 2}, {3, 4}}));
  EXPECT_EQ(lines_, (std::vector<int>{4, 6}));
}

TEST_F(NumberRows, MayHaveDecimalCommas) {
  const Rows rows{{0, 1}, {0.4, 1.5}};
  for (const char* text :
       {"t;Q\n0,0;1,0\n0,4;1,5\n", "0;1\n0,4;1,5\n", "0,0\t1,0\n0,4\t1,5\n", "t, ms;Q\n0;1\n4,0e-1;1,5;\n"})
    EXPECT_EQ(read(text), rows) << text;
  for (const char* text : {"0,0;1.0\n", "0,4 1,5\n"}) EXPECT_NE(refusal(text), "") << text;
}

TEST_F(NumberRows, MayHaveAHeader) {
  for (const auto& [text, header] : std::initializer_list<std::pair<const char*, const char*>>{
           {"time [s],speed\n0,1\n", "time [s],speed"}, {"0,1\n", ""}, {"# time,speed\n0,1\n", ""}, {"", ""}}) {
    std::ofstream(file_, std::ios::binary) << text;
    EXPECT_EQ(read_header(file_), header) << text;
  }
}

TEST_F(NumberRows, AreRefusedWithTheirLine) {
  for (const char* row :
       {"1", "1,", "1,,2", "1;,2", "1,2,3", "1,2 3", "1,x", "1x,2", "1,2,,", "nan,1", "1,inf", "++1,2"})
    EXPECT_CONTAINS(refusal(std::string("0,0\n") + row + "\n"),
                    "rows.csv:2: '" + std::string(row) + "' is not a row 'a,b' of two finite numbers");
  EXPECT_CONTAINS(refusal("1,2\n3\n", {"a", "b", "c"}),
                  "rows.csv:1: '1,2' is not a row 'a,b,c' of three finite numbers");
  EXPECT_CONTAINS(refusal("x1,2"), "of two finite numbers, nor a header, which has no digits but in brackets");
  EXPECT_EQ(refusal("1,2\nx,2\n").find("header"), std::string::npos);
  EXPECT_CONTAINS(refusal("0,1,5\n"), "; it has 3 numbers: leave the other columns out");
  EXPECT_CONTAINS(refusal("0\n1\n"), "; it has one number");
  EXPECT_CONTAINS(refusal("0;1.000,5\n"), "without points for thousands");
  EXPECT_CONTAINS(refusal("0,\"1,000\"\n"), "without quotes");
  EXPECT_CONTAINS(refusal("a,b\nc,d\n1,2\n"), "rows.csv:2: 'c,d'");
}

TEST_F(NumberRows, HaveAHeaderWithoutDigitsButInBrackets) {
  const auto header = [&](const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return read_header(file_);
  };
  EXPECT_EQ(header("t [10^-3 s],u (m2/s)\r\n0,1\n"), "t [10^-3 s],u (m2/s)");
  EXPECT_EQ(header("\xEF\xBB\xBFt,u\n0,1"), "t,u");
  for (char digit = '0'; digit <= '9'; ++digit) {
    EXPECT_EQ(header(std::string("t [s] ") + digit + "\n"), "");
    EXPECT_NE(header(std::string("t [") + digit + "]\n"), "");
  }
  EXPECT_EQ(header("t [[s] 9] 9\n"), "");
  EXPECT_EQ(header("t [[1] 2]\n"), "t [[1] 2]");
  EXPECT_EQ(header("# t,u\n0,1\n"), "");
  EXPECT_EQ(header("0,1\n"), "");
  EXPECT_EQ(header(""), "");
}

}  // namespace
}  // namespace fluvia::test
