# SPDX-License-Identifier: Apache-2.0
"""The program `fluvia` that belongs to the package: as the command of a Python environment, and for what only it does."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

_HERE = Path(__file__).resolve().parent
_IN_PACKAGE = _HERE / "bin" / "fluvia"


def main() -> NoReturn:
    """Becomes the program. Its `fluvia report` makes pages with this Python."""
    os.environ.setdefault("FLUVIA_PYTHON", sys.executable)
    try:
        os.execv(_IN_PACKAGE, ["fluvia", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"fluvia: {_IN_PACKAGE}: {error.strerror}; install the package again")


def _program() -> str:
    """The program of an installed package, of a build, or of the machine."""
    for place in (_IN_PACKAGE, _HERE.parents[1] / "fluvia"):
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    return shutil.which("fluvia") or str(_IN_PACKAGE)


def call(arguments: list[str], on_message: Callable[[str], Any] | None = None) -> None:
    """Runs the program; `on_message` gets its warnings. Raises what the program ends with, KeyboardInterrupt at Ctrl-C."""
    from fluvia.errors import INTERRUPTED, ResourceError, from_code

    environment = {"FLUVIA_PYTHON": sys.executable, **os.environ}
    try:
        done = subprocess.run([_program(), *arguments], capture_output=True, text=True, env=environment, check=False)
    except OSError as error:
        raise ResourceError(f"{error.filename}: {error.strerror}; install the package again") from error
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    if done.returncode == INTERRUPTED:
        raise KeyboardInterrupt
    if done.returncode != 0:
        raise from_code(done.returncode, "\n".join(said).removeprefix("fluvia: "))
    if on_message is not None:
        for line in said:
            on_message(line)
