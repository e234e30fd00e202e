// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fluvia/base/text.hpp"
#include "fluvia/case/toml/reference.hpp"
#include "fluvia/cli/pages/pages.hpp"

namespace fluvia::cli {
namespace {

const char* kind_name(Takes takes) {
  switch (takes) {
    case Takes::nothing:
    case Takes::text:
      return "text";
    case Takes::choice:
      return "choice";
    case Takes::file:
      return "file";
    case Takes::folder:
      return "folder";
    case Takes::setting:
      return "setting";
  }
  return "";
}

std::string row(const std::string& command, const std::string& name, const ArgumentPage& page) {
  const int values = page.values == ArgumentPage::any_number ? 1000 : page.values;
  return fmt::format("{}|{}|{}|{}|{}|{}\n", command, name, values, kind_name(page.takes), page.ending,
                     join(page.choices, " "));
}

/// The functions that do not depend on the commands. Words are taken from the line itself, since bash splits them at
/// '='.
constexpr const char* bash_functions = R"sh(
# Sets values, kind, ending and choices to what command $1 says about $2.
_fluvia_row() {
  local command name
  while IFS='|' read -r command name values kind ending choices; do
    if [[ $command == "$1" && $name == "$2" ]]; then return 0; fi
  done <<<"$_fluvia_table"
  values=0 kind=text ending= choices=
  return 1
}

# Prints the options of command $1.
_fluvia_options() {
  local command name rest
  while IFS='|' read -r command name rest; do
    if [[ $command == "$1" && $name == -* ]]; then printf '%s\n' "$name"; fi
  done <<<"$_fluvia_table"
}

# Completes $1, a key, or KEY=VALUE where the values are known.
_fluvia_setting() {
  local key names
  while read -r key names; do
    if [[ $1 != *=* ]]; then
      if [[ $key == "$1"* ]]; then COMPREPLY+=("$key="); fi
    elif [[ $1 == "$key="* ]]; then
      mapfile -t COMPREPLY < <(compgen -P "${1%"${1##*[=,]}"}" -W "$names" -- "${1##*[=,]}")
    fi
  done <<<"$_fluvia_keys"
  if [[ $1 != *=* ]]; then compopt -o nospace; fi
}

# Completes the file name $1, of files that end in $2.
_fluvia_file() {
  local name
  compopt -o filenames
  while IFS= read -r name; do
    if [[ $name == *"$2" || -d $name ]]; then COMPREPLY+=("$name"); fi
  done < <(compgen -f -- "$1")
}

# Completes $1, a value as the row that was read describes it.
_fluvia_value() {
  case $kind in
    setting) _fluvia_setting "$1" ;;
    file) _fluvia_file "$1" "$ending" ;;
    folder)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$1")
      ;;
  esac
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$choices" -- "$1")
}

_fluvia() {
  local line=${COMP_LINE:0:COMP_POINT} command= option= before= wanted=0 position=1 words word last i
  local values kind ending choices
  COMPREPLY=()
  # From the line itself, since bash splits words at '=', too; a backslash keeps a blank.
  IFS=$' \t' read -a words <<<"$line"
  if [[ $line == *[[:blank:]] ]]; then words+=(''); fi
  last=$((${#words[@]} - 1))
  word=${words[last]}
  if ((last > 1)); then command=${words[1]}; fi
  # Which option or argument comes next.
  for ((i = 2; i < last; ++i)); do
    if [[ ${words[i]} == --* ]]; then
      option=${words[i]} wanted=0
      if _fluvia_row "$command" "$option"; then wanted=$values; fi
    elif ((wanted > 0)); then
      wanted=$((wanted - 1))
    else
      position=$((position + 1))
    fi
  done
  if ((last == 1)) && [[ $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$_fluvia_commands" -- "$word")
  elif [[ $word == -* && $word != *=* ]] && ! { ((wanted > 0)) && _fluvia_row "$command" "$option" && [[ " $choices" == *" $word"* ]]; }; then
    mapfile -t COMPREPLY < <(compgen -W "$(_fluvia_options "$command")" -- "$word")
  else
    if [[ $word == --*=* ]]; then
      option=${word%%=*} before=${word%%=*}= word=${word#*=}
    elif ((last == 2)) && [[ $command == -* ]]; then
      option=$command command=
    elif ((wanted == 0)); then
      option=#$position
    fi
    _fluvia_row "$command" "$option"
    _fluvia_value "$word"
  fi
  # Bash puts the reply in place of what follows the last of its separators only.
  word=$before$word
  COMPREPLY=("${COMPREPLY[@]/#/$before}")
  local breaks=${COMP_WORDBREAKS//[!=:]/}
  if [[ -n $breaks && $word == *["$breaks"]* ]]; then
    local typed=${word%"${word##*["$breaks"]}"}
    COMPREPLY=("${COMPREPLY[@]#"$typed"}")
  fi
}
complete -F _fluvia fluvia
)sh";

}  // namespace

std::string bash_completions(const std::vector<CommandPage>& pages) {
  std::string commands, table, keys;
  for (const CommandPage& page : pages) {
    const std::string command = &page == &pages.front() ? "" : page.name;
    if (!command.empty()) commands += (commands.empty() ? "" : " ") + command;
    for (std::size_t i = 0; i < page.arguments.size(); ++i)
      table += row(command, fmt::format("#{}", i + 1), page.arguments[i]);
    for (const ArgumentPage& option : page.options)
      for (const std::string& name : option.names) table += row(command, name, option);
  }
  for (const schema::KeyEntry& key : schema::reference_keys())
    keys += key.setting + " " + join(key.choices, " ") + "\n";
  return fmt::format(
             "# Completes fluvia in bash; written by fluvia --print-completions bash.\n_fluvia_commands='{}'\n"
             "# command|option, or number of what has none|values that follow|kind|ending of files|choices\n"
             "_fluvia_table='{}'\n# What --set takes, and known values.\n_fluvia_keys='{}'\n",
             commands, table, keys) +
         bash_functions;
}

}  // namespace fluvia::cli
