# SPDX-License-Identifier: Apache-2.0
"""Flows that a program steps, looks at and changes."""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from fluvia import _core
from fluvia._session import SharedSession
from fluvia.boundaries import BoundaryValues
from fluvia.case import Case
from fluvia.device_arrays import DeviceArray
from fluvia.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Field = NDArray[np.floating[Any]]


def _steps(count: Any, place: str, least: int) -> int:
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < least:
        raise InputError(f"{place}: {count!r} steps are not possible; give a whole number of {least} or more")
    return int(count)


def _field_name(name: Any) -> str:
    if not isinstance(name, str):
        raise InputError(f"field: {name!r} is no name of a field; expected one of {', '.join(_core.field_names())}")
    return name


class Simulation:
    """A flow in memory, at rest or as the case says, at step 0: `fluvia run` without its schedule and its files.

    Nothing is written unless save() is called. Use it as a context manager, or call close(), to give the memory back at
    once. Stepping leaves Python's lock to other threads and ends at Ctrl-C after the step at hand, with
    KeyboardInterrupt; the flow can be stepped on. Several threads may use it, one of which waits for the other. A process
    that was forked has a copy of its own, which goes on from there; a flow on a GPU it cannot use.
    """

    def __init__(self, case: Case, *, device: str = "", threads: int = 0) -> None:
        """`device`: "cpu", "cuda" or "auto"; `threads` of a CPU. Otherwise as the case says.

        Raises InputError (case, geometry) and ResourceError (memory, no such device).
        """
        if not isinstance(case, Case):
            raise InputError(f"Simulation: a {type(case).__name__} was given; expected a Case, such as Case.read(\"case.toml\")")
        self.case = case
        self._session: _core.Session | None = None

        def prepared(case: Case) -> _core.Case:
            return _core.with_numerics(case._core, device, threads)

        self._session = cast("_core.Session", SharedSession(prepared(case)))
        self._values = BoundaryValues(case, prepared)
        self._calling = threading.local()  # whether this thread is in a callback
        self._callbacks: list[tuple[int, Callable[[Simulation], Any]]] = []

    @property
    def _flow(self) -> _core.Session:
        if self._session is None:
            raise InputError("the simulation is closed")
        return self._session

    def close(self) -> None:
        """Gives memory and device back. Arrays that were taken from the flow stay."""
        self._session = None

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def plan(self) -> dict[str, Any]:
        """The plan of the run, with reasons: lattice, collision, scheme, format, device, threads, bytes of memory, ..."""
        return self._flow.plan

    @property
    def units(self) -> dict[str, Any]:
        """Units and numbers of the flow: metres a node (spacing), seconds a step (time_step), tau, viscosity (lattice), mach, reynolds, ..."""
        return self._flow.units

    @property
    def warnings(self) -> list[str]:
        """What `fluvia run` would warn of before the first step."""
        return self._flow.warnings

    @property
    def shape(self) -> tuple[int, ...]:
        """Nodes along z, y and x, in 2D y and x."""
        return self._flow.shape

    @property
    def fluid_nodes(self) -> int:
        """Number of fluid nodes."""
        return self._flow.fluid_nodes

    @property
    def time_step(self) -> int:
        """Number of steps done."""
        return self._flow.time_step

    @property
    def time(self) -> float:
        """The time of the flow, in the unit of the case."""
        return self._flow.time

    def positions(self) -> list[NDArray[np.float64]]:
        """Coordinates of the nodes along x, y (and z), in the unit of the case."""
        flow = self._flow
        return [
            origin + flow.units["spacing"] * (np.arange(count) + 0.5)
            for origin, count in zip(flow.origin, reversed(flow.shape))
        ]

    def step(self, count: int = 1) -> None:
        """Advances `count` steps; calls what every() was given on the way. Steps count, not their numbers: where a callback
        goes back to an earlier one, by restore() or set_state(), as many are made.

        Raises UnstableError, saying where and why, if the flow diverged: seen as often as in a run, and by whatever
        looks at the flow.
        """
        count = _steps(count, "step", 0)
        if getattr(self._calling, "back", False):
            raise InputError("step: a callback of every() cannot step, which would call it again")
        if not self._callbacks:
            self._flow.advance(count)
            return
        while count > 0:
            now = self.time_step
            target = min(now + count, *((now // every + 1) * every for every, _ in self._callbacks))
            self._flow.advance(target - now)
            count -= target - now
            self._calling.back = True
            try:
                for every, callback in self._callbacks:
                    if target % every == 0:
                        callback(self)
            finally:
                self._calling.back = False

    def every(self, steps: int, callback: Callable[[Simulation], Any]) -> None:
        """From now on step() calls `callback(self)` after each multiple of `steps`. What it raises ends step()."""
        steps = _steps(steps, "every", 1)
        if not callable(callback):
            raise InputError(f"every: a {type(callback).__name__} was given as callback; expected a function of the Simulation")
        self._callbacks.append((steps, callback))

    def field(self, name: str, *, out: Field | None = None) -> Field:
        """A field at all nodes, in the unit of the case: [z, y, x], in 2D [y, x], with three components last for vectors; NaN
        where there is no fluid. `fluvia.field_names` lists the names. The numbers are of single precision, float32, or of
        double precision, float64, where the flow itself is (`numerics.format` fp64).

        The array owns the one memory that was computed into: it stays as it is while the flow goes on, and others take it
        as it is, e.g. `torch.from_dlpack(flow.field("velocity"))`. With `out`, C-ordered, of the field's shape and either
        precision, the field is computed into that and returned. Raises InputError for other names and arrays.
        """
        flow, name = self._flow, _field_name(name)
        if out is None:
            return flow.field_double(name) if flow.is_double else flow.field(name)
        shape = flow.field_shape(name)
        if not (isinstance(out, np.ndarray) and out.shape == shape and out.dtype in (np.float32, np.float64)):
            given = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise InputError(f"field '{name}': out is {given}; expected an array of float32 or float64 {shape}")
        if not (out.flags.c_contiguous and out.flags.writeable and out.dtype.isnative):
            raise InputError(f"field '{name}': out is no C-ordered array that can be written to; give one as np.empty makes it")
        if out.dtype == np.float64:
            flow.field_double_into(name, cast("NDArray[np.float64]", out))
        else:
            flow.field_into(name, cast("NDArray[np.float32]", out))
        return out

    @property
    def levels(self) -> int:
        """Levels of refinement, the coarsest included: 1 where there is no [[refine]]."""
        return self._flow.level_count

    def field_of_level(self, name: str, level: int, *, own: bool = False) -> Field:
        """A field at the nodes of a level of refinement, 2**level times as many along each axis as field() has, in the
        unit of the case; 0 is the coarsest. The array is that of the whole box: where finer levels compute it has their
        mean, where coarser ones do, what lies between their nodes. So that of the finest level is the flow on one grid.
        With `own` it is NaN where other levels compute, so that the arrays of all levels together have each place once.
        Raises InputError for other names and levels.
        """
        values: Field = self._flow.field_of_level(name, level, own)
        return values if self._flow.is_double else values.astype(np.float32)

    @property
    def lattice(self) -> dict[str, Any]:
        """The lattice: its `name`, `velocities` [direction, axis] and `weights` [direction]."""
        return dict(zip(("name", "velocities", "weights"), self._flow.lattice()))

    def populations(self, *, level: int = 0, deviations: bool = False) -> NDArray[np.float64]:
        """The populations f_i that have arrived at each node, before boundary conditions act on them: [z, y, x, direction], in
        2D [y, x, direction], in the order of `lattice`; NaN where there is no fluid. Their sum is the density, in lattice
        units. With `deviations` what is stored, f_i - w_i, which keeps all digits. With levels of refinement those of one
        `level`, whose array has 2**level times as many nodes along each axis: NaN where other levels compute. Raises
        InputError for other levels.
        """
        flow = self._flow
        values: NDArray[np.float64] = flow.populations(level)
        if not deviations:
            values += flow.lattice()[2]
        return values

    def set_populations(self, values: ArrayLike, *, level: int = 0, deviations: bool = False) -> None:
        """Replaces the populations, as populations() gives them, rounded to the storage format; time steps go on. Numbers
        where there is no fluid, or other levels compute, mean nothing. Raises InputError, and nothing changes, for other
        levels and shapes and for numbers that are not finite."""
        flow = self._flow
        given = np.asarray(values, dtype=np.float64)
        if not deviations and given.shape == flow.populations_shape(level):  # what does not fit is refused by name
            given = given - flow.lattice()[2]
        flow.set_populations(np.ascontiguousarray(given), level)

    def device_field(self, name: str) -> DeviceArray:
        """A field as field() gives it, in the memory of the GPU that the flow is on, for libraries that compute there:
        `torch.from_dlpack(flow.device_field("velocity"))`, `cupy.asarray(...)`.

        pressure, density and velocity are computed on the GPU and never leave it; other fields are computed on the host
        and uploaded. The array is new memory and stays as it is while the flow goes on. Raises InputError for other names,
        and for flows on a CPU or on several GPUs; ResourceError if the GPU has no such memory left.
        """
        array, address = self._flow.device_field(name)
        return DeviceArray(array, address, self._flow.field_shape(name))

    def unit(self, name: str) -> str:
        """The unit of a field: "Pa", ...; "lattice" for cases in lattice units. Raises InputError for other names."""
        return self._flow.unit(name)

    def fluid(self) -> NDArray[np.bool_]:
        """Which nodes are fluid."""
        return self._flow.fluid().view(np.bool_)

    def monitors(self) -> dict[str, float]:
        """What monitors.csv would have in its row of this step: openings, forces, probes, ..., with their units."""
        flow = self._flow
        return dict(zip(flow.monitor_names, flow.monitors()))

    def history(self, steps: int, every: int) -> Iterator[tuple[int, dict[str, float]]]:
        """Steps on for `steps` steps; gives (time step, monitors) after every `every` of them."""
        steps, every = _steps(steps, "history", 0), _steps(every, "history", 1)
        while steps > 0:
            now = min(every, steps)
            self.step(now)
            steps -= now
            yield self.time_step, self.monitors()

    def set_state(self, *, pressure: ArrayLike | None = None, velocity: ArrayLike | None = None) -> None:
        """Begins again at step 0, in equilibrium, from a gauge pressure [z, y, x] and a velocity [z, y, x, 3] (2D: without
        z); each 0 if it is left out. One pressure or one velocity [3] stands for all nodes. Values where there is no
        fluid mean nothing."""
        shape = self.shape

        def array(values: ArrayLike | None, wanted: tuple[int, ...]) -> NDArray[np.float64] | None:
            if values is None:
                return None
            given = np.asarray(values, dtype=np.float64)
            # One value, or one vector, stands for all nodes; what else does not fit is refused by name.
            if given.shape == () or (len(wanted) > len(shape) and given.shape == (3,)):
                given = np.broadcast_to(given, wanted)
            return np.ascontiguousarray(given)

        self._flow.set_state(array(pressure, shape), array(velocity, (*shape, 3)))

    def set_boundary(self, surface: str, **value: Any) -> None:
        """Gives a boundary another value from now on; checkpoints do not keep it.

        - `speed=`, `flow_rate=` or `pressure=` a number, of the quantity that the case gives it, at once;
        - `velocity=` one vector, of a moving wall or an opening;
        - the name of a scalar, e.g. `temperature=`, a number: the value, the flux or the ambient value that the case gives it
          there, at once;
        - `speed=` an array of speeds into the fluid, one for each of `opening_points(surface)`, or a function of these
          points that returns one; `velocity=` in the same way vectors along the normal.

        Vectors, arrays and functions set the flow up anew around its populations, which takes as long as Simulation(case)
        and for that time its memory again. Raises InputError, and nothing changes, for what does not fit.
        """
        if len(value) != 1:
            raise InputError(f"boundary '{surface}': give one value, e.g. speed=0.2")
        ((quantity, what),) = value.items()
        if callable(what):
            what = what(self.opening_points(surface))
        flow = cast("SharedSession", self._flow)
        flow.together(lambda session: self._values.set(session, surface, quantity, what))

    def opening_points(self, surface: str) -> NDArray[np.float64]:
        """Points of an opening, [node, axis], in the unit of the case: for each node beside it, x fastest, the place on the
        plane of the opening that is nearest to it. Raises InputError, naming the openings, for other names."""
        return self._flow.points_of(surface)[:, : self.case.dimension]

    def bodies(self) -> dict[str, dict[str, Any]]:
        """The bodies that move, by the names of their surfaces, as they are now, in units of the case; arrays of three, in 2D,
        too: `position` of the center, which goes on over periodic faces; `axes`, of which row k is where axis k of the body
        points; `angle` by which it has turned, radians, along the axis; `velocity`, `angular_velocity`; `force` and `torque`
        of the fluid in the last step, that about the center, in 2D of a unit of depth."""
        return {body.pop("surface"): body for body in self._flow.bodies()}

    def set_motion(self, body: str, velocity: ArrayLike = (0, 0, 0), angular_velocity: ArrayLike = (0, 0, 0)) -> None:
        """Lets a body go on with these velocities from where it is: that of its center, [3] or in 2D [2], and the one about it,
        radians per time, [3] or in 2D one number. A body with a motion keeps them until it is given others; a free one goes
        on freely from there. Checkpoints keep it. Raises InputError, and nothing changes, for other names, and for what is
        faster than Mach 0.3."""
        def vector(given: ArrayLike, what: str, short: tuple[int, ...]) -> list[float]:
            array = np.asarray(given, dtype=np.float64)
            if self.case.dimension == 2 and array.shape == short:
                array = np.array([*array, 0.0]) if short else np.array([0.0, 0.0, array[()]])
            if array.shape != (3,):
                raise InputError(f"set_motion: {what} has the shape {array.shape}; give three numbers")
            return [float(number) for number in array]

        flow = self._flow
        flow.set_motion(body, vector(velocity, "velocity", (2,)), vector(angular_velocity, "angular_velocity", ()))

    def tracers(self, name: str) -> dict[str, Any]:
        """The points of a [[tracer]] now, in units of the case, an entry for each in every array: `id`, 0, 1, ... in the order
        in which they appeared; `position`, `velocity` of the fluid there, [point, axis]; `age`; `stuck`, whether it sticks to
        a surface. `left` has those that have left, in the order in which they did: `id`, `time`, `age`, `position`, and the
        name of the `opening`. Raises InputError, naming the tracers, for other names."""
        points = self._flow.tracers(name)
        for of in (points, points["left"]):
            of["position"] = of["position"][:, : self.case.dimension]
        points["velocity"] = points["velocity"][:, : self.case.dimension]
        points["stuck"] = points["stuck"].astype(bool)
        return points

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a checkpoint with which restore() or `fluvia run --resume FILE` goes on, bit by bit."""
        self._flow.save(Path(file))

    def restore(self, file: str | os.PathLike[str]) -> str:
        """Goes on from a checkpoint of the same flow. Returns what was lost if it has another format, else ""."""
        return self._flow.restore(Path(file))

    def __copy__(self) -> Simulation:
        raise InputError("a Simulation cannot be copied: make another one of its case, and give it the checkpoint of this "
                         "one, by save() and restore()")

    def __deepcopy__(self, _: Any) -> Simulation:
        return self.__copy__()

    def __reduce__(self) -> Any:
        raise InputError("a Simulation cannot be pickled: pickle its case, and send the flow as a checkpoint, by save() and "
                         "restore()")

    def __repr__(self) -> str:
        if self._session is None:
            return "<fluvia.Simulation, closed>"
        return f"<fluvia.Simulation of {self.case!r} at step {self.time_step}>"
