// SPDX-License-Identifier: Apache-2.0
// A flow in the hands of a program: what it sets, and what it may not. The tests of the Python interface do the rest.
#include "fluvia/run/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "run/small_cases.hpp"
#include "support/errors.hpp"

namespace fluvia::test {
namespace {

/// A duct in metres of 30 x 12 nodes, the inflow given by a line of the case.
Case duct(const std::string& inflow) {
  std::string text = si_duct;
  const std::string pressure = "type = \"pressure\"\npressure = 0.02";
  text.replace(text.find(pressure), pressure.size(), "type = \"velocity\"\n" + inflow);
  return parse_case(text, "case.toml");
}

double monitor(const Session& session, const std::string& name) {
  const auto& names = session.monitor_names();
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.starts_with(name); });
  if (found == names.end()) throw std::logic_error("no monitor is called " + name);
  return session.monitors()[static_cast<std::size_t>(found - names.begin())];
}

void expect_refusal(const std::function<void()>& action, const std::string& text) {
  EXPECT_CONTAINS(error_of(ExitCode::input, action), text);
}

TEST(Session, SetsSpeedsFlowRatesAndPressures) {
  struct Quantity {
    const char *key, *inflow;
    double twice;
  };
  for (const Quantity& quantity :
       {Quantity{"speed", "speed = 0.001", 0.002}, {"flow_rate", "flow_rate = 1.2e-6", 2.4e-6}}) {
    SCOPED_TRACE(quantity.key);
    Session session(duct(quantity.inflow));
    session.advance(1500);
    const double before = monitor(session, "flow_x_min");
    EXPECT_NEAR(before / 1.2e-6, 1, 0.02);
    session.set_boundary("x_min", quantity.key, quantity.twice);
    session.advance(1500);
    EXPECT_NEAR(monitor(session, "flow_x_min") / before, 2, 0.02);
    expect_refusal([&] { session.set_boundary("x_min", "pressure", 1); }, "'pressure' cannot be set");
    expect_refusal(
        [&] { session.set_boundary("x_min", std::string(quantity.key) == "speed" ? "flow_rate" : "speed", 1); },
        "cannot be set (what the case gives it: " + std::string(quantity.key) + ")");
    const double pressure = monitor(session, "pressure_x_max");  // half a node before it
    session.set_boundary("x_max", "pressure", 0.005);
    session.advance(3000);
    EXPECT_NEAR(monitor(session, "pressure_x_max") - pressure, 0.005, 1e-4);
    expect_refusal([&] { session.set_boundary("x_max", "speed", 1); }, "what the case gives it: pressure");
    expect_refusal([&] { session.set_boundary("x_mid", "speed", 1); }, "none of this name (it has: 'x_min', 'x_max')");
  }
  Session still(duct("speed = 0"));
  expect_refusal([&] { still.set_boundary("x_min", "speed", 1); }, "a speed of 0, which cannot be scaled");
}

}  // namespace
}  // namespace fluvia::test
