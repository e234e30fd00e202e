# SPDX-License-Identifier: Apache-2.0
"""Scalars as Python sees them: fields, columns, values of surfaces that change, checkpoints."""
import numpy as np
import pytest

import fluvia


def gap(**scalar):
    return fluvia.Case(
        units={"viscosity": 0.1},
        domain={"dimension": 2, "nodes": [4, 10], "periodic": [True, False, False]},
        scalar=[{"name": "temperature", "unit": "K", "diffusivity": 0.1, "initial": 300, **scalar}],
        boundary=[
            {"surface": "y_min", "type": "wall", "scalars": {"temperature": {"value": 310}}},
            {"surface": "y_max", "type": "wall", "scalars": {"temperature": {"value": 290}}},
        ],
        numerics={"device": "cpu", "format": "fp64"},
        run={"steps": 1000},
    )


def test_fields_columns_and_surfaces_that_change(tmp_path):
    with fluvia.Simulation(gap()) as flow:
        flow.step(2000)
        temperature = flow.field("temperature")
        assert temperature.shape == (10, 4) and flow.unit("temperature") == "K"
        assert np.allclose(temperature[:, 0], 310 - 2 * (np.arange(10) + 0.5), atol=1e-6)
        columns = flow.monitors()
        assert np.isclose(columns["mean_temperature [lattice]"], 300)
        assert np.isclose(columns["flux_temperature_y_min [lattice]"], 4 * 0.1 * 2)
        flow.set_boundary("y_min", temperature=330)
        flow.step(2000)
        assert np.isclose(flow.field("temperature").mean(), 310, atol=1e-6)
        flow.save(tmp_path / "gap.fluvia")
        flow.step(10)
        expected = flow.field("temperature").copy()
        flow.restore(tmp_path / "gap.fluvia")
        flow.step(10)
        assert np.array_equal(flow.field("temperature"), expected)


def test_values_of_surfaces_outlast_other_changes():
    case = gap()
    case = fluvia.Case(**{**case.sections, "boundary": [
        {**case.sections["boundary"][0], "type": "moving_wall", "velocity": [0.01, 0]}, case.sections["boundary"][1]]})
    with fluvia.Simulation(case) as flow:
        flow.set_boundary("y_min", temperature=330)
        flow.set_boundary("y_min", velocity=[-0.01, 0])  # sets the flow up anew
        flow.step(2000)
        assert np.isclose(flow.field("temperature").mean(), 310, atol=1e-6)
        assert flow.field("velocity")[0, 0, 0] < 0


def test_what_fits_no_scalar_is_refused():
    with fluvia.Simulation(gap()) as flow:
        with pytest.raises(fluvia.InputError, match="expected one of"):
            flow.set_boundary("y_min", temperatur=1)
        with pytest.raises(fluvia.InputError, match="no number"):
            flow.set_boundary("y_min", temperature="hot")
        with pytest.raises(fluvia.InputError, match="choose from"):
            flow.field("temperatur")
    with pytest.raises(fluvia.InputError, match="contradict"):
        fluvia.Simulation(gap(prandtl=1))
