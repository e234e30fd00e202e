# SPDX-License-Identifier: Apache-2.0
"""The documentation site: `scripts/docs` builds it. The pages are those that are read in the source tree, from its root."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

project = "Fluvia"
author = "The Fluvia authors"
copyright = "The Fluvia authors, Apache License 2.0"  # noqa: A001 (Sphinx calls it so)
release = re.search(r"project\(fluvia VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "breathe", "sphinx_copybutton"]
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**"]
exclude_patterns = ["build*", "out"]
root_doc = "docs/index"
highlight_language = "text"
smartquotes = False  # "--set" stays what it is
default_role = "code"  # `names` in docstrings

# Headings get the anchors that code-hosting sites give them, so that the same links work in both places.
myst_heading_anchors = 4

# The compiled half of the package is not needed to read what the other half says of itself.
autodoc_mock_imports = ["fluvia._core"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

breathe_default_project = "fluvia"
breathe_projects = {"fluvia": str(ROOT / "build" / "docs-work" / "doxygen" / "xml")}
breathe_default_members = ("members",)
breathe_show_include = False
suppress_warnings = ["duplicate_declaration.cpp"]  # the namespace, once for each header

html_theme = "furo"
html_title = f"Fluvia {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["extra"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
copybutton_prompt_text = "$ "
linkcheck_timeout = 20
linkcheck_retries = 2


def toctrees(page: str) -> str:
    """The sidebar, from the lists of docs/index.md: a page is named in one place. Of several links to a page the first counts."""
    blocks, seen = [], set()
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        entries = []
        for link in re.findall(r"\]\(([^)#:]+\.(?:md|rst))\)", section):
            name = (ROOT / "docs" / link).resolve().relative_to(ROOT).with_suffix("")
            if name not in seen:
                seen.add(name)
                entries.append(f"/{name}")
        if entries:
            blocks.append("\n".join(["```{toctree}", ":hidden:", f":caption: {section.splitlines()[0]}", "", *entries, "```"]))
    return "\n\n".join(blocks)


def headers(page: str) -> str:
    """A section for each header that docs/cpp.md names."""
    sections = []
    for folder, name in re.findall(r"^\| `([a-z_]+)/([a-z_]+\.hpp)`", page, re.MULTILINE):
        title = f"fluvia/{folder}/{name}"
        sections.append(f"{title}\n{'-' * len(title)}\n\n.. doxygenfile:: {name}\n")
    return "\n".join(sections)


def complete_page(_, name: str, source: list[str]) -> None:
    if name == root_doc:
        source[0] += "\n\n" + toctrees(source[0]) + "\n"
    elif name == "docs/site/cpp-api":
        source[0] += "\n" + headers((ROOT / "docs" / "cpp.md").read_text(encoding="utf-8"))


def setup(app) -> None:
    app.connect("source-read", complete_page)
