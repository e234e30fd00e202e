# SPDX-License-Identifier: Apache-2.0
"""The page of a run: `fluvia report` from Python."""
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fluvia import _report
from fluvia.errors import from_code


def report(
    folder: str | os.PathLike[str],
    file: str | os.PathLike[str] | None = None,
    *,
    on_message: Callable[[str], Any] | None = None,
) -> Path:
    """Makes one self-contained HTML page of the run whose files are in `folder`, as `fluvia report` does; returns its name.

    `file`: where to; otherwise report.html in `folder`. `on_message` gets a line about each thing that the page has to do
    without, such as pictures on a machine that cannot draw. Needs matplotlib, pyvista and plotly
    (`pip install fluvia[report]`). Raises InputError if the folder has no run that ended, or its files are damaged, and
    ResourceError without these packages, or if the page cannot be written.
    """
    try:
        return _report.make_report(folder, file, on_message=on_message)
    except _report.Problem as problem:
        raise from_code(problem.code, str(problem)) from problem
