// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fluvia/base/vector.hpp"

/// The machinery under schema.cpp. The schema walks once through all keys of a case; a Visitor decides what the walk
/// does: read TOML, check ranges, hash, or write the reference. So each key is stated in exactly one line.
namespace fluvia::schema {

/// What a key holds, whatever its C++ type: nothing, or one of these types.
using Value =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<bool>, std::vector<std::int64_t>,
                 std::vector<double>, std::vector<std::string>, std::map<std::string, double>>;

enum class Kind { boolean, integer, real, text, file, booleans, integers, reals, texts, corners, rates };

/// A key in the Case: reads and writes it as a Value.
struct Slot {
  Kind kind;
  std::size_t count = 0;  ///< entries of a list; 0 = any number
  std::function<Value()> get;
  std::function<void(const Value&)> set;
};

/// Bounds and allowed names of a value. Every number must be finite besides.
struct Rule {
  const char* unit = "";
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  ///< the minimum itself is refused
  const std::vector<std::string>* allowed = nullptr;
  const char* or_begins = nullptr;  ///< names that begin so are allowed, too; the code that reads them checks the rest
  bool required = false;
  /// Required by some values of the table's `kind`, without meaning for others (validate_geometry.cpp).
  bool by_kind = false;
  bool input_file = false;  ///< a path relative to the file that states it
};

inline Rule any(const char* unit = "") {
  return {.unit = unit};
}
inline Rule at_least(double minimum, const char* unit = "") {
  return {.unit = unit, .minimum = minimum};
}
inline Rule above(double minimum, const char* unit = "") {
  return {.unit = unit, .minimum = minimum, .above_minimum = true};
}
inline Rule positive(const char* unit = "") {
  return above(0, unit);
}
inline Rule between(double minimum, double maximum, const char* unit = "") {
  return {.unit = unit, .minimum = minimum, .maximum = maximum};
}
inline Rule one_of(const std::vector<std::string>& names) {
  return {.allowed = &names};
}
inline Rule one_of(std::vector<std::string>&&) = delete;  // the rule keeps a pointer
inline Rule or_begins(Rule rule, const char* text) {
  rule.or_begins = text;
  return rule;
}
inline Rule input_file() {
  return {.input_file = true};
}
inline Rule required(Rule rule) {
  rule.required = true;
  return rule;
}
inline Rule by_kind(Rule rule) {
  rule.by_kind = true;
  return rule;
}

/// How a case writes a key that takes several forms.
enum class Form { number, text, table };

/// One purpose of the walk through the schema. Paths look like "geometry.shape[0].radius".
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void key(const std::string& name, const Slot& slot, const Rule& rule, const std::string& meaning) = 0;
  /// Whether to walk through a table, by calling enter and leave; `filled` = the Case has it.
  virtual bool wants_table(const std::string& name, bool filled) = 0;
  /// Number of entries of an array of tables; `filled` = entries in the Case.
  virtual std::size_t array_size(const std::string& name, std::size_t filled) = 0;
  virtual void enter(const std::string& name, int index, const std::string& meaning) = 0;
  virtual void leave() = 0;
  /// How a key that takes several forms is written; `filled` = as it is in the Case.
  virtual Form form_of(const std::string&, Form filled) { return filled; }
  /// Names of the tables in the table that was entered last, where a case chooses them; `filled` = those of the Case.
  virtual std::vector<std::string> table_names(std::vector<std::string> filled) { return filled; }

 protected:
  [[nodiscard]] std::string path_of(const std::string& name) const { return path_.empty() ? name : path_ + "." + name; }
  void push(const std::string& name, int index);
  void pop();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<std::size_t> lengths_;
};

inline constexpr int not_an_item = -1;  ///< index of a plain table

// ---- slots of all types a Case holds ----
Slot make_slot(bool& target);
Slot make_slot(int& target);
Slot make_slot(std::int64_t& target);
Slot make_slot(std::uint64_t& target);
Slot make_slot(double& target);
Slot make_slot(std::string& target);
Slot make_slot(std::filesystem::path& target);
Slot make_slot(Bool3& target);
Slot make_slot(Int3& target);
Slot make_slot(Real3& target);
Slot make_slot(std::vector<std::string>& target);
Slot make_slot(std::vector<int>& target);
Slot make_slot(std::map<std::string, double>& target);
Slot make_slot(std::array<double, 2>& target);
Slot make_slot(std::array<Real3, 2>& target);
/// Slot of an optional: it is empty, or behaves as the value that it holds.
template <class T>
Slot make_slot(std::optional<T>& target) {
  T empty{};
  const Slot shape = make_slot(empty);
  return {shape.kind, shape.count, [&target]() { return target ? make_slot(*target).get() : Value{}; },
          [&target](const Value& value) { make_slot(target.emplace()).set(value); }};
}
/// An axis 0, 1, 2 written as "x", "y", "z".
Slot axis_slot(int& axis);
Slot axis_slot(std::optional<int>& axis);

/// One table of the schema: `key` states a key, `table` and `array` what lies below.
class Section {
 public:
  explicit Section(Visitor& visitor) : visitor_(visitor) {}

  template <class T>
  void key(const char* name, T& target, const Rule& rule, const char* meaning) {
    visitor_.key(name, make_slot(target), rule, meaning);
  }
  void key(const char* name, const Slot& slot, const Rule& rule, const char* meaning) {
    visitor_.key(name, slot, rule, meaning);
  }
  template <class T>
  void axis(const char* name, T& target, const Rule& rule, const char* meaning) {
    visitor_.key(name, axis_slot(target), rule, meaning);
  }
  /// A number, or how it changes: a formula of the time in quotes, or a table with a series (Case::Prescribed).
  template <class T>
  void over_time(const char* name, std::optional<T>& target, const Rule& rule, const char* meaning) {
    const Form filled = !target                                                       ? Form::number
                        : !target->series.empty() || target->number != target->number ? Form::table
                        : !target->formula.empty()                                    ? Form::text
                                                                                      : Form::number;
    switch (visitor_.form_of(name, filled)) {
      case Form::number: {
        std::optional<double> number;
        if (target) number = target->number;
        visitor_.key(name, slot_in(target, number, &T::number), rule, meaning);
        return;
      }
      case Form::text: {
        std::optional<std::string> formula;
        if (target) formula = target->formula;
        visitor_.key(name, slot_in(target, formula, &T::formula), any(), meaning);
        return;
      }
      case Form::table:
        table(name, target, meaning, [](Section& s, T& t) {
          t.number = std::numeric_limits<double>::quiet_NaN();  // so that a table without a series is known as one
          s.key("series", t.series, required(input_file()), "CSV file `time,value`, linear in between");
          s.key("periodic", t.periodic, any(), "repeat the series; false = keep its last value");
        });
    }
  }
  template <class T, class Fields>
  void table(const char* name, T& target, const char* meaning, Fields fields) {
    if (visitor_.wants_table(name, true)) walk(name, not_an_item, meaning, target, fields);
  }
  template <class T, class Fields>
  void table(const char* name, std::optional<T>& target, const char* meaning, Fields fields) {
    if (!visitor_.wants_table(name, target.has_value())) return;
    if (!target) target = T{};  // not emplace: Clang takes nested structs with defaults as not constructible there
    walk(name, not_an_item, meaning, *target, fields);
  }
  template <class T, class Fields>
  void array(const char* name, std::vector<T>& target, const char* meaning, Fields fields) {
    target.resize(visitor_.array_size(name, target.size()));
    for (std::size_t i = 0; i < target.size(); ++i) walk(name, static_cast<int>(i), meaning, target[i], fields);
  }
  /// Tables in a table, by names that the case chooses.
  template <class T, class Fields>
  void named(const char* name, std::map<std::string, T>& target, const char* meaning, Fields fields) {
    if (!visitor_.wants_table(name, !target.empty())) return;
    visitor_.enter(name, not_an_item, meaning);
    std::vector<std::string> filled;
    for (const auto& entry : target) filled.push_back(entry.first);
    for (const std::string& key : visitor_.table_names(std::move(filled)))
      if (visitor_.wants_table(key, true)) walk(key.c_str(), not_an_item, meaning, target[key], fields);
    visitor_.leave();
  }

 private:
  /// Slot of a member of an optional struct, which has `now` if there is one.
  template <class T, class Member>
  static Slot slot_in(std::optional<T>& target, std::optional<Member>& now, Member T::*member) {
    Slot slot = make_slot(now);
    const Value value = slot.get();
    return {slot.kind, slot.count, [value]() { return value; },
            [&target, member](const Value& given) { make_slot(target.emplace().*member).set(given); }};
  }
  template <class T, class Fields>
  void walk(const char* name, int index, const char* meaning, T& target, Fields fields) {
    visitor_.enter(name, index, meaning);
    fields(*this, target);
    visitor_.leave();
  }
  Visitor& visitor_;
};

/// A value as people write it in TOML; "" for nothing.
std::string to_text(const Value& value);

}  // namespace fluvia::schema
