# SPDX-License-Identifier: Apache-2.0
"""The page and the film of a run: `fluvia report` and `fluvia movie` from Python."""
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fluvia import _program, _report
from fluvia.errors import InputError, from_code


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


def movie(
    folder: str | os.PathLike[str],
    file: str | os.PathLike[str] | None = None,
    *,
    series: str = "",
    rate: float = 10,
    first: int | None = None,
    last: int | None = None,
    range: tuple[float, float] | None = None,
    on_message: Callable[[str], Any] | None = None,
) -> Path:
    """Makes a film of the pictures of slices that a run drew in `folder`, as `fluvia movie` does; returns its name.

    `file`: where to, .mp4 or .gif; otherwise movie.mp4 in `folder`. `series`: which pictures, if there are several, e.g.
    "slice-velocity-z"; `rate`: pictures a second; `first` and `last`: the time steps to begin and to end with; `range`:
    the ends of the colour bar, else what suits all pictures. `on_message` gets warnings. Needs ffmpeg, or Pillow for a
    GIF. Raises InputError if there are no such pictures, or fewer than two, and ResourceError if there is no program that
    makes films, or the film cannot be written.
    """
    output = Path(folder) / "movie.mp4" if file is None else Path(file)
    arguments = ["movie", f"--output={output}", f"--rate={rate}"]
    if series:
        arguments.append(f"--series={series}")
    if first is not None:
        arguments.append(f"--first={first}")
    if last is not None:
        arguments.append(f"--last={last}")
    if range is not None:
        if len(range) != 2:
            raise InputError(f"movie: range: {len(range)} numbers were given; expected two, the lower one first")
        arguments.append(f"--range={range[0]},{range[1]}")
    _program.call([*arguments, "--", os.fspath(folder)], on_message)
    return output
