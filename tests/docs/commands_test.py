# SPDX-License-Identifier: Apache-2.0
"""What the pages show as commands works: it is run where that is possible, else its names and options are looked up."""
import functools
import json
import re
import shlex
import subprocess

import pytest
from conftest import GEOMETRY
from pages import ALL, BINARY, PAGES, SHELL, SOURCE, blocks

EXPECTED = {  # of commands that end with another exit code than 0 when they are cut short
    "fluvia sweep": (0, 5),
    "fluvia movie": (0, 3),  # after twenty steps there is one picture
}


def pages_to_run():
    return [page for page in PAGES if any(b.page == page and not b.reason and not b.runner for b in SHELL)]


@pytest.mark.parametrize("page", pages_to_run(), ids=lambda page: str(page.relative_to(SOURCE)))
def test_commands(page, place):
    """A page's commands one after the other, in one folder."""
    todo = [(block, command) for block in blocks(page) if block in SHELL and not block.reason and not block.runner
            for command in block.commands()]
    if any("../shared/geometry" in command for _, command in todo) and not GEOMETRY.is_dir():
        pytest.skip(f"{page.name}: no {GEOMETRY}, whose files its commands read")
    for block, command in todo:
        done = place(command)
        words = " ".join(command.split()[:2])
        assert done.returncode in EXPECTED.get(words, (0,)), f"{block}: {command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


@functools.cache
def help_of(*words):
    done = subprocess.run([*words, "--help"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


def options(words):
    return [word.split("=")[0] for word in words if re.match(r"--[a-z]", word)]


def check_words(words, where):
    """That the program, its command and its options exist."""
    while words and re.match(r"[A-Z_]+=|sudo$|for$|do$|env$", words[0]):
        words = words[1:]
    if not words:
        return
    program = words[0]
    if program in ("fluvia", "build/release/fluvia"):
        plain = [word for word in words[1:] if not word.startswith("-")]
        if not plain or not re.fullmatch(r"[a-z]+", plain[0]) or words[1].startswith("-"):
            code, text = help_of(BINARY)
        else:
            code, text = help_of(BINARY, plain[0])
            assert code == 0, f"{where}: fluvia has no command '{plain[0]}'"
        for option in options(words):
            assert re.search(rf"{option}\b", text), f"{where}: {option} is no option of 'fluvia {plain[0] if plain else ''}'"
    elif re.match(r"(\./)?(scripts|tools)/", program):
        assert (SOURCE / program).exists(), f"{where}: there is no {program}"
        for option in options(words):
            assert option in text_of_script(program), f"{where}: {option} is no option of {program}"
    elif program in ("cmake", "ctest") and "--preset" in words:
        presets = json.loads((SOURCE / "CMakePresets.json").read_text(encoding="utf-8"))
        name = words[words.index("--preset") + 1]
        assert any(name == preset["name"] for preset in presets["configurePresets"]), f"{where}: there is no preset '{name}'"


def text_of_script(program):
    """The text of a script, and of those beside it that it imports: options of its commands stand there."""
    path = SOURCE / program
    if path.is_dir():
        return "".join(file.read_text(encoding="utf-8") for file in path.rglob("*.py"))
    text = path.read_text(encoding="utf-8")
    beside = (path.with_name(f"{name}.py") for name in re.findall(r"^from (\w+) import", text, flags=re.MULTILINE))
    return text + "".join(file.read_text(encoding="utf-8") for file in beside if file.exists())


@pytest.mark.parametrize("block", [b for b in SHELL if b.reason], ids=str)
def test_names_in_commands_that_are_not_run(block):
    for command in block.commands():
        for part in re.split(r"\s*(?:\||&&|;)\s*", command):
            try:
                words = shlex.split(part)
            except ValueError:
                continue  # a quoted text with ; or | in it
            check_words(words, str(block))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(SOURCE)))
def test_names_in_the_text(page):
    """Commands in running text, `fluvia run CASE --resume`."""
    text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for found in re.finditer(r"`((?:fluvia|build/release/fluvia|scripts/[a-z_-]+)(?: [^`]*)?)`", text):
        words = re.sub(r"[\[\]|,.]+", " ", found[1].replace("\n", " ")).split() if "[" in found[1] else found[1].split()
        check_words(words, f"{page.relative_to(SOURCE)}:{text[:found.start()].count(chr(10)) + 1}")


def test_examples_of_the_help(place):
    """Every command's help ends with examples, which work one after the other."""
    commands = re.findall(r"^  ([a-z]+)  ", help_of(BINARY)[1], flags=re.MULTILINE)
    examples = {}
    for command in commands:
        assert "Examples:" in help_of(BINARY, command)[1], command
        examples[command] = re.findall(r"^  (fluvia .*)$", help_of(BINARY, command)[1].split("Examples:")[1], flags=re.MULTILINE)
        assert examples[command] and all(example.split()[1] == command for example in examples[command])
    first = ["new", "plan", "run", "report"]  # these make what others read
    for command in sorted(examples, key=lambda name: (first + [name]).index(name)):
        for example in examples[command]:
            done = place(example)
            expected = EXPECTED.get(f"fluvia {command}", (0,))
            assert done.returncode in expected, f"{example}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def test_the_command_line_page_names_every_option():
    page = (SOURCE / "docs" / "command-line.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## fluvia ([a-z]+)\n(.*?)(?=^## |\Z)", page, flags=re.MULTILINE | re.DOTALL))
    commands = re.findall(r"^  ([a-z]+)  ", help_of(BINARY)[1], flags=re.MULTILINE)
    assert len(commands) >= 9 and set(commands) == set(sections)
    for command in commands:
        text = sections[command] + (sections["geometry"] if command == "model" else "")
        known = set(re.findall(r"^\s+(?:-\w,\s*)?(--[a-z-]+)", help_of(BINARY, command)[1], flags=re.MULTILINE)) - {"--help", "--help-all"}
        missing = sorted(option for option in known if not re.search(rf"{option}(?![a-z-])", text))
        assert known or command == "info"
        assert not missing, f"fluvia {command}: docs/command-line.md says nothing of {', '.join(missing)}"


def test_blocks_say_how_they_are_tested():
    """Shell blocks are run or say why not; the tests that others name exist and read the page."""
    for block in ALL:
        if block.marker.startswith(("not run", "run by")):
            assert block.reason or block.runner, f"{block}: '{block.marker}' gives no reason or test"
        if block.runner:
            assert block.page.name in (SOURCE / block.runner).read_text(encoding="utf-8"), f"{block}: {block.runner} does not read the page"
        assert block.language in ("", "sh", "console", "toml", "python", "cpp", "cmake", "text"), f"{block}: what is '{block.language}'?"
        assert block.language != "" or not re.match(r"\$ ", block.text), f"{block}: a console, which nobody runs; call it so"
        if block.language == "python":
            assert block.runner, f"{block}: nobody runs it"
