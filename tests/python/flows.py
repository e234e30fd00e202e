# SPDX-License-Identifier: Apache-2.0
"""Small cases that tests of fluvia.Simulation share."""
import fluvia


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
