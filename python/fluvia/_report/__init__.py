# SPDX-License-Identifier: Apache-2.0
"""The page of a run: `fluvia report` and `fluvia.report` are both this package.

Modules, each using only those above it:

    problems      what goes wrong, with the exit codes of the program
    runs          the folder of a run: summary.json, monitors.csv, names of other files
    fields        values at nodes, from VTKHDF: planes, boxes
    scene         the wall as triangles, streamlines, openings
    rendering     pictures of a scene, by a process of its own (renderer)
    plots         courses and planes as SVG
    view          the interactive view
    markup        bits of HTML
    document      a page as one file
    permeability  the page of `fluvia permeability`
    page          all of a run in one page
"""
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .problems import InputProblem, Problem, ResourceProblem

__all__ = ["InputProblem", "Problem", "ResourceProblem", "make_report"]


def make_report(
    folder: str | os.PathLike[str],
    file: str | os.PathLike[str] | None = None,
    *,
    on_message: Callable[[str], Any] | None = None,
) -> Path:
    """Makes the page of the run, or of the permeability, whose files are in `folder`; returns its name.

    `file`: the page; otherwise report.html in `folder`. `on_message` gets a line about each thing that the page has to
    do without. Raises InputProblem (no run, or its files are damaged) or ResourceProblem (missing Python packages, or the
    page cannot be written).
    """
    from .problems import require_packages

    require_packages()
    from .page import write_page

    return write_page(folder, file, on_message or (lambda text: None))
