// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/quantity.hpp"

#include <gtest/gtest.h>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

constexpr auto length = QuantityKind::length, speed = QuantityKind::speed, flow = QuantityKind::flow_rate;

TEST(Quantity, IsReadInItsUnit) {
  EXPECT_DOUBLE_EQ(parse_quantity("250ml/min", flow, "--flow"), 250e-6 / 60);
  EXPECT_DOUBLE_EQ(parse_quantity("5 l/min", flow, "--flow"), 5e-3 / 60);
  EXPECT_DOUBLE_EQ(parse_quantity("5L/min", flow, "--flow"), 5e-3 / 60);
  EXPECT_DOUBLE_EQ(parse_quantity("1e-6m3/s", flow, "--flow"), 1e-6);
  EXPECT_DOUBLE_EQ(parse_quantity("2 m^3/h", flow, "--flow"), 2.0 / 3600);
  EXPECT_DOUBLE_EQ(parse_quantity("3cm³/s", flow, "--flow"), 3e-6);
  EXPECT_DOUBLE_EQ(parse_quantity("10 µl/min", flow, "--flow"), 10e-9 / 60);
  EXPECT_DOUBLE_EQ(parse_quantity(" 0.3 m/s ", speed, "--speed"), 0.3);
  EXPECT_DOUBLE_EQ(parse_quantity("36km/h", speed, "--wind"), 10);
  EXPECT_DOUBLE_EQ(parse_quantity("5mm/s", speed, "--speed"), 5e-3);
  EXPECT_DOUBLE_EQ(parse_quantity("5um", length, "--voxel"), 5e-6);
  EXPECT_DOUBLE_EQ(parse_quantity("1.5e-1 cm", length, "--spacing"), 1.5e-3);
}

/// The message of the Error(usage) that reading a text causes.
std::string refusal(const std::string& text, QuantityKind kind) {
  try {
    const double value = parse_quantity(text, kind, "--flow");
    ADD_FAILURE() << text << " was read as " << value;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "";
}

TEST(Quantity, WithoutUnitOrWithAnotherOneIsRefusedWithThosePossible) {
  EXPECT_EQ(
      refusal("250", flow),
      "--flow: '250' has no unit; expected a flow rate: m3, l, ml, ul, nl, cm3, mm3 per s, min, h, as in 250ml/min");
  EXPECT_EQ(
      refusal("3m/s", flow),
      "--flow: '3m/s' has the unit 'm/s', which is not known here; expected a flow rate: m3, l, ml, ul, nl, cm3, mm3 "
      "per s, min, h, as in 250ml/min");
  EXPECT_EQ(refusal("5", length), "--flow: '5' has no unit; expected a length in m, cm, mm, um, nm, in");
  EXPECT_NE(refusal("3 knots", speed).find("'knots', which is not known here; expected a speed: m, cm, mm, um, km per"),
            std::string::npos);
  EXPECT_NE(refusal("5,3um", length).find("has a comma in its number"), std::string::npos);
  for (const char* text : {"0m/s", "-3m/s", "1e999m/s", "nan m/s", "inf m/s", "1e307km/s"})
    EXPECT_NE(refusal(text, speed).find("is no finite number above 0"), std::string::npos) << text;
  for (const char* text : {"", "m/s", " ", "fast", "\u00b5"})
    EXPECT_NE(refusal(text, speed).find("does not begin with a number"), std::string::npos) << text;
  for (const char* text : {"3m/", "3/s", "3m/s/s", "3ms", "3 m s", "3x"})
    EXPECT_NE(refusal(text, speed).find("which is not known here"), std::string::npos) << text;
  refusal("1e-320um", length);  // too small for a number
}

TEST(Quantity, UnitsOfLengthByThemselves) {
  EXPECT_EQ(parse_length_unit("mm", "--unit"), 1e-3);
  EXPECT_EQ(parse_length_unit("µm", "--unit"), 1e-6);
  for (const std::string& name : length_units()) EXPECT_EQ(length_unit_name(parse_length_unit(name, "--unit")), name);
  EXPECT_EQ(length_unit_name(0.3048), "x 0.3048 m");
  try {
    parse_length_unit("inch", "--unit");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--unit: 'inch' is not one of m, cm, mm, um, nm, in");
  }
}

TEST(Quantity, ResistancesAndCompliancesOfVessels) {
  const auto resistance = [](const std::string& text) {
    return parse_quantity(text, QuantityKind::resistance, "--windkessel");
  };
  const auto compliance = [](const std::string& text) {
    return parse_quantity(text, QuantityKind::compliance, "--windkessel");
  };
  EXPECT_DOUBLE_EQ(resistance("1.2 mmHg s/ml"), 1.2 * 133.322 / 1e-6);
  EXPECT_DOUBLE_EQ(resistance("1.2mmHg*s/mL"), 1.2 * 133.322 / 1e-6);
  EXPECT_DOUBLE_EQ(resistance("1.2mmHg/(ml/s)"), 1.2 * 133.322 / 1e-6);
  EXPECT_DOUBLE_EQ(resistance("2mmHg min/l"), 2 * 133.322 * 60 / 1e-3);
  EXPECT_DOUBLE_EQ(resistance("2WU"), 2 * 133.322 * 60 / 1e-3);
  EXPECT_DOUBLE_EQ(resistance("1e8 Pa s/m^3"), 1e8);
  EXPECT_DOUBLE_EQ(resistance("1600 dyn s/cm5"), 1.6e8);
  EXPECT_DOUBLE_EQ(compliance("1.1ml/mmHg"), 1.1e-6 / 133.322);
  EXPECT_DOUBLE_EQ(compliance("8e-9m3/Pa"), 8e-9);
  for (const char* wrong : {"1mmHg/ml", "1ml/s", "1mmHg s", "1s/ml"}) EXPECT_THROW(resistance(wrong), Error) << wrong;
  EXPECT_THROW(compliance("1mmHg/ml"), Error);
}

}  // namespace
}  // namespace fluvia
