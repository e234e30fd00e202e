# SPDX-License-Identifier: Apache-2.0
"""Values of boundaries that a program changes while a flow goes on."""
from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fluvia import _core
from fluvia.case import Case
from fluvia.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_QUANTITIES = ("flow_rate", "pressure", "speed", "velocity")
# Keys of a case that say how fast the fluid is at a boundary: one of them stands for the others.
_SAY_VELOCITY = ("speed", "flow_rate", "velocity", "profile", "profile_file")


class BoundaryValues:
    """The values that the boundaries of a flow have by now: those of its case, or others that were set.

    Numbers go to the flow as it is. What changes the shape of a profile, or the direction of a velocity, is another case,
    with which the flow goes on.
    """

    def __init__(self, case: Case, prepared: Callable[[Case], _core.Case]) -> None:
        """`prepared` gives a case the device of the flow."""
        self._case, self._prepared = case, prepared
        self._numbers: dict[str, tuple[str, float]] = {}
        self._scalars: dict[tuple[str, str], float] = {}  # by surface and name of the scalar
        self._other: dict[str, dict[str, Any]] = {}  # boundaries as tables of a case, by surface
        self._now = case  # what the flow goes on with; it keeps the files of its arrays

    def set(self, flow: _core.Session, surface: str, quantity: str, value: Any) -> None:
        """Raises InputError that names the boundary and what would be right."""
        place = f"boundary '{surface}'"
        if quantity in (table.get("name") for table in self._case.sections.get("scalar", [])):
            number = _number(value, f"{place}: {quantity}")
            flow.set_boundary(surface, quantity, number)
            self._scalars[surface, quantity] = number
            return
        if quantity not in _QUANTITIES:
            raise InputError(f"{place}: there is no '{quantity}' to be set; expected one of {', '.join(_QUANTITIES)}")
        if quantity != "velocity" and np.ndim(value) == 0:
            self._set_number(flow, surface, quantity, _number(value, f"{place}: {quantity}"))
        elif quantity in ("pressure", "flow_rate"):
            what = ("an opening holds one pressure at all of its nodes, and what the flow makes of it beside that; a profile "
                    "is of speed= or velocity=" if quantity == "pressure" else "it is that of the whole opening")
            raise InputError(f"{place}: {quantity} takes a number: {what}")
        elif quantity == "velocity" and np.ndim(value) == 1:
            vector = _array(value, f"{place}: velocity")
            if len(vector) not in (self._case.dimension, 3):
                raise InputError(f"{place}: a velocity of {len(vector)} components was given; expected {self._case.dimension}")
            self._change(flow, surface, {"velocity": [*map(float, vector), 0.0][:3]})
        else:
            self._set_profile(flow, surface, quantity, value)

    def _set_number(self, flow: _core.Session, surface: str, quantity: str, value: float) -> None:
        if surface in self._other:  # back to what the case says of it, which numbers scale
            others = {name: table for name, table in self._other.items() if name != surface}
            self._go_on(flow, others)
        flow.set_boundary(surface, quantity, value)
        self._numbers[surface] = quantity, value

    def _set_profile(self, flow: _core.Session, surface: str, quantity: str, value: Any) -> None:
        place = f"boundary '{surface}': {quantity}"
        points = flow.points_of(surface)
        dimension = self._case.dimension
        given = _array(value, place)
        count = len(points)
        wanted = f"({count},)" if quantity == "speed" else f"({count}, {dimension})"
        if quantity == "velocity" and given.shape in ((count, dimension), (count, 3)):
            given = _normal_speeds(flow, surface, given, place)
        if given.shape != (count,) or (quantity == "velocity" and np.ndim(given) != 1):
            raise InputError(f"{place}: an array of shape {given.shape} was given; expected {wanted}, "
                             f"one for each of opening_points('{surface}')")
        rows = np.column_stack([points[:, :dimension], given])
        self._change(flow, surface, {"profile": "table", "profile_file": rows})

    def _change(self, flow: _core.Session, surface: str, keys: Mapping[str, Any]) -> None:
        tables = self._case.sections.get("boundary", [])
        found = next((table for table in tables if table["surface"] == surface), None)
        if found is None:
            names = ", ".join(f"'{table['surface']}'" for table in tables) or "none"
            raise InputError(f"boundary '{surface}': the case has none of this name (it has: {names})")
        if "series" in found:
            raise InputError(f"boundary '{surface}': it has a time series; leave 'series' out of the case to set it")
        other = {key: item for key, item in found.items() if key not in _SAY_VELOCITY}
        self._go_on(flow, {**self._other, surface: {**other, **keys}})

    def _go_on(self, flow: _core.Session, others: dict[str, dict[str, Any]]) -> None:
        sections = self._case.sections
        sections["boundary"] = [others.get(table["surface"], table) for table in sections.get("boundary", [])]
        case = self._case._with_sections(sections)
        flow.change_case(self._prepared(case))
        self._other, self._now = others, case
        self._numbers = {name: number for name, number in self._numbers.items() if name not in others}
        for name, (quantity, number) in self._numbers.items():
            flow.set_boundary(name, quantity, number)
        for (name, quantity), number in self._scalars.items():
            flow.set_boundary(name, quantity, number)


def _number(value: Any, place: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{place}: {value!r} is no number") from None


def _array(value: Any, place: str) -> Numbers:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{place}: expected numbers in an array") from None
    if not np.isfinite(array).all():
        raise InputError(f"{place}: expected finite numbers")
    return array


def _normal_speeds(flow: _core.Session, surface: str, velocities: Numbers, place: str) -> Numbers:
    """The speeds into the fluid of velocities that have no other component."""
    opening = next(found for found in json.loads(flow.geometry())["openings"] if found["name"] == surface)
    normal = np.array(opening["normal"])[: velocities.shape[1]]
    speeds = -velocities @ normal
    aside = np.abs(velocities + np.outer(speeds, normal)).max(initial=0)
    if aside > 1e-6 * np.abs(velocities).max(initial=0):
        raise InputError(f"{place}: a profile is of speeds along the normal of the opening, {normal.tolist()} out of the fluid; "
                         f"some velocities go aside by {aside:.4g}; give one velocity for all nodes, or speed=")
    return np.asarray(speeds)
