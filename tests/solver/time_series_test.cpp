// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/time_series.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

class TimeSeriesTest : public testing::Test {
 protected:
  TimeSeries read(const std::string& text, bool periodic = false) {
    std::ofstream(file_, std::ios::binary) << text;
    return {file_, periodic};
  }
  std::string refusal(const std::string& text) {
    const std::string message = error_of(ExitCode::input, [&] { read(text); });
    EXPECT_CONTAINS(message, file_.string());
    return message;
  }
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "flow.csv";
};

TEST_F(TimeSeriesTest, InterpolatesAndHoldsTheEnds) {
  const TimeSeries series = read("time,flow\n# a comment\n0,1\n\n2; 5\r\n4\t3\n");
  EXPECT_EQ(series.at(-1), 1);
  EXPECT_EQ(series.at(0.5), 2);
  EXPECT_EQ(series.at(2), 5);
  EXPECT_EQ(series.at(3), 4);
  EXPECT_EQ(series.at(9), 3);
}

/// A flow rate in ml/s that is taken for m3/s is a million times too large.
TEST_F(TimeSeriesTest, TakesTheUnitsOfItsHeader) {
  Case c;
  c.units.system = "si";
  Case::Boundary b;
  b.surface = "x_min";
  b.series = file_;
  b.series_quantity = "flow_rate";
  b.series_periodic = false;
  read("t [ms],Q [ml/s]\n0,2\n500,3\n");
  EXPECT_DOUBLE_EQ(read_series(c, b).at(0.5), 3e-6);
  b.series_scale = 1e-6;  // the user's own
  EXPECT_DOUBLE_EQ(read_series(c, b).at(0.5), 3);
  b.series_scale = 1;
  c.units.system = "lattice";
  EXPECT_DOUBLE_EQ(read_series(c, b).at(500), 3);
  c.units.system = "si";
  b.series_quantity = "pressure";
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { read_series(c, b); }),
                  "has the unit [ml/s]; expected a pressure in Pa");
  read("t [s];p [mmHg]\n0,0;100,0\n0,5;101,5\n");
  EXPECT_DOUBLE_EQ(read_series(c, b).at(0.5), 101.5 * 133.322);
}

TEST_F(TimeSeriesTest, Repeats) {
  const TimeSeries series = read("1,10\n3,30\n", true);
  EXPECT_EQ(series.at(2), 20);
  EXPECT_EQ(series.at(4), 20);
  EXPECT_EQ(series.at(-2), 20);
}

TEST_F(TimeSeriesTest, RepeatsAfterItsPeriod) {
  const std::string rows = "1,10\n2,30\n3,40\n";
  const auto repeated = [&](double period) {
    Case c;
    Case::Boundary b;
    b.surface = "x_min";
    b.series = file_;
    b.series_period = period;
    read(rows);
    return read_series(c, b);
  };
  const TimeSeries longer = repeated(3);
  EXPECT_EQ(longer.period(), 3);
  EXPECT_EQ(longer.at(3), 40);
  EXPECT_EQ(longer.at(3.5), 25) << "on the way to the first value";
  EXPECT_EQ(longer.at(4), 10);
  EXPECT_EQ(longer.at(5), 30);
  EXPECT_FALSE(longer.jumps());
  EXPECT_EQ(repeated(2).at(3.5), 20) << "as long as the series";
  EXPECT_EQ(read(rows, true).period(), 2);
  EXPECT_TRUE(read(rows, true).jumps());
  EXPECT_TRUE(repeated(2).jumps());
  EXPECT_FALSE(read(rows, false).jumps());
  EXPECT_FALSE(read("1,10\n2,30\n3,10.01\n", true).jumps());
  EXPECT_FALSE(read("1,10\n", true).jumps());
  EXPECT_FALSE(read("0,0.02\n2000,0.019999999999999997\n", true).jumps()) << "but for rounding";
  EXPECT_CONTAINS(
      error_of(ExitCode::input, [&] { repeated(1.9); }),
      "boundary 'x_min': series_period = 1.9 is shorter than the series of " + file_.string() + ", which lasts 2");
}

TEST_F(TimeSeriesTest, OneRowIsConstant) {
  for (const bool periodic : {false, true}) EXPECT_EQ(read("0,7", periodic).at(123), 7);
}

// The first row must not be taken for a header because a spreadsheet marked the file, or because a number is wrong.
TEST_F(TimeSeriesTest, KeepsTheFirstRowBehindAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "0,1\n1,2\n")
                .at(0),
            1);
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "time,value\n0,1\n1,2\n")
                .at(0),
            1);
}

TEST_F(TimeSeriesTest, RefusesADamagedFirstRowAndKeepsHeaders) {
  for (const char* row : {"0.O,0.05", "O.0,0.05", "l,5", "x0;1", "t 0,flow"})
    EXPECT_CONTAINS(refusal(std::string(row) + "\n1,2\n"), "nor a header");
  for (const char* header : {"time [s],flow [m3/s]", "t (10^-3 s);Q", "Zeit\tFluss"})
    EXPECT_EQ(read(std::string(header) + "\n0,1\n1,2\n").at(0), 1) << header;
}

TEST_F(TimeSeriesTest, RefusesAWrongFirstRow) {
  for (const char* row : {"0,nan", "0,inf", "0,", "0", "0,fast", "0,1,2", "nan,1"})
    EXPECT_CONTAINS(refusal(std::string(row) + "\n1,2\n"), "flow.csv:1: '" + std::string(row) + "'");
}

TEST_F(TimeSeriesTest, RefusesWhatIsNoSeries) {
  EXPECT_CONTAINS(refusal("time,value\n0,1\nlater,2\n"), "flow.csv:3: 'later,2'");
  EXPECT_CONTAINS(refusal("0,1\n1,2\n1,3\n"), "flow.csv:3: time 1 does not follow 1");
  EXPECT_CONTAINS(refusal(""), "no rows");
  EXPECT_CONTAINS(refusal("time,value\n"), "no rows");
  EXPECT_LT(refusal("0,1\n1," + std::string(1000000, '9') + "x\n").size(), 400u);
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { TimeSeries(folder_.path(), false); }), "not a regular file");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { TimeSeries("/dev/zero", false); }), "not a regular file");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { TimeSeries(folder_.path() / "none.csv", false); }), "no such file");
}

}  // namespace
}  // namespace fluvia::test
