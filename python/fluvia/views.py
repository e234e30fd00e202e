# SPDX-License-Identifier: Apache-2.0
"""Views of runs and flows, in a window, in Jupyter or as a picture: the scene of `fluvia report` for Python."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fluvia._report import problems
from fluvia.errors import InputError, from_code
from fluvia.simulation import Simulation

if TYPE_CHECKING:
    import pyvista

    from fluvia._report.fields import Fields
    from fluvia._report.runs import Run

_AXES = ("x", "y", "z")
_STRESS = "wall_shear_stress"


def view(
    source: Simulation | str | os.PathLike[str],
    *,
    wall: bool = True,
    streamlines: bool = True,
    openings: bool = False,
    slice: str | tuple[str, float] | None = None,
    field: str = "velocity",
    **plotter: Any,
) -> pyvista.Plotter:
    """A view of a run or a flow: its wall coloured by wall shear stress, streamlines, openings, a slice through a field.

    `source`: the folder of a run that ended, or a Simulation as it is now. `slice`: "x", "y" or "z" for the plane through the
    middle with this normal, or with its place, ("x", 0.01), in metres (cases in lattice units: nodes), of the `field`:
    vectors by their magnitude. In 2D there is nothing but the slice. `openings` adds an arrow and a name to each.
    More keywords go to pyvista.Plotter, such as `off_screen=True` or `window_size=(800, 600)`.

    Returns a pyvista.Plotter, for `.show()` (in Jupyter interactively, with trame: `pip install fluvia[view]`),
    `.screenshot("flow.png")`, or to add more to. Raises InputError if the folder has no run that ended, its files are
    damaged, or there is no such field in them, and ResourceError without pyvista.
    """
    try:
        problems.require_packages("view", ("pyvista",))
        return _view(source, wall, streamlines, openings, _axis_and_place(slice), field, plotter)
    except problems.Problem as problem:
        raise from_code(problem.code, str(problem)) from problem


def _axis_and_place(chosen: str | tuple[str, float] | None) -> tuple[int, float | None] | None:
    if chosen is None:
        return None
    axis, place = (chosen, None) if isinstance(chosen, str) else chosen
    if axis not in _AXES:
        raise InputError(f"view: slice {chosen!r}; expected 'x', 'y' or 'z', or one of them with its place, ('x', 0.01)")
    return _AXES.index(axis), None if place is None else float(place)


def _view(
    source: Simulation | str | os.PathLike[str],
    wall: bool,
    streamlines: bool,
    openings: bool,
    plane: tuple[int, float | None] | None,
    field: str,
    options: dict[str, Any],
) -> pyvista.Plotter:
    from fluvia._report import renderer
    from fluvia._report.rendering import packed_scene
    from fluvia._report.scene import scene_of

    run: Run | None = None
    wall_file: Path | None = None
    if isinstance(source, Simulation):
        geometry: dict[str, Any] = json.loads(source._flow.geometry())
        si = bool(source.units["si"])
        fields = _fields_of_flow(source, geometry, ["velocity", field, *([_STRESS] if wall else [])])
    else:
        run, fields = _fields_of_run(Path(source))
        geometry, si, wall_file = run.summary["geometry"], run.si, run.newest("wall-*.vtp")
    flat = geometry["dimension"] == 2
    if flat:
        plane = plane if plane and plane[0] == 2 else (2, None)
        wall = streamlines = False
    scene = scene_of(geometry, si, fields if wall or streamlines else None, wall_file if wall else None)
    if not wall:
        scene.wall = None
    if not streamlines:
        scene.lines = []
    arrays, words = packed_scene(run, scene)
    if plane:
        slice_arrays, slice_words = _slice(fields, geometry, si, field, *plane)
        arrays |= slice_arrays
        words |= slice_words
    page = renderer.plotter(arrays, **options)
    if plane:
        renderer.add_slice(page, arrays, words)
    if scene.wall is not None or scene.lines:
        renderer.add_flow(page, arrays, words, see_through=bool(scene.lines) or plane is not None)
    if openings and not flat:
        renderer.add_openings(page, arrays, words)
    renderer.look(page, arrays, from_above=flat)
    return page


def _fields_of_run(folder: Path) -> tuple[Run, Fields]:
    from fluvia._report.fields import read_fields
    from fluvia._report.runs import read_run

    run = read_run(folder)
    file = run.newest("fields-*.vtkhdf")
    if file is None:
        raise InputError(f"{folder}: the run wrote no fields; let output.fields of its case name some")
    return run, read_fields(file, run.dimension)


def _fields_of_flow(flow: Simulation, geometry: dict[str, Any], names: Sequence[str]) -> Fields:
    from fluvia._report.fields import Fields

    fluid = flow.fluid()
    values = {name: flow.field(name)[fluid] for name in dict.fromkeys(names)}
    index = np.argwhere(fluid)[:, ::-1]
    size = list(reversed(fluid.shape))
    if fluid.ndim == 2:
        index = np.column_stack([index, np.zeros(len(index), dtype=index.dtype)])
        size.append(1)
    spacing = float(geometry["spacing"])
    first = np.array(geometry["origin"], dtype=float) + 0.5 * spacing
    return Fields(index, np.array(size), first, np.full(3, spacing), values)


def _slice(
    fields: Fields, geometry: dict[str, Any], si: bool, name: str, axis: int, place: float | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A plane of a field, for renderer.add_slice()."""
    from fluvia._report.colors import color_range
    from fluvia._report.fields import unit_of

    if name not in fields.values:
        raise InputError(f"view: there is no field '{name}'; there are: {', '.join(fields.values)}")
    index = fields.middle(axis) if place is None else round((place - fields.first[axis]) / fields.spacing[axis])
    if not 0 <= index < fields.size[axis]:
        first, last = fields.position(axis, 0), fields.position(axis, int(fields.size[axis]) - 1)
        raise InputError(f"view: slice at {_AXES[axis]} = {place:g}; expected a place between {first:g} and {last:g}")
    values = fields.scalars(name, int(geometry["dimension"]))
    picture, stride = fields.plane(values, axis, int(index))
    shown = color_range(values, 0.2, fields.values[name].ndim == 2)
    across = [k for k in range(3) if k != axis]
    dimensions, origin = [1, 1, 1], fields.first.astype(float)
    origin[axis] = fields.position(axis, index)
    for k, count in zip(across, reversed(picture.shape)):
        dimensions[k] = count + 1
        origin[k] -= fields.spacing[k] * stride / 2
    label = "speed" if name == "velocity" else name.replace("_", " ")
    return (
        {
            "slice_values": picture.ravel(),
            "slice_dimensions": dimensions,
            "slice_spacing": fields.spacing * stride,
            "slice_origin": origin,
        },
        {
            "slice_limits": shown.limits,
            "slice_map": shown.map,
            "slice_title": f"{label} [{unit_of(name, si)}]",
        },
    )
