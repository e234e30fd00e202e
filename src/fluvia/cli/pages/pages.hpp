// SPDX-License-Identifier: Apache-2.0
// Pages from which completions and the manual are made: the commands as CLI11 has them, so a new option is in all of
// them at once.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fluvia::cli {

/// What an argument is, from its type name in the help: FILE and FILE.toml, DIR, KEY=VALUE, KEY=A,B,...; a check
/// against a list makes a choice. Everything else is text.
enum class Takes { nothing, text, choice, file, folder, setting };

/// An option, or an argument that stands without one.
struct ArgumentPage {
  std::vector<std::string> names;  ///< "-h", "--help"; the name of an argument without option
  std::string value;               ///< value as help shows it: "KEY=VALUE"; empty for flags
  std::string meaning, default_value;
  Takes takes = Takes::nothing;
  std::vector<std::string> choices;  ///< the words of a choice, or words besides files
  std::string ending;                ///< extension of files: ".toml"; empty: any
  bool required = false;
  bool may_lack_value = false;  ///< --resume [FILE]
  bool repeated = false;        ///< may be given again
  int values = 0;               ///< how many values follow each other; any_number
  static constexpr int any_number = -1;
};

/// A command line to begin with, and what it does.
struct Example {
  std::string command, meaning;
};

/// A command, or the program itself, whose name is "fluvia".
struct CommandPage {
  std::string name, meaning;
  std::vector<ArgumentPage> options, arguments;
  std::vector<Example> examples;
};

/// The program itself, then its commands.
std::vector<CommandPage> command_pages(const CLI::App& app);

/// Ends the help of every command with examples. Throws Error(internal) if there is none of a command.
void add_examples(CLI::App& app);
std::vector<Example> examples_of(const std::string& command);

/// A check that lets everything pass and tells help and completions the usual words: the command's own messages say
/// more than CLI11's.
CLI::Validator offer(const std::vector<std::string>& choices);

/// A script that completes commands, options, choices, files and the keys of --set in `shell`: bash, zsh or fish.
std::string completions(const std::string& shell, const std::vector<CommandPage>& pages);
std::string bash_completions(const std::vector<CommandPage>& pages);
std::string zsh_completions(const std::vector<CommandPage>& pages);
std::string fish_completions(const std::vector<CommandPage>& pages);

/// The manual page fluvia(1), for troff.
std::string manual_page(const std::vector<CommandPage>& pages);

/// Adds --print-completions and --print-manual, which print and end the program.
void add_page_options(CLI::App& app);

}  // namespace fluvia::cli
