# SPDX-License-Identifier: Apache-2.0
"""The heated cavity of De Vahl Davis (1983), air, on one grid each: python docs/validation/heat.py [RAYLEIGH NODES]..."""

import sys

import numpy as np

import fluvia

PUBLISHED = {1e3: (1.118, 3.649, 3.697), 1e4: (2.243, 16.178, 19.617), 1e5: (4.519, 34.73, 68.59), 1e6: (8.800, 64.63, 219.36)}
PRANDTL, SPEED = 0.71, 0.1  # the speed of buoyancy, sqrt(g beta dT H), in lattice units


def cavity(rayleigh: float, nodes: int) -> tuple[float, float, float]:
    """Nusselt number of the warm wall, largest u and v on the middle lines in diffusivity / height."""
    viscosity = SPEED * nodes * (PRANDTL / rayleigh) ** 0.5
    case = fluvia.Case(
        units={"viscosity": viscosity},
        domain={"dimension": 2, "nodes": [nodes, nodes]},
        physics={"gravity": [0, -(SPEED**2) / nodes]},
        scalar=[{"name": "temperature", "prandtl": PRANDTL, "expansion": 1.0, "reference_length": nodes}],
        boundary=[
            {"surface": "x_min", "type": "wall", "scalars": {"temperature": {"value": 0.5}}},
            {"surface": "x_max", "type": "wall", "scalars": {"temperature": {"value": -0.5}}},
        ],
        numerics={"device": "cpu", "format": "fp64", "trial": False},
        run={"steps": 10**9},
    )
    flow = fluvia.Simulation(case)
    last = 0.0
    while True:
        flow.step(int(20 * nodes / SPEED / 10))
        now = flow.monitors()
        nusselt = next(value for name, value in now.items() if name.startswith("nusselt_temperature_x_min"))
        cold = next(value for name, value in now.items() if name.startswith("nusselt_temperature_x_max"))
        if abs(nusselt - last) < 1e-6 * nusselt and abs(nusselt + cold) < 1e-4 * nusselt:
            break
        last = nusselt
    u = np.asarray(flow.field("velocity")) * nodes / (viscosity / PRANDTL)
    half = nodes // 2  # the middle lies between two rows of nodes
    return nusselt, u[:, half - 1 : half + 1, 0].mean(axis=1).max(), u[half - 1 : half + 1, :, 1].mean(axis=0).max()


def main() -> None:
    given = [float(text) for text in sys.argv[1:]] or [1e3, 64, 1e4, 64]
    print("      Ra  nodes      Nu           u_max          v_max")
    for rayleigh, nodes in zip(given[::2], given[1::2]):
        found = cavity(rayleigh, int(nodes))
        texts = [f"{value:8.3f} {100 * (value / wanted - 1):+5.2f}%" for value, wanted in zip(found, PUBLISHED[rayleigh])]
        print(f"{rayleigh:8.0e} {int(nodes):6d} {' '.join(texts)}", flush=True)


if __name__ == "__main__":
    main()
