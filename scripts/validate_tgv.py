#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Taylor-Green vortex, Re 1600: time and height of the peak of dissipation against a spectral computation.

  commands [--nodes N] [--speed U] [--device D] [SETTING...]   print the `fluvia run` commands, one per collision
  table DIR...                                                 finished runs against the reference, as a Markdown table

DIR is a folder that `fluvia run` wrote from docs/validation/taylor-green.toml. Dissipation is -dE/dt of the kinetic energy in
monitors.csv. Needs numpy. docs/validation/taylor-green.md shows the results.
"""
import math
import sys
from pathlib import Path

import numpy as np
from validation import fluvia_run, main, read_run

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs/validation/tgv_re1600_spectral512.csv"
REYNOLDS = 1600
RUNS = [  # name, settings
    ("auto", []),
    ("bgk", ["numerics.collision=bgk"]),
    ("mrt", ["numerics.collision=mrt"]),
    ("mrt-improved", ["numerics.collision=mrt", "numerics.equilibrium=improved"]),
    ("regularized", ["numerics.collision=regularized"]),
    ("recursive-regularized", ["numerics.collision=recursive-regularized"]),
    ("recursive-regularized-improved", ["numerics.collision=recursive-regularized", "numerics.equilibrium=improved"]),
    ("cumulant", ["numerics.lattice=D3Q27", "numerics.collision=cumulant"]),
    ("auto-fp16s", ["numerics.format=fp16s"]),
    ("auto-fp16c", ["numerics.format=fp16c"]),
]


def print_commands(arguments):
    n, speed = arguments.nodes, arguments.speed
    length = n / (2 * math.pi)
    size = [f"domain.nodes=[{n},{n},{n}]", f"units.viscosity={speed * length / REYNOLDS:.12g}",
            f"units.reference_length={length:.12g}", f"units.reference_velocity={speed}",
            f"physics.initial_speed={speed}"]
    steps = round(arguments.time * length / speed)
    size.append(f"monitor.every={max(1, round(0.025 * length / speed))}")
    for name, settings in RUNS:
        print(fluvia_run("taylor-green.toml", arguments, f"{name}-{n}", size + settings + arguments.settings,
                         f"--steps {steps} "))


def dissipation(time, energy, half_width=0.25):
    """-dE/dt as the slope of a parabola fitted to the rows within half_width of each time."""
    result = np.full(len(time), np.nan)
    for k, t in enumerate(time):
        near = np.abs(time - t) <= half_width
        if t - time[0] >= half_width and time[-1] - t >= half_width and near.sum() >= 4:
            result[k] = -np.polyfit(time[near] - t, energy[near], 2)[1]
    return result


def peak(time, eps):
    """Time and height of the largest value after t = 5, by a parabola through what is within 2% of it."""
    late = np.where((time >= 5) & np.isfinite(eps), eps, -np.inf)
    top = int(np.argmax(late))
    near = (np.abs(time - time[top]) < 0.6) & (late > 0.98 * late[top])
    if near.sum() < 4:
        return time[top], late[top]
    a, b, c = np.polyfit(time[near] - time[top], late[near], 2)
    if a >= 0:
        return time[top], late[top]
    return time[top] - b / (2 * a), c - b * b / (4 * a)


def read_reference():
    rows = np.array([[float(x) for x in line.split(",")] for line in REFERENCE.read_text().splitlines()
                     if line[0] not in "#t"])
    return rows[:, 0], rows[:, 2]


def energy_over_time(folder):
    """Dimensionless time and kinetic energy per mass, and what ran."""
    summary, columns = read_run(folder)
    nodes = summary["geometry"]["nodes"]
    length = nodes[0] / (2 * math.pi)
    speed = REYNOLDS * summary["units"]["lattice_viscosity"] / length
    return columns["time"] * speed / length, columns["kinetic_energy"] / (math.prod(nodes) * speed**2), summary


def print_table(folders):
    t_ref, eps_ref = read_reference()
    reference = peak(t_ref, eps_ref)
    print("| run | nodes | lattice, collision, equilibrium, format | peak at | | height | | rms to t = 10 |")
    print("|---|---|---|---|---|---|---|---|")
    print(f"| spectral | 512 | | {reference[0]:.2f} | | {reference[1]:.5f} | | |")
    good = True
    for folder in folders:
        time, energy, summary = energy_over_time(folder)
        eps = dissipation(time, energy)
        plan = summary["plan"]
        what = ", ".join(plan[key] for key in ("lattice", "collision", "equilibrium", "format"))
        inside = np.isfinite(eps) & (time <= 10)
        if time[-1] < 9.5 or not np.isfinite(energy).all():
            print(f"| {folder.name} | {summary['geometry']['nodes'][0]} | {what} | ended at {time[-1]:.2f} | | | | |")
            good = False
            continue
        when, height = peak(time, eps)
        rms = np.sqrt(np.mean((eps[inside] - np.interp(time[inside], t_ref, eps_ref)) ** 2)) / reference[1]
        off = [when / reference[0] - 1, height / reference[1] - 1]
        good = good and max(map(abs, off)) <= 0.02
        print(f"| {folder.name} | {summary['geometry']['nodes'][0]} | {what} | {when:.2f} | {off[0]:+.1%} | {height:.5f} | "
              f"{off[1]:+.1%} | {rms:.1%} |")
    return good


def add_options(show):
    show.add_argument("settings", nargs="*", help="more settings, KEY=VALUE")
    show.add_argument("--nodes", type=int, default=256)
    show.add_argument("--speed", type=float, default=0.05)
    show.add_argument("--time", type=float, default=10)


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/tgv", add_options, print_commands, print_table))
