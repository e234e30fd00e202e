// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"

namespace fluvia {

namespace {
using Json = nlohmann::json;
constexpr std::size_t most_runs = 10'000;
constexpr std::size_t longest_name = 120;  ///< bytes of a folder's name

[[noreturn]] void throw_usage(const std::string& message) {
  throw Error(ExitCode::usage, message);
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Splits a text at commas outside of brackets, braces and quotes.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = 0;
  for (const char ch : text) {
    if (quote != 0) {
      if (ch == quote) quote = 0;
    } else if (ch == '"' || ch == '\'') {
      quote = ch;
    } else if (ch == '[' || ch == '{') {
      ++depth;
    } else if (ch == ']' || ch == '}') {
      --depth;
    } else if (ch == ',' && depth == 0) {
      values.emplace_back();
      continue;
    }
    values.back() += ch;
  }
  for (std::string& value : values) value = trimmed(value);
  return values;
}

/// Name of a folder, "reynolds=100" for "units.reynolds" and "100", of letters that any file system and shell takes as
/// they are.
std::string folder_name(const std::string& key, const std::string& value) {
  std::string name = key.substr(key.rfind('.') + 1) + "=" + value;
  for (char& ch : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(ch)) != 0 || std::strchr("=._+-", ch) != nullptr;
    if (!plain) ch = '_';
  }
  return name;
}

/// Name of one of the results of a run, with its unit as monitors have it.
std::string result_column(const Json& result) {
  return result.value("name", "") + " [" + result.value("unit", "") + "]";
}

/// The last value of a monitor, else the result of this name; null if there is neither.
Json value_of(const Json& results, const std::string& name) {
  if (!results.is_object()) return {};
  const Json last = results.value("monitors", Json::object());
  if (const auto found = last.find(name); found != last.end()) return *found;
  const Json quantities = results.value("quantities", Json::array());
  for (const Json& quantity : quantities)
    if (result_column(quantity) == name) return quantity.at("value");
  return {};
}

/// A text as a cell of a CSV file (RFC 4180).
std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string result = "\"";
  for (const char ch : cell) result += ch == '"' ? std::string("\"\"") : std::string(1, ch);
  return result + "\"";
}

}  // namespace

Variation parse_variation(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string example = "; give key=a,b,c, for example units.viscosity=0.01,0.02";
  if (equals == std::string::npos || trimmed(text.substr(0, equals)).empty())
    throw_usage(fmt::format("--vary {}: there is no key{}", shorten(text), example));
  Variation result = {trimmed(text.substr(0, equals)), split_values(text.substr(equals + 1))};
  std::set<std::string> seen;
  for (const std::string& value : result.values) {
    if (value.empty()) throw_usage(fmt::format("--vary {}: a value is empty{}", shorten(text), example));
    if (!seen.insert(value).second)
      throw_usage(fmt::format("--vary {}: '{}' stands twice", shorten(text), shorten(value)));
  }
  return result;
}

Sweep::Sweep(std::vector<Variation> variations, const Reader& read, std::filesystem::path folder,
             const std::string& common)
    : variations_(std::move(variations)), folder_(std::move(folder)) {
  std::set<std::string> keys, names;
  std::size_t count = 1;
  for (const Variation& v : variations_) {
    if (!keys.insert(v.key).second) throw_usage(fmt::format("--vary: '{}' is varied twice", shorten(v.key)));
    count = std::min(count * v.values.size(), most_runs + 1);
  }
  if (count > most_runs) throw_usage(fmt::format("--vary: more than {} combinations", most_runs));
  for (std::size_t k = 0; k < count; ++k) {
    SweepRun run;
    std::vector<std::string> settings(variations_.size());
    run.values.resize(variations_.size());
    std::size_t rest = k;
    for (std::size_t v = variations_.size(); v-- > 0; rest /= variations_[v].values.size()) {
      run.values[v] = variations_[v].values[rest % variations_[v].values.size()];
      settings[v] = variations_[v].key + "=" + run.values[v];
    }
    for (std::size_t v = 0; v < variations_.size(); ++v)
      run.name += (v == 0 ? "" : ",") + folder_name(variations_[v].key, run.values[v]);
    if (run.name.size() > longest_name || !names.insert(run.name).second)
      names.insert(run.name = run.name.substr(0, longest_name) + fmt::format("-{}", k + 1));
    try {
      run.c = read(settings);
      validate(run.c);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("with {}: {}", join(settings), error.what()));
    }
    run.identity = fmt::format("{:016x} {} {} {}", run.c.hash, run.c.run.steps ? fmt::to_string(*run.c.run.steps) : "-",
                               run.c.run.time ? format_real(*run.c.run.time) : "-", common);
    runs_.push_back(std::move(run));
  }
  take_over();
}

void Sweep::take_over() {
  const std::filesystem::path file = folder_ / "sweep.json";
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) return;
  const Json known = Json::parse(read_text_file(file, std::uint64_t{1} << 30), nullptr, false);
  try {
    for (const Json& entry : known.at("runs")) {
      const auto found =
          std::find_if(runs_.begin(), runs_.end(), [&](const SweepRun& run) { return entry.at("folder") == run.name; });
      if (found == runs_.end()) others_.push_back(entry);
      if (found == runs_.end() || entry.at("identity") != found->identity) continue;
      found->ended = entry.at("ended").get<std::string>();
      found->problem = entry.at("problem").get<std::string>();
      found->results = entry.at("results");
    }
  } catch (const Json::exception&) {
    throw_input(file.string() + ": is no sweep.json of Fluvia; remove it, or name another folder by --output");
  }
}

bool Sweep::run(const RunOptions& options, const std::function<void(std::size_t)>& on_begin) {
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    SweepRun& run = runs_[k];
    if (run.is_done()) continue;
    if (on_begin) on_begin(k);
    RunOptions own = options;
    own.output = folder_ / run.name;
    try {
      std::vector<std::string> damaged;
      own.resume = run.ended == "interrupted" && find_latest_checkpoint(own.output, damaged).has_value();
      const RunResult result = run_case(run.c, own);
      run.ended = result.interrupted ? "interrupted" : result.steady ? "steady state" : "last step";
      run.problem.clear();
      run.results = result.results;
    } catch (const Error& error) {
      if (error.code() != ExitCode::unstable && error.code() != ExitCode::input) throw;
      run.ended = error.code() == ExitCode::unstable ? "diverged" : "refused";
      run.problem = error.what();
      run.results = nullptr;
    }
    save();
    if (run.ended == "interrupted") return false;
  }
  save();
  return true;
}

void Sweep::save() const {
  Json vary = Json::object(), runs = Json::array();
  for (const Variation& v : variations_) vary[v.key] = v.values;
  for (const SweepRun& run : runs_) {
    if (run.ended.empty()) continue;
    Json values = Json::object();
    for (std::size_t v = 0; v < variations_.size(); ++v) values[variations_[v].key] = run.values[v];
    runs.push_back({{"folder", run.name},
                    {"values", values},
                    {"identity", run.identity},
                    {"ended", run.ended},
                    {"problem", run.problem},
                    {"results", run.results}});
  }
  runs.insert(runs.end(), others_.begin(), others_.end());
  const Json all = {{"vary", vary}, {"runs", runs}};
  write_file(folder_ / "sweep.json", all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  std::string csv;
  for (const std::vector<std::string>& row : table(monitors(), 17))
    for (std::size_t k = 0; k < row.size(); ++k) csv += quoted(row[k]) + (k + 1 < row.size() ? "," : "\n");
  write_file(folder_ / "sweep.csv", csv);
}

std::vector<std::string> Sweep::monitors() const {
  std::vector<std::string> names, results;
  const auto add = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  for (const SweepRun& run : runs_) {
    if (!run.results.is_object()) continue;
    const Json last = run.results.value("monitors", Json::object());
    for (const auto& [name, value] : last.items()) add(names, name);
    const Json quantities = run.results.value("quantities", Json::array());
    for (const Json& quantity : quantities) add(results, result_column(quantity));
  }
  for (const std::string& name : results) add(names, name);
  return names;
}

std::vector<std::vector<std::string>> Sweep::table(const std::vector<std::string>& monitors, int digits) const {
  std::vector<std::vector<std::string>> rows(1);
  for (const Variation& v : variations_) rows[0].push_back(v.key);
  rows[0].insert(rows[0].end(), {"ended", "step"});
  rows[0].insert(rows[0].end(), monitors.begin(), monitors.end());
  rows[0].emplace_back("verdict");
  for (const SweepRun& run : runs_) {
    std::vector<std::string> row = run.values;
    row.push_back(run.ended.empty() ? "not run" : run.ended);
    const Json& r = run.results;
    row.push_back(r.is_object() ? fmt::to_string(r.value("last_step", std::int64_t{0})) : "");
    for (const std::string& name : monitors) {
      const Json value = value_of(r, name);
      row.push_back(value.is_number() ? fmt::format("{:.{}g}", value.get<double>(), digits) : "");
    }
    const Json verdict = r.is_object() ? r.value("verdict", Json::object()) : Json::object();
    row.push_back(verdict.value("verdict", ""));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace fluvia
