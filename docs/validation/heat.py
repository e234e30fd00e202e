# SPDX-License-Identifier: Apache-2.0
"""Heat against published numbers: python docs/validation/heat.py WORK PARAMETER NODES ... [--device cuda]

WORK            PARAMETER           NODES         what is compared
cavity          Rayleigh number     along edges   Nu, u_max, v_max; De Vahl Davis, IJNMF 3 (1983) 249; from 1e7 Le Quéré, C&F 20 (1991) 29
cube            Rayleigh number     along edges   Nu; Tric, Labrosse & Betrouni, IJHMT 43 (2000) 4043
rolls           Rayleigh number     between plates  Nu of rolls two gaps long, Pr 0.71; Clever & Busse, JFM 65 (1974) 625
critical        any                 between plates  Rayleigh number of no growth; 1707.76
plates, pipe    Péclet number       across        dispersion of a pulse; Taylor (1953), Aris (1956, 1959)
cylinder        Reynolds number     across        Nu; Churchill & Bernstein, J. Heat Transf. 99 (1977) 300
sphere          Reynolds number     across        Nu; Whitaker, AIChE J. 18 (1972) 361
"""

import argparse
import math

import numpy as np

import fluvia

CAVITY = {1e3: (1.118, 3.649, 3.697), 1e4: (2.243, 16.178, 19.617), 1e5: (4.519, 34.73, 68.59), 1e6: (8.800, 64.63, 219.36),
          1e7: (16.523, 148.6, 699.2), 1e8: (30.225, 321.9, 2222)}  # fmt: skip
CUBE = {1e3: 1.0700, 1e4: 2.0542, 1e5: 4.3370, 1e6: 8.6407}
ROLLS = {2.5e3: 1.475, 5e3: 2.116, 1e4: 2.661, 3e4: 3.662, 5e4: 4.245}
AIR = 0.71
SPEED = 0.1  # of buoyancy, sqrt(g beta dT H), or of what flows past a body, in lattice units
DEVICE = "cpu"


def monitor(flow: fluvia.Simulation, name: str) -> float:
    """The monitor whose title begins so."""
    return next(value for title, value in flow.monitors().items() if title.startswith(name))


def buoyant(rayleigh: float, nodes: int, shape: list[int], axis: int, **more) -> fluvia.Simulation:
    """A box of air between a warm face (0.5) and a cold one (-0.5), across `axis` and `nodes` apart; y points up."""
    viscosity = SPEED * nodes * (AIR / rayleigh) ** 0.5
    faces = ("x_min", "x_max") if axis == 0 else ("y_min", "y_max")
    scalar = {"name": "temperature", "prandtl": AIR, "expansion": 1.0, "reference": 0.0, "reference_length": nodes}
    return fluvia.Simulation(
        fluvia.Case(
            units={"viscosity": viscosity},
            domain={"dimension": len(shape), "nodes": shape, "periodic": more.get("periodic", [False] * len(shape))},
            physics={"gravity": [0, -(SPEED**2) / nodes] + [0] * (len(shape) - 2)},
            scalar=[scalar | more.get("scalar", {})],
            boundary=[
                {"surface": face, "type": "wall", "scalars": {"temperature": {"value": value}}} for face, value in zip(faces, (0.5, -0.5))
            ],
            numerics={"device": DEVICE, "format": "fp64", "trial": False},
            run={"steps": 10**9},
        )
    )


def settled_nusselt(flow: fluvia.Simulation, nodes: int, faces: tuple[str, str]) -> float:
    """Nusselt number of the warm face, once it stays and the cold one has as much."""
    last = 0.0
    while True:
        flow.step(int(2 * nodes / SPEED))
        warm, cold = (monitor(flow, f"nusselt_temperature_{face}") for face in faces)
        if abs(warm - last) < 1e-6 * warm and abs(warm + cold) < 1e-4 * warm:
            return warm
        last = warm


def cavity(rayleigh: float, nodes: int):
    flow = buoyant(rayleigh, nodes, [nodes, nodes], 0)
    nusselt = settled_nusselt(flow, nodes, ("x_min", "x_max"))
    diffusivity = SPEED * nodes / (AIR * rayleigh) ** 0.5
    u = np.asarray(flow.field("velocity")) * nodes / diffusivity
    half = nodes // 2  # the middle lies between two rows of nodes
    u_max, v_max = u[:, half - 1 : half + 1, 0].mean(axis=1).max(), u[half - 1 : half + 1, :, 1].mean(axis=0).max()
    return list(zip(("Nu", "u_max", "v_max"), (nusselt, u_max, v_max), CAVITY[rayleigh]))


def cube(rayleigh: float, nodes: int):
    flow = buoyant(rayleigh, nodes, [nodes] * 3, 0)
    return [("Nu", settled_nusselt(flow, nodes, ("x_min", "x_max")), CUBE[rayleigh])]


def between_plates(rayleigh: float, nodes: int, amplitude: float) -> fluvia.Simulation:
    """Air that lies warm below cold, two gaps long, with a roll to begin with."""
    formula = f"0.5 - y/ly + {amplitude}*cos(2*pi*x/lx)*sin(pi*y/ly)"
    return buoyant(rayleigh, nodes, [2 * nodes, nodes], 1, periodic=[True, False], scalar={"initial_formula": formula})


def rolls(rayleigh: float, nodes: int):
    flow = between_plates(rayleigh, nodes, 0.1)
    return [("Nu", settled_nusselt(flow, nodes, ("y_min", "y_max")), ROLLS[rayleigh])]


def critical(_: float, nodes: int):
    """Between rates of growth at two Rayleigh numbers, of a roll too weak to change what makes it grow."""
    rates = []
    for rayleigh in (1650.0, 1770.0):
        flow = between_plates(rayleigh, nodes, 1e-5)
        time = int(nodes**2 / (SPEED * nodes / (AIR * rayleigh) ** 0.5))  # in which heat spreads from plate to plate
        x = (np.arange(2 * nodes) + 0.5) * math.pi / nodes

        def strength() -> float:
            return math.log(abs((np.asarray(flow.field("temperature")) * np.cos(x)).sum()))

        flow.step(time)
        before = strength()
        flow.step(time)
        rates.append(strength() - before)
    low, high = rates
    return [("Ra", 1650 + 120 * low / (low - high), 1707.762)]


def variance(dye: np.ndarray, length: int) -> float:
    """Of a pulse along an axis that is a circle; `dye`: its sums over cross-sections."""
    x = np.arange(length) + 0.5
    middle = np.angle((dye * np.exp(2j * math.pi * x / length)).sum()) * length / (2 * math.pi)
    x = np.remainder(x - middle + length / 2, length) - length / 2
    return float((dye * x * x).sum() / dye.sum() - ((dye * x).sum() / dye.sum()) ** 2)


def dispersed(case: dict, peclet: float, width: int, factor: float):
    """Grows of a pulse between the times at which it has spread across the channel once and three times."""
    diffusivity = case["scalar"][0]["diffusivity"]
    flow = fluvia.Simulation(fluvia.Case(**case, numerics={"device": DEVICE, "format": "fp64", "trial": False}, run={"steps": 10**9}))
    length = case["domain"]["nodes"][0]

    def spread() -> float:
        dye = np.nan_to_num(np.asarray(flow.field("dye")))
        return variance(dye.reshape(-1, length).sum(axis=0), length)

    time = int(width**2 / diffusivity / 2)
    flow.step(time)
    before = spread()
    flow.step(2 * time)
    return [("D_eff/D", (spread() - before) / (2 * 2 * time) / diffusivity, 1 + peclet**2 / factor)]


def pulse(width: int, peclet: float, factor: float) -> tuple[int, dict]:
    """Length of a channel in which a pulse does not meet itself, and its dye."""
    diffusivity = 0.06 * width / peclet
    reach = (2 * diffusivity * (1 + peclet**2 / factor) * 1.5 * width**2 / diffusivity) ** 0.5
    length = int(12 * reach)
    dye = {"name": "dye", "diffusivity": diffusivity, "initial_formula": f"exp(-(x-{length / 4})^2/{width**2})"}
    return length, dye


def plates(peclet: float, nodes: int):
    length, dye = pulse(nodes, peclet, 210)
    case = {
        "units": {"viscosity": 0.1},
        "domain": {"dimension": 2, "nodes": [length, nodes], "periodic": [True, False]},
        "physics": {
            "acceleration": [12 * 0.1 * 0.06 / nodes**2, 0],
            "initial_velocity_formula": ["6*0.06*y/ly*(1-y/ly)", "0"],
        },
        "scalar": [dye],
    }
    return dispersed(case, peclet, nodes, 210)


def pipe(peclet: float, nodes: int):
    length, dye = pulse(nodes, peclet, 192)
    box, radius = nodes + 2, nodes / 2
    inside = f"(1 - ((y-ly/2)^2 + (z-lz/2)^2)/{radius}^2)"
    case = {
        "units": {"viscosity": 0.1},
        "domain": {"dimension": 3, "nodes": [length, box, box], "periodic": [True, False, False]},
        "geometry": {
            "shape": [{"name": "pipe", "kind": "cylinder", "operation": "fluid", "from": [-1, box / 2, box / 2],
                       "to": [length + 1, box / 2, box / 2], "radius": radius}]  # fmt: skip
        },
        "physics": {
            "acceleration": [8 * 0.1 * 0.06 / radius**2, 0, 0],
            "initial_velocity_formula": [f"{inside} > 0 ? 0.12*{inside} : 0", "0", "0"],
        },
        "scalar": [dye],
    }
    return dispersed(case, peclet, nodes, 192)


def past_a_body(kind: str, reynolds: float, nodes: int, across: float, published: float):
    """Air past a warm body; the mean Nusselt number over some passages of its wake."""
    dimension = 2 if kind == "cylinder" else 3
    shape = [int(30 * nodes)] + [int(across * nodes)] * (dimension - 1)
    middle = [10.0 * nodes] + [n / 2 + 0.13 for n in shape[1:]]
    body = {"name": "body", "kind": kind, "radius": nodes / 2}
    body |= {"from": middle, "to": middle} if dimension == 2 else {"center": middle}
    sides = ["y_min", "y_max", "z_min", "z_max"][: 2 * dimension - 2]
    case = fluvia.Case(
        units={"viscosity": SPEED * nodes / reynolds},
        domain={"dimension": dimension, "nodes": shape},
        geometry={"shape": [body]},
        physics={"initial_velocity": [SPEED] + [0] * (dimension - 1)},
        scalar=[{"name": "temperature", "prandtl": AIR, "reference_length": nodes, "reference_difference": 1.0}],
        boundary=[
            {"surface": "x_min", "type": "velocity", "speed": SPEED, "scalars": {"temperature": {"value": 0.0}}},
            {"surface": "x_max", "type": "pressure"},
            {"surface": "body", "type": "wall", "scalars": {"temperature": {"value": 1.0}}},
            *({"surface": side, "type": "free_slip"} for side in sides),
        ],
        numerics={"device": DEVICE, "trial": False},
        run={"steps": 10**9},
    )
    flow = fluvia.Simulation(case)
    passage = int(nodes / SPEED)
    flow.step(100 * passage)
    values = []
    for _ in range(200):
        flow.step(passage // 4)
        values.append(monitor(flow, "nusselt_temperature_body"))
    return [("Nu", float(np.mean(values)), published)]


def cylinder(reynolds: float, nodes: int):
    rest = 0.62 * reynolds**0.5 * AIR ** (1 / 3) / (1 + (0.4 / AIR) ** (2 / 3)) ** 0.25
    return past_a_body("cylinder", reynolds, nodes, 24, 0.3 + rest * (1 + (reynolds / 282000) ** (5 / 8)) ** (4 / 5))


def sphere(reynolds: float, nodes: int):
    return past_a_body("sphere", reynolds, nodes, 12, 2 + (0.4 * reynolds**0.5 + 0.06 * reynolds ** (2 / 3)) * AIR**0.4)


WORKS = {work.__name__: work for work in (cavity, cube, rolls, critical, plates, pipe, cylinder, sphere)}


def main() -> None:
    global DEVICE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=WORKS)
    parser.add_argument("given", type=float, nargs="+", metavar="PARAMETER NODES")
    parser.add_argument("--device", default=DEVICE)
    options = parser.parse_args()
    DEVICE = options.device
    for parameter, nodes in zip(options.given[::2], options.given[1::2]):
        found = WORKS[options.work](parameter, int(nodes))
        texts = [f"{name} {value:.5g} ({100 * (value / wanted - 1):+.2f}% of {wanted:.5g})" for name, value, wanted in found]
        print(f"{options.work} {parameter:g}, {int(nodes)} nodes: {', '.join(texts)}", flush=True)


if __name__ == "__main__":
    main()
