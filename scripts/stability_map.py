#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""At which Reynolds number per node, U dx / nu, flows blow up: a table for all collisions and formats.

  scripts/stability_map.py [--fluvia BINARY] [--device D] [--nodes N] [--flows ...] [--formats ...] [--lattices ...]

Each flow runs at a lattice speed of 0.1 with U/nu = 10, 20, 40, ... until it becomes unstable (exit code 5 of
`fluvia run`); the table has the last value that lived. The flows:

  shear-layer   doubly periodic, 128^2, two box lengths of time at the layers' speed
  taylor-green  32^3, t = 12 L/U, past the peak of dissipation
  cavity        lid-driven, 64^2, 25 turns of the lid from rest

--nodes multiplies these sizes by a factor. Standard library only. docs/stability.md shows a result.
"""
import argparse
import itertools
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

SPEED = 0.1
UNSTABLE = 5  # exit code of fluvia
COLLISIONS = ["bgk", "trt", "mrt", "regularized", "recursive-regularized", "cumulant"]

CASE = """
[units]
system = "lattice"
viscosity = {viscosity:.9g}
reference_velocity = {speed}
reference_length = {length:.9g}

[domain]
dimension = {dimension}
nodes = {nodes}
periodic = {periodic}

{flow}

[numerics]
lattice = "{lattice}"
collision = "{collision}"
equilibrium = "{equilibrium}"
format = "{format}"

[run]
steps = {steps}
check_every = {check}

[monitor]
every = {steps}

[output]
vtk = "none"

[checkpoint]
at_end = false
"""


class Flow:
    """A flow on a grid of a given size: what the case file says about it, and for how many steps it runs."""

    def __init__(self, dimension, nodes, length, duration, periodic, text):
        self.dimension, self.nodes, self.length, self.periodic, self.text = dimension, nodes, length, periodic, text
        self.steps = round(duration * length / SPEED)


def flows(factor):
    n2, n3, box = round(128 * factor), round(32 * factor), round(64 * factor)
    initial = '[physics]\ninitial_flow = "{}"\ninitial_speed = {}'
    lid = f'[[boundary]]\nsurface = "y_max"\ntype = "moving_wall"\nvelocity = [{SPEED}, 0.0]'
    return {
        "shear-layer": Flow(2, [n2, n2], n2, 2, "[true, true]", initial.format("shear-layer", SPEED)),
        "taylor-green": Flow(3, [n3, n3, n3], n3 / (2 * math.pi), 12, "[true, true, true]",
                             initial.format("taylor-green", SPEED)),
        "cavity": Flow(2, [box, box], box, 25, "[false, false]", lid),
    }


def run(arguments, flow, lattice, collision, equilibrium, form, per_node):
    """True if it lives, False if it blows up, None if the combination is refused."""
    text = CASE.format(viscosity=SPEED / per_node, speed=SPEED, length=flow.length, dimension=flow.dimension,
                       nodes=flow.nodes, periodic=flow.periodic, flow=flow.text, lattice=lattice, collision=collision,
                       equilibrium=equilibrium, format=form, steps=flow.steps, check=max(1, flow.steps // 50))
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder) / "case.toml"
        case.write_text(text)
        command = [arguments.fluvia, "run", str(case), "--output", str(Path(folder) / "out"), "--device", arguments.device]
        if arguments.threads:
            command += ["--threads", str(arguments.threads)]
        result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return True
    if result.returncode == UNSTABLE:
        return False
    if result.returncode == 3:
        return None
    sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")


def last_stable(arguments, flow, *physics):
    """The largest U/nu of 10, 20, ... that lives, by bisection (what blows up at one value is taken to at higher ones): words, and
    the number, None if there is none."""
    ladder = [10 * 2**k for k in range(arguments.doublings + 1)]
    top = run(arguments, flow, *physics, ladder[-1])
    if top is None:
        return "–", None
    if top:
        return f"≥ {ladder[-1]}", ladder[-1]
    low, high = -1, len(ladder) - 1  # low lives, high does not
    while high - low > 1:
        middle = (low + high) // 2
        if run(arguments, flow, *physics, ladder[middle]):
            low = middle
        else:
            high = middle
    return (f"{ladder[low]}", ladder[low]) if low >= 0 else (f"< {ladder[0]}", None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluvia", default="build/release/fluvia")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--nodes", type=float, default=1, help="factor on the number of nodes along each axis")
    parser.add_argument("--doublings", type=int, default=12, help="of U/nu = 10; 12 reach 40960")
    parser.add_argument("--flows", nargs="+", default=list(flows(1)))
    parser.add_argument("--collisions", nargs="+", default=COLLISIONS)
    parser.add_argument("--equilibria", nargs="+", default=["quasi-compressible", "improved"])
    parser.add_argument("--formats", nargs="+", default=["fp32"])
    parser.add_argument("--lattices", nargs="+", default=["D2Q9", "D3Q19", "D3Q27"])
    parser.add_argument("--json", metavar="FILE", help="also write the limits, for the report of `fluvia bench --suite seeds`")
    arguments = parser.parse_args()
    rows = []
    chosen = {name: flow for name, flow in flows(arguments.nodes).items() if name in arguments.flows}
    print(f"| lattice | collision | equilibrium | format | {' | '.join(chosen)} |")
    print("|---" * (4 + len(chosen)) + "|")
    for physics in itertools.product(arguments.lattices, arguments.collisions, arguments.equilibria, arguments.formats):
        found = {name: ("–", None) if int(physics[0][1]) != flow.dimension else last_stable(arguments, flow, *physics)
                 for name, flow in chosen.items()}
        if all(words == "–" for words, _ in found.values()):
            continue
        print(f"| {' | '.join(physics)} | {' | '.join(words for words, _ in found.values())} |", flush=True)
        rows.append({**dict(zip(("lattice", "collision", "equilibrium", "format"), physics)),
                     "limits": {name: number for name, (_, number) in found.items()}})
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
