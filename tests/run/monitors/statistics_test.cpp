// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "fluvia/run/monitors/spectrum.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

std::vector<double> sine(std::size_t count, double frequency, double amplitude, double mean = 0) {
  std::vector<double> result;
  for (std::size_t k = 0; k < count; ++k)
    result.push_back(mean + amplitude * std::sin(two_pi * frequency * static_cast<double>(k) + 0.4));
  return result;
}

TEST(Spectrum, FindsAFrequencyBetweenThoseOfTheTransform) {
  // Four and a bit cycles up to many; the interpolation is good to a few hundredths of 1 / count.
  for (const double cycles : {4.13, 10.5, 33.37, 90.0})
    for (const std::size_t count : {300u, 512u, 1000u}) {
      const auto peak = find_spectral_peak(sine(count, cycles / static_cast<double>(count), 0.3, 7));
      ASSERT_TRUE(peak);
      EXPECT_NEAR(peak->frequency * static_cast<double>(count), cycles, 0.03) << cycles << " of " << count;
      EXPECT_NEAR(peak->amplitude, 0.3, 0.01) << cycles << " of " << count;
      EXPECT_GT(peak->share, 0.95);
    }
}

TEST(Spectrum, TakesTheStrongestOfTwoAndIgnoresATrend) {
  std::vector<double> signal = sine(800, 0.02, 1.0);
  const std::vector<double> weaker = sine(800, 0.07, 0.6);
  for (std::size_t k = 0; k < signal.size(); ++k) signal[k] += weaker[k] + 0.05 * static_cast<double>(k);
  const auto peak = find_spectral_peak(signal);
  ASSERT_TRUE(peak);
  EXPECT_NEAR(peak->frequency, 0.02, 1e-4);
  EXPECT_NEAR(peak->share, 1 / 1.36, 0.05);
}

TEST(Spectrum, FindsNothingInConstantsTrendsAndShortSignals) {
  EXPECT_FALSE(find_spectral_peak(std::vector<double>(100, 3.5)));
  EXPECT_FALSE(find_spectral_peak(sine(15, 0.2, 1)));
  EXPECT_FALSE(find_spectral_peak(sine(100, 0.013, 1e-8, 1)));  // rounding of a number that is stored in fp32
  std::vector<double> ramp;
  for (int k = 0; k < 100; ++k) ramp.push_back(k);
  EXPECT_FALSE(find_spectral_peak(ramp));
  std::vector<double> falling = sine(100, 0.1, 5e-7);  // likewise, beside the largest number, which is negative
  for (std::size_t k = 0; k < falling.size(); ++k) falling[k] -= static_cast<double>(k);
  EXPECT_FALSE(find_spectral_peak(falling));
  EXPECT_FALSE(find_spectral_peak(std::vector<double>(100, NAN)));
}

/// One cycle of something may be the beginning of anything.
TEST(Spectrum, FindsNothingThatWasSeenOnce) {
  for (const double cycles : {0.6, 1.0, 1.3}) EXPECT_FALSE(find_spectral_peak(sine(400, cycles / 400, 1))) << cycles;
  EXPECT_TRUE(find_spectral_peak(sine(400, 2.5 / 400, 1)));
}

/// Against a slow transform of what the documentation names: the samples less their least-squares line, under a Hann
/// window.
TEST(Spectrum, SharesAreThoseOfASlowTransform) {
  for (const double cycles : {1.7, 2.4, 6.3}) {
    const std::size_t count = 50, bins = 4 * 64;
    std::vector<double> signal = sine(count, cycles / 50, 0.7, 3);
    const std::vector<double> other = sine(count, 0.31, 0.2);
    for (std::size_t k = 0; k < count; ++k) signal[k] += other[k] + 0.01 * static_cast<double>(k);
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = static_cast<double>(k);
      x += at, y += signal[k], xx += at * at, xy += at * signal[k];
    }
    const double n = count, slope = (n * xy - x * y) / (n * xx - x * x), start = (y - slope * x) / n;
    std::vector<double> power(bins / 2 + 1);
    for (std::size_t b = 0; b < power.size(); ++b) {
      double real = 0, imaginary = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const auto at = static_cast<double>(k);
        const double value = (signal[k] - start - slope * at) * 0.5 * (1 - std::cos(two_pi * (at + 0.5) / n));
        real += value * std::cos(two_pi * static_cast<double>(b) * at / bins);
        imaginary += value * std::sin(two_pi * static_cast<double>(b) * at / bins);
      }
      power[b] = real * real + imaginary * imaginary;
    }
    const std::size_t peak =
        static_cast<std::size_t>(std::max_element(power.begin() + 6, power.end()) - power.begin());  // a cycle and more
    double total = 0, near = 0;
    for (std::size_t b = 0; b < power.size(); ++b) {
      total += power[b];
      if (std::abs(static_cast<double>(b) - static_cast<double>(peak)) <= 2 * bins / n) near += power[b];
    }
    const auto found = find_spectral_peak(signal);
    ASSERT_TRUE(found) << cycles;
    EXPECT_NEAR(found->share, near / total, 1e-9) << cycles;
    EXPECT_NEAR(found->frequency, static_cast<double>(peak) / bins, 0.51 / bins);
    EXPECT_NEAR(found->amplitude, 0.7, 0.1) << cycles;
  }
}

TEST(SignalStatistics, KeepMemoryBoundedAndFrequenciesRight) {
  SignalStatistics signal;
  const std::size_t count = 5 * SignalStatistics::most_samples + 17;
  for (const double value : sine(count, 0.001, 2, 10)) signal.add(value);
  EXPECT_EQ(signal.count(), count);
  EXPECT_LT(signal.samples().size(), SignalStatistics::most_samples);
  EXPECT_EQ(signal.stride(), 8u);
  EXPECT_NEAR(signal.mean(), 10, 1e-2);
  EXPECT_NEAR(signal.rms(), std::sqrt(2.0), 1e-2);
  EXPECT_NEAR(signal.minimum(), 8, 1e-3);
  EXPECT_NEAR(signal.maximum(), 12, 1e-3);
  EXPECT_NEAR(find_spectral_peak(signal.samples())->frequency / 8, 0.001, 1e-7);
}

/// However often pairs are joined: each sample is the mean of as many values as the stride says, in their order.
TEST(SignalStatistics, SamplesAreMeansOfTheirStride) {
  SignalStatistics signal;
  const std::size_t count = 3 * SignalStatistics::most_samples + 7;
  std::vector<double> values;
  std::uint64_t state = 5;
  for (std::size_t k = 0; k < count; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<double>(state >> 44));  // sums of a few are exact
    signal.add(values.back());
  }
  const std::size_t stride = signal.stride();
  EXPECT_EQ(stride, 4u);
  ASSERT_EQ(signal.samples().size(), count / stride);
  for (std::size_t k = 0; k < signal.samples().size(); ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < stride; ++i) sum += values[k * stride + i];
    ASSERT_EQ(signal.samples()[k], sum / 4) << k;
  }
  EXPECT_EQ(signal.maximum(), *std::max_element(values.begin(), values.end()));
  EXPECT_EQ(signal.minimum(), *std::min_element(values.begin(), values.end()));
}

TEST(SignalStatistics, OfNothingAndOfOneValue) {
  SignalStatistics signal;
  EXPECT_EQ(signal.rms(), 0);
  EXPECT_TRUE(signal.samples().empty());
  signal.add(-3);
  EXPECT_EQ(signal.mean(), -3);
  EXPECT_EQ(signal.rms(), 0);
  EXPECT_EQ(signal.minimum(), -3);
  EXPECT_EQ(signal.maximum(), -3);
  EXPECT_EQ(signal.samples(), std::vector<double>{-3});
}

class MonitorStatistics : public testing::Test {
 protected:
  MonitorStatistics() {
    case_.monitors.every = 10;
    units_.time_step = 0.5;
    units_.reference_length = 20;
    units_.reference_velocity = 0.05;
    std::ofstream file(file_, std::ios::binary);
    file << "step,time [s],C_l_body [-],other,probe_u [m/s]\n";
    for (int step = 0; step <= 4000; step += 10)
      file << step << "," << 0.5 * step << "," << 0.2 * std::sin(two_pi * step / 250.0) + (step < 2000 ? 5 : 1)
           << ",1,3\n";
    file << "4003,2001.5,99,1,99\n";  // the last row of a run that ends between rows
  }
  nlohmann::json statistics() {
    return monitor_statistics(case_, units_, file_, {"time [s]", "C_l_body [-]", "other", "probe_u [m/s]"}, {1, 3},
                              4003);
  }
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "monitors.csv";
  Case case_;
  Units units_;
};

TEST_F(MonitorStatistics, AreThoseOfTheLastHalf) {
  const auto json = statistics();
  EXPECT_EQ(json["window"], "last half of the run");
  EXPECT_EQ(json["from_step"], 2010);
  EXPECT_EQ(json["to_step"], 4000);
  EXPECT_EQ(json["rows"], 200);
  EXPECT_NEAR(json["frequency_resolution"].get<double>(), 1 / 1000.0, 1e-12);
  ASSERT_EQ(json["columns"].size(), 2u);
  const auto& lift = json["columns"]["C_l_body [-]"];
  EXPECT_NEAR(lift["mean"].get<double>(), 1, 1e-5);  // six digits in the file
  EXPECT_NEAR(lift["rms"].get<double>(), 0.2 / std::sqrt(2.0), 1e-5);
  EXPECT_NEAR(lift["max"].get<double>(), 1.2, 1e-2);
  EXPECT_NEAR(lift["frequency"].get<double>(), 1 / 125.0, 2e-5);
  EXPECT_NEAR(lift["strouhal"].get<double>(), 20 / (250 * 0.05), 4e-3);
  const auto& probe = json["columns"]["probe_u [m/s]"];
  EXPECT_EQ(probe["mean"], 3);
  EXPECT_EQ(probe["max"], 3);
  EXPECT_TRUE(probe["frequency"].is_null());
  EXPECT_EQ(probe["standard_error"], 0);
}

TEST_F(MonitorStatistics, SayNothingOfAnErrorWithoutAPlateau) {
  EXPECT_TRUE(statistics()["columns"]["C_l_body [-]"]["standard_error"].is_null());  // eight periods
  std::ofstream file(file_, std::ios::app);
  for (int step = 4010; step <= 40000; step += 10)
    file << step << ",0," << 0.2 * std::sin(two_pi * step / 250.0) << ",1,3\n";
  file.close();
  case_.monitors.average_from = 4010;
  const double error = statistics()["columns"]["C_l_body [-]"]["standard_error"].get<double>();
  EXPECT_GT(error, 1e-3);
  EXPECT_LT(error, 0.2 / 10);
}

TEST_F(MonitorStatistics, BeginWhereTheCaseSays) {
  case_.monitors.average_from = 1000;
  units_.reference_length = 0;
  const auto json = statistics();
  EXPECT_EQ(json["window"], "monitor.average_from");
  EXPECT_EQ(json["from_step"], 1000);
  EXPECT_EQ(json["rows"], 301);
  EXPECT_FALSE(json["columns"]["C_l_body [-]"].contains("strouhal"));
  case_.monitors.average_from = 5000;
  EXPECT_EQ(statistics()["rows"], 0);
}

TEST_F(MonitorStatistics, RefuseAFileThatIsNone) {
  std::ofstream(file_, std::ios::app) << "4010,what\n";
  const std::string message = error_of(ExitCode::input, [&] { statistics(); });
  EXPECT_CONTAINS(message, "no row of numbers");
  std::filesystem::remove(file_);
  EXPECT_CONTAINS(error_of(ExitCode::resource, [&] { statistics(); }), "cannot be read");
}

}  // namespace
}  // namespace fluvia::test
