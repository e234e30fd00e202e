# SPDX-License-Identifier: Apache-2.0
"""docs/papers.md leads from every table and figure that tools/seeds_report knows to a command for a CPU, which `commands_test.py`
runs small, and to one for a GPU."""
import json
import re

import pytest
from pages import SOURCE, blocks

PAGE = SOURCE / "docs" / "papers.md"
PAPERS = SOURCE / "tools" / "seeds_report" / "paper"
GPU_ONLY = {"S2 Table 4"}  # blocks of threads: the CPU's line measures the same scheme


def tables():
    """(paper, table or figure) of all that has a verdict."""
    for file in sorted(PAPERS.glob("s*.json")):
        for name in json.loads(file.read_text(encoding="utf-8")):
            if re.fullmatch(r"(Preprint )?(Table|Fig) \d+", name):
                yield file.stem.upper(), name


def lines(run):
    """Commands with their comments, of the blocks that are run or of the others."""
    return [line for block in blocks(PAGE) if bool(block.reason) != run for line in block.text.splitlines() if line]


def leads_to(line, paper, name):
    """Whether a line is about a table or figure: by the name of its experiment, or by its comment."""
    if f'"{paper} {name}"' in line:
        return True
    comment = line.partition("#")[2]
    if name.startswith("Preprint"):
        return "preprint " + name.split(" ", 1)[1] in comment
    kind, number = name.split()
    return "sphere_in_pipe" in line and paper == "S3" and bool(re.search(rf"{kind}s? (\d+ and )*{number}\b", comment))


def of_platforms(line, name):
    """S3 Table 1 is made by the same line as its Table 4."""
    return name == "Table 1" and '"S3 Table 4"' in line


@pytest.mark.parametrize(("paper", "name"), list(tables()), ids=lambda value: value.replace(" ", "-"))
def test_every_table_and_figure_has_a_command(paper, name):
    for run in (True, False):
        found = [line for line in lines(run) if leads_to(line, paper, name) or (paper == "S3" and of_platforms(line, name))]
        if not found and not run and paper == "S3":
            found = [line for line in lines(run) if "sphere_in_pipe.py" in line]  # all of its tables in one go
        if run and f"{paper} {name}" in GPU_ONLY:
            found = [line for line in lines(run) if re.search(rf"# {name}:", line)]
        assert found, f"{paper} {name}: no command for a {'CPU' if run else 'GPU'} in {PAGE.name}"


def test_each_line_names_its_device():
    for run, device in ((True, "cpu"), (False, "cuda")):
        for line in lines(run):
            if line.startswith("fluvia bench") and "--experiment" in line:
                assert f"--device {device}" in line, line


def test_every_section_with_statements_is_listed():
    page = PAGE.read_text(encoding="utf-8")
    for file in sorted(PAPERS.glob("s*.json")):
        part = page[page.index(f"## {file.stem.upper()}: "):]
        part = part[:part.index("\n## ", 1)]
        for number, place, _, text in json.loads(file.read_text(encoding="utf-8"))["statements"]["rows"]:
            section = re.sub(r"^preprint ", "", place.split(",")[-1].strip())
            if re.match(r"\d", section) and "." in section:
                first = section.split(".")[0]
                assert re.search(rf"^\| (.*\b)?({re.escape(section)}|{re.escape(section.rsplit('.', 1)[0])}|{first})\b", part,
                                 re.MULTILINE), f"{file.stem.upper()}.{number} ({place}): {text}"


def test_the_titles_are_those_of_the_papers():
    page = PAGE.read_text(encoding="utf-8")
    for file in sorted(PAPERS.glob("s*.json")):
        words = json.loads(file.read_text(encoding="utf-8"))["paper"]
        title = max(re.split(r"[,.:] ", words), key=len)
        assert title.split(" (")[0][:60] in page, title
