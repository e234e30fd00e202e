// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/toml/visitor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"

namespace fluvia::schema {

void Visitor::push(const std::string& name, int index) {
  lengths_.push_back(path_.size());
  path_ = path_of(name);
  if (index != not_an_item) path_ += "[" + std::to_string(index) + "]";
}

void Visitor::pop() {
  path_.resize(lengths_.back());
  lengths_.pop_back();
}

namespace {

/// Slot of a type that converts to and from the Value alternative `V`.
template <class V, class T>
Slot scalar(Kind kind, T& target) {
  return {kind, 0, [&target] { return Value(static_cast<V>(target)); },
          [&target](const Value& value) { target = static_cast<T>(std::get<V>(value)); }};
}

/// Slot of a container whose entries convert to and from those of the Value alternative std::vector<V>.
template <class V, class T>
Slot list(Kind kind, std::size_t count, T& target) {
  return {kind, count, [&target] { return Value(std::vector<V>(target.begin(), target.end())); },
          [&target](const Value& value) {
            const auto& values = std::get<std::vector<V>>(value);
            if constexpr (requires { target.resize(values.size()); }) target.resize(values.size());
            std::transform(values.begin(), values.end(), target.begin(),
                           [](const V& v) { return static_cast<typename T::value_type>(v); });
          }};
}

}  // namespace

Slot make_slot(bool& target) {
  return scalar<bool>(Kind::boolean, target);
}
Slot make_slot(int& target) {
  return scalar<std::int64_t>(Kind::integer, target);
}
Slot make_slot(std::int64_t& target) {
  return scalar<std::int64_t>(Kind::integer, target);
}
Slot make_slot(std::uint64_t& target) {
  return scalar<std::int64_t>(Kind::integer, target);
}
Slot make_slot(double& target) {
  return scalar<double>(Kind::real, target);
}
Slot make_slot(std::string& target) {
  return scalar<std::string>(Kind::text, target);
}
Slot make_slot(Bool3& target) {
  return list<bool>(Kind::booleans, 3, target);
}
Slot make_slot(Int3& target) {
  return list<std::int64_t>(Kind::integers, 3, target);
}
Slot make_slot(Real3& target) {
  return list<double>(Kind::reals, 3, target);
}
Slot make_slot(std::array<double, 2>& target) {
  return list<double>(Kind::reals, 2, target);
}
Slot make_slot(std::vector<std::string>& target) {
  return list<std::string>(Kind::texts, 0, target);
}
Slot make_slot(std::vector<int>& target) {
  return list<std::int64_t>(Kind::integers, 0, target);
}

Slot make_slot(std::filesystem::path& target) {
  return {Kind::file, 0, [&target] { return Value(target.generic_string()); },
          [&target](const Value& value) { target = std::get<std::string>(value); }};
}

Slot make_slot(std::map<std::string, double>& target) {
  return {Kind::rates, 0, [&target] { return Value(target); },
          [&target](const Value& value) { target = std::get<std::map<std::string, double>>(value); }};
}

Slot make_slot(std::array<Real3, 2>& target) {
  return {Kind::corners, 6,
          [&target] {
            std::vector<double> flat(target[0].begin(), target[0].end());
            flat.insert(flat.end(), target[1].begin(), target[1].end());
            return Value(flat);
          },
          [&target](const Value& value) {
            const auto& flat = std::get<std::vector<double>>(value);
            std::copy_n(flat.begin(), 3, target[0].begin());
            std::copy_n(flat.begin() + 3, 3, target[1].begin());
          }};
}

namespace {

Value axis_name(int axis) {
  const bool valid = axis >= 0 && axis < 3;
  return valid ? names::axes[static_cast<std::size_t>(axis)] : std::to_string(axis);
}

/// Number of an axis; -1 for a name that is no axis, which the check of the allowed names refuses before it is used.
int axis_number(const Value& value) {
  const auto found = std::find(names::axes.begin(), names::axes.end(), std::get<std::string>(value));
  return found == names::axes.end() ? -1 : static_cast<int>(found - names::axes.begin());
}

}  // namespace

Slot axis_slot(int& axis) {
  return {Kind::text, 0, [&axis] { return axis_name(axis); }, [&axis](const Value& v) { axis = axis_number(v); }};
}

Slot axis_slot(std::optional<int>& axis) {
  return {Kind::text, 0, [&axis] { return axis ? axis_name(*axis) : Value{}; },
          [&axis](const Value& v) { axis = axis_number(v); }};
}

namespace {

struct TextOf {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(std::int64_t v) const { return std::to_string(v); }
  std::string operator()(double v) const { return format_real(v); }
  std::string operator()(const std::string& v) const { return v; }
  std::string operator()(const std::map<std::string, double>& v) const {
    std::vector<std::string> parts;
    for (const auto& [name, rate] : v) parts.push_back(name + " = " + format_real(rate));
    return "{" + join(parts) + "}";
  }
  template <class T>
  std::string operator()(const std::vector<T>& v) const {
    std::vector<std::string> parts;
    for (const T& entry : v) parts.push_back((*this)(entry));
    return "[" + join(parts) + "]";
  }
};

}  // namespace

std::string to_text(const Value& value) {
  return std::visit(TextOf{}, value);
}

}  // namespace fluvia::schema
