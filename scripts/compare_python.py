# SPDX-License-Identifier: Apache-2.0
"""Speed of fluvia.Simulation beside that of `fluvia run`, on one thread of the CPU: a lid-driven box of 100 x 100 x 100 nodes.

    PYTHONPATH=build/release/python build/venv/bin/python scripts/compare_python.py build/release/fluvia [ROUNDS]

Both take turns, and processor time is counted, of a long run less a short one, so that neither starting nor what else the machine
does counts. Prints nanoseconds an update of a node, medians over the rounds, and the median of their ratios.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fluvia

SHORT, LONG = 100, 600  # steps: processor time is counted in hundredths of a second
CASE = fluvia.Case(
    title="speed",
    units={"system": "lattice", "tau": 0.6},
    domain={"dimension": 3, "nodes": [100, 100, 100]},
    boundary=[{"surface": "z_max", "type": "moving_wall", "velocity": [0.1, 0, 0]}],
    numerics={"device": "cpu", "threads": 1},
    run={"steps": LONG},
    checkpoint={"at_end": False},
)


def by_program(program: str, folder: Path) -> float:
    CASE.write(folder / "speed.toml")

    def seconds(steps: int) -> float:
        before = os.times()
        subprocess.run([program, "run", folder / "speed.toml", "--steps", str(steps), "--output", folder / f"out-{steps}"],
                       check=True, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    return (seconds(LONG) - seconds(SHORT)) / (LONG - SHORT) / 1e-3


def by_python() -> float:
    def seconds(steps: int) -> float:
        begin = time.process_time()
        with fluvia.Simulation(CASE) as flow:
            flow.step(steps)
        return time.process_time() - begin

    return (seconds(LONG) - seconds(SHORT)) / (LONG - SHORT) / 1e-3


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
