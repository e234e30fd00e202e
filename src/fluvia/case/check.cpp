// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/check.hpp"

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/schema.hpp"

namespace fluvia::schema {
namespace {

/// Checks the entries of one value against its rule; begins messages with the place of the value.
struct ValueChecker {
  const std::string& place;
  const std::string& path;
  const Rule& rule;
  const Value& whole;

  [[noreturn]] void fail(const std::string& problem) const {
    throw_input(place + ": " + path + ": '" + shorten(to_text(whole)) + "' " + problem);
  }
  void number(double v) const {
    if (!std::isfinite(v)) fail("is not a finite number");
    const bool low = rule.above_minimum ? v <= rule.minimum : v < rule.minimum;
    if (low || v > rule.maximum) fail("is out of range; must be " + bounds_text(rule));
  }
  void name(const std::string& v) const {
    if (rule.allowed == nullptr || std::find(rule.allowed->begin(), rule.allowed->end(), v) != rule.allowed->end())
      return;
    if (rule.or_begins != nullptr && v.rfind(rule.or_begins, 0) == 0) return;
    const std::string what =
        std::holds_alternative<std::string>(whole) ? "is not allowed" : "has '" + v + "', not allowed";
    fail(what + did_you_mean(v, *rule.allowed) + " (allowed: " + join(*rule.allowed) + ")");
  }

  void operator()(std::monostate) const {}
  void operator()(bool) const {}
  void operator()(std::int64_t v) const { number(static_cast<double>(v)); }
  void operator()(double v) const { number(v); }
  void operator()(const std::string& v) const { name(v); }
  void operator()(const std::vector<bool>&) const {}
  void operator()(const std::vector<std::int64_t>& v) const {
    for (const std::int64_t entry : v) number(static_cast<double>(entry));
  }
  void operator()(const std::vector<double>& v) const {
    for (const double entry : v) number(entry);
  }
  void operator()(const std::vector<std::string>& v) const {
    for (const std::string& entry : v) name(entry);
  }
  void operator()(const std::map<std::string, double>& v) const {
    for (const auto& [rate, value] : v) number(value);
  }
};

bool is_blank(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return std::holds_alternative<std::monostate>(value) || (text != nullptr && text->empty());
}

class RuleChecker final : public Visitor {
 public:
  explicit RuleChecker(const Case& c) : case_(c) {}

  void key(const std::string& name, const Slot& slot, const Rule& rule, const std::string&) override {
    const std::string key_path = path_of(name);
    const Value value = slot.get();
    const bool from_text = !case_.where.empty();
    if (rule.required && (is_blank(value) || (from_text && !case_.given(key_path)))) missing(name, key_path, rule);
    if (!is_blank(value)) check_value(case_.place(key_path), key_path, value, rule);
  }
  bool wants_table(const std::string&, bool filled) override { return filled; }
  std::size_t array_size(const std::string&, std::size_t filled) override { return filled; }
  void enter(const std::string& name, int index, const std::string&) override { push(name, index); }
  void leave() override { pop(); }

 private:
  [[noreturn]] void missing(const std::string& name, const std::string& key_path, const Rule& rule) const {
    const std::string choice = rule.allowed == nullptr ? "" : " (one of: " + join(*rule.allowed) + ")";
    throw_input(case_.place(key_path) + ": " + path() + ": '" + name + "' is missing" + choice);
  }
  const Case& case_;
};

}  // namespace

std::string bounds_text(const Rule& rule) {
  const bool low = std::isfinite(rule.minimum), high = std::isfinite(rule.maximum);
  const std::string minimum = low ? format_real(rule.minimum) : "", maximum = high ? format_real(rule.maximum) : "";
  if (low && high && rule.above_minimum) return "above " + minimum + " and at most " + maximum;
  if (low && high) return minimum + " to " + maximum;
  if (low) return (rule.above_minimum ? "above " : "at least ") + minimum;
  return high ? "at most " + maximum : "";
}

void check_value(const std::string& place, const std::string& path, const Value& value, const Rule& rule) {
  std::visit(ValueChecker{place, path, rule, value}, value);
}

void check_rules(const Case& c) {
  Case copy = c;  // the walk is the same as for reading and wants a Case that it could change
  RuleChecker checker(c);
  describe(checker, copy);
}

}  // namespace fluvia::schema
