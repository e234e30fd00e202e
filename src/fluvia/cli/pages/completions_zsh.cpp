// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fluvia/base/text.hpp"
#include "fluvia/case/toml/reference.hpp"
#include "fluvia/cli/pages/pages.hpp"

namespace fluvia::cli {
namespace {

/// Text inside of single quotes in which the characters `special` of _arguments stand for themselves.
std::string escape(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '\\' || special.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string action_of(const ArgumentPage& page) {
  switch (page.takes) {
    case Takes::nothing:
    case Takes::text:
      return " ";
    case Takes::choice:
      return "(" + join(page.choices, " ") + ")";
    case Takes::file:
      if (!page.choices.empty())
        return "_alternative \"names:name:(" + join(page.choices, " ") + ")\" \"files:file:_files\"";
      return page.ending.empty() ? "_files" : "_files -g \"*" + page.ending + "\"";
    case Takes::folder:
      return "_files -/";
    case Takes::setting:
      return "_fluvia_setting";
  }
  return "";
}

std::string option_specs(const ArgumentPage& page) {
  const std::string argument = escape(page.value, ":") + ":" + action_of(page);
  std::string value;
  if (page.values == ArgumentPage::any_number) {
    value = ":*-*:" + argument;
  } else {
    for (int i = 0; i < page.values; ++i) value += (page.may_lack_value ? "::" : ":") + argument;
  }
  std::string text;
  for (const std::string& name : page.names)
    text += fmt::format("    '{}{}{}[{}]{}' \\\n", page.repeated ? "*" : "", name, page.values == 1 ? "=" : "",
                        escape(page.meaning, "[]"), value);
  return text;
}

std::string argument_specs(const CommandPage& page) {
  std::string text;
  for (const ArgumentPage& option : page.options) text += option_specs(option);
  for (const ArgumentPage& argument : page.arguments)
    text +=
        fmt::format("    '{}:{}:{}' \\\n", argument.required ? "" : ":", argument.names.front(), action_of(argument));
  return text.substr(0, text.size() - 3) + "\n";
}

constexpr const char* zsh_functions = R"(
# Completes a key, or the value of one where values are known.
_fluvia_setting() {
  if [[ $PREFIX != *=* ]]; then
    compadd -S '' -- ${(k)^_fluvia_keys}=
    return
  fi
  local key=${PREFIX%%=*}
  compset -P 1 '*='
  compset -P '*,'
  compadd -- ${=_fluvia_keys[$key]}
}

)";

}  // namespace

std::string zsh_completions(const std::vector<CommandPage>& pages) {
  std::string keys, names, commands;
  for (const schema::KeyEntry& key : schema::reference_keys())
    keys += fmt::format("  {} '{}'\n", key.setting, join(key.choices, " "));
  for (std::size_t i = 1; i < pages.size(); ++i) {
    names += fmt::format("    '{}:{}'\n", pages[i].name, escape(pages[i].meaning, ":"));
    commands += fmt::format("    {})\n    _arguments \\\n{}    ;;\n", pages[i].name, argument_specs(pages[i]));
  }
  std::string program;
  for (const ArgumentPage& option : pages.front().options) program += option_specs(option);
  return "#compdef fluvia\n# Completes fluvia in zsh; written by fluvia --print-completions zsh.\n"
         "# What --set takes, and known values.\ntypeset -gA _fluvia_keys=(\n" +
         keys + ")\n" + zsh_functions + "_fluvia() {\n  local context state state_descr line\n  typeset -A opt_args\n" +
         "  local -a commands=(\n" + names + "  )\n  _arguments -C \\\n" + program +
         "    '1:command:->command' '*::argument:->argument' && return\n  case $state in\n"
         "  command) _describe command commands ;;\n  argument)\n    case $words[1] in\n" +
         commands + "    esac\n    ;;\n  esac\n}\n\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n" +
         "  _fluvia \"$@\"\nelse\n  compdef _fluvia fluvia\nfi\n";
}

}  // namespace fluvia::cli
