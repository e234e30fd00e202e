# SPDX-License-Identifier: Apache-2.0
"""Symbols with indices, written Δ^M, φ_t or Δ^B_bt in the program, as pages and figures want them."""
import re

PATTERN = re.compile(r"([Δφα])((?:[\^_][A-Za-z]+)+)")
LATEX = {"Δ": r"\Delta", "φ": r"\varphi", "α": r"\alpha"}


def indices(text):
    return [(mark, word) for mark, word in re.findall(r"([\^_])([A-Za-z]+)", text)]


def in_page(text):
    """For Markdown and HTML alike."""
    tags = {"^": "sup", "_": "sub"}
    return PATTERN.sub(lambda m: m[1] + "".join(f"<{tags[k]}>{word}</{tags[k]}>" for k, word in indices(m[2])), text)


def letters(text):
    """How many letters a label takes that `in_figure` made, indices included."""
    return len(re.sub(r"\\(mathrm|Delta|varphi|alpha)|[${}^_]", "", text))


def in_figure(text):
    """For matplotlib."""
    return PATTERN.sub(lambda m: f"${LATEX[m[1]]}" + "".join(f"{k}{{\\mathrm{{{word}}}}}" for k, word in indices(m[2])) + "$", text)
