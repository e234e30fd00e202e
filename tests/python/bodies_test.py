# SPDX-License-Identifier: Apache-2.0
"""Bodies that move, as Python sees them: where they are, what acts on them, other velocities between steps."""
import numpy as np
import pytest

import fluvia


def box(**body):
    return fluvia.Case(
        units={"viscosity": 0.1},
        domain={"dimension": 2, "nodes": [40, 30]},
        geometry={"shape": [{"name": "ball", "kind": "sphere", "center": [14, 15], "radius": 4}]},
        body=[{"surface": "ball", **body}],
        physics={"gravity": [0, -1e-5, 0]} if "free" in body else {},
        numerics={"device": "cpu", "format": "fp64"},
        run={"steps": 1000},
    )


def test_a_body_that_is_steered(tmp_path):
    with fluvia.Simulation(box()) as flow:
        flow.step(5)
        ball = flow.bodies()["ball"]
        assert np.array_equal(ball["position"][:2], [14, 15])
        assert np.array_equal(ball["axes"], np.eye(3)) and np.abs(ball["force"]).max() < 1e-12
        flow.set_motion("ball", velocity=[0.02, 0], angular_velocity=0.01)
        flow.step(50)
        ball = flow.bodies()["ball"]
        assert np.allclose(ball["position"][:2], [15, 15])
        assert np.allclose(ball["angle"], [0, 0, 0.5]) and np.allclose(ball["axes"][0], [np.cos(0.5), np.sin(0.5), 0])
        assert np.allclose(ball["velocity"], [0.02, 0, 0]) and np.allclose(ball["angular_velocity"], [0, 0, 0.01])
        assert ball["force"][0] < -1e-3 and ball["torque"][2] < -1e-3
        columns = flow.monitors()
        assert np.isclose(columns["force_ball_x [lattice]"], ball["force"][0])
        assert np.isclose(columns["shaft_torque_ball_z [lattice]"], ball["torque"][2])
        flow.save(tmp_path / "ball.fluvia")
        flow.step(20)
        expected = flow.field("velocity").copy(), flow.bodies()["ball"]["position"]
        flow.restore(tmp_path / "ball.fluvia")
        flow.step(20)
        assert np.array_equal(flow.field("velocity"), expected[0])
        assert np.array_equal(flow.bodies()["ball"]["position"], expected[1])
        flow.set_motion("ball")
        flow.step(20)
        assert np.array_equal(flow.bodies()["ball"]["position"], expected[1])


def test_a_free_body_and_its_columns():
    with fluvia.Simulation(box(free={"density": 3})) as flow:
        flow.step(400)
        ball, columns = flow.bodies()["ball"], flow.monitors()
        assert ball["position"][1] < 15 and ball["velocity"][1] < 0
        assert np.isclose(columns["position_ball_y [lattice]"], ball["position"][1])
        assert np.isclose(columns["velocity_ball_y [lattice]"], ball["velocity"][1])
        flow.set_motion("ball", velocity=[0, 0.02])
        assert np.isclose(flow.bodies()["ball"]["velocity"][1], 0.02)
        flow.step(50)
        assert flow.bodies()["ball"]["velocity"][1] < 0.019  # it goes on freely


def test_what_does_not_fit_is_refused():
    with fluvia.Simulation(box()) as flow:
        with pytest.raises(fluvia.InputError, match="it has: 'ball'"):
            flow.set_motion("bal", velocity=[0, 0])
        with pytest.raises(fluvia.InputError, match="Mach"):
            flow.set_motion("ball", velocity=[0.3, 0])
        with pytest.raises(fluvia.InputError, match="three numbers"):
            flow.set_motion("ball", velocity=[0.3])
        with pytest.raises(fluvia.InputError, match="about z"):
            flow.set_motion("ball", angular_velocity=[0.1, 0, 0])
        with pytest.raises(fluvia.InputError, match="finite"):
            flow.set_motion("ball", velocity=[np.nan, 0])
        flow.step(1)
    with fluvia.Simulation(fluvia.Case(units={"tau": 0.8}, domain={"dimension": 2, "nodes": [9, 9]},
                                       run={"steps": 1})) as flow:
        assert flow.bodies() == {}
