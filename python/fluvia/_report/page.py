# SPDX-License-Identifier: Apache-2.0
"""All of a run in one HTML file that needs nothing else."""
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from . import parts
from .document import document
from .fields import Fields, read_fields
from .permeability import is_permeability, make_permeability_page
from .problems import InputProblem, ResourceProblem
from .runs import Run, read_run


def write_page(folder: str | os.PathLike[str], file: str | os.PathLike[str] | None,
               on_message: Callable[[str], None]) -> Path:
    """Writes the page of a run, or of a permeability. Raises InputProblem and ResourceProblem. The page appears whole or
    not at all."""
    folder = Path(folder)
    page = Path(file) if file is not None else folder / "report.html"
    if is_permeability(folder):
        check_target(page)
        content = make_permeability_page(folder)
    else:
        run = read_run(folder)
        check_target(page)
        content = make_page(run, on_message)
    save(page, content)
    return page


def check_target(page: Path) -> None:
    """Refuses a page that cannot be written, before any work is done."""
    if page.is_dir():
        raise ResourceProblem(f"report: '{page}' is a folder; name a file, for example '{page / 'report.html'}'")
    folder = page.parent
    if not folder.is_dir():
        raise ResourceProblem(f"report: '{page}' cannot be written: there is no folder '{folder}'; make it, or choose "
                              "another --output")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ResourceProblem(f"report: '{page}' cannot be written: no permission to write in '{folder}'; choose "
                              "another --output")


def save(page: Path, content: str) -> None:
    """Saves the page under a temporary name that the next run in that folder removes if this is cut short; then renamed."""
    partial = page.with_name(f"{page.name}.tmp-{os.getpid()}-0")
    try:
        with open(partial, "w", encoding="utf-8", errors="replace") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(partial, page)
    except OSError as error:
        raise ResourceProblem(f"report: '{page}' cannot be written: {error.strerror}; choose another --output") from error
    finally:
        partial.unlink(missing_ok=True)


def load_fields(run: Run, on_message: Callable[[str], None]) -> tuple[Fields | None, str]:
    """The fields of the last step, or the sentence that the page has instead."""
    file = run.newest("fields-*.vtkhdf")
    if file is None:
        return None, ("The run wrote no field file (output.vtk = \"none\"), or it is gone, so there are no planes of fields "
                      "and no streamlines.")
    try:
        return read_fields(file, run.dimension), ""
    except InputProblem as problem:
        if "cannot be read" not in str(problem):
            raise
        on_message(str(problem))
        return None, f"The field file cannot be read: {file.name}."


def make_page(run: Run, on_message: Callable[[str], None]) -> str:
    """The page as a text."""
    fields, without_fields = load_fields(run, on_message)
    spatial = parts.spatial(run, fields, on_message) if run.dimension == 3 else parts.Spatial()
    sections = [
        ("flow", "The flow", spatial.view),
        ("results", "Results", parts.results(run)),
        ("checks", "Checks", parts.checks(run)),
        ("slices", "Slices", parts.slices(run, fields, without_fields)),
        ("courses", "Convergence and monitors", parts.courses(run)),
        ("geometry", "Geometry", parts.geometry(run, fields, spatial.geometry)),
        ("case", "Case, and how to make it again", parts.case(run)),
        ("files", "Files and warnings", parts.files(run)),
    ]
    top = [*parts.heading(run), parts.verdict(run), parts.facts(run)]
    return document(run.summary["title"] or "untitled", top, sections,
                    f"Made by fluvia report from a run of Fluvia {run.summary['version']}.", spatial.scripts)
