# SPDX-License-Identifier: Apache-2.0
"""numpy arrays in cases, where a case file would name a file."""
from __future__ import annotations

import hashlib
import io
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fluvia.errors import InputError, ResourceError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # a forked process has the same object, and not the right to end its file
        shutil.rmtree(folder, ignore_errors=True)


class ArrayFile:
    """A file that holds an array as long as this object lives. Its name follows from what is in it, so that cases with the
    same arrays are the same case, in any process, and one can go on from checkpoints of the other."""

    def __init__(self, content: bytes, ending: str) -> None:
        self.name = f"array-{hashlib.sha256(content).hexdigest()[:16]}{ending}"
        folder = tempfile.mkdtemp(prefix="fluvia-")
        self.path = Path(folder) / self.name
        self._end = weakref.finalize(self, _remove, folder, os.getpid())
        try:
            self.path.write_bytes(content)
        except OSError as error:
            self._end()
            raise ResourceError(f"{self.path}: {error.strerror}; the array of a case is kept there") from error

    def __reduce__(self) -> tuple[Any, ...]:
        return ArrayFile, (self.path.read_bytes(), self.path.suffix)


def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ")"


def _numpy_file(array: Array) -> tuple[bytes, str]:
    file = io.BytesIO()
    native = array.astype(array.dtype.newbyteorder("<"), copy=False)
    np.save(file, np.ascontiguousarray(native), allow_pickle=False)
    return file.getvalue(), ".npy"


def _finite(array: Array, key: str, what: str = "NaN or infinity") -> None:
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        raise InputError(f"{key}: {what} at {_shape(tuple(int(i) for i in bad[0]))} of the array; expected finite numbers")


def _voxels(array: Array, key: str, dimension: int) -> tuple[bytes, str]:
    if array.ndim != dimension or array.size == 0:
        raise InputError(f"{key}: an array of shape {_shape(array.shape)} was given; expected {'[z, y, x]' if dimension == 3 else '[y, x]'}")
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if array.dtype.kind not in "uif" or array.dtype.itemsize > 8:
        raise InputError(f"{key}: an array of {array.dtype} was given; expected bool (true where there is fluid), labels in whole numbers, or grey values")
    if array.dtype.kind == "f":
        _finite(array, key)
        if array.dtype.itemsize < 4:
            array = array.astype(np.float32)
    return _numpy_file(array.reshape((1,) * (3 - array.ndim) + array.shape))


def _field(components: int) -> Callable[[Array, str, int], tuple[bytes, str]]:
    def encode(array: Array, key: str, dimension: int) -> tuple[bytes, str]:
        wanted = dimension + (components > 1)
        if array.ndim != wanted or (components > 1 and array.shape[-1] != components):
            names = "[z, y, x" if dimension == 3 else "[y, x"
            expected = names + (", 3]" if components > 1 else "]")
            raise InputError(f"{key}: an array of shape {_shape(array.shape)} was given; expected {expected}")
        if array.dtype.kind not in "uif":
            raise InputError(f"{key}: an array of {array.dtype} was given; expected numbers")
        return _numpy_file(array.astype(np.float64).reshape((1,) * (3 - dimension) + array.shape))

    return encode


def table(columns: list[str]) -> Callable[[Array, str, int], tuple[bytes, str]]:
    """What writes an array [row, column] as CSV with these columns; of `z` in 3D only."""

    def encode(array: Array, key: str, dimension: int) -> tuple[bytes, str]:
        names = [name for name in columns if dimension == 3 or name != "z"]
        if array.ndim != 2 or array.shape[1] != len(names) or not len(array):
            raise InputError(f"{key}: an array of shape {_shape(array.shape)} was given; expected (rows, {len(names)}): {', '.join(names)}")
        if array.dtype.kind not in "uif":
            raise InputError(f"{key}: an array of {array.dtype} was given; expected numbers")
        _finite(array, key)
        rows = [",".join(names), *(",".join(repr(float(value)) for value in row) for row in array)]
        return ("\n".join(rows) + "\n").encode(), ".csv"

    return encode


# Keys that take an array, and what writes the file for it.
_KEYS: dict[str, Callable[[Array, str, int], tuple[bytes, str]]] = {
    "geometry.voxels.file": _voxels,
    "physics.initial_velocity_file": _field(3),
    "physics.initial_pressure_file": _field(1),
    "physics.acceleration_file": _field(3),
    "boundary.profile_file": table(["x", "y", "z", "speed"]),
    "boundary.series": table(["time", "value"]),
}


def _dimension(sections: Mapping[str, Any]) -> int:
    domain = sections.get("domain")
    return 2 if isinstance(domain, Mapping) and domain.get("dimension") == 2 else 3


def _spelled_out(sections: Mapping[str, Any]) -> Mapping[str, Any]:
    """`geometry={"voxels": array}` as a table, and what a bool array means by its type."""
    geometry = sections.get("geometry")
    voxels = geometry.get("voxels") if isinstance(geometry, Mapping) else None
    if isinstance(voxels, np.ndarray):
        voxels = {"file": voxels}
    if not isinstance(geometry, Mapping) or not isinstance(voxels, Mapping) or not isinstance(voxels.get("file"), np.ndarray):
        return sections
    if voxels["file"].dtype == np.bool_ and not voxels.keys() & {"fluid_labels", "fluid_below", "fluid_above"}:
        voxels = {**voxels, "fluid_labels": [1]}
    return {**sections, "geometry": {**geometry, "voxels": voxels}}


def to_files(sections: Mapping[str, Any]) -> tuple[Mapping[str, Any], dict[str, ArrayFile]]:
    """The sections of a case with names of files instead of arrays, and these files by their names.

    Raises InputError naming the key for arrays that cannot be what the key asks for.
    """
    dimension, files = _dimension(sections), dict[str, ArrayFile]()

    def replaced(value: Any, key: str) -> Any:
        if isinstance(value, Mapping):
            return {name: replaced(item, f"{key}.{name}" if key else str(name)) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [replaced(item, key) for item in value]
        if not isinstance(value, np.ndarray):
            return value
        if key not in _KEYS:
            if value.ndim > 1:
                what = "; a body force of each node is acceleration_file" if key == "physics.acceleration" else ""
                raise InputError(f"{key}: an array of shape {_shape(value.shape)} was given, which the key does not take{what}; arrays are for {', '.join(_KEYS)}")
            return value
        file = ArrayFile(*_KEYS[key](value, key, dimension))
        files[file.name] = file
        return file.name

    return replaced(_spelled_out(sections), ""), files
