# SPDX-License-Identifier: Apache-2.0
"""Planes of nodes cut where the wall is, which need not be half-way between nodes."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .fields import Fields

FINEST = 8
"""Most pixels along the edge of a node."""
PIXELS = 640
"""Along the longer side of a picture, about."""


@dataclass
class Plane:
    """A plane of nodes across an axis: values [second axis, first axis], NaN where there is no fluid."""

    values: np.ndarray
    axis: int
    index: int


def cut_at_walls(fields: Fields, plane: Plane, wall_file: Path) -> np.ndarray:
    """The plane with several pixels to a node, NaN behind the surface of the file of the wall; beside walls, values go on
    as they do between the two nodes before. Returned as it is where the file has no surface, or pixels would be as
    coarse as nodes."""
    factor = min(FINEST, PIXELS // max(plane.values.shape))
    fluid = np.isfinite(plane.values)
    if factor < 2 or not fluid.any() or fluid.all():
        return plane.values
    picture = _refined(_extended(plane.values), factor)
    inside = fluid.repeat(factor, axis=0).repeat(factor, axis=1)
    near = _at_edge(fluid).repeat(factor, axis=0).repeat(factor, axis=1)
    depth = _depth(fields, plane, wall_file, np.argwhere(near), factor)
    if depth is None:
        return plane.values
    inside[near] = depth > 0
    picture[~inside] = np.nan
    return picture


def _shifts() -> list[tuple[int, int]]:
    return [(j, i) for j in (-1, 0, 1) for i in (-1, 0, 1) if (j, i) != (0, 0)]


def _shifted(values: np.ndarray, by: tuple[int, int]) -> np.ndarray:
    """What lies `by` further on; NaN beyond the edge of the plane."""
    reach = max(abs(by[0]), abs(by[1]))
    padded = np.pad(values, reach, constant_values=np.nan)
    rows, columns = values.shape
    return padded[reach + by[0]:reach + by[0] + rows, reach + by[1]:reach + by[1] + columns]


def _at_edge(fluid: np.ndarray) -> np.ndarray:
    """Nodes that have fluid and no fluid among themselves and those around."""
    padded = np.pad(fluid, 1, mode="edge")
    rows, columns = fluid.shape
    around = np.stack([padded[1 + j:1 + j + rows, 1 + i:1 + i + columns] for j, i in [(0, 0), *_shifts()]])
    return np.asarray(around.any(axis=0) & ~around.all(axis=0))


def _extended(values: np.ndarray) -> np.ndarray:
    """With values at nodes beside fluid, too: the mean of what goes on through two nodes of fluid in a row, or of one
    where there are no two. Magnitudes stay at or above 0."""
    ahead = []
    for j, i in _shifts():
        first, second = _shifted(values, (j, i)), _shifted(values, (2 * j, 2 * i))
        ahead.append(np.where(np.isfinite(second), 2 * first - second, first))
    known = np.isfinite(ahead)
    count = known.sum(axis=0)
    mean = np.where(known, ahead, 0).sum(axis=0) / np.maximum(count, 1)
    if np.nanmin(values) >= 0:
        mean = np.maximum(mean, 0)
    return np.where(np.isfinite(values), values, np.where(count > 0, mean, np.nan))


def _refined(values: np.ndarray, factor: int) -> np.ndarray:
    """Linear between nodes; where one of four is unknown, of those that are known."""
    rows, columns = values.shape
    parts = []
    for count in (rows, columns):
        place = np.clip((np.arange(count * factor) + 0.5) / factor - 0.5, 0, count - 1)
        low = np.minimum(place.astype(int), max(count - 2, 0))
        parts.append((low, np.minimum(low + 1, count - 1), place - low))
    (j0, j1, v), (i0, i1, u) = parts
    total, weights = np.zeros((rows * factor, columns * factor)), np.zeros((rows * factor, columns * factor))
    for j, wj in ((j0, 1 - v), (j1, v)):
        for i, wi in ((i0, 1 - u), (i1, u)):
            corner = values[np.ix_(j, i)]
            weight = np.outer(wj, wi) * np.isfinite(corner)
            total += weight * np.nan_to_num(corner)
            weights += weight
    return np.where(weights > 0, total / np.maximum(weights, 1e-300), np.nan)


def _depth(fields: Fields, plane: Plane, wall_file: Path, pixels: np.ndarray, factor: int) -> np.ndarray | None:
    """How deep in the fluid pixels lie below the surface, negative outside of it; None if there is no surface."""
    import pyvista

    wall = pyvista.read(wall_file)
    if not isinstance(wall, pyvista.PolyData) or wall.n_cells == 0:
        return None
    across = [a for a in range(3) if a != plane.axis]

    def points(rows: np.ndarray, columns: np.ndarray, share: int) -> np.ndarray:
        result = np.empty((len(rows), 3))
        result[:, plane.axis] = fields.position(plane.axis, plane.index)
        for axis, places in zip(across, (columns, rows)):
            result[:, axis] = fields.first[axis] + fields.spacing[axis] * ((places + 0.5) / share - 0.5)
        return result

    def distances(of: np.ndarray) -> np.ndarray:
        return np.asarray(pyvista.PolyData(of).compute_implicit_distance(wall)["implicit_distance"])

    fluid = np.isfinite(plane.values)
    nodes = np.argwhere(fluid & _at_edge(fluid))
    sign = -1 if np.median(distances(points(nodes[:, 0], nodes[:, 1], 1))) < 0 else 1
    return sign * distances(points(pixels[:, 0], pixels[:, 1], factor))
