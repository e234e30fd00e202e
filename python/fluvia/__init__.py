# SPDX-License-Identifier: Apache-2.0
"""Fluvia from Python: cases, runs, and flows that a program steps, looks at and changes.

    import fluvia

    case = fluvia.Case.read("cavity.toml", settings=["units.tau=0.55"])
    with fluvia.Simulation(case) as flow:
        flow.step(1000)
        u = flow.field("velocity")  # numpy, [y, x, component] in 2D, NaN where there is no fluid

Quantities are in the units of the case. Arrays are indexed [z, y, x], in 2D [y, x]; vectors have their three components
last.
"""
from fluvia import _core
from fluvia.case import Case
from fluvia.device_arrays import DeviceArray
from fluvia.errors import Error, InputError, ResourceError, UnstableError
from fluvia.geometries import CutLinks, Geometry, Opening, geometry
from fluvia.images import permeability
from fluvia.reports import movie, report
from fluvia.runs import RunResult, run, sweep
from fluvia.simulation import Simulation
from fluvia.views import view

__version__: str = _core.version()
field_names: list[str] = _core.field_names()
"""Fields that Simulation.field() computes, and output.fields of a case."""

__all__ = [
    "Case",
    "CutLinks",
    "DeviceArray",
    "Error",
    "Geometry",
    "InputError",
    "Opening",
    "ResourceError",
    "RunResult",
    "Simulation",
    "UnstableError",
    "__version__",
    "field_names",
    "geometry",
    "movie",
    "permeability",
    "report",
    "run",
    "sweep",
    "view",
]
