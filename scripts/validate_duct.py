#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turbulent flow along a square duct at Re_tau 180: mean flow across it, as two lattices and equilibria see it.

  commands [--device D] [SETTING...]   print the `fluvia run` commands
  profile DIR...                       keep the mean over the length of a finished run as DIR/profile.npz, 100 kB
  table DIR...                         finished runs beside the last one, as Markdown

DIR is a folder that `fluvia run` wrote from docs/validation/duct.toml. Needs numpy and, for profiles, h5py.
docs/validation/isotropy.md shows the results.
"""
import sys

import numpy as np
from validation import fluvia_run, main

FRICTION_SPEED = 0.0041
RUNS = [  # name, settings; the last is what the others are compared with
    ("D3Q19", []),
    ("D3Q19-improved", ["numerics.equilibrium=improved"]),
    ("D3Q27", ["numerics.lattice=D3Q27"]),
]


def print_commands(arguments):
    for name, settings in RUNS:
        print(fluvia_run("duct.toml", arguments, name, settings + arguments.settings))


def mean_over_length(folder):
    """Mean velocity on the cross-section, an array [z, y, component], of the last field file."""
    kept = folder / "profile.npz"
    if kept.exists():
        return np.load(kept)["velocity"]
    import h5py

    with h5py.File(max(folder.glob("*.vtkhdf"))) as file:
        data = file["VTKHDF"]
        fields = data["PointData"] if "average_velocity" in data.get("PointData", {}) else data["CellData"]
        velocity = np.asarray(fields["average_velocity"], dtype=float)
    if velocity.ndim != 4:
        sys.exit(f"{folder}: average_velocity is not on a full box")
    velocity = velocity.mean(axis=2)
    np.savez_compressed(kept, velocity=velocity)
    return velocity


def mirrored(velocity):
    """The mean over the eight symmetries of a square, and the noise that is left in it: were the eight images
    independent samples, the standard error of their mean, of the speed across, rms over the square."""
    images = []
    for swap in (False, True):
        field = velocity.swapaxes(0, 1)[..., [0, 2, 1]] if swap else velocity
        for flip_z in (False, True):
            for flip_y in (False, True):
                image = field.copy()
                if flip_z:
                    image = image[::-1] * [1, 1, -1]
                if flip_y:
                    image = image[:, ::-1] * [1, -1, 1]
                images.append(image)
    mean = np.mean(images, axis=0)
    spread = np.sqrt(np.mean([(image - mean)[..., 1:] ** 2 for image in images]) * 2 / 7)
    return mean, spread


def print_table(folders):
    runs = []
    for folder in folders:
        mean, noise = mirrored(mean_over_length(folder))
        runs.append((folder.name, mean, noise))
    reference = runs[-1][1]
    bulk = reference[..., 0].mean()
    print("| run | bulk speed, friction speeds | largest mean speed across, of the bulk | rms across | "
          "rms of the difference | noise |")
    print("|---|---|---|---|---|---|")
    differences = []
    for name, mean, noise in runs:
        across = np.linalg.norm(mean[..., 1:], axis=-1)
        difference = np.sqrt(np.mean(np.sum((mean - reference)[..., 1:] ** 2, axis=-1)))
        differences.append(difference)
        print(f"| {name} | {mean[..., 0].mean() / FRICTION_SPEED:.2f} | {across.max() / bulk:.2%} | "
              f"{np.sqrt(np.mean(across**2)) / bulk:.3%} | {difference / bulk:.3%} | {noise / bulk:.3%} |")
    return len(runs) < 3 or differences[1] <= 0.3 * differences[0]


def add_options(show):
    show.add_argument("settings", nargs="*", metavar="SETTING")


if __name__ == "__main__":
    if sys.argv[1:2] == ["profile"]:
        from pathlib import Path

        for name in sys.argv[2:]:
            mean_over_length(Path(name))
        sys.exit(0)
    sys.exit(main(__doc__, "out/duct", add_options, print_commands, print_table))
