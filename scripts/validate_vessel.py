#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A patient's vessel on several grids: does its pressure drop and its wall shear stress converge, and to what?

  commands STL [--case C] [--device D] [--ratio R] [--grids N] [--walls ...]   print the `fluvia run` commands, coarse
                                                                               to fine
  table DIR...    finished runs, coarse to fine, and what Richardson's extrapolation of the last three makes of them

DIR is a folder that `fluvia run` wrote from docs/validation/vessel.toml or aorta.toml. docs/validation/vessel.md shows
the results.
"""
import math
import re
import sys

import numpy as np
from validation import fluvia_run, main, read_run

CASES = {"vessel": (1e-3, 1), "aorta": (6e-4, 1e-3)}  # coarsest spacing and unit of the mesh, in metres


def print_commands(arguments):
    coarsest, unit = CASES[arguments.case]
    for k in range(arguments.grids):
        spacing = coarsest / arguments.ratio**k
        words = [f"units.spacing={spacing:.9g}", f"walls.method={arguments.walls}",
                 f'geometry.stl=[{{file="{arguments.stl}",unit={unit},fluid="inside"}}]']
        print(fluvia_run(f"{arguments.case}.toml", arguments, f"{arguments.walls}-{k}", words))


def read_arrays(path):
    """Arrays of a .vtp file with raw appended data, by name."""
    raw = path.read_bytes()
    start = raw.index(b"_", raw.index(b"<AppendedData")) + 1
    types = {"Float32": np.float32, "Float64": np.float64, "Int64": np.int64, "Int32": np.int32, "UInt8": np.uint8}
    arrays = {}
    for tag in re.findall(rb"<DataArray [^>]*>", raw[:start]):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', tag.decode()))
        at = start + int(attributes["offset"])
        size = int(np.frombuffer(raw, np.uint64, 1, at)[0])
        kind = np.dtype(types[attributes["type"]])
        values = np.frombuffer(raw, kind, size // kind.itemsize, at + 8)
        arrays[attributes.get("Name", "points")] = values.reshape(-1, int(attributes.get("NumberOfComponents", 1)))
    return arrays


def measured(folder):
    """Spacing, pressure drop, and mean and 99th percentile over the wall of the shear stress, SI."""
    summary, _ = read_run(folder)
    monitors = summary["results"]["monitors"]
    outlets = [value for name, value in monitors.items() if name.startswith("pressure_outlet")]
    drop = monitors["pressure_inlet [Pa]"] - sum(outlets) / len(outlets)
    arrays = read_arrays(max(folder.glob("wall-*.vtp")))
    points = next(a for n, a in arrays.items() if n.lower() == "points").astype(float)
    corners = arrays["connectivity"].reshape(-1, 3)
    edges = points[corners[:, 1]] - points[corners[:, 0]], points[corners[:, 2]] - points[corners[:, 0]]
    area = np.linalg.norm(np.cross(*edges), axis=1) / 2
    stress = np.linalg.norm(arrays["wall_shear_stress"], axis=1)
    if len(stress) == len(points):
        stress = stress[corners].mean(axis=1)
    order = np.argsort(stress)
    share = np.cumsum(area[order]) / area.sum()
    return (summary["units"]["spacing"], drop, (stress * area).sum() / area.sum(),
            stress[order][np.searchsorted(share, 0.99)])


def richardson(spacing, values):
    """Order, limit and whether three values, coarse to fine, converge monotonically; equal ratios of spacing."""
    first, second = values[1] - values[0], values[2] - values[1]
    if first * second <= 0 or abs(second) >= abs(first):
        return None
    order = math.log(first / second) / math.log(spacing[0] / spacing[1])
    return order, values[2] + second / (first / second - 1)


def print_table(folders):
    runs = [measured(folder) for folder in folders]
    print("| spacing, mm | pressure drop, Pa | mean wall shear stress, Pa | 99th percentile, Pa |")
    print("|---|---|---|---|")
    for run in runs:
        print(f"| {1e3 * run[0]:.4f} | {run[1]:.3f} | {run[2]:.4f} | {run[3]:.4f} |")
    good = True
    limits, orders = [], []
    for k in (1, 2, 3):
        found = richardson([r[0] for r in runs[-3:]], [r[k] for r in runs[-3:]]) if len(runs) > 2 else None
        good = good and found is not None
        limits.append(f"{found[1]:.4g} ({runs[-1][k] / found[1] - 1:+.1%})" if found else "not monotone")
        orders.append(f"{found[0]:.1f}" if found else "–")
    print("| limit (error of the finest) | " + " | ".join(limits) + " |")
    print("| order | " + " | ".join(orders) + " |")
    return good


def add_options(show):
    show.add_argument("stl")
    show.add_argument("--case", default="vessel", choices=CASES)
    show.add_argument("--ratio", type=float, default=1.5)
    show.add_argument("--grids", type=int, default=4)
    show.add_argument("--walls", default="interpolated", choices=("interpolated", "half-way"))


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/vessel", add_options, print_commands, print_table))
