# SPDX-License-Identifier: Apache-2.0
"""Shapes of flow domains: `fluvia geometry` from Python."""
from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fluvia import _core
from fluvia.case import Case
from fluvia.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UNITS = ("", *_core.length_units())


@dataclass(frozen=True)
class Opening:
    """A surface through which fluid passes: a face of the box, a hole or patch of an STL surface, a disc."""

    name: str
    """Name of the opening in boundaries and monitors."""
    area: float
    """Area in the unit of the geometry, squared; in 2D a width."""
    diameter: float
    """Diameter of the disc with this area, in the unit of the geometry; in 2D the width."""
    centre: tuple[float, float, float]
    """Centroid x, y, z, in the unit of the geometry."""
    normal: tuple[float, float, float]
    """Unit normal, out of the fluid."""


def _opening(name: str, found: dict[str, Any], dimension: int) -> Opening:
    area = found["area"]
    diameter = 2 * math.sqrt(area / math.pi) if dimension == 3 else area
    return Opening(name, area, diameter, tuple(found["centre"]), tuple(found["normal"]))


@dataclass(frozen=True)
class CutLinks:
    """Links between neighbouring nodes (of D3Q19, in 2D D2Q9) that lead from the fluid to where there is none."""

    node: NDArray[np.int32]
    """[link, 3]: the fluid node, counted along x, y, z."""
    offset: NDArray[np.int32]
    """[link, 3]: offset to the other end, -1, 0 or 1 along x, y, z."""
    surface: NDArray[np.int32]
    """[link]: index in `Geometry.surfaces` of the surface that the link meets."""
    distance: NDArray[np.float64]
    """[link]: the part of the link before the surface, in (0, 1]; 0.5 where walls are half-way."""


class Geometry:
    """The shape of a case's flow domain on the nodes of its grid, and what was found about it.

    Lengths are in metres for cases in SI units, else in nodes. Arrays are [z, y, x], in 2D [y, x].
    """

    def __init__(self, case: Case) -> None:
        """Makes the geometry of a case, without a flow in it. Raises InputError naming the file and what is wrong, and
        ResourceError if memory does not suffice."""
        self._build(case._core, case.title)

    def _build(self, core: _core.Case, title: str) -> None:
        self._domain = _core.Geometry(core)
        self._report: dict[str, Any] = json.loads(self._domain.report())
        self._title = title

    @property
    def dimension(self) -> int:
        """Number of dimensions, 2 or 3."""
        return int(self._report["dimension"])

    @property
    def shape(self) -> tuple[int, ...]:
        """Nodes along z, y and x, in 2D y and x."""
        return tuple(reversed(self._report["nodes"][: self.dimension]))

    @property
    def spacing(self) -> float:
        """Distance between nodes, in the unit of the geometry."""
        return float(self._report["spacing"])

    @property
    def origin(self) -> tuple[float, float, float]:
        """Lower corner x, y, z of the box; the first node lies half a spacing inside."""
        x, y, z = self._report["origin"]
        return (x, y, z)

    @property
    def unit(self) -> str:
        """The unit of lengths: "m", or "lattice" for distances between nodes."""
        return str(self._report["unit"])

    @property
    def fluid_nodes(self) -> int:
        """Number of fluid nodes."""
        return int(self._report["fluid_nodes"])

    @property
    def porosity(self) -> float:
        """Fluid nodes over all nodes of the box."""
        return float(self._report["porosity"])

    @property
    def volume(self) -> float:
        """The volume of the fluid, by counting nodes, in the unit of the geometry cubed; in 2D an area."""
        return float(self._report["volume"])

    @property
    def surfaces(self) -> list[str]:
        """Names of surfaces: the six faces of the box, "wall", then everything with a name."""
        return list(self._report["surfaces"])

    @property
    def openings(self) -> list[Opening]:
        """Surfaces with a boundary that lets fluid pass."""
        return [_opening(found["name"], found, self.dimension) for found in self._report["openings"]]

    @property
    def holes(self) -> list[Opening]:
        """Holes of STL surfaces, largest first; `name` is that of the opening that a hole is, "" where a wall closes it."""
        return [_opening(hole["opening"], hole, 3) for hole in self._report["holes"]]

    @property
    def warnings(self) -> list[str]:
        """Faults of the geometry, complete sentences with their remedies."""
        return list(self._report["warnings"])

    @property
    def report(self) -> dict[str, Any]:
        """All that was found, as `fluvia geometry --json` has it: components, holes, walls, narrow passages, ..."""
        return dict(json.loads(self._domain.report()))

    def fluid(self) -> NDArray[np.bool_]:
        """Which nodes are fluid; all others are solid, or lie outside."""
        return self._domain.fluid().view(np.bool_)

    def outside(self) -> NDArray[np.bool_]:
        """Which nodes lie outside of what encloses the flow, such as a vessel's wall; false everywhere if nothing does."""
        return self._domain.outside().view(np.bool_)

    def cut_links(self) -> CutLinks:
        """Where walls, bodies and openings are: every link that they cut, with the distance to them.

        Takes some 50 bytes a link; there are about ten at a node beside a wall.
        """
        return CutLinks(*self._domain.cut_links())

    def pictures(self, prefix: str | os.PathLike[str]) -> list[Path]:
        """Writes PREFIX-x.png, -y.png and -z.png, in 2D -z.png alone: planes through the middle of the fluid, with openings
        in colour. Returns the files. Raises ResourceError if they cannot be written."""
        return list(self._domain.pictures(Path(prefix), self._title))

    def __str__(self) -> str:
        """What `fluvia geometry` prints."""
        return self._domain.text()

    def __repr__(self) -> str:
        return f"<fluvia.Geometry {self._title!r}, {' x '.join(map(str, reversed(self.shape)))} nodes>"


def geometry(
    source: Case | str | os.PathLike[str],
    *,
    unit: str = "",
    spacing: float = 0,
    nodes: int = 128,
    outside: bool = False,
    shape: Sequence[int] = (),
    bits: int = 8,
    type: str = "auto",
    fluid_labels: Sequence[int] = (),
) -> Geometry:
    """The geometry of a case, or of a file that has a shape: what `fluvia geometry` reports and draws.

    `source`: a Case, or a file: a case (.toml), or a surface, image of voxels or mask in one of the formats of docs/formats.md. Of a
    surface `unit` is that of its coordinates ("mm", "um", "in", ...; "" leaves them as they are), `spacing` the distance
    between nodes (metres with a unit, else that of the file; 0: as `nodes` along the longest side, at least 4, says), and
    `outside` whether the fluid surrounds it. Of a raw image `shape` are the voxels along x, y and z, `bits` 8 or 16, or
    `type` the name of another type of numbers, such as "float32" or "text". Of any image `fluid_labels` are the numbers that
    mean fluid; without them 0 does, where that goes without saying. Raises InputError naming the file and what is wrong with
    it, or the labels that an image has.
    """
    if isinstance(source, Case):
        return Geometry(source)
    file = Path(source)
    if unit not in _UNITS:
        raise InputError(f"geometry: unit '{unit}'; expected {', '.join(_UNITS[1:])}, or '' for numbers as they are")
    if not (math.isfinite(spacing) and spacing >= 0):
        raise InputError(f"geometry: spacing = {spacing}; expected a length above 0, or 0 to let 'nodes' decide")
    if not 4 <= nodes <= 4096:
        raise InputError(f"geometry: nodes = {nodes}; expected 4 to 4096")
    if len(shape) not in (0, 3):
        raise InputError(f"geometry: shape {tuple(shape)}; expected the voxels along x, y and z")
    if bits not in (8, 16):
        raise InputError(f"geometry: bits = {bits}; expected 8 or 16")
    result = Geometry.__new__(Geometry)
    core = _core.source_case(file, unit, spacing, nodes, outside, list(shape), bits, type, list(fluid_labels))
    result._build(core, core.title if file.suffix == ".toml" else file.name)
    return result
