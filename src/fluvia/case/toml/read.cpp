// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/check.hpp"
#include "fluvia/case/schema.hpp"
#include "fluvia/case/toml/load.hpp"
#include "fluvia/case/toml/reference.hpp"
#include "fluvia/case/toml/toml_text.hpp"
#include "fluvia/case/walls.hpp"

namespace fluvia {
namespace {

using schema::Kind;
using schema::Rule;
using schema::Slot;
using schema::Value;

std::string written(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* real = node.as_floating_point()) {
    const std::string digits = format_real(real->get());
    return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
  }
  if (const auto* array = node.as_array()) {
    std::vector<std::string> parts;
    for (const toml::node& entry : *array) parts.push_back(written(entry));
    return "[" + join(parts) + "]";
  }
  std::ostringstream stream;
  node.visit([&](const auto& concrete) { stream << concrete; });
  return stream.str();
}

/// A TOML node as people write it, cut to a sensible length.
std::string text_of(const toml::node& node) {
  return shorten(written(node));
}

const char* expected(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "a whole number";
    case Kind::real:
      return "a number";
    case Kind::text:
      return "text in quotes";
    case Kind::file:
      return "a file name in quotes";
    case Kind::booleans:
      return "a list like [true, false, false]";
    case Kind::integers:
      return "a list of whole numbers";
    case Kind::reals:
      return "a list of numbers like [0.0, 0.0, 1.0]";
    case Kind::texts:
      return "a list of texts like [\"a\", \"b\"]";
    case Kind::corners:
      return "two corners like [[0, 0, 0], [1, 1, 1]]";
    case Kind::rates:
      return "a table like { energy = 1.2 }";
  }
  return "";
}

/// Converts one TOML node to the Value of a slot; throws with the place and key.
class NodeReader {
 public:
  NodeReader(const toml::node& node, std::string path, bool flat) : node_(node), path_(std::move(path)), flat_(flat) {}

  [[nodiscard]] Value read(const Slot& slot) const {
    switch (slot.kind) {
      case Kind::boolean:
        return single<bool>(node_, slot.kind);
      case Kind::integer:
        return single<std::int64_t>(node_, slot.kind);
      case Kind::real:
        return single<double>(node_, slot.kind);
      case Kind::text:
      case Kind::file:
        return single<std::string>(node_, slot.kind);
      case Kind::booleans:
        return list<bool>(node_, slot, false);
      case Kind::integers:
        return list<std::int64_t>(node_, slot, 1);
      case Kind::reals:
        return list<double>(node_, slot, 0.0);
      case Kind::texts:
        return list<std::string>(node_, slot, "");
      case Kind::corners:
        return corners(slot);
      case Kind::rates:
        return rates(slot);
    }
    return {};
  }

 private:
  [[noreturn]] void fail(const toml::node& at, const std::string& problem) const {
    throw_input(schema::place_of(at.source()) + ": " + path_ + ": '" + text_of(at) + "' " + problem);
  }

  template <class T>
  T single(const toml::node& node, Kind kind) const {
    if constexpr (std::is_same_v<T, double>) {
      if (node.is_integer()) return static_cast<double>(*node.value<std::int64_t>());
      if (node.is_floating_point()) return *node.value<double>();
    } else {
      if (const auto* value = node.as<T>()) return value->get();
    }
    const auto* real = node.as_floating_point();
    const bool nearly = kind == Kind::integer && real != nullptr && std::abs(real->get()) < 1e15 &&
                        std::floor(real->get()) == real->get();
    const std::string hint = nearly ? fmt::format("; write {:.0f}", real->get()) : "";
    fail(node, "has the wrong type; expected " + std::string(expected(kind)) + hint);
  }

  /// `filler` completes vectors of two entries in 2D.
  template <class T>
  std::vector<T> list(const toml::node& node, const Slot& slot, const T& filler) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) fail(node, "has the wrong type; expected " + std::string(expected(slot.kind)));
    std::vector<T> values;
    const Kind entry = slot.kind == Kind::booleans   ? Kind::boolean
                       : slot.kind == Kind::integers ? Kind::integer
                       : slot.kind == Kind::texts    ? Kind::text
                                                     : Kind::real;
    for (const toml::node& element : *array) values.push_back(single<T>(element, entry));
    if (slot.count == 0) return values;
    if (slot.count == 2) {
      if (values.size() == 2) return values;
      fail(node, fmt::format("has {} {}; expected 2 (lowest, highest)", values.size(),
                             values.size() == 1 ? "entry" : "entries"));
    }
    if (flat_ && values.size() == 2) values.push_back(filler);
    if (values.size() != 3) {
      fail(node, fmt::format("has {} {}; expected {}", values.size(), values.size() == 1 ? "entry" : "entries",
                             flat_                ? "2 (x, y)"
                             : values.size() == 2 ? "3 (x, y, z), or 2 with domain.dimension = 2"
                                                  : "3 (x, y, z)"));
    }
    return values;
  }

  Value corners(const Slot& slot) const {
    const toml::array* array = node_.as_array();
    if (array == nullptr || array->size() != 2)
      fail(node_, "is not understood; expected " + std::string(expected(slot.kind)));
    Slot corner;
    corner.kind = Kind::reals;
    corner.count = 3;
    std::vector<double> flat_list;
    for (const toml::node& element : *array) {
      const std::vector<double> point = list<double>(element, corner, 0.0);
      flat_list.insert(flat_list.end(), point.begin(), point.end());
    }
    return flat_list;
  }

  Value rates(const Slot& slot) const {
    const toml::table* table = node_.as_table();
    if (table == nullptr) fail(node_, "has the wrong type; expected " + std::string(expected(slot.kind)));
    std::map<std::string, double> result;
    for (auto&& [name, rate] : *table) result[std::string(name.str())] = single<double>(rate, Kind::real);
    return result;
  }

  const toml::node& node_;
  std::string path_;
  bool flat_;
};

/// Fills a Case from TOML and records which keys exist, so that the others can be refused.
class Reader final : public schema::Visitor {
 public:
  Reader(const toml::table& root, Case& c, bool flat) : case_(c), flat_(flat) { frames_.push_back({&root, {}}); }

  void key(const std::string& name, const Slot& slot, const Rule& rule, const std::string&) override {
    frames_.back().known.push_back(name);
    const toml::node* node = frames_.back().table->get(name);
    if (node == nullptr) return;
    const std::string key_path = path_of(name), place = schema::place_of(node->source());
    Value value = NodeReader(*node, key_path, flat_).read(slot);
    schema::check_value(place, key_path, value, rule);
    if (rule.input_file) value = relative_to_case(std::get<std::string>(value), *node);
    case_.where[key_path] = place;
    slot.set(value);
  }

  bool wants_table(const std::string& name, bool) override {
    frames_.back().known.push_back(name);
    const toml::node* node = frames_.back().table->get(name);
    if (node == nullptr) return false;
    if (!node->is_table()) {
      const std::string section = path_of(name);
      throw_input(schema::place_of(node->source()) + ": " + section +
                  (node->is_array_of_tables()
                       ? ": there is only one; write [" + section + "] instead of [[" + section + "]]"
                       : ": '" + text_of(*node) + "' is not a table; write a section [" + section + "]"));
    }
    return true;
  }

  std::size_t array_size(const std::string& name, std::size_t) override {
    frames_.back().known.push_back(name);
    const toml::node* node = frames_.back().table->get(name);
    if (node == nullptr) return 0;
    const toml::array* array = node->as_array();
    if (array == nullptr ||
        !std::all_of(array->begin(), array->end(), [](const toml::node& n) { return n.is_table(); })) {
      throw_input(schema::place_of(node->source()) + ": " + path_of(name) + ": write [[" + path_of(name) +
                  "]] (double brackets, once for each entry)");
    }
    return array->size();
  }

  void enter(const std::string& name, int index, const std::string&) override {
    const toml::node* node = frames_.back().table->get(name);
    if (index != schema::not_an_item) node = node->as_array()->get(static_cast<std::size_t>(index));
    push(name, index);
    case_.where[path()] = schema::place_of(node->source());
    frames_.push_back({node->as_table(), {}});
  }

  schema::Form form_of(const std::string& name, schema::Form) override {
    const toml::node* node = frames_.back().table->get(name);
    if (node == nullptr || !(node->is_table() || node->is_string())) return schema::Form::number;
    return node->is_table() ? schema::Form::table : schema::Form::text;
  }

  std::vector<std::string> table_names(std::vector<std::string>) override {
    std::vector<std::string> names;
    for (auto&& entry : *frames_.back().table) names.emplace_back(entry.first.str());
    return names;
  }

  void leave() override {
    refuse_unknown_keys();
    frames_.pop_back();
    pop();
  }

  void refuse_unknown_keys() const {
    const Frame& frame = frames_.back();
    for (auto&& [key, node] : *frame.table) {
      const std::string name(key.str());
      if (std::find(frame.known.begin(), frame.known.end(), name) != frame.known.end()) continue;
      throw_input(schema::place_of(key.source()) + ": " + (path().empty() ? "" : path() + ": ") + "unknown key '" +
                  shorten(name) + "'" + suggestion(name) + " (allowed here: " + join(frame.known) + ")");
    }
  }

 private:
  struct Frame {
    const toml::table* table;
    std::vector<std::string> known;
  };

  /// The nearest key of this table, else the table that has a key of this very name.
  [[nodiscard]] std::string suggestion(const std::string& name) const {
    const std::string near = did_you_mean(name, frames_.back().known);
    if (!near.empty()) return near;
    for (const schema::KeyEntry& entry : schema::reference_keys()) {
      if (entry.name == name) return "; it belongs into " + entry.section;
    }
    return "";
  }

  /// Files named in an included case are relative to that one.
  [[nodiscard]] std::string relative_to_case(const std::string& file, const toml::node& node) const {
    if (file.empty() || !node.source().path) return file;
    const std::filesystem::path stated_in = std::filesystem::path(*node.source().path).parent_path();
    const std::filesystem::path joined = (stated_in / file).lexically_normal();
    const std::filesystem::path base = case_.directory.lexically_normal();
    if (joined.is_absolute() != base.is_absolute()) return joined.string();
    const std::filesystem::path relative = base == "." ? joined : joined.lexically_relative(base);
    return relative.empty() ? joined.string() : relative.string();
  }

  Case& case_;
  bool flat_;
  std::vector<Frame> frames_;
};

/// In 2D the axis of a cylinder is a point; a `to` that was left out must not stay at the origin.
void complete_discs(Case& c) {
  const auto complete = [&](Case::Shape& shape, const std::string& path) {
    const bool disc = c.domain.dimension == 2 && shape.kind == "cylinder";
    if (disc && !c.given(path + ".to")) shape.to = shape.from;
  };
  for (std::size_t i = 0; i < c.geometry.shapes.size(); ++i)
    complete(c.geometry.shapes[i], "geometry.shape[" + std::to_string(i) + "]");
  for (std::size_t i = 0; i < c.refine.size(); ++i)
    if (c.refine[i].shape) complete(*c.refine[i].shape, "refine[" + std::to_string(i) + "].shape");
}

/// Only for files: code that builds a case may step as it likes.
void require_end(const Case& c) {
  if (!c.run.steps && !c.run.time) {
    throw_input(c.place("run") + ": run: 'steps' or 'time' is missing; say how long to run, e.g. steps = 10000");
  }
}

/// Case::text of what load_text() made of `text`.
std::string whole_text(const std::string& text, const toml::table& loaded, const std::vector<std::string>& settings) {
  if (settings.empty() && !toml::parse(std::string_view(text)).contains("include")) return text;
  return schema::toml_text(loaded);
}

}  // namespace

std::string Case::place(const std::string& key) const {
  std::string path = key;
  for (;;) {
    if (const auto found = where.find(path); found != where.end()) return found->second;
    if (path.empty()) return "case";
    const std::size_t cut = path.find_last_of(".[");
    path.resize(cut == std::string::npos ? 0 : cut);
  }
}

Case parse_case(const std::string& text, const std::filesystem::path& origin,
                const std::vector<std::string>& settings) {
  const toml::table root = schema::load_text(text, origin, settings);
  Case c;
  c.directory = origin.has_parent_path() ? origin.parent_path() : ".";
  c.where[""] = origin.string();
  const bool flat = root["domain"]["dimension"].value_or(std::int64_t{3}) == 2;
  Reader reader(root, c, flat);
  schema::describe(reader, c);
  reader.refuse_unknown_keys();
  complete_discs(c);
  add_wall_models(c);
  validate(c);
  require_end(c);
  c.hash = case_hash(c);
  c.text = whole_text(text, root, settings);
  return c;
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& settings) {
  constexpr std::uint64_t longest_case = 16u << 20;
  return parse_case(read_text_file(file, longest_case), file, settings);
}

}  // namespace fluvia
