# SPDX-License-Identifier: Apache-2.0
"""All of a run in one HTML file that needs nothing else."""
from __future__ import annotations

import os
import pkgutil
from collections.abc import Callable
from pathlib import Path

from . import parts
from .fields import Fields, read_fields
from .markup import Html, element, join, text
from .problems import InputProblem, ResourceProblem
from .runs import Run, read_run

# Nothing may be loaded from elsewhere: a page that asks for it shows so in the browser.
POLICY = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def write_page(folder: str | os.PathLike[str], file: str | os.PathLike[str] | None,
               on_message: Callable[[str], None]) -> Path:
    """Writes the page of a run. Raises InputProblem and ResourceProblem. The page appears whole or not at all."""
    run = read_run(Path(folder))
    page = Path(file) if file is not None else run.folder / "report.html"
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
    sections = [entry for entry in sections if entry[2]]
    links = join(element("li", element("a", title, href="#" + name)) for name, title, _ in sections)
    title = run.summary["title"] or "untitled"
    head = join([
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{text(POLICY)}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", f"{title}: report"),
        element("style", Html(resource("page.css"))),
    ])
    body = join([
        element("a", "Skip to the results", href="#results", class_="skip"),
        element("header", element("h1", title), *parts.heading(run), parts.verdict(run), parts.facts(run),
                element("nav", element("ul", links), aria_label="Sections of this page")),
        element("main", *(element("section", element("h2", name_of, id=f"{name}-title"), *content, id=name,
                                  aria_labelledby=f"{name}-title") for name, name_of, content in sections)),
        element("footer", element("p", f"Made by fluvia report from a run of Fluvia {run.summary['version']}. This page is one "
                                       "file, loads nothing from elsewhere and can be sent as it is.")),
        *spatial.scripts,
    ])
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


def resource(name: str) -> str:
    """A file of this package, which may be a zip file."""
    return (pkgutil.get_data(__package__, name) or b"").decode("utf-8")
