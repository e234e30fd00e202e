// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fluvia/base/text.hpp"
#include "fluvia/cli/pages/pages.hpp"
#include "fluvia/run/run.hpp"

namespace fluvia::cli {
namespace {

/// Code point of the UTF-8 sequence that starts at `i`, which moves to its last byte.
unsigned code_point(const std::string& text, std::size_t& i) {
  const auto first = static_cast<unsigned char>(text[i]);
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  unsigned code = first & (0x3fu >> more);
  for (int k = 0; k < more && i + 1 < text.size(); ++k)
    code = code << 6 | (static_cast<unsigned char>(text[++i]) & 0x3fu);
  return code;
}

/// Text as troff takes it: no escapes, no requests at the start of a line, hyphens that can be copied into a shell.
std::string escape(const std::string& text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else if (static_cast<unsigned char>(c) >= 0x80)
      result += fmt::format("\\[u{:04X}]", code_point(text, i));
    else
      result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// An argument as synopses show it, "[--device TEXT]", "CASE"; in brackets if it may be left out.
std::string synopsis_of(const ArgumentPage& page, bool is_option) {
  std::string text =
      is_option ? "\\fB" + escape(page.names.back()) + "\\fR" : "\\fI" + escape(page.names.back()) + "\\fR";
  if (is_option && !page.value.empty()) text += " \\fI" + escape(page.value) + "\\fR";
  if (page.values == ArgumentPage::any_number) text += " ...";
  return (page.required ? text : "[" + text + "]") +
         (page.repeated && page.values != ArgumentPage::any_number ? " ..." : "");
}

std::string explain(const ArgumentPage& page, bool is_option) {
  std::string names;
  for (const std::string& name : page.names)
    names += (names.empty() ? "" : ", ") + fmt::format("\\f{}{}\\fR", is_option ? 'B' : 'I', escape(name));
  if (is_option && !page.value.empty()) names += " \\fI" + escape(page.value) + "\\fR";
  std::string text = ".TP\n" + names + "\n" + escape(page.meaning) + ".\n";
  if (!page.choices.empty()) text += "One of " + escape(join(page.choices)) + ".\n";
  if (!page.default_value.empty()) text += "Default: " + escape(page.default_value) + ".\n";
  return text;
}

std::string explain_all(const CommandPage& page) {
  std::string text;
  for (const ArgumentPage& argument : page.arguments) text += explain(argument, false);
  for (const ArgumentPage& option : page.options)
    if (option.names.back() != "--help") text += explain(option, true);
  return text;
}

std::string command_section(const CommandPage& page) {
  std::string text =
      fmt::format(".SS fluvia {}\n{}.\n.PP\n\\fBfluvia {}\\fR", page.name, escape(page.meaning), page.name);
  for (const ArgumentPage& argument : page.arguments) text += "\n" + synopsis_of(argument, false);
  for (const ArgumentPage& option : page.options)
    if (option.names.back() != "--help") text += "\n" + synopsis_of(option, true);
  text += "\n" + explain_all(page) + ".PP\nExamples:\n";
  for (const Example& example : page.examples)
    text += ".TP\n\\fB" + escape(example.command) + "\\fR\n" + escape(example.meaning) + ".\n";
  return text;
}

constexpr const char* manual_ending = R"(.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
A bug in Fluvia; please report it.
.TP
.B 2
The command line is wrong.
.TP
.B 3
A case, geometry or checkpoint file is wrong.
.TP
.B 4
Memory, disk, permissions or devices do not suffice.
.TP
.B 5
The flow diverged; the last good state was written.
.TP
.B 6
Interrupted; a checkpoint was written.
.SH ENVIRONMENT
.TP
.B FLUVIA_NCCL
File of NCCL, which carries messages between GPUs of several ranks, where it is not found by itself; none: messages go
through host memory.
.TP
.B FLUVIA_NVRTC
File of NVRTC, the run\-time compiler of CUDA, where it is not found by itself.
.TP
.B FLUVIA_PYTHON
the Python that makes the page of
.BR "fluvia report" ,
serves that of
.B fluvia run \-\-view
and makes films where there is no ffmpeg; otherwise python3.
.TP
.B FLUVIA_CACHE_DIR
Where kernels compiled for GPUs are kept; otherwise $XDG_CACHE_HOME/fluvia/kernels or ~/.cache/fluvia/kernels.
.SH EXAMPLE
.nf
fluvia new cavity
fluvia plan cavity.toml
fluvia run cavity.toml \-\-output out/cavity \-\-set units.viscosity=0.0323
.fi
)";

}  // namespace

std::string manual_page(const std::vector<CommandPage>& pages) {
  const CommandPage& program = pages.front();
  std::string text = fmt::format(
      ".\\\" Written by fluvia --print-manual.\n.TH FLUVIA 1 \"\" \"Fluvia {}\" \"User Commands\"\n.nh\n"
      ".SH NAME\nfluvia \\- lattice Boltzmann flow solver\n.SH SYNOPSIS\n.B fluvia\n.I COMMAND\n[argument...]\n.br\n"
      ".B fluvia\n\\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR\n.br\n.B fluvia\n.I COMMAND\n.B \\-\\-help\n"
      ".SH DESCRIPTION\n"
      "Fluvia computes the flow of a fluid through almost any shape by the lattice Boltzmann method. A flow is "
      "described "
      "by a case, a text file in TOML; results are pictures, fields for ParaView, tables, and a summary with a "
      "verdict.\n",
      escape(version()));
  text += ".SH OPTIONS\n";
  for (const ArgumentPage& option : program.options) text += explain(option, true);
  text += ".SH COMMANDS\n";
  for (std::size_t i = 1; i < pages.size(); ++i) text += command_section(pages[i]);
  return text + manual_ending;
}

}  // namespace fluvia::cli
