# SPDX-License-Identifier: Apache-2.0
"""Whole runs, with all their files: `fluvia run` from Python."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fluvia import _core
from fluvia.case import Case, literal


@dataclass(frozen=True)
class RunResult:
    """How a run ended."""

    steps: int
    """Time step reached."""
    steady: bool
    """Whether the steady state that the case asks for ended it."""
    stopped: bool
    """Whether `on_progress` ended it."""
    output: Path
    """The folder with all files of the run."""
    files: list[Path]
    """Files that the run wrote, in order."""
    checkpoint: Path | None
    """The last one, from which the run can be resumed; None if there is none."""
    results: dict[str, Any]
    """As `results` of summary.json: last values of the monitors, mass balance, ..."""


def run(
    case: Case | str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    resume: bool | str | os.PathLike[str] = False,
    device: str = "",
    threads: int = 0,
    try_seconds: float = 30,
    refine_check: bool = False,
    on_progress: Callable[[dict[str, Any]], Any] | None = None,
    on_message: Callable[[str], Any] | None = None,
) -> RunResult:
    """Runs a case from its geometry to summary.json, as `fluvia run CASE --output OUTPUT` does.

    `resume`: True for the newest checkpoint in `output`, or the name of one. `on_progress` gets step, last_step,
    seconds, mflups, seconds_left, residual and max_mach about twice a second, and ends the run with a checkpoint if it
    returns False; `on_message` gets lines of information.
    `refine_check` runs the case on two other grids, too: each of `results["quantities"]` then has a `grid_error`. Ctrl-C
    writes a checkpoint and raises KeyboardInterrupt; what a callback raises does the same.
    Raises InputError, ResourceError, and UnstableError after looking for settings that survive (`try_seconds`).
    """
    if not isinstance(case, Case):
        case = Case.read(case)
    where = "" if isinstance(resume, bool) else os.fspath(resume)
    result = _core.run(
        _core.with_numerics(case._core, device, threads),
        Path(output),
        bool(resume),
        where,
        try_seconds,
        refine_check,
        on_progress,
        on_message,
    )
    return RunResult(
        steps=result["steps"],
        steady=result["steady"],
        stopped=result["interrupted"],
        output=Path(output),
        files=[Path(file) for file in result["files"]],
        checkpoint=Path(result["checkpoint"]) if str(result["checkpoint"]) not in ("", ".") else None,
        results=json.loads(result["results"]),
    )


def sweep(
    case: Case | str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]],
    output: str | os.PathLike[str],
    *,
    device: str = "",
    threads: int = 0,
    on_message: Callable[[str], Any] | None = None,
) -> list[dict[str, Any]]:
    """Runs a case once for each combination of values, as `fluvia sweep` does: `vary={"units.tau": [0.6, 0.8]}`.

    All cases are checked before the first runs; what ended in an earlier sweep of the same folder is not repeated, what
    was interrupted is resumed. Returns what sweep.json of the folder has of each combination: "values" of the varied keys,
    "ended" ("last step", "steady state", "diverged", "refused", ...), "problem" (why not), "results" as in summary.json.
    """
    if not isinstance(case, Case):
        case = Case.read(case)
    texts = [(key, [literal(value) for value in values]) for key, values in vary.items()]
    _core.sweep(case._text, case._origin, case._settings, case._paths, texts, Path(output), device, threads, on_message)
    known = json.loads((Path(output) / "sweep.json").read_text(encoding="utf-8"))
    return list(known["runs"])
