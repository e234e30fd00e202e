# SPDX-License-Identifier: Apache-2.0
"""fluvia.Simulation and fluvia.run: the flows of `fluvia run`, in memory."""
import copy
import ctypes
import importlib
import importlib.util
import math
import multiprocessing
import os
import pickle
import signal
import subprocess
import threading
import time
from pathlib import Path

import fluvia
import numpy as np
import pytest

BINARY = os.environ["FLUVIA_BINARY"]


def cavity(nodes=(20, 16), **more):
    sections = dict(
        units={"system": "lattice", "tau": 0.6},
        domain={"dimension": 2, "nodes": list(nodes)},
        boundary=[{"surface": "y_max", "type": "moving_wall", "velocity": [0.1, 0, 0]}],
        numerics={"device": "cpu", "threads": 2},
        run={"steps": 200},
        monitor={"probe": [{"name": "centre", "position": [nodes[0] / 2, nodes[1] / 2, 0]}]},
    )
    sections.update(more)
    return fluvia.Case(**sections)


def duct(**more):
    sections = dict(
        units={"system": "si", "spacing": 1e-3, "tau": 0.8, "viscosity": 2e-4, "density": 1000},
        domain={"dimension": 3, "nodes": [12, 7, 9]},
        boundary=[
            {"surface": "x_min", "type": "velocity", "speed": 0.1},
            {"surface": "x_max", "type": "pressure", "pressure": 0},
        ],
        numerics={"device": "cpu", "threads": 2},
        run={"steps": 1000},
    )
    sections.update(more)
    return fluvia.Case(**sections)


def box(**more):
    return fluvia.Case(
        units={"system": "lattice", "tau": 0.8},
        domain={"dimension": 2, "nodes": [32, 24], "periodic": [True, True, False]},
        numerics={"device": "cpu", "threads": 1, "format": "fp64"},
        run={"steps": 100},
        **more,
    )


def test_fields_have_the_shape_of_the_box_and_the_direction_of_the_lid():
    with fluvia.Simulation(cavity()) as flow:
        assert flow.shape == (16, 20)
        flow.step(100)
        velocity = flow.field("velocity")
        assert velocity.shape == (16, 20, 3)
        assert flow.field("pressure").shape == (16, 20)
        assert velocity[-1, 10, 0] > 0.03  # below the lid, along x
        assert velocity[8, -2, 1] < 0 < velocity[8, 1, 1]  # down on the right, up on the left
        x, y = flow.positions()
        assert (x[0], x[-1], y[0], y[-1]) == (0.5, 19.5, 0.5, 15.5)
    with pytest.raises(fluvia.InputError, match="closed"):
        flow.step()
    assert velocity[-1, 10, 0] > 0.03  # arrays outlive it


def test_three_dimensions_are_z_y_x():
    with fluvia.Simulation(duct()) as flow:
        flow.step(50)
        assert flow.shape == (9, 7, 12)
        assert flow.field("velocity").shape == (9, 7, 12, 3)
        assert flow.unit("velocity") == "m/s" and flow.unit("pressure") == "Pa"
        assert flow.time == pytest.approx(50 * flow.units["time_step"])
        assert flow.fluid().all() and flow.fluid_nodes == 9 * 7 * 12


def test_there_is_no_fluid_in_solids():
    case = cavity(geometry={"shape": [{"kind": "cylinder", "from": [10, 8, 0], "to": [10, 8, 1], "radius": 3, "name": "post"}]},
                  monitor={})
    with fluvia.Simulation(case) as flow:
        fluid = flow.fluid()
        assert not fluid[8, 10] and fluid[1, 1]
        assert np.array_equal(np.isnan(flow.field("pressure")), ~fluid)
        assert flow.fluid_nodes == fluid.sum()


def test_has_the_bits_of_a_run(tmp_path):
    case = cavity()
    result = fluvia.run(case, tmp_path / "out")
    assert result.steps == 200 and result.checkpoint.exists() and "ended_because" in result.results
    with fluvia.Simulation(case) as flow, fluvia.Simulation(case) as other:
        flow.step(77)
        flow.step(0)
        flow.step(123)
        assert other.restore(result.checkpoint) == ""
        assert other.time_step == flow.time_step == 200
        assert np.array_equal(flow.field("velocity"), other.field("velocity"))
        assert result.results["monitors"] == pytest.approx(flow.monitors())
        flow.save(tmp_path / "here.fluvia")
    case.changed("run.steps=300").write(tmp_path / "case.toml")
    subprocess.run([BINARY, "run", tmp_path / "case.toml", "--output", tmp_path / "on", "--resume", tmp_path / "here.fluvia"],
                   check=True, capture_output=True)
    again = fluvia.run(case.changed("run.steps=300"), tmp_path / "whole")
    with fluvia.Simulation(case) as flow, fluvia.Simulation(case) as other:
        flow.restore(next((tmp_path / "on").glob("*-000000000300.fluvia")))
        other.restore(again.checkpoint)
        assert np.array_equal(flow.field("velocity"), other.field("velocity"))


def test_a_run_may_see_other_grids(tmp_path):
    case = cavity().changed("run.steps=400", "monitor.every=10")
    alone = fluvia.run(case, tmp_path / "alone")
    assert "grids" not in alone.results and alone.results["verdict"]["findings"][-1]["judgement"] == "unknown"
    result = fluvia.run(case, tmp_path / "out", refine_check=True)
    assert len(result.results["grids"]) == 2 and all(grid["problem"] == "" for grid in result.results["grids"])
    energy = next(q for q in result.results["quantities"] if q["name"] == "wall_shear_stress_mean")
    assert energy["grid_error"] > 0 and energy["limit"] != energy["value"]


def test_a_state_decays_as_it_should():
    """Taylor-Green: u decays with exp(-nu (kx^2 + ky^2) t); second order in the wave number, here 0.5%."""
    with fluvia.Simulation(box()) as flow:
        ny, nx = flow.shape
        x, y = flow.positions()
        kx, ky = 2 * math.pi / nx, 2 * math.pi / ny
        velocity = np.zeros((ny, nx, 3))
        velocity[..., 0] = 0.01 * ky / kx * np.outer(np.cos(ky * y), np.sin(kx * x)) * -1
        velocity[..., 1] = 0.01 * np.outer(np.sin(ky * y), np.cos(kx * x))
        flow.set_state(velocity=velocity)
        assert flow.time_step == 0
        assert np.allclose(flow.field("velocity"), velocity, atol=1e-8)
        flow.step(100)
        rate = flow.units["viscosity"] * (kx**2 + ky**2)
        assert np.abs(flow.field("velocity")).max() == pytest.approx(np.abs(velocity).max() * math.exp(-100 * rate), rel=0.01)
        flow.set_state(pressure=0.001)
        assert np.allclose(flow.field("pressure"), 0.001) and flow.time_step == 0


def test_double_precision_flows_have_fields_of_double_precision():
    with fluvia.Simulation(box()) as flow:
        x, _ = flow.positions()
        velocity = np.zeros((*flow.shape, 3))
        velocity[..., 1] = 0.01 * np.sin(2 * math.pi * x / flow.shape[1])
        flow.set_state(velocity=velocity)
        found = flow.field("velocity")
        assert found.dtype == np.float64 and np.abs(found - velocity).max() < 1e-15  # single precision: 5e-10
    with fluvia.Simulation(duct()) as flow:
        assert flow.field("velocity").dtype == np.float32


def test_populations_are_those_of_the_flow():
    with fluvia.Simulation(box()) as flow:
        flow.set_state(pressure=0.001, velocity=[0.02, 0.01, 0])
        flow.step(3)
        lattice, f = flow.lattice, flow.populations()
        assert lattice["name"] == "D2Q9" and lattice["weights"].sum() == pytest.approx(1)
        assert lattice["velocities"].shape == (9, 2) and f.shape == (*flow.shape, 9)
        assert np.allclose(f.sum(axis=-1), 1.003, rtol=1e-12)  # a gauge pressure of c_s^2 (rho - 1)
        u = np.einsum("...q,qa->...a", f, lattice["velocities"]) / f.sum(axis=-1, keepdims=True)
        assert np.allclose(u, [0.02, 0.01], rtol=1e-12)
        assert np.allclose(f - flow.populations(deviations=True), lattice["weights"], atol=1e-16)


@pytest.mark.parametrize("numerics", [dict(scheme="aa"), dict(scheme="esoteric-pull"), dict(format="fp16s", rounding="nearest")])
def test_populations_make_another_flow_the_same(numerics):
    case = cavity(numerics={"device": "cpu", "threads": 2, **numerics},
                  geometry={"shape": [{"kind": "cylinder", "from": [10, 8, 0], "to": [10, 8, 1], "radius": 3, "name": "post"}]}, monitor={})
    with fluvia.Simulation(case) as flow, fluvia.Simulation(case) as other:
        flow.step(7)
        other.step(4)
        f = flow.populations(deviations=True)
        assert np.array_equal(np.isnan(f[..., 0]), ~flow.fluid())
        other.set_populations(f, deviations=True)
        assert other.time_step == 4 and np.array_equal(other.populations(deviations=True), f, equal_nan=True)
        flow.step(5)
        other.step(5)
        assert np.array_equal(flow.field("velocity"), other.field("velocity"), equal_nan=True)
        before = other.populations()
        for wrong, words in [(f[1:], "shape"), (np.where(f == f[1, 1, 1], np.nan, f), "finite")]:
            with pytest.raises(fluvia.InputError, match=f"populations.*{words}"):
                other.set_populations(wrong, deviations=True)
        assert np.array_equal(other.populations(), before, equal_nan=True)


@pytest.mark.parametrize(
    "state, words",
    [
        (dict(velocity=np.zeros((3, 3))), "shape"),
        (dict(velocity=np.zeros((32, 24, 3))), "shape"),
        (dict(velocity=np.full((24, 32, 3), np.nan)), "finite"),
        (dict(velocity=np.full((24, 32, 3), 0.5)), "velocity"),
        (dict(pressure=-1), "pressure"),
    ],
)
def test_states_that_cannot_be_are_refused(state, words):
    with fluvia.Simulation(box()) as flow:
        flow.step(3)
        with pytest.raises(fluvia.InputError, match=words):
            flow.set_state(**state)
        assert flow.time_step == 3


def test_openings_take_other_values():
    with fluvia.Simulation(duct()) as flow:
        flow.step(200)
        name = next(key for key in flow.monitors() if key.startswith("flow_x_min"))
        before = flow.monitors()[name]
        assert before == pytest.approx(0.1 * 7e-3 * 9e-3, rel=0.02)
        flow.set_boundary("x_min", speed=0.05)
        flow.step(200)
        assert flow.monitors()[name] == pytest.approx(before / 2, rel=0.02)
        outlet = next(key for key in flow.monitors() if key.startswith("pressure_x_max"))
        before = flow.monitors()[outlet]
        flow.set_boundary("x_max", pressure=50)
        flow.step(400)
        assert flow.monitors()[outlet] - before == pytest.approx(50, rel=0.02)
        for surface, value, words in [
            ("x_mim", dict(speed=1), "x_min"),
            ("x_min", dict(flow_rate=1), "speed"),
            ("x_max", dict(speed=1), "pressure"),
            ("x_min", dict(), "one value"),
            ("x_min", dict(speed=math.inf), "finite"),
            ("x_min", dict(speed=300), "max_mach"),
        ]:
            with pytest.raises(fluvia.InputError, match=words):
                flow.set_boundary(surface, **value)


def test_a_boundary_that_rises_rises_to_its_new_value():
    case = duct(boundary=[{"surface": "x_min", "type": "velocity", "speed": 0.1, "ramp": 0.5}, {"surface": "x_max", "type": "pressure"}])
    with fluvia.Simulation(case) as flow:
        flow.set_boundary("x_min", speed=0.05)
        name = next(key for key in flow.monitors() if key.startswith("flow_x_min"))
        while flow.time < 0.25:
            flow.step()
        assert flow.monitors()[name] == pytest.approx(0.5 * 0.05 * 7e-3 * 9e-3, rel=0.05)
        while flow.time < 1:
            flow.step(10)
        assert flow.monitors()[name] == pytest.approx(0.05 * 7e-3 * 9e-3, rel=0.02)


def test_an_opening_takes_a_profile():
    case = duct(domain={"dimension": 2, "nodes": [24, 12]}, run={"steps": 10})
    with fluvia.Simulation(case) as flow:
        flow.step(20)
        points = flow.opening_points("x_min")
        assert points.shape == (12, 2) and np.allclose(points[:, 1], (np.arange(12) + 0.5) * 1e-3) and (points[:, 0] == 0).all()
        before = flow.populations()
        profile = 0.1 * 6 * (points[:, 1] / 12e-3) * (1 - points[:, 1] / 12e-3)
        flow.set_boundary("x_min", speed=profile)
        assert flow.time_step == 20 and np.array_equal(flow.populations(), before)
        flow.step(1500)
        assert np.allclose(flow.field("velocity")[:, 0, 0], profile, rtol=0.08)  # the density at the inlet is 1.03
        flow.set_boundary("x_max", pressure=5)
        flow.set_boundary("x_min", velocity=lambda x: np.stack([0.05 + 0 * x[:, 0], 0 * x[:, 0]], axis=1))
        flow.step(1500)
        pressure = next(key for key in flow.monitors() if key.startswith("pressure_x_max"))
        assert flow.monitors()[pressure] == pytest.approx(5, abs=0.5)  # as it was set, although the flow was set up anew
        assert flow.field("velocity")[1:-1, 0, 0] == pytest.approx(0.05, rel=0.2)
        flow.set_boundary("x_min", speed=0.1)  # back to the profile of the case
        flow.step(1500)
        name = next(key for key in flow.monitors() if key.startswith("flow_x_min"))
        assert flow.monitors()[name] == pytest.approx(0.1 * 12e-3, rel=0.001)
        step = flow.time_step
        for surface, value, words in [
            ("x_min", dict(speed=profile[1:]), r"\(11,\).*expected \(12,\)"),
            ("x_min", dict(velocity=np.ones((12, 2))), "along the normal"),
            ("x_min", dict(velocity=np.ones((5, 2))), r"expected \(12, 2\)"),
            ("x_min", dict(velocity=np.ones(4)), "4 components"),
            ("x_min", dict(speed=np.full(12, np.nan)), "finite"),
            ("x_min", dict(speed=np.full(12, 300)), "max_mach"),
            ("x_min", dict(speed="fast"), "no number"),
            ("x_min", dict(sped=3), "speed"),
            ("x_max", dict(pressure=np.ones(12)), "takes a number: an opening holds one pressure"),
            ("x_max", dict(speed=profile), "type 'pressure'"),
            ("x_mim", dict(speed=profile), "'x_min'"),
            ("x_mim", dict(velocity=[1, 0]), "'x_min'"),
        ]:
            with pytest.raises(fluvia.InputError, match=words):
                flow.set_boundary(surface, **value)
        flow.step(100)
        assert flow.time_step == step + 100 and flow.monitors()[name] == pytest.approx(0.1 * 12e-3, rel=0.001)


def test_a_moving_wall_takes_another_direction(tmp_path):
    with fluvia.Simulation(cavity()) as flow, fluvia.Simulation(cavity(boundary=[{"surface": "y_max", "type": "moving_wall", "velocity": [-0.05, 0, 0]}])) as other:
        flow.step(50)
        flow.save(tmp_path / "state.fluvia")
        flow.set_boundary("y_max", velocity=[-0.05, 0])
        flow.step(3000)
        other.step(3000)
        assert np.allclose(flow.field("velocity"), other.field("velocity"), atol=1e-4)
        assert flow.restore(tmp_path / "state.fluvia") == "" and flow.time_step == 50  # a checkpoint of the same case


def test_calls_back():
    with fluvia.Simulation(cavity()) as flow:
        seen = []
        flow.every(30, lambda flow: seen.append(flow.time_step))
        flow.step(50)
        flow.step(50)
        assert seen == [30, 60, 90] and flow.time_step == 100
        assert [step for step, _ in flow.history(25, 10)] == [110, 120, 125]


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda flow: flow.step("3"), "step: '3'"),
        (lambda flow: flow.step(1.5), "whole number"),
        (lambda flow: flow.step(-1), "0 or more"),
        (lambda flow: flow.every(1.5, print), "every: 1.5"),
        (lambda flow: flow.every(5, 3), "callback"),
        (lambda flow: flow.field(3), "pressure, density"),
        (lambda flow: list(flow.history(10, 0)), "history: 0"),
        (copy.copy, "save"),
        (copy.deepcopy, "save"),
        (pickle.dumps, "checkpoint"),
        (lambda _: fluvia.Simulation("case.toml"), "expected a Case"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(call, words):
    flow = fluvia.Simulation(cavity())
    with pytest.raises(fluvia.InputError, match=words):
        call(flow)
    flow.step(np.int64(2))
    assert flow.time_step == 2


def test_a_flow_that_diverges_is_said_to():
    case = cavity(units={"system": "lattice", "tau": 0.5001}, numerics={"device": "cpu", "collision": "bgk"},
                  boundary=[{"surface": "y_max", "type": "moving_wall", "velocity": [0.3, 0, 0]}])
    with fluvia.Simulation(case) as flow, pytest.raises(fluvia.UnstableError, match="step") as caught:
        flow.step(20000)
    assert caught.value.code == 5


def test_a_callback_that_goes_back_does_not_step_for_ever(tmp_path):
    with fluvia.Simulation(cavity()) as flow:
        flow.save(tmp_path / "begin.fluvia")
        flow.every(5, lambda flow: flow.restore(tmp_path / "begin.fluvia"))
        flow.step(12)
        assert flow.time_step == 2


def test_a_callback_does_not_step():
    flow = fluvia.Simulation(cavity())
    flow.every(2, lambda flow: flow.step(1))
    with pytest.raises(fluvia.InputError, match="callback"):
        flow.step(4)
    assert flow.time_step == 2
    flow.step(1)
    assert flow.time_step == 3


def test_threads_lose_no_step():
    with fluvia.Simulation(cavity()) as flow:
        threads = [threading.Thread(target=lambda: [flow.step() for _ in range(25)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert flow.time_step == 100
        with fluvia.Simulation(cavity()) as alone:
            alone.step(100)
            assert np.array_equal(alone.field("velocity"), flow.field("velocity"), equal_nan=True)


def step_in_another_process(case, steps):
    with fluvia.Simulation(case) as flow:
        flow.step(steps)
        return float(np.nansum(flow.field("velocity")))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_other_processes_step(method):
    case = cavity()
    with fluvia.Simulation(case) as flow:
        flow.step(10)  # from now on threads of OpenMP wait, which a forked process does not have
        expected = float(np.nansum(flow.field("velocity")))
        with multiprocessing.get_context(method).Pool(2) as pool:
            found = pool.starmap_async(step_in_another_process, [(case, 10)] * 3).get(timeout=120)
        assert found == [expected] * 3


def test_a_forked_process_goes_on_with_its_copy():
    with fluvia.Simulation(cavity()) as flow:
        flow.step(10)
        process = os.fork()
        if process == 0:
            flow.step(10)
            os._exit(0 if flow.time_step == 20 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
        assert flow.time_step == 10


def test_ctrl_c_ends_stepping_and_other_threads_run_on():
    with fluvia.Simulation(cavity(nodes=(200, 200))) as flow:
        started = threading.Event()

        def interrupt():
            started.wait()
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        started.set()
        with pytest.raises(KeyboardInterrupt):
            flow.step(100_000_000)
        thread.join()
        reached = flow.time_step
        assert 0 < reached < 100_000_000
        flow.step(3)
        assert flow.time_step == reached + 3


def test_a_run_tells_how_far_it_is_and_ends_where_its_caller_fails(tmp_path):
    class Enough(Exception):
        pass

    def stop(progress):
        assert progress["last_step"] == 100_000_000
        raise Enough

    with pytest.raises(Enough):
        fluvia.run(cavity().changed("run.steps=100000000"), tmp_path, on_progress=stop)
    assert list(tmp_path.glob("*.fluvia"))  # it can be resumed


def test_a_run_ends_where_its_caller_says_false(tmp_path):
    result = fluvia.run(cavity().changed("run.steps=100000000"), tmp_path, on_progress=lambda progress: False)
    assert result.stopped and 0 < result.steps < 100_000_000
    assert result.checkpoint is not None and result.checkpoint.exists()
    on = fluvia.run(cavity().changed(f"run.steps={result.steps + 10}"), tmp_path, resume=True, on_progress=lambda progress: None)
    assert not on.stopped and on.steps == result.steps + 10


def test_no_gpu_is_an_error_of_resources():
    try:
        fluvia.Simulation(cavity(), device="cuda").close()
    except fluvia.ResourceError as error:
        assert error.code == 4 and isinstance(error, OSError) and "cuda" in str(error).lower()
    else:
        pytest.skip("this machine has a GPU")


def test_a_flow_on_the_cpu_has_no_fields_on_a_gpu():
    with fluvia.Simulation(cavity(), device="cpu") as flow:
        with pytest.raises(fluvia.InputError, match="'velocity'.*on the CPU"):
            flow.device_field("velocity")
        with pytest.raises(fluvia.InputError, match="velocty"):
            flow.device_field("velocty")


def on_host(array):
    """A copy of what is in the memory of a GPU, by CUDA's array interface and the driver alone."""
    interface = array.__cuda_array_interface__
    values = np.empty(interface["shape"], dtype=interface["typestr"])
    copy = ctypes.CDLL("libcuda.so.1").cuMemcpyDtoH_v2
    copy.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]
    assert copy(values.ctypes.data, interface["data"][0], values.nbytes) == 0
    return values


@pytest.mark.parametrize("case", [cavity, duct])
def test_fields_stay_on_the_gpu(case):
    try:
        flow = fluvia.Simulation(case(), device="cuda")
    except fluvia.ResourceError as error:
        pytest.skip(str(error))
    arrays = {}
    with flow:
        flow.step(21)
        for name in fluvia.field_names:
            arrays[name] = flow.field(name), flow.device_field(name)
        flow.step(1)  # arrays stay as they are
    for name, (host, device) in arrays.items():
        assert device.shape == host.shape and device.__dlpack_device__() == (2, device.device)
        assert np.array_equal(on_host(device), host, equal_nan=True), name
        for library in ["torch", "cupy"]:  # where they are installed
            if importlib.util.find_spec(library) is not None:
                taken = importlib.import_module(library).from_dlpack(device)
                assert np.array_equal(taken.cpu().numpy() if library == "torch" else taken.get(), host, equal_nan=True)
                if library == "torch":
                    assert taken.data_ptr() == device.__cuda_array_interface__["data"][0]  # no copy


def test_fields_are_taken_without_copies():
    with fluvia.Simulation(duct()) as flow:
        flow.step(20)
        velocity = flow.field("velocity")
        assert velocity.flags.c_contiguous and velocity.flags.writeable and not velocity.flags.owndata
        assert np.shares_memory(np.from_dlpack(velocity), velocity)  # as any library with DLPack does
        before = velocity.copy()
        again = np.empty_like(velocity)
        flow.step(20)
        assert flow.field("velocity", out=again) is again
        assert np.array_equal(again, flow.field("velocity")) and not np.array_equal(again, velocity)
        assert np.array_equal(velocity, before)  # an array stays as it is
        double = flow.field("velocity", out=np.empty(velocity.shape))
        assert double.dtype == np.float64 and np.array_equal(double.astype(np.float32), again)
        for wrong, words in [
            (np.empty(velocity.shape, dtype=np.int64), "int64"),
            (np.empty((9, 7, 12), dtype=np.float32), "shape|expected"),
            (np.empty((9, 7, 12, 6), dtype=np.float32)[..., ::2], "C-ordered"),
            ([1.0], "list"),
        ]:
            with pytest.raises(fluvia.InputError, match=words):
                flow.field("velocity", out=wrong)
        with pytest.raises(fluvia.InputError, match="velocity"):
            flow.field("velocty")


def test_populations_of_levels_make_another_flow_the_same():
    case = box(refine=[{"level": 1, "box": [[8, 8], [16, 16]]}], physics={"initial_velocity_formula": ["0.05*sin(x)", "0.02*cos(y)"]})
    with fluvia.Simulation(case) as flow, fluvia.Simulation(case) as other:
        flow.step(7)
        other.step(4)
        for level in (0, 1):
            f = flow.populations(level=level, deviations=True)
            own = flow.field_of_level("pressure", level, own=True)
            assert f.shape == (*own.shape, 9) and np.array_equal(np.isnan(f[..., 0]), np.isnan(own))
            other.set_populations(f if level == 0 else flow.populations(level=1), level=level, deviations=level == 0)
        flow.step(5)
        other.step(5)
        for level in (0, 1):
            np.testing.assert_allclose(
                flow.populations(level=level), other.populations(level=level), rtol=0, atol=1e-15, equal_nan=True
            )
        for wrong, words in [(f[1:], "shape"), (np.where(f == f[20, 20, 1], np.nan, f), r"populations\[\d+, \d+, \d+, 1\].*finite")]:
            with pytest.raises(fluvia.InputError, match=f"{words}"):
                other.set_populations(wrong, level=1, deviations=True)
        for act in (lambda: other.populations(level=2), lambda: other.set_populations(f, level=-1)):
            with pytest.raises(fluvia.InputError, match="populations: there is no level -?[12]; the flow has levels 0 to 1"):
                act()


def test_states_begin_on_all_levels(tmp_path):
    with fluvia.Simulation(box(refine=[{"level": 1, "box": [[8, 8], [16, 16]]}])) as flow:
        x, y = flow.positions()
        velocity = np.zeros((*flow.shape, 3))
        velocity[..., 0] = 0.02 + 0.001 * np.broadcast_to(y[:, None], flow.shape)
        flow.step(3)
        flow.set_state(pressure=0.001, velocity=velocity)
        assert flow.time_step == 0
        fine = flow.field_of_level("velocity", 1, own=True)[..., 0]
        inside = np.isfinite(fine)
        expected = np.broadcast_to(0.02 + 0.001 * 0.5 * (np.arange(fine.shape[0]) + 0.5)[:, None], fine.shape)
        np.testing.assert_allclose(fine[inside], expected[inside], rtol=1e-6)
        np.testing.assert_allclose(flow.field("pressure"), 0.001, rtol=1e-6)
        np.testing.assert_allclose(flow.field("velocity")[:4, :, 0], velocity[:4, :, 0], rtol=1e-12)
        flow.step(6)
        flow.save(tmp_path / "state.fluvia")
        later = [flow.populations(level=level) for level in (0, 1)]
        flow.step(3)
        flow.restore(tmp_path / "state.fluvia")
        for level in (0, 1):
            assert np.array_equal(flow.populations(level=level), later[level], equal_nan=True)


def test_fields_of_levels_are_those_of_the_coarsest_nodes_and_of_finer_ones():
    regions = [{"level": 1, "box": [[8, 8], [16, 16]]}]
    with fluvia.Simulation(box(refine=regions, physics={"initial_velocity": [0.05, 0.03, 0]})) as flow:
        assert flow.levels == 2
        flow.step(5)
        for name in ("velocity", "pressure", "vorticity"):
            coarse, fine = flow.field_of_level(name, 0), flow.field_of_level(name, 1)
            own = [flow.field_of_level(name, level, own=True) for level in (0, 1)]
            assert coarse.shape[:2] == (24, 32) and fine.shape[:2] == (48, 64) and fine.dtype == np.float64
            assert np.isfinite(coarse).all() and np.isfinite(fine).all()
            np.testing.assert_array_equal(coarse, flow.field(name))
            if name == "velocity":
                np.testing.assert_allclose(fine[..., 0], 0.05, rtol=1e-12)
            refined = np.isnan(own[0]).reshape(24, 32, -1).any(axis=2)
            assert refined[8:16, 8:16].all() and refined.sum() == 64
            np.testing.assert_array_equal(
                np.repeat(np.repeat(refined, 2, axis=0), 2, axis=1), np.isfinite(own[1]).reshape(48, 64, -1).all(axis=2)
            )
        with pytest.raises(fluvia.InputError, match="there is no level 2; the flow has levels 0 to 1"):
            flow.field_of_level("velocity", 2)
    with fluvia.Simulation(box()) as flow:
        assert flow.levels == 1 and np.array_equal(flow.populations(level=0), flow.populations())
        np.testing.assert_array_equal(flow.field_of_level("pressure", 0), flow.field("pressure"))
