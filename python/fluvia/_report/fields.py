# SPDX-License-Identifier: Apache-2.0
"""Fields from a VTKHDF file: values on planes of nodes, and in boxes that are small enough."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .problems import InputProblem

UNITS = {"pressure": "Pa", "density": "kg/m³", "velocity": "m/s", "vorticity": "1/s", "strain_rate": "1/s",
         "viscosity": "Pa s", "wall_shear_stress": "Pa"}


def unit_of(field: str, si: bool) -> str:
    """Unit of a field; numbers in the file are in units of the case."""
    return UNITS.get(field.removeprefix("average_"), "") if si else "lattice units"


def label_of(field: str) -> str:
    """What a picture of a field says: of the velocity its magnitude is seen."""
    return (field[:-len("velocity")] + "speed" if field.endswith("velocity") else field).replace("_", " ")


@dataclass
class Fields:
    """Nodes of a file, of the fluid and of solids in which a scalar spreads: where they are on the grid of written nodes, and the values there."""

    index: np.ndarray
    """[node, axis]: whole numbers from 0."""
    size: np.ndarray
    """Nodes along x, y, z that the indices lie in."""
    first: np.ndarray
    """Position of the node with index 0."""
    spacing: np.ndarray
    """Between written nodes along each axis."""
    values: dict[str, np.ndarray]

    def position(self, axis: int, index: float) -> float:
        return float(self.first[axis] + self.spacing[axis] * index)

    def scalars(self, name: str, dimension: int) -> np.ndarray:
        """A field as one number a node: magnitudes, in 2D the vorticity's only component."""
        values = self.values[name]
        if values.ndim == 1:
            return values
        if dimension == 2 and name.endswith("vorticity"):
            return values[:, 2]
        return np.linalg.norm(values, axis=1)

    def plane(self, values: np.ndarray, axis: int, index: int, most: int = 700) -> tuple[np.ndarray, int]:
        """Values of one plane, [second axis, first axis], NaN where there is no fluid; and the stride between them, nodes."""
        across = [a for a in range(3) if a != axis]
        stride = int(np.ceil(max(self.size[across[0]], self.size[across[1]]) / most))
        here = self.index[:, axis] == index
        place = self.index[here][:, across]
        chosen = np.all(place % stride == 0, axis=1)
        shape = [(int(self.size[a]) + stride - 1) // stride for a in (across[1], across[0])]
        picture = np.full((*shape, *values.shape[1:]), np.nan)
        place = place[chosen] // stride
        picture[place[:, 1], place[:, 0]] = values[here][chosen]
        return picture, stride

    def middle(self, axis: int) -> int:
        """The plane through the middle of all bodies in the fluid, or of the box if there are none; or the one with most
        fluid if there is little there."""
        counts = np.bincount(self.index[:, axis], minlength=int(self.size[axis]))
        bodies = np.flatnonzero(counts < np.prod(self.size, dtype=float) / self.size[axis])
        middle = int(bodies[0] + bodies[-1] + 1) // 2 if len(bodies) else int(self.size[axis]) // 2
        return middle if counts[middle] >= 0.2 * counts.max() else int(counts.argmax())

    def box(self, values: np.ndarray, most: float = 6e6) -> tuple[np.ndarray, int]:
        """Values as [z, y, x], 0 where there is no fluid, thinned to at most so many nodes; and the stride between them, nodes."""
        stride = max(1, int(np.ceil((float(np.prod(self.size, dtype=float)) / most) ** (1 / 3))))
        chosen = np.all(self.index % stride == 0, axis=1)
        place = self.index[chosen] // stride
        shape = [(int(n) + stride - 1) // stride for n in self.size[::-1]]
        result = np.zeros((*shape, *values.shape[1:]), dtype=np.float32)
        result[place[:, 2], place[:, 1], place[:, 0]] = np.nan_to_num(values[chosen], posinf=0, neginf=0)
        return result, stride


def read_fields(file: Path, dimension: int) -> Fields:
    """Fields of a file. Raises InputProblem if it is no VTKHDF file of Fluvia's."""
    import pyvista

    from vtkmodules.vtkCommonCore import vtkObject

    vtkObject.GlobalWarningDisplayOff()  # the reader's own words go to the terminal; the message below says it
    try:
        data = pyvista.read(file)
        return _from_image(data, dimension) if isinstance(data, pyvista.ImageData) else _from_cells(data)
    except (OSError, RuntimeError, ValueError, AttributeError, KeyError, IndexError, TypeError) as error:
        raise InputProblem(f"{file}: cannot be read as VTKHDF: {error or 'it is damaged'}; run the case again, or "
                           "remove the file to have a page without fields") from error
    finally:
        vtkObject.GlobalWarningDisplayOn()


def _from_image(data, dimension: int) -> Fields:
    size = np.array(data.dimensions)
    if dimension == 2:
        size[2] = 1  # the file has the plane twice
    nodes = int(np.prod(size))
    ghost = data.point_data.get("vtkGhostType")
    fluid = np.arange(nodes) if ghost is None else np.flatnonzero(np.asarray(ghost)[:nodes] == 0)
    index = np.column_stack(np.unravel_index(fluid, size[::-1]))[:, ::-1]
    values = {name: np.asarray(array)[fluid] for name, array in data.point_data.items() if name != "vtkGhostType"}
    return _checked(Fields(index, size, np.array(data.origin), np.array(data.spacing), values))


def _from_cells(data) -> Fields:
    corners = data.cell_connectivity.reshape(data.n_cells, -1)
    low, high = data.points[corners[:, 0]].astype(float), data.points[corners[:, -1]].astype(float)
    spacing = np.median(high - low, axis=0)
    spacing[spacing <= 0] = 1
    centres = (low + high) / 2
    first = centres.min(axis=0)
    index = np.rint((centres - first) / spacing).astype(int)
    values = {name: np.asarray(array) for name, array in data.cell_data.items()}
    return _checked(Fields(index, index.max(axis=0) + 1, first, spacing, values))


def _checked(fields: Fields) -> Fields:
    material = fields.values.pop("material", None)
    if material is not None:  # what flows is not in solids
        for name, values in fields.values.items():
            if values.ndim == 2:
                fields.values[name] = np.where((material > 0)[:, None], np.nan, values)
    if len(fields.index) == 0:
        raise ValueError("it has no fluid nodes")
    return fields
