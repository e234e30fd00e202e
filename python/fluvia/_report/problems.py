# SPDX-License-Identifier: Apache-2.0
"""Errors, in the words of the program and with its exit codes (docs/command-line.md)."""
from __future__ import annotations

import importlib.util
import sys

PACKAGES = ("numpy", "matplotlib", "pyvista", "plotly")


class Problem(Exception):
    """A complete message: the place, the value, what would be right."""

    code = 1


class InputProblem(Problem):
    """The folder is no run's, or its files are damaged."""

    code = 3


class ResourceProblem(Problem):
    """Missing Python packages, or a page that cannot be written."""

    code = 4


def require_packages(what: str = "report", packages: tuple[str, ...] = PACKAGES) -> None:
    """Raises ResourceProblem if Python lacks the packages that pages, or views, are made with."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise ResourceProblem(
            f"{what}: {sys.executable} has no {', '.join(missing)}; install what is missing by "
            f"'{sys.executable} -m pip install {' '.join(missing)}', or name another Python by FLUVIA_PYTHON"
        )
