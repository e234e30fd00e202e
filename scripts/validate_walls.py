#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wall functions: the friction of a flat plate, and the mean profile of a plane channel.

  commands [--device D] [--spacing S]   print the commands; three minutes each on a GPU. S: metres between nodes over
                                        the plate, 0.002; 0.008 takes ten minutes on a CPU, and is coarse
  table DIR...                          finished runs beside what was measured, as Markdown

DIR is a folder that `fluvia run` wrote, named as `commands` says. docs/wall-functions.md says what must be reached.
Needs numpy and h5py.
"""
import math
import sys

import h5py
import numpy as np

from validation import fluvia_run, main, read_run

PARTS, LENGTH, WIDTH, VISCOSITY = 8, 0.512, 0.064, 4.096e-7  # of wall-plate.toml, with a wind of 1
FRICTION_VELOCITY, HALF_HEIGHT = 0.0025, 16                   # of wall-channel.toml
PLATE_MUST, PROFILE_MUST = 0.08, 0.05


def add_options(parser):
    parser.add_argument("--spacing", type=float, default=0.002)


def print_commands(arguments):
    settings = {"plate": [f"units.spacing={arguments.spacing}"],
                "channel": ["run.steps=100000", "monitor.average_from=40000"]}
    for name in settings:
        print(fluvia_run(f"wall-{name}.toml", arguments, name, settings[name]))


def mean_profile(folder):
    """Mean velocity along x over the height of the nodes above the lower wall, from the last file of fields."""
    file = sorted(folder.glob("*.vtkhdf"))[-1]
    with h5py.File(file) as data:
        root = data["VTKHDF"]
        cells = root["CellData"] if "average_velocity" in root.get("CellData", {}) else root["PointData"]
        velocity = np.asarray(cells["average_velocity"])
    along = velocity[..., 0].reshape(velocity.shape[-4:-1])  # z, y, x
    over_height = along.mean(axis=(0, 2))
    half = len(over_height) // 2
    return np.arange(half) + 0.5, 0.5 * (over_height[:half] + over_height[::-1][:half])


def print_plate(folder):
    columns = read_run(folder)[1]
    late = columns["time"] > 2 / 3 * columns["time"][-1]
    print("| plate, Re_x | c_f | White | must |")
    print("|---|---|---|---|")
    good = True
    for part in range(2, PARTS):  # the first begins with the plate, the last lies in the sponge
        reynolds = (part - 0.5) * LENGTH / VISCOSITY
        friction = columns[f"force_part{part}_x"][late].mean() / (0.5 * LENGTH * WIDTH)
        wanted = 0.455 / math.log(0.06 * reynolds) ** 2
        fits = abs(friction / wanted - 1) <= PLATE_MUST
        good = good and (fits or reynolds < 1e6)
        print(f"| {reynolds:.2g} | {friction:.5f} | {wanted:.5f} ({friction / wanted - 1:+.1%}) "
              f"| {PLATE_MUST:.0%}{'' if fits else ': missed'} |")
    return good


def print_channel(folder):
    """The logarithmic law with the constants that M. Lee & R. D. Moser, J. Fluid Mech. 774 (2015) 395, fitted."""
    heights, velocities = mean_profile(folder)
    print("| channel, y+ | U+ | ln(y+)/0.384 + 4.27 | must |")
    print("|---|---|---|---|")
    good = True
    for height, velocity in list(zip(heights, velocities))[1:]:  # from the second node on
        y_plus = 1000 * height / HALF_HEIGHT
        is_, wanted = velocity / FRICTION_VELOCITY, math.log(y_plus) / 0.384 + 4.27
        fits = abs(is_ / wanted - 1) <= PROFILE_MUST
        good = good and fits
        print(f"| {y_plus:.0f} | {is_:.2f} | {wanted:.2f} ({is_ / wanted - 1:+.1%}) "
              f"| {PROFILE_MUST:.0%}{'' if fits else ': missed'} |")
    return good


def print_table(folders):
    shows = {"plate": print_plate, "channel": print_channel}
    return all([shows[folder.name](folder) for folder in folders])


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/walls", add_options, print_commands, print_table))
