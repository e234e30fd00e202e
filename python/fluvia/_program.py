# SPDX-License-Identifier: Apache-2.0
"""The command `fluvia` of a Python environment: starts the program that the package has in itself."""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program. Its `fluvia report` makes pages with this Python."""
    program = Path(__file__).resolve().parent / "bin" / "fluvia"
    os.environ.setdefault("FLUVIA_PYTHON", sys.executable)
    try:
        os.execv(program, ["fluvia", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"fluvia: {program}: {error.strerror}; install the package again")
