# SPDX-License-Identifier: Apache-2.0
"""fluvia.Simulation and fluvia.run: the flows of `fluvia run`, in memory."""
import math
import os
import subprocess

import fluvia
import numpy as np
import pytest
from flows import box, cavity, duct

BINARY = os.environ["FLUVIA_BINARY"]


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
