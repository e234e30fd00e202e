# SPDX-License-Identifier: Apache-2.0
"""What a three-dimensional run looks like: the wall as triangles, streamlines, openings."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .colors import ColorRange, color_range
from .fields import Fields
from .problems import InputProblem
from .runs import Run

MOST_TRIANGLES = 150_000
MOST_LINES = 60
MOST_POINTS = 160  # of one streamline


@dataclass(frozen=True)
class WallQuantity:
    """A quantity that a wall may be coloured by."""

    field: str
    """In the file of the wall."""
    label: str
    unit: str
    from_zero: bool = True


WALL_QUANTITIES = (
    WallQuantity("wall_shear_stress", "wall shear stress", "Pa"),
    WallQuantity("average_shear_magnitude", "time-averaged wall shear stress (TAWSS)", "Pa"),
    WallQuantity("oscillatory_shear_index", "oscillatory shear index (OSI)", ""),
    WallQuantity("relative_residence_time", "relative residence time (RRT)", "1/Pa"),
    WallQuantity("pressure", "pressure", "Pa", from_zero=False),
)


@dataclass
class Coloring:
    """What a wall is coloured by: one value a point."""

    label: str
    unit: str
    values: np.ndarray
    from_zero: bool = True

    @property
    def title(self) -> str:
        return f"{self.label} [{self.unit}]" if self.unit else self.label

    @property
    def range(self) -> ColorRange:
        """Range of its colours; one per cent of the surface may lie beyond."""
        return color_range(self.values, 1, self.from_zero)


@dataclass
class Wall:
    points: np.ndarray
    triangles: np.ndarray
    colorings: list[Coloring]
    """The first one is shown; empty: there is nothing to colour it by."""
    origin: str
    """Where it comes from, for the caption."""
    stored_triangles: int = 0
    """Before it was thinned."""


@dataclass
class Line:
    points: np.ndarray
    speeds: np.ndarray


@dataclass
class Scene:
    box: np.ndarray
    """[2, 3]: lower and upper corner."""
    unit: str
    speed_unit: str
    wall: Wall | None = None
    lines: list[Line] = field(default_factory=list)
    openings: list[dict] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return self.wall is None and not self.lines


def make_scene(run: Run, fields: Fields | None) -> Scene:
    """The scene of a run. Raises InputProblem if a file that is there cannot be read."""
    return scene_of(run.summary["geometry"], run.si, fields, run.newest("wall-*.vtp"))


def scene_of(geometry: dict[str, Any], si: bool, fields: Fields | None, wall_file: Path | None = None) -> Scene:
    """The scene of a geometry as in summary.json, fields and a file of the wall. Raises InputProblem if that cannot be read."""
    from vtkmodules.vtkCommonCore import vtkSMPTools

    vtkSMPTools.SetBackend("Sequential")  # threads would number triangles in another order each time
    low = np.array(geometry["origin"], dtype=float)
    high = low + np.array(geometry["nodes"], dtype=float) * float(geometry["spacing"])
    scene = Scene(np.stack([low, high]), "m" if si else "lattice units", "m/s" if si else "lattice units",
                  openings=geometry["openings"])
    scene.wall = wall_of_file(wall_file, si) if wall_file else wall_of_nodes(fields, si) if fields else None
    name = next((name for name in ("velocity", "average_velocity") if fields and name in fields.values), None)
    if fields and name:
        scene.lines = streamlines(fields, name)
    return scene


def wall_of_file(file: Path, si: bool) -> Wall:
    import pyvista

    from vtkmodules.vtkCommonCore import vtkObject

    vtkObject.GlobalWarningDisplayOff()
    try:
        mesh = pyvista.read(file)
        all_cells = mesh.n_cells
        mesh = _without_box(mesh)
        origin = file.name + (", without the faces of the box" if mesh.n_cells < all_cells else "")
        found = [quantity for quantity in WALL_QUANTITIES if quantity.field in mesh.cell_data]
        if not found:
            raise KeyError("it has no quantity of a wall")
        values = [np.asarray(mesh.cell_data[quantity.field], dtype=float) for quantity in found]
        mesh.clear_data()
        for quantity, value in zip(found, values):
            value = value if value.ndim == 1 else np.linalg.norm(value, axis=1)
            # Without what is not a number: one triangle of it would blank its neighbours.
            mesh.cell_data[quantity.field] = np.nan_to_num(value, nan=0.0, posinf=0.0, neginf=0.0)
    except (OSError, RuntimeError, ValueError, AttributeError, KeyError, IndexError, TypeError) as error:
        raise InputProblem(f"{file}: cannot be read as a wall: {error or 'it is damaged'}; run the case again, or "
                           "remove the file to have a page without it") from error
    finally:
        vtkObject.GlobalWarningDisplayOn()
    return _thinned(mesh.cell_data_to_point_data(), found, si, origin)


def _without_box(mesh: Any) -> Any:
    """Ground and ceiling hide a body between them: faces of the box, surfaces 0 to 5, go where there is anything else."""
    import pyvista

    inner = np.asarray(mesh.cell_data["surface"]) > 5
    if inner.all() or not inner.any():
        return mesh
    used, triangles = np.unique(mesh.regular_faces[inner], return_inverse=True)
    part = pyvista.PolyData.from_regular_faces(mesh.points[used], triangles.reshape(-1, 3))
    for name in mesh.cell_data:
        part.cell_data[name] = mesh.cell_data[name][inner]
    return part


def wall_of_nodes(fields: Fields, si: bool) -> Wall | None:
    """The surface between fluid and other nodes; coloured where a field has the stress at nodes beside walls."""
    import pyvista

    mask, stride = fields.box(np.ones(len(fields.index)))
    # At the faces of the box it goes on as it is there: openings stay open.
    padded = np.pad(mask, 1, mode="edge")
    spacing = fields.spacing * stride
    grid = pyvista.ImageData(dimensions=padded.shape[::-1], spacing=spacing, origin=fields.first - spacing)
    grid.point_data["fluid"] = padded.ravel()
    if padded.min() == padded.max():
        return None
    mesh = grid.contour([0.5], scalars="fluid", method="flying_edges")
    if mesh.n_cells == 0:
        return None
    mesh = mesh.smooth_taubin(n_iter=30, pass_band=0.05)
    mesh.clear_data()
    found = [WallQuantity(name, name.replace("_", " "), "Pa")
             for name in ("wall_shear_stress", "average_wall_shear_stress") if name in fields.values]
    for quantity in found:
        values, _ = fields.box(fields.scalars(quantity.field, 3))
        mesh.point_data[quantity.field] = _largest_near(values, (mesh.points - fields.first) / spacing)
    return _thinned(mesh, found, si, "the surface between fluid and other nodes")


def _largest_near(values: np.ndarray, place: np.ndarray) -> np.ndarray:
    """The largest of the 27 nodes around each point (x, y, z in nodes): only those beside walls have a value."""
    node = np.rint(place).astype(int)
    result = np.zeros(len(node), dtype=np.float32)
    limit = np.array(values.shape)[::-1] - 1
    for dz in (-1, 0, 1):
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                x, y, z = np.clip(node + (dx, dy, dz), 0, limit).T
                np.maximum(result, values[z, y, x], out=result)
    return result


def _thinned(mesh, found: list[WallQuantity], si: bool, origin: str) -> Wall:
    mesh = mesh.triangulate()
    stored = mesh.n_cells
    if stored > MOST_TRIANGLES:
        fine = mesh
        mesh = fine.decimate_pro(1 - MOST_TRIANGLES / stored, preserve_topology=True)
        if found:
            near = _nearest(fine.points, mesh.points)
            for quantity in found:
                mesh.point_data[quantity.field] = fine.point_data[quantity.field][near]
    colorings = [Coloring(quantity.label, quantity.unit if si or not quantity.unit else "lattice units",
                          np.asarray(mesh.point_data[quantity.field], dtype=np.float32), quantity.from_zero)
                 for quantity in found]
    return Wall(np.asarray(mesh.points, dtype=np.float32), mesh.regular_faces.astype(np.int32), colorings, origin, stored)


def _nearest(points: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """For each wanted position, the index of the nearest of `points`."""
    import pyvista

    from vtkmodules.vtkCommonDataModel import vtkStaticPointLocator

    locator = vtkStaticPointLocator()
    locator.SetDataSet(pyvista.PolyData(points))
    locator.BuildLocator()
    return np.array([locator.FindClosestPoint(point) for point in wanted], dtype=int)


def streamlines(fields: Fields, name: str) -> list[Line]:
    """Lines through nodes that are drawn by lot: half of them anywhere, half near walls, fast ones more often."""
    import pyvista

    velocity, stride = fields.box(fields.values[name])
    if min(velocity.shape[:3]) < 2:
        return []
    spacing = fields.spacing * stride
    grid = pyvista.ImageData(dimensions=velocity.shape[2::-1], spacing=spacing, origin=fields.first)
    grid.point_data["velocity"] = velocity.reshape(-1, 3)
    speed = np.linalg.norm(velocity, axis=3)
    fastest = float(speed.max())
    if not fastest > 0:
        return []
    seeds = _seeds(speed, fields, spacing)
    traced = grid.streamlines_from_source(
        pyvista.PolyData(seeds), vectors="velocity", integration_direction="both", integrator_type=45,
        initial_step_length=0.5, max_steps=4000, max_length=6 * float(np.linalg.norm(fields.size * fields.spacing)),
        terminal_speed=1e-3 * fastest, compute_vorticity=False)
    return _lines(traced, 0.02 * float(np.linalg.norm(fields.size * fields.spacing)))


def _seeds(speed: np.ndarray, fields: Fields, spacing: np.ndarray) -> np.ndarray:
    lot = np.random.default_rng(1)
    still = speed == 0
    near = still.copy()
    for _ in range(3):  # within three nodes of what is at rest
        for axis in range(3):
            near |= np.roll(near, 1, axis) | np.roll(near, -1, axis)
    chosen = []
    for part in (~still, near & ~still):
        place = np.flatnonzero(part)
        if len(place) == 0:
            continue
        weight = speed.ravel()[place].astype(float)
        chosen.append(lot.choice(place, size=MOST_LINES // 2, p=weight / weight.sum()))
    z, y, x = np.unravel_index(np.concatenate(chosen), speed.shape)
    return fields.first + np.column_stack([x, y, z]) * spacing


def _lines(traced, shortest: float) -> list[Line]:
    """The lines that VTK traced, without short ones, which only clutter. VTK has the two halves of a line as two."""
    if traced.n_cells == 0:
        return []
    speeds = np.linalg.norm(np.asarray(traced.point_data["velocity"]), axis=1)
    lines = []
    offsets, ids = traced.lines, 0
    while ids < len(offsets):
        count = int(offsets[ids])
        members = offsets[ids + 1: ids + 1 + count]
        ids += count + 1
        points = np.asarray(traced.points)[members]
        if count < 2 or np.linalg.norm(np.diff(points, axis=0), axis=1).sum() < shortest:
            continue
        keep = np.unique(np.linspace(0, count - 1, min(count, MOST_POINTS)).round().astype(int))
        lines.append(Line(points[keep].astype(np.float32), speeds[members][keep].astype(np.float32)))
    return lines

