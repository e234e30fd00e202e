# SPDX-License-Identifier: Apache-2.0
"""Speed of fluvia.Simulation beside that of `fluvia run`, on the CPU: a lid-driven box of 100 x 100 x 100 nodes.

    PYTHONPATH=build/release/python build/venv/bin/python scripts/compare_python.py build/release/fluvia [ROUNDS]

Both take turns, so that what else the machine does slows both; each counts the time of its steps alone. Prints million
updates of nodes a second, medians over the rounds, and the median of their ratios.
"""
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fluvia

STEPS = 60
CASE = fluvia.Case(
    title="speed",
    units={"system": "lattice", "tau": 0.6},
    domain={"dimension": 3, "nodes": [100, 100, 100]},
    boundary=[{"surface": "z_max", "type": "moving_wall", "velocity": [0.1, 0, 0]}],
    numerics={"device": "cpu"},
    run={"steps": STEPS},
    checkpoint={"at_end": False},
)


def by_program(program: str, folder: Path) -> float:
    CASE.write(folder / "speed.toml")
    subprocess.run([program, "run", folder / "speed.toml", "--output", folder / "out"], check=True, capture_output=True)
    return float(json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))["results"]["mflups"])


def by_python() -> float:
    with fluvia.Simulation(CASE) as flow:
        begin = time.perf_counter()
        flow.step(STEPS)
        return flow.fluid_nodes * STEPS / (time.perf_counter() - begin) / 1e6


def main(program: str, rounds: int) -> None:
    pairs = []
    with tempfile.TemporaryDirectory() as name:
        for number in range(rounds):
            folder = Path(name) / str(number)
            folder.mkdir()
            pairs.append((by_program(program, folder), by_python()) if number % 2 else (by_python(), by_program(program, folder))[::-1])
            print(f"{pairs[-1][0]:8.2f} {pairs[-1][1]:8.2f}", flush=True)
    ratio = statistics.median(python / program for program, python in pairs)
    print(f"program {statistics.median(p for p, _ in pairs):.1f}, Python {statistics.median(p for _, p in pairs):.1f}, ratio {ratio:.3f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9)
