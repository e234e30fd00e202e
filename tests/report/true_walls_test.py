# SPDX-License-Identifier: Apache-2.0
"""Planes of a page end where the wall is, not at the edges of nodes."""
import numpy as np
import pyvista
from fluvia_report.fields import Fields
from fluvia_report.true_walls import Plane, cut_at_walls

CENTRE, RADIUS, COUNT = 10.3, 7.6, 21


def tube(tmp_path, flipped):
    """Nodes of a round tube along z, the square of whose distance from the axis is known, and the file of its wall."""
    index = np.array([(i, j, 0) for j in range(COUNT) for i in range(COUNT)])
    square = ((index[:, :2] - CENTRE) ** 2).sum(axis=1)
    inside = square < RADIUS**2
    fields = Fields(index[inside], np.array([COUNT, COUNT, 1]), np.zeros(3), np.ones(3), {"pressure": square[inside]})
    wall = pyvista.Cylinder(center=(CENTRE, CENTRE, 0), direction=(0, 0, 1), radius=RADIUS, height=20, resolution=200, capping=False)
    wall = wall.triangulate()
    (wall.flip_faces() if flipped else wall).save(tmp_path / "wall.vtp")
    return fields, tmp_path / "wall.vtp"


def check(tmp_path, flipped):
    fields, wall = tube(tmp_path, flipped)
    values, stride = fields.plane(fields.values["pressure"], 2, 0)
    assert stride == 1
    cut = cut_at_walls(fields, Plane(values, 2, 0), wall)
    factor = cut.shape[0] / COUNT
    assert factor == 8
    area, circle, nodes = np.isfinite(cut).sum() / factor**2, np.pi * RADIUS**2, np.isfinite(values).sum()
    assert abs(area / circle - 1) < 0.003 < abs(nodes / circle - 1)
    place = (np.arange(len(cut)) + 0.5) / factor - 0.5 - CENTRE
    exact = place[:, None] ** 2 + place[None, :] ** 2
    # A quadratic function, linear between nodes: 1/4 off in the middle of four; extended linearly over a node: up to 2.
    assert np.nanmax(np.abs(cut - exact)[exact < (RADIUS - 1.5) ** 2]) < 0.51
    assert np.nanmax(np.abs(cut - exact)) < 4
    return cut


def test_a_tube_is_round(tmp_path):
    check(tmp_path, False)


def test_triangles_may_face_either_way(tmp_path):
    check(tmp_path, True)


def test_a_wall_without_triangles(tmp_path):
    fields, _ = tube(tmp_path, False)
    pyvista.PolyData(np.zeros((1, 3))).save(tmp_path / "points.vtp")
    pyvista.PolyData().save(tmp_path / "nothing.vtp")
    values, _ = fields.plane(fields.values["pressure"], 2, 0)
    np.testing.assert_array_equal(cut_at_walls(fields, Plane(values, 2, 0), tmp_path / "nothing.vtp"), values)
