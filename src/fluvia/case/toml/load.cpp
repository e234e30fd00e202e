// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/toml/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/toml/nesting.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia::schema {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t longest_case = 16u << 20;  ///< bytes; a longer file is surely no case
constexpr std::size_t deepest_include = 32;
/// Files that one case includes: files that include several double at every level.
constexpr std::size_t most_includes = 256;
constexpr std::size_t deepest_nesting_of_case = 64;  ///< a case needs 4
constexpr std::size_t most_entries = 10'000;         ///< entries of one array of tables

/// One file and those that include it, for messages about cycles, and how many files were read so far.
struct Chain {
  std::vector<fs::path> files;
  std::size_t read = 0;
};

fs::path absolute_path(const fs::path& file) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(file, error);
  return error ? file : result;
}

/// Throws if an array of tables is long: arrays are merged and compared entry by entry.
void refuse_many_entries(const toml::table& table) {
  for (auto&& [key, value] : table) {
    if (const toml::table* below = value.as_table()) refuse_many_entries(*below);
    const toml::array* array = value.as_array();
    if (array == nullptr || !array->is_array_of_tables() || array->size() <= most_entries) continue;
    throw_input(fmt::format("{}: [[{}]] has {} entries; {} are possible", place_of(value.source()), shorten(key.str()),
                            array->size(), most_entries));
  }
}

toml::table parse(const std::string& text, const fs::path& origin) {
  const Nesting nesting = deepest_nesting(text);
  if (nesting.depth > deepest_nesting_of_case) {
    throw_input(fmt::format("{}:{}: brackets and dotted keys are nested {} deep; {} are possible", origin.string(),
                            nesting.line, nesting.depth, deepest_nesting_of_case));
  }
  try {
    return toml::parse(std::string_view(text), origin.string());
  } catch (const toml::parse_error& error) {
    throw_input(place_of(error.source()) + ": TOML syntax: " + std::string(error.description()));
  }
}

/// Key that tells the entries of an array of tables apart; "" if there is none.
std::string identity_key(const std::string& path) {
  static const std::map<std::string, std::string> keys = {
      {"boundary", "surface"},   {"opening", "name"},     {"monitor.probe", "name"}, {"monitor.expect", "column"},
      {"monitor.plane", "name"}, {"output.line", "name"}, {"output.plane", "name"}};
  const auto found = keys.find(path);
  return found == keys.end() ? "" : found->second;
}

std::string identity(const toml::node& entry, const std::string& key) {
  const toml::table* table = entry.as_table();
  return table == nullptr || key.empty() ? "" : (*table)[key].value_or(std::string());
}

void append(toml::array& base, toml::array&& over, const std::string& path) {
  const std::string key = identity_key(path);
  const std::size_t included = base.size();
  for (toml::node& entry : over) {
    const std::string name = identity(entry, key);
    std::size_t same = included;
    for (std::size_t i = 0; i < included && !name.empty(); ++i) {
      if (identity(base[i], key) == name) same = i;
    }
    if (same < included) {
      *base[same].as_table() = std::move(*entry.as_table());
    } else {
      base.push_back(std::move(entry));
    }
  }
}

/// Entry of an array of tables that a setting names: by its name, else by its number, from 1. A face of the box that
/// has no entry in [[boundary]] gets one.
toml::table& named_entry(toml::array& entries, const std::string& name, const std::string& path,
                         const std::string& setting) {
  // Shapes and surfaces may be called the same, so that files that include each other add theirs; settings take the
  // first.
  const std::string own_key = identity_key(path), key = own_key.empty() ? "name" : own_key;
  std::vector<std::string> names;
  for (toml::node& entry : entries) {
    const std::string own = identity(entry, key);
    if (!own.empty() && own == name) return *entry.as_table();
    if (!own.empty()) names.push_back(own);
  }
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = problem == std::errc() && end == name.data() + name.size();
  if (is_number && number >= 1 && number <= entries.size()) return *entries[number - 1].as_table();
  if (path == "boundary" && validation::is_face(name)) {
    entries.push_back(toml::table{{key, name}});
    return *entries.back().as_table();
  }
  throw_input(fmt::format(
      "{}: '{}' is none of the {} entries of [[{}]]; give {}a number from 1{}", setting, shorten(name), entries.size(),
      path, names.empty() ? "" : fmt::format("a name ({}) or ", shorten(join(names), 300)), did_you_mean(name, names)));
}

void merge(toml::table& base, toml::table&& over, const std::string& path, const std::string& setting = "");

/// Merges a table into an array of tables, as in boundary.inlet.value = 1: its keys are names of entries.
void merge_entries(toml::array& entries, toml::table&& over, const std::string& path, const std::string& setting) {
  for (auto&& [key, value] : over) {
    const std::string name(key.str());
    if (!value.is_table()) {
      throw_input(
          fmt::format("{0}: {1}.{2} is a table; set one of its keys, {1}.{2}.KEY=VALUE", setting, path, shorten(name)));
    }
    merge(named_entry(entries, name, path, setting), std::move(*value.as_table()), path + "." + name, setting);
  }
}

/// Merges `over` into `base`; `over` wins. It comes from a file, or from the command line, whose `setting` messages
/// quote.
void merge(toml::table& base, toml::table&& over, const std::string& path, const std::string& setting) {
  for (auto&& [key, value] : over) {
    const std::string name(key.str());
    const std::string key_path = path.empty() ? name : path + "." + name;
    toml::node* old = base.get(name);
    if (old == nullptr && key_path == "boundary" && value.is_table() && !setting.empty())
      old = &base.insert("boundary", toml::array{}).first->second;
    const bool is_new = old != nullptr && old->is_array() && old->as_array()->empty();
    const bool old_has_entries = old != nullptr && (is_new || old->is_array_of_tables());
    if (old != nullptr && old->is_table() && value.is_table()) {
      merge(*old->as_table(), std::move(*value.as_table()), key_path, setting);
    } else if (old_has_entries && value.is_array_of_tables()) {
      append(*old->as_array(), std::move(*value.as_array()), key_path);
    } else if (old_has_entries && value.is_table() && !setting.empty()) {
      merge_entries(*old->as_array(), std::move(*value.as_table()), key_path, setting);
    } else {
      if (old != nullptr) base.erase(name);  // so that the key's position is the new one
      base.insert(key, std::move(value));
    }
  }
}

toml::table load(const std::string& text, const fs::path& origin, Chain& chain);

/// "key=value" from a command line; a value that is no TOML by itself (aa, out/run1) is text.
toml::table parse_setting(const std::string& setting) {
  const std::string origin = "--set " + setting;
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw_input(origin + ": give key=value, for example numerics.scheme=aa");
  }
  try {
    return parse(setting, origin);
  } catch (const Error&) {
    std::string value = setting.substr(equals + 1);
    return parse(setting.substr(0, equals) + "='" + value + "'", origin);
  }
}

/// Reads one included file; `node` is its name in the including one.
toml::table load_include(const toml::node& node, const fs::path& origin, Chain& chain) {
  const std::string place = place_of(node.source());
  const auto name = node.value<std::string>();
  if (!node.is_string() || !name || name->empty()) {
    throw_input(place + ": include: give the name of a file, or a list of names, in quotes");
  }
  const fs::path file = (origin.parent_path() / *name).lexically_normal();
  const fs::path absolute = absolute_path(file);
  const auto again = std::find_if(chain.files.begin(), chain.files.end(),
                                  [&](const fs::path& f) { return absolute_path(f) == absolute; });
  if (again != chain.files.end()) {
    std::vector<std::string> names;
    std::transform(again, chain.files.end(), std::back_inserter(names), [](const fs::path& f) { return f.string(); });
    names.push_back(file.string());
    throw_input(place + ": include: '" + *name + "' includes itself: " + join(names, " -> "));
  }
  if (++chain.read > most_includes) {
    throw_input(fmt::format("{}: include: '{}' is one file too many; a case may include {}, counting repeats", place,
                            shorten(*name), most_includes));
  }
  if (chain.files.size() >= deepest_include) {
    throw_input(fmt::format("{}: include: '{}' is nested more than {} files deep", place, *name, deepest_include));
  }
  std::string text;
  try {
    text = read_text_file(file, longest_case);
  } catch (const Error& error) {
    throw_input(place + ": include: '" + *name + "': " + error.what());
  }
  return load(text, file, chain);
}

toml::table load(const std::string& text, const fs::path& origin, Chain& chain) {
  chain.files.push_back(origin);
  toml::table own = parse(text, origin);
  refuse_many_entries(own);
  toml::table merged;
  if (toml::node* include = own.get("include")) {
    std::vector<const toml::node*> names;
    if (const toml::array* list = include->as_array()) {
      for (const toml::node& entry : *list) names.push_back(&entry);
    } else {
      names.push_back(include);
    }
    for (const toml::node* name : names) merge(merged, load_include(*name, origin, chain), "");
    own.erase("include");
  }
  chain.files.pop_back();
  if (merged.empty()) return own;
  merge(merged, std::move(own), "");
  return merged;
}

}  // namespace

std::string place_of(const toml::source_region& source) {
  const std::string file = source.path ? *source.path : "case";
  return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

toml::table load_text(const std::string& text, const fs::path& origin, const std::vector<std::string>& settings) {
  Chain chain;
  toml::table table = load(text, origin, chain);
  for (const std::string& setting : settings) merge(table, parse_setting(setting), "", "--set " + setting);
  return table;
}

}  // namespace fluvia::schema
