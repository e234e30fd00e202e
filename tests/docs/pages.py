# SPDX-License-Identifier: Apache-2.0
"""The pages: README, CONTRIBUTING and docs/, and the blocks in them.

Whatever a page shows as a command is run by `commands_test.py`, as a reader would type it, but shorter. A comment in the
line before a block says otherwise, which a reader does not see:

    <!-- not run: REASON -->          only names and options in it are checked
    <!-- run by tests/...test.py -->  that test reads the page and runs the block
    <!-- part of: cases/NAME.toml --> (toml) keys that are added to that case
"""
import os
import re
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(os.environ["FLUVIA_SOURCE"])
BINARY = os.environ["FLUVIA_BINARY"]
PAGES = sorted([SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *(SOURCE / "docs").rglob("*.md")])


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    text: str
    marker: str

    def __str__(self):
        return f"{self.page.relative_to(SOURCE)}:{self.line}"

    @property
    def reason(self):
        """Why it is not run; empty if it is."""
        return re.match(r"(not run: \S.{5,})?", self.marker)[0]

    @property
    def runner(self):
        """The test that runs it, or nothing."""
        found = re.fullmatch(r"run by (\S+)", self.marker)
        return found and found[1]

    def commands(self):
        """Lines to type, without comments and continuations; of a console those after `$`."""
        lines = self.text.splitlines()
        if self.language == "console":
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        text = re.sub(r"\\\n\s*", "", "\n".join(lines))
        return [command for line in text.splitlines() if (command := re.sub(r"(^|\s+)#.*", "", line).strip())]


def blocks(page):
    """All fenced blocks of a page."""
    found, inside, marker = [], None, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if inside is None and (opened := re.match(r"```(\S*)$", line)):
            inside = (number, opened[1], [], marker)
        elif inside is not None and line == "```":
            found.append(Block(page, inside[0], inside[1], "".join(f"{text}\n" for text in inside[2]), inside[3]))
            inside = None
        elif inside is not None:
            inside[2].append(line)
        said = re.fullmatch(r"<!-- (.*) -->", line)
        marker = said[1] if said else ""
    assert inside is None, f"{page}:{inside[0]}: a block that does not end"
    return found


ALL = [block for page in PAGES for block in blocks(page)]
SHELL = [block for block in ALL if block.language in ("sh", "console")]
