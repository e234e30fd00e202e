// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/pages/pages.hpp"

#include <fmt/format.h>

#include "fluvia/base/text.hpp"

namespace fluvia::cli {
namespace {

const std::vector<std::string> shells = {"bash", "zsh", "fish"};

/// The choices in the name of a type: "TEXT:{auto,cpu}" has auto and cpu.
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

void set_kind(ArgumentPage& page, const std::string& type) {
  const std::string name = CLI::detail::trim_copy(type.substr(0, type.find(':')));
  page.value = name;
  page.choices = choices_of(type);
  const std::string bare = name.starts_with("[") ? name.substr(1, name.size() - 2) : name;
  if (bare.starts_with("FILE")) {
    page.takes = Takes::file;
    page.ending = bare.substr(4);
  } else if (bare == "DIR") {
    page.takes = Takes::folder;
  } else if (bare.starts_with("KEY=")) {
    page.takes = Takes::setting;
  } else {
    page.takes = page.choices.empty() ? Takes::text : Takes::choice;
  }
}

ArgumentPage describe(const CLI::Option& option) {
  ArgumentPage page;
  page.meaning = option.get_description();
  page.default_value = option.get_default_str();
  page.required = option.get_required();
  if (option.get_positional()) {
    page.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
  }
  const int least = option.get_items_expected_min(), most = option.get_items_expected_max();
  if (most == 0) return page;
  set_kind(page, option.get_type_name());
  page.may_lack_value = least == 0;
  page.repeated = most > std::max(least, 1);
  const bool any = page.repeated && option.get_allow_extra_args();
  page.values = any ? ArgumentPage::any_number : std::max(least, 1);
  return page;
}

CommandPage describe(const CLI::App& app) {
  CommandPage page{app.get_name(), app.get_description(), {}, {}, examples_of(app.get_name())};
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? page.arguments : page.options).push_back(describe(*option));
  return page;
}

void print(const std::string& text) {
  fmt::print("{}", text);
  throw CLI::Success();  // ends parsing, as --version does
}

}  // namespace

std::vector<CommandPage> command_pages(const CLI::App& app) {
  std::vector<CommandPage> pages = {describe(app)};
  for (const CLI::App* command : app.get_subcommands({})) pages.push_back(describe(*command));
  return pages;
}

CLI::Validator offer(const std::vector<std::string>& choices) {
  return {[](std::string&) { return std::string(); }, "{" + join(choices, ",") + "}"};
}

std::string completions(const std::string& shell, const std::vector<CommandPage>& pages) {
  if (shell == "bash") return bash_completions(pages);
  return shell == "zsh" ? zsh_completions(pages) : fish_completions(pages);
}

void add_page_options(CLI::App& app) {
  app.add_option_function<std::string>(
         "--print-completions", [&app](const std::string& shell) { print(completions(shell, command_pages(app))); },
         "Print a script that completes this command line in a shell")
      ->type_name("SHELL")
      ->check(CLI::IsMember(shells));
  app.add_flag_callback(
      "--print-manual", [&app] { print(manual_page(command_pages(app))); }, "Print the manual page, for man -l -");
}

}  // namespace fluvia::cli
