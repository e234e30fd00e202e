#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types the commands of a page and says how long each takes, as the tables of times in docs/tutorial have it.

Usage: scripts/time_page.py PAGE [PROGRAM], e.g. scripts/time_page.py docs/tutorial/seven-users.md build/release/fluvia. Only lines
that begin with `fluvia` are typed, in a new folder, which stays for those who want to look at what came out; on a machine
that does nothing else.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def commands(page):
    """The lines of its blocks of shell that call the program, in order."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\\\n\s*", "", "".join(blocks))
    return [line for line in text.splitlines() if line.startswith("fluvia ")]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = Path(sys.argv[2] if len(sys.argv) == 3 else ROOT / "build" / "release" / "fluvia").resolve()
    folder = Path(tempfile.mkdtemp(prefix="fluvia-page-"))
    for name in ("cases", "examples"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "bin").mkdir()
    (folder / "bin" / "fluvia").symlink_to(program)
    search = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    for command in commands(Path(sys.argv[1]).read_text(encoding="utf-8")):
        start = time.monotonic()
        done = subprocess.run(command, shell=True, cwd=folder, env=search, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        print(f"{time.monotonic() - start:7.1f} s  {command}", flush=True)
        for line in done.stdout.splitlines() + done.stderr.splitlines():
            if done.returncode or re.match(r"(verdict|finished|permeability|  permeability|time  |grid  )", line):
                print(f"           {line}", flush=True)
        if done.returncode:
            sys.exit(f"exit code {done.returncode}; the folder is {folder}")
    print(folder)


if __name__ == "__main__":
    main()
