// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fluvia/base/text.hpp"
#include "fluvia/case/toml/reference.hpp"
#include "fluvia/cli/pages/pages.hpp"

namespace fluvia::cli {
namespace {

std::string quote(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// The completions of a value: a list of words, or a command in parentheses.
std::string words_of(const ArgumentPage& page) {
  switch (page.takes) {
    case Takes::nothing:
    case Takes::text:
      return "";
    case Takes::choice:
      return join(page.choices, " ");
    case Takes::file:
      return (page.choices.empty() ? "" : join(page.choices, " ") + " ") + "(__fluvia_files " + page.ending + ")";
    case Takes::folder:
      return "(__fish_complete_directories)";
    case Takes::setting:
      return "(__fluvia_settings)";
  }
  return "";
}

std::string option_lines(const std::string& condition, const std::string& command, const ArgumentPage& page) {
  std::string names, text;
  for (const std::string& name : page.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const std::string words = words_of(page);
  std::string line = fmt::format("complete -c fluvia -n '{}'{}", condition, names);
  if (page.values != 0 && !page.may_lack_value) line += " -x";
  if (!words.empty() && !page.may_lack_value) line += " -a " + quote(words);
  text = line + " -d " + quote(page.meaning) + "\n";
  if (!words.empty() && (page.values == ArgumentPage::any_number || page.may_lack_value))
    text +=
        fmt::format("complete -c fluvia -n '__fluvia_after {} {}' -a {}\n", command, page.names.back(), quote(words));
  return text;
}

constexpr const char* fish_functions = R"(
# True if the command on the line is $argv[1].
function __fluvia_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test "$words[2]" = $argv[1]
end

# True if no command is on the line yet.
function __fluvia_no_command
    test (count (string match -v -- '-*' (commandline -opc))) -eq 1
end

# True if the last option of command $argv[1] is $argv[2]: more of its values may follow.
function __fluvia_after
    set -l options (string match -- '--*' (commandline -opc))
    __fluvia_command $argv[1]; and test "$options[-1]" = $argv[2]
end

# Files that end in $argv[1], and folders: what fish completes for commands that it knows nothing of.
function __fluvia_files
    set -l word (string replace -r '^--[a-z-]+=' '' -- (commandline -ct))
    for line in (complete -C "__fluvia_unknown $word")
        set -l name (string split \t -- $line)[1]
        if string match -q -- "*$argv[1]" $name; or string match -q '*/' -- $name
            echo $name
        end
    end
end

# Keys for --set, or the values of the one that is typed.
function __fluvia_settings
    set -l word (commandline -ct)
    set -l typed (string replace -r '^--[a-z-]+=' '' -- $word)
    set -l key (string split -m 1 = -- $typed)[1]
    for line in $__fluvia_keys
        set -l parts (string split ' ' -- $line)
        if not string match -q '*=*' -- $typed
            echo $parts[1]=
        else if test $parts[1] = $key
            set -l before (string replace -r '[^=,]*$' '' -- $typed)
            for value in $parts[2..]
                test -n "$value"; and echo $before$value
            end
        end
    end
end

complete -c fluvia -f
)";

}  // namespace

std::string fish_completions(const std::vector<CommandPage>& pages) {
  std::string text =
      "# Completes fluvia in fish; written by fluvia --print-completions fish.\n"
      "# What --set takes, and known values.\nset -g __fluvia_keys";
  for (const schema::KeyEntry& key : schema::reference_keys())
    text += " \\\n    " + quote(key.setting + " " + join(key.choices, " "));
  text += "\n" + std::string(fish_functions);
  for (const ArgumentPage& option : pages.front().options) text += option_lines("__fluvia_no_command", "", option);
  for (std::size_t i = 1; i < pages.size(); ++i)
    text +=
        fmt::format("complete -c fluvia -n __fluvia_no_command -a {} -d {}\n", pages[i].name, quote(pages[i].meaning));
  for (std::size_t i = 1; i < pages.size(); ++i) {
    const std::string condition = "__fluvia_command " + pages[i].name;
    for (const ArgumentPage& argument : pages[i].arguments)
      if (const std::string words = words_of(argument); !words.empty())
        text += fmt::format("complete -c fluvia -n '{}' -a {}\n", condition, quote(words));
    for (const ArgumentPage& option : pages[i].options) text += option_lines(condition, pages[i].name, option);
  }
  return text;
}

}  // namespace fluvia::cli
