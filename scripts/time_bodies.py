#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times a box through which a rotor turns beside the same box without it, and beside one in which it rests.

Usage: scripts/time_bodies.py [--program build/release/fluvia] [--nodes 384] [--steps 400] [--device cuda] [--format fp32]
[SCHEME ...]. The rotor, four blades on a hub, sweeps 5% of the box. Updates of nodes a second are those that the run itself
measures. On a machine that does nothing else.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

BOX = """
[units]
system = "lattice"
viscosity = 0.02
[domain]
nodes = [{n}, {n}, {n}]
[[boundary]]
surface = "z_max"
type = "moving_wall"
velocity = [0.03, 0, 0]
[numerics]
device = "{device}"
format = "{format}"
scheme = "{scheme}"
lattice = "D3Q19"
collision = "trt"
trial = false
[run]
steps = {steps}
[monitor]
every = {steps}
"""

BLADE = """
[[geometry.shape]]
name = "rotor"
kind = "box"
center = [{m}, {m}, {m}]
size = [{x}, {y}, {z}]
"""

ROTOR = """
[[geometry.shape]]
name = "rotor"
kind = "cylinder"
from = [{m}, {m}, {low}]
to = [{m}, {m}, {high}]
radius = {hub}
[[body]]
surface = "rotor"
motion = {{ center = [{m}, {m}, {m}], angular_velocity = [0, 0, {rate}] }}
"""


def rotor(n, rate):
    """The tables of a rotor, in a box of n nodes, that turns by so many radians a step."""
    radius, height, thick = 0.29 * n, 0.19 * n, 0.04 * n
    blades = [BLADE.format(m=n / 2, x=x, y=y, z=height) for x, y in ((2 * radius, thick), (thick, 2 * radius))]
    hub = ROTOR.format(m=n / 2, low=n / 2 - height / 2, high=n / 2 + height / 2, hub=0.06 * n, rate=rate)
    return "".join(blades) + hub


def rate_of(program, case):
    """Million updates of nodes a second of a run of the case, and what was chosen."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.toml"
        path.write_text(case, encoding="utf-8")
        subprocess.run([program, "run", path.name, "--output", "out"], cwd=folder, check=True, capture_output=True)
        found = json.loads(next(Path(folder).glob("**/summary.json")).read_text(encoding="utf-8"))
        return found["results"]["mflups"], f"{found['plan']['scheme']}, {found['plan'].get('steps_per_pass', 1)} a pass"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "fluvia"))
    parser.add_argument("--nodes", type=int, default=384)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--format", default="fp32")
    parser.add_argument("schemes", nargs="*", default=["auto", "aa", "esoteric-pull", "pull"])
    given = parser.parse_args()
    program = str(Path(given.program).resolve())
    for scheme in given.schemes:
        box = BOX.format(n=given.nodes, device=given.device, format=given.format, scheme=scheme, steps=given.steps)
        alone, chosen = rate_of(program, box)
        print(f"{scheme:14} alone {alone:9.0f} MLUPS ({chosen})", flush=True)
        for name, rate in (("rests", 0), ("turns", 0.05 / (0.29 * given.nodes))):
            found, chosen = rate_of(program, box + rotor(given.nodes, rate))
            print(f"{scheme:14} rotor that {name} {found:9.0f} MLUPS, {found / alone:.3f} of that ({chosen})", flush=True)


if __name__ == "__main__":
    main()
