#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turbulence that comes in by an opening: what it is behind the inlet, and how it decays.

  commands [--device D]   print the command; ten minutes on two cores
  table DIR               the finished run beside what is prescribed, as Markdown

DIR is a folder that `fluvia run` wrote from docs/validation/turbulent-inflow.toml. Needs numpy and h5py.
"""
import sys

import h5py
import numpy as np

from validation import fluvia_run, main

SPEED, INTENSITY, LENGTH, NODES = 0.05, 0.1, 8, (48, 48, 160)  # of turbulent-inflow.toml; z, y, x
PASSED = 4000                                                  # steps after which the stream has gone through
DISTANCES = (0, 4, 8, 16, 32, 64, 96, 128)                     # nodes behind the first one
INTENSITY_MUST, DIVERGENCE_MUST = 0.1, 0.05                    # at the first node


def velocities(folder):
    """[time, axis, z, y, x] of the files after the stream has gone through."""
    fields = []
    for file in sorted(folder.glob("*.vtkhdf")):
        with h5py.File(file) as data:
            root = data["VTKHDF"]
            step = int("".join(c for c in file.stem if c.isdigit()))
            kind = "PointData" if "velocity" in root.get("PointData", {}) else "CellData"
            if step >= PASSED:
                fields.append(np.moveaxis(np.asarray(root[kind]["velocity"], dtype=float).reshape(*NODES, 3), -1, 0))
    return np.array(fields)


def divergence_over_gradient(u):
    """Root mean square of the divergence over that of all derivatives, by central differences, at each x but the ends."""
    along_x = (u[..., 2:] - u[..., :-2]) / 2
    across = {axis: ((np.roll(u, -1, axis) - np.roll(u, 1, axis)) / 2)[..., 1:-1] for axis in (2, 3)}
    divergence = along_x[:, 0] + across[3][:, 1] + across[2][:, 2]
    all_of_them = sum((d**2).sum(axis=1) for d in (along_x, across[2], across[3]))
    return np.sqrt((divergence**2).mean(axis=(0, 1, 2)) / all_of_them.mean(axis=(0, 1, 2)))


def integral_length(u):
    """At each x, of the component along y: its correlation with itself at distances along y, integrated up to where it
    is zero first."""
    half = u.shape[-2] // 2
    correlation = np.array([(u[:, 1] * np.roll(u[:, 1], shift, -2)).mean(axis=(0, 1, 2)) for shift in range(half)])
    correlation /= correlation[0]
    until = [np.argmax(column <= 0) or half for column in correlation.T]
    return np.array([column[:end].sum() - 0.5 for column, end in zip(correlation.T, until)])


def print_table(folders):
    u = velocities(folders[0])
    fluctuation = u - u.mean(axis=(0, 2, 3), keepdims=True)
    intensity = np.sqrt((fluctuation**2).mean(axis=(0, 2, 3))) / SPEED
    divergence = divergence_over_gradient(fluctuation)
    length = integral_length(fluctuation)
    print("| nodes behind the inlet | along the flow | across | integral length | divergence over gradients |")
    print("|---|---|---|---|---|")
    for x in DISTANCES:
        across = np.sqrt((intensity[1, x] ** 2 + intensity[2, x] ** 2) / 2)
        share = f"{divergence[x - 1]:.1%}" if x > 0 else ""
        print(f"| {x + 0.5} | {intensity[0, x]:.2%} | {across:.2%} | {length[x]:.1f} | {share} |")
    first = np.sqrt((intensity[:, 0] ** 2).mean())
    return abs(first / INTENSITY - 1) <= INTENSITY_MUST and divergence[0] <= DIVERGENCE_MUST


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/inflow", lambda options: None,
                  lambda arguments: print(fluvia_run("turbulent-inflow.toml", arguments, "decay", []).rstrip()),
                  print_table))
