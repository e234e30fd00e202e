// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>
#include <omp.h>

#include <array>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {

/// Characters of the longest formula: enough for any flow that a person writes down; muParser takes time and memory for
/// each.
constexpr std::size_t longest = 2000;

/// True if there is a '=' that compares nothing: muParser would let it change x.
bool assigns(const std::string& text) {
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    if (at + 1 < text.size() && text[at + 1] == '=')
      ++at;
    else if (at == 0 || std::string_view("<>!").find(text[at - 1]) == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

/// What a formula may name beside pi.
struct Formula::Words {
  std::vector<const char*> variables;
  std::vector<std::pair<const char*, double>> constants;
  const char* expected;  ///< for messages
};

struct Formula::Parser {
  Parser(const std::string& text, const Words& words) {
    parser.ClearConst();
    parser.DefineConst("pi", std::numbers::pi);
    for (std::size_t k = 0; k < words.variables.size(); ++k) parser.DefineVar(words.variables[k], &variables[k]);
    for (const auto& [name, value] : words.constants) parser.DefineConst(name, value);
    parser.SetExpr(text);
  }
  mu::Parser parser;
  std::array<double, 4> variables{};
};

Formula::Formula(const std::string& text, const std::string& place, const Real3& box, int threads)
    : Formula(text, place,
              Words{{"x", "y", "z"},
                    {{"lx", box[0]}, {"ly", box[1]}, {"lz", box[2]}},
                    "x, y, z, lx, ly, lz and pi, e.g. 0.1*sin(2*pi*x/lx)"},
              threads) {}

Formula Formula::of_time(const std::string& text, const std::string& place) {
  return {text, place, Words{{"t"}, {}, "the time t and pi, e.g. 0.01*sin(2*pi*5*t)"}, 1};
}

Formula Formula::of_place_and_time(const std::string& text, const std::string& place, const Real3& box, int threads) {
  return {text, place,
          Words{{"x", "y", "z", "t"},
                {{"lx", box[0]}, {"ly", box[1]}, {"lz", box[2]}},
                "x, y, z, lx, ly, lz, the time t and pi, e.g. 2*sin(pi*x/lx)*exp(-t/30)"},
          threads};
}

Formula::Formula(const std::string& text, const std::string& place, const Words& words, int threads) {
  const auto refuse = [&](const std::string& what) {
    throw_input(fmt::format("{}: '{}': {}; expected a formula of {}", place, shorten(text), what, words.expected));
  };
  if (text.size() > longest) refuse(fmt::format("longer than {} signs", longest));
  if (assigns(text)) refuse("'=' gives no value");
  try {
    for (int thread = 0; thread < threads; ++thread) {
      parsers_.push_back(std::make_unique<Parser>(text, words));
      parsers_.back()->parser.Eval();
      if (parsers_.back()->parser.GetNumResults() != 1) refuse("more than one value");
    }
    names_time_ = parsers_.front()->parser.GetUsedVar().contains("t");
  } catch (const mu::Parser::exception_type& error) {
    refuse(error.GetMsg());
  }
}

Formula::~Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;

double Formula::operator()(const Real3& position, double time) const noexcept {
  Parser& mine = *parsers_[static_cast<std::size_t>(omp_get_thread_num())];
  mine.variables = {position[0], position[1], position[2], time};
  try {
    return mine.parser.Eval();
  } catch (const mu::Parser::exception_type&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace fluvia
