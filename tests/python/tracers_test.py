# SPDX-License-Identifier: Apache-2.0
"""Points that go with a flow, from Python, and the files that other people's software reads."""
import numpy as np
import pytest

import fluvia

CHANNEL = """
[units]
tau = 0.8
[domain]
dimension = 2
nodes = [20, 12]
[physics]
initial_velocity = [0.05, 0]
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.05
[[boundary]]
surface = "x_max"
type = "pressure"
pressure = 0
[[boundary]]
surface = "y_min"
type = "free_slip"
[[boundary]]
surface = "y_max"
type = "free_slip"
[[tracer]]
name = "seeds"
from = "x_min"
rate = 2
[numerics]
device = "cpu"
[run]
steps = 600
[output]
every = 300
"""


def test_points_of_a_plug_flow():
    with fluvia.Simulation(fluvia.Case.parse(CHANNEL)) as flow:
        flow.step(200)
        points = flow.tracers("seeds")
        assert points["position"].shape == (400, 2)
        assert np.array_equal(points["id"], np.arange(400))
        assert np.allclose(points["position"][:, 0], 0.05 * points["age"], rtol=2e-2, atol=2e-2)
        assert np.allclose(points["velocity"], [0.05, 0], atol=1e-3)
        assert len(points["left"]["id"]) == 0 and not points["stuck"].any()
        flow.step(400)
        left = flow.tracers("seeds")["left"]
        assert set(left["opening"]) == {"x_max"}
        assert np.allclose(left["age"], 20 / 0.05, rtol=2e-2)
        assert np.allclose(left["position"][:, 0], 20)
        with pytest.raises(fluvia.InputError, match="'seedz' is no tracer of this case; did you mean 'seeds'"):
            flow.tracers("seedz")


def test_vtk_reads_the_points(tmp_path):
    vtk = pytest.importorskip("vtk")
    from vtk.util.numpy_support import vtk_to_numpy

    result = fluvia.run(fluvia.Case.parse(CHANNEL), output=tmp_path)
    assert any(str(file).endswith("tracers_seeds.csv") for file in result.files)
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(tmp_path / "tracers_seeds-000000600.vtkhdf"))
    reader.Update()
    cloud = reader.GetOutput()
    assert cloud.GetClassName() == "vtkPolyData"
    rows = np.genfromtxt(tmp_path / "tracers_seeds.csv", delimiter=",", skip_header=1)
    assert cloud.GetNumberOfPoints() == cloud.GetNumberOfVerts() == 1200 - len(rows)
    arrays = cloud.GetPointData()
    assert {arrays.GetArrayName(k) for k in range(arrays.GetNumberOfArrays())} == {"id", "age", "velocity", "stuck"}
    assert np.all(vtk_to_numpy(arrays.GetArray("age")) < 420)
