# SPDX-License-Identifier: Apache-2.0
"""Permeability of voxel images: `fluvia permeability` from Python."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fluvia import _core
from fluvia.case import Case
from fluvia.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_AXES = ("x", "y", "z")
_LARGEST_VOXEL = 1e-3  # a millimetre, as the command line has it for numbers without a unit


def _edge(voxel: Any) -> float:
    if isinstance(voxel, str):
        return _core.parse_length(voxel, "permeability: voxel")
    if isinstance(voxel, bool) or not isinstance(voxel, (int, float, np.number)) or not (np.isfinite(voxel) and voxel > 0):
        raise InputError(f"permeability: voxel = {voxel!r}; expected the edge of a voxel in metres, 5e-6, or with its unit, '5um'")
    if voxel > _LARGEST_VOXEL:
        raise InputError(f"permeability: voxel = {voxel!r} would be {voxel:g} metres; above a millimetre say the unit, '{voxel:g}um'")
    return float(voxel)


def permeability(
    fluid: ArrayLike,
    voxel: float | str,
    *,
    axes: Sequence[str] | None = None,
    ends: str = "mirrored",
    sides: str = "closed",
    tolerance: float = 0.05,
    refine: int = 0,
    largest_refine: int = 4,
    device: str = "",
    threads: int = 0,
    on_message: Callable[[str], Any] | None = None,
) -> dict[str, Any]:
    """Permeability of an image, in m2, with an estimate of its error (docs/permeability.md).

    `fluid` is true where a voxel is fluid, [z, y, x] or, in 2D, [y, x]; `voxel` is the edge of one, in metres or with its unit, "5um". `axes` along
    which a flow is driven (all), `ends` "mirrored" or "periodic", `sides` "closed", "mirrored" or "periodic", `refine` nodes
    along the edge of a voxel (0: as many as `tolerance`, a relative error, asks for, up to `largest_refine`).
    Returns what `fluvia permeability --json` writes. Raises InputError, ResourceError, UnstableError.
    """
    image = np.asarray(fluid)
    if image.ndim not in (2, 3) or image.size == 0:
        raise InputError(f"permeability: an image of shape {image.shape} was given; expected [z, y, x] or [y, x]")
    if image.dtype != np.bool_:
        raise InputError(f"permeability: an image of {image.dtype} was given; say what is fluid, e.g. image == 0")
    edge = _edge(voxel)
    if axes is None:
        axes = _AXES[: image.ndim]
    for axis in axes:
        if axis not in _AXES[: image.ndim]:
            raise InputError(f"permeability: axis '{axis}'; expected some of {', '.join(_AXES[: image.ndim])}")
    for name, value, possible in (
        ("ends", ends, ("mirrored", "periodic")),
        ("sides", sides, ("closed", "mirrored", "periodic")),
    ):
        if value not in possible:
            raise InputError(f"permeability: {name} '{value}'; expected {' or '.join(possible)}")
    with tempfile.TemporaryDirectory(prefix="fluvia-") as folder:
        file = Path(folder) / "image.raw"
        (~image).astype(np.uint8).tofile(file)
        shape = [*reversed(image.shape), 1][:3]
        case = Case(
            units={"system": "lattice", "tau": 1.0},
            domain={"dimension": image.ndim},
            geometry={"voxels": {"file": file, "shape": shape, "fluid_labels": [0]}},
            run={"steps": 1},
        )
        core = _core.with_numerics(case._core, device, threads)
        numbers = [_AXES.index(axis) for axis in axes]
        text = _core.permeability(core, edge, numbers, ends, sides, tolerance, refine, largest_refine, on_message)
    return dict(json.loads(text))
