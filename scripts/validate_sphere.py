#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sphere in a uniform stream at Re 20, 100 and 300: drag, wake and Strouhal number against the literature.

  commands [--nodes N] [--device D] [--reynolds R...] [SETTING...]   print the `fluvia run` commands, both kinds of walls
  table DIR...                                                       finished runs beside the literature, as Markdown

DIR is a folder that `fluvia run` wrote from docs/validation/sphere.toml. docs/validation/sphere.md shows the results.
"""
import sys

import numpy as np
from validation import fluvia_run, main, read_run, strouhal

# Re: drag, length of the wake behind the sphere in diameters (0: none, None: unsteady), Strouhal number.
# Drag: Clift, Grace & Weber (1978), table 5.12, at 20 and 100; Johnson & Patel, J. Fluid Mech. 378 (1999) 19, at 300.
# Wake: Johnson & Patel, figure 5, at 100; Taneda (1956) sees it begin at Re 24.
LITERATURE = {20: (2.7147, 0.0, None), 100: (1.087, 0.87, None), 300: (0.656, None, 0.137)}
TIMES = {20: 40, 100: 60, 300: 150}  # D/U that a run lasts
PROBES = [0.55 + 0.05 * k for k in range(25)]  # on the axis behind the sphere


def print_commands(arguments):
    speed, nodes = 0.06, arguments.nodes
    probes = ",".join(f'{{name="w{k}",position=[{x:.3f},0.017,0.023]}}' for k, x in enumerate(PROBES))
    for reynolds in arguments.reynolds:
        steps = round(TIMES[reynolds] * nodes / speed)
        for walls in ("interpolated", "half-way"):
            words = [f"units.viscosity={1 / reynolds:.9g}", f"units.spacing={1 / nodes:.9g}", f"walls.method={walls}",
                     f"monitor.probe=[{probes}]", f"run.steps={steps}", f"monitor.average_from={steps // 2}",
                     *arguments.settings]
            print(fluvia_run("sphere.toml", arguments, f"re{reynolds}-{walls}-{nodes}", words))


def wake_length(columns):
    """From the back of the sphere to where the axial velocity turns, in D; 0 without backflow."""
    x = np.array(PROBES) - 0.511
    u = np.array([columns[f"w{k}_u"][-1] for k in range(len(PROBES))])
    back = np.flatnonzero(u < 0)
    if len(back) == 0:
        return 0.0
    last = back[-1]
    if last + 1 == len(u):
        return float("inf")
    return x[last] + (x[last + 1] - x[last]) * u[last] / (u[last] - u[last + 1])


def print_table(folders):
    print("| Re | walls | nodes across | drag | literature | error | wake, D | literature | Strouhal | literature |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    good = True
    for folder in folders:
        summary, columns = read_run(folder)
        reynolds = int(folder.name.split("-")[0][2:])
        drag_expected, wake_expected, strouhal_expected = LITERATURE[reynolds]
        drag = columns["C_d_sphere"]
        # A steady flow ends at its drag; an unsteady one has a mean.
        value = drag[-1] if strouhal_expected is None else drag[len(drag) // 2:].mean()
        cells = ["–"] * 4
        if wake_expected is not None:
            cells[:2] = f"{wake_length(columns):.3f}", f"{wake_expected:g}"
        if strouhal_expected is not None:
            across = np.hypot(columns["coefficient_sphere_y"], columns["coefficient_sphere_z"])
            cells[2:] = f"{strouhal(columns['time'], across):.3f}", f"{strouhal_expected:g}"
        error = value / drag_expected - 1
        walls = "half-way" if "half-way" in folder.name else "interpolated"
        good = good and (walls == "half-way" or abs(error) <= 0.02)
        print(f"| {reynolds} | {walls} | {folder.name.split('-')[-1]} | {value:.4f} | {drag_expected:g} | {error:+.1%} | "
              + " | ".join(cells) + " |")
    return good


def add_options(show):
    show.add_argument("settings", nargs="*", help="more settings, KEY=VALUE")
    show.add_argument("--nodes", type=int, default=20, help="across the sphere")
    show.add_argument("--reynolds", type=int, nargs="*", default=sorted(LITERATURE))


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/sphere", add_options, print_commands, print_table))
