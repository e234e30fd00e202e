# SPDX-License-Identifier: Apache-2.0
"""The folder of a run: what summary.json says, the courses in monitors.csv, and the names of other files."""
from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .problems import InputProblem

NEEDED = ("title", "version", "case_hash", "plan", "units", "geometry", "run", "results")


# First words of columns of which all with one unit share a plot; of bodies that move all but forces.
_KINDS = ("force", "torque", "flow", "pressure", "C", "coefficient",
          "shaft", "position", "velocity", "angle", "angular")


@dataclass
class Column:
    """One column of monitors.csv."""

    name: str
    unit: str
    values: np.ndarray

    @property
    def group(self) -> tuple[str, str]:
        """Columns of one group share a plot: the same unit and the same kind of quantity."""
        first, last = self.name.split("_")[0], self.name.split("_")[-1]
        if last in ("u", "v", "w"):
            return ("velocity at probes", self.unit)
        if last == "pressure" or first in _KINDS:
            return ("pressure" if last == "pressure" else first, self.unit)
        if first in ("appeared", "moving", "left", "stuck") and self.unit == "-":
            return ("points of tracers", self.unit)
        return (self.name, self.unit)


@dataclass
class Run:
    """A run that ended or was interrupted."""

    folder: Path
    summary: dict[str, Any]
    steps: np.ndarray = field(default_factory=lambda: np.empty(0))
    time: Column | None = None
    columns: list[Column] = field(default_factory=list)

    @property
    def dimension(self) -> int:
        return int(self.summary["geometry"]["dimension"])

    @property
    def si(self) -> bool:
        return self.summary["units"]["system"] == "si"

    @property
    def results(self) -> dict[str, Any]:
        return self.summary["results"]

    def newest(self, pattern: str) -> Path | None:
        """The file of the last step of those that match; of later steps, left by another run, none counts."""
        last = int(self.summary["run"]["step"])
        found = [(step, path) for path in self.folder.glob(pattern) if 0 <= (step := step_of(path)) <= last]
        return max(found)[1] if found else None

    def pictures(self) -> list[Path]:
        """Slices that the run drew itself, of their last step."""
        files = [path for path in sorted(self.folder.glob("slice-*.png")) if step_of(path) >= 0]
        last = max((step_of(path) for path in files if step_of(path) <= self.summary["run"]["step"]), default=-1)
        return [path for path in files if step_of(path) == last]


def step_of(path: Path) -> int:
    """The time step in a file's name, -1 if there is none."""
    match = re.search(r"-(\d+)$", path.stem)
    return int(match.group(1)) if match else -1


def read_run(folder: Path) -> Run:
    """The run in a folder. Raises InputProblem that names the file and what would be right."""
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "does not exist"
        raise InputProblem(f"{folder}: {what}; give the output folder of a run, the one with summary.json")
    file = folder / "summary.json"
    if not file.exists():
        raise InputProblem(f"{folder}: there is no summary.json; {_what_it_is(folder)}")
    run = Run(folder, _read_summary(file))
    monitors = folder / "monitors.csv"
    if monitors.exists():
        _read_monitors(run, monitors)
    return run


def _what_it_is(folder: Path) -> str:
    runs = sorted(path.parent.name for path in folder.glob("*/summary.json"))
    if (folder / "sweep.json").exists() and runs:
        return f"it is the folder of a sweep: give that of one run, for example '{folder / runs[0]}'"
    if (folder / "monitors.csv").exists():
        return "the run goes on or was killed; a run writes it when it ends, diverges or is interrupted"
    if runs:
        return f"did you mean '{folder / runs[0]}'?"
    return "give the output folder of a run"


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputProblem(f"{file}: byte {error.start} is no UTF-8: the file is damaged; run the case again") from error
    except OSError as error:
        raise InputProblem(f"{file}: cannot be read: {error.strerror}") from error


def read_json(file: Path, needed: Sequence[str], what: str) -> dict[str, Any]:
    """The object in a JSON file, which is `what` and has the keys `needed`. Raises InputProblem."""
    try:
        found = json.loads(_read_text(file))
    except (ValueError, RecursionError) as error:
        raise InputProblem(f"{file}: {error}: the file is damaged; run the case again") from error
    if not isinstance(found, dict):
        raise InputProblem(f"{file}: is no {what}; expected an object with {', '.join(needed)}")
    for key in needed:
        if key not in found:
            raise InputProblem(f"{file}: '{key}' is missing: the file is damaged, or not by Fluvia; run the case again")
    return found


def _read_summary(file: Path) -> dict[str, Any]:
    summary = read_json(file, NEEDED, "summary of a run")
    try:
        _check(summary)
    except (KeyError, TypeError, ValueError) as error:
        raise InputProblem(f"{file}: {type(error).__name__} {error}: the file is damaged; run the case again") from error
    return summary


def _check(summary: dict[str, Any]) -> None:
    """Raises InputProblem unless all that every page needs is there and of its kind."""
    geometry, results = summary["geometry"], summary["results"]
    if int(geometry["dimension"]) not in (2, 3):
        raise ValueError(f"geometry.dimension {geometry['dimension']!r}")
    if len(geometry["nodes"]) != 3 or len(geometry["origin"]) != 3:
        raise ValueError("geometry.nodes and geometry.origin are no triples")
    float(geometry["spacing"]), int(geometry["fluid_nodes"]), int(summary["run"]["step"])
    str(summary["units"]["system"])
    for opening in geometry["openings"]:
        str(opening["name"]), [float(x) for x in [*opening["centre"], *opening["normal"], opening["area"]]]
    for quantity in results.get("quantities", []):
        str(quantity["name"]), str(quantity["unit"]), quantity["value"], quantity["error"], quantity["rms"]
    verdict = results.get("verdict") or {"verdict": "", "sentence": "", "findings": []}
    str(verdict["verdict"]), str(verdict["sentence"])
    for finding in verdict["findings"]:
        str(finding["question"]), str(finding["judgement"]), str(finding["found"])


def _read_monitors(run: Run, file: Path) -> None:
    lines = _read_text(file).splitlines()
    if not lines:
        return
    heads = lines[0].split(",")
    rows = [line for line in lines[1:] if line]
    if rows and rows[-1].count(",") < len(heads) - 1:
        rows.pop()  # a run that was killed while it wrote
    table = np.full((len(rows), len(heads)), np.nan)
    for k, row in enumerate(rows):
        try:
            table[k] = [float(cell) if cell else np.nan for cell in row.split(",")]
        except ValueError as error:
            raise InputProblem(
                f"{file}:{k + 2}: '{row[:60]}' is no row of {len(heads)} numbers: the file is damaged ({error})"
            ) from error
    for k, head in enumerate(heads):
        match = re.fullmatch(r"(.*) \[(.*)\]", head)
        name, unit = match.groups() if match else (head, "")
        if k == 0:
            run.steps = table[:, 0]
        elif name == "time":
            run.time = Column(name, unit, table[:, k])
        else:
            run.columns.append(Column(name, unit, table[:, k]))
