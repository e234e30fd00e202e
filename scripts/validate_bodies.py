#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sphere that settles in a closed box (ten Cate et al., Phys. Fluids 14 (2002) 4012): its largest speed.

  commands [--nodes N] [--reynolds R...] [SETTING...]   print the `fluvia run` commands
  table DIR...                                          finished runs beside the experiment, as Markdown

DIR is a folder that `fluvia run` wrote from cases/settling.toml. docs/validation/bodies.md shows the results.
"""
import sys

import numpy as np
from validation import main, read_run

# Re: density and dynamic viscosity of the oil, largest speed (m/s), time until the sphere is near the floor,
# lattice speed.
EXPERIMENTS = {
    1.5: (970, 0.373, 0.0360, 3.6, 0.03),
    4.1: (965, 0.212, 0.0572, 2.4, 0.04),
    11.6: (962, 0.113, 0.0873, 1.7, 0.04),
    31.9: (960, 0.058, 0.1222, 1.3, 0.05),
}


def print_commands(arguments):
    for reynolds in arguments.reynolds:
        density, viscosity, speed, time, lattice = EXPERIMENTS[reynolds]
        words = [f"units.density={density}", f"units.viscosity={viscosity / density:.6g}",
                 f"units.reference_velocity={speed}", f"units.lattice_velocity={lattice}",
                 f"units.spacing={0.015 / arguments.nodes:.9g}", f"run.time={time}", *arguments.settings]
        settings = " ".join(f"--set '{word}'" for word in words)
        print(f"fluvia run cases/settling.toml --output {arguments.output}/re{reynolds}-{arguments.nodes} {settings}")


def print_table(folders):
    print("| Re | nodes across | largest speed, mm/s | measured | error | tau |")
    print("|---|---|---|---|---|---|")
    good = True
    for folder in folders:
        summary, columns = read_run(folder)
        reynolds, nodes = folder.name[2:].split("-")
        measured = EXPERIMENTS[float(reynolds)][2]
        # Covering and uncovering of nodes makes single steps fluctuate; a mean over the way of a node does not.
        speed = -columns["velocity_sphere_z"]
        spacing, time = 0.015 / int(nodes), columns["time"]
        rows = max(1, round(spacing / measured / (time[1] - time[0])))
        largest = np.convolve(speed, np.ones(rows) / rows, "valid").max()
        error = largest / measured - 1
        good = good and abs(error) <= 0.02
        print(f"| {reynolds} | {nodes} | {1000 * largest:.1f} | {1000 * measured:.1f} | {error:+.1%} | "
              f"{summary['units']['tau']:.3f} |")
    return good


def add_options(show):
    show.add_argument("settings", nargs="*", help="more settings, KEY=VALUE")
    show.add_argument("--nodes", type=int, default=12, help="across the sphere")
    show.add_argument("--reynolds", type=float, nargs="*", default=sorted(EXPERIMENTS))


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/settling", add_options, print_commands, print_table))
