#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fluvia permeability` on voxel images of regular arrays, whose permeability is published, as a Markdown table.

  scripts/validate_permeability.py [--fluvia BINARY] [--cylinders N...] [--spheres N...] [--tolerance T]

Images of one cell of N voxels along each side: a square array of cylinders across the flow (Sangani & Acrivos, Int. J.
Multiphase Flow 8 (1982) 193, table 1: drag per length F / (mu U)) and a simple cubic one of spheres (Zick & Homsy, J. Fluid
Mech. 115 (1982) 13, table 2: F / (6 pi mu a U)). Exit code 1 if one of the finest images is off by more than 10%.
Standard library only. docs/validation/permeability.md shows the result.
"""
import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

CYLINDERS = {0.1: 24.83, 0.3: 102.9, 0.5: 532.55, 0.7: 13520}  # share of the volume: F / (mu U)
SPHERES = {0.064: 2.810, 0.216: 7.442, 0.45: 28.1, 0.5236: 42.1}  # F / (6 pi mu a U)


def image_of(dimension, n, radius):
    """Voxels of a body in the middle of a cell, 0 outside of it; a cylinder is one voxel long. And its fraction of the cell."""
    middle = (n - 1) / 2
    squares = [(k - middle) ** 2 for k in range(n)]
    depth = squares if dimension == 3 else [0]
    voxels = bytes(x + y + z < radius * radius for z in depth for y in squares for x in squares)
    return voxels, sum(voxels) / len(voxels)


def permeability(arguments, folder, dimension, n, voxels):
    """What `fluvia permeability` reports of a flow along x through the cell, whose edge is 1 m."""
    name = folder / ("cell.raw" if dimension == 3 else "cell.pgm")
    if dimension == 3:
        name.write_bytes(voxels)
    else:
        name.write_bytes(f"P5 {n} {n} 255\n".encode() + bytes(0 if solid else 255 for solid in voxels))
    report = folder / "k.json"
    command = [arguments.fluvia, "permeability", str(name), "--voxel", f"{1 / n}m", "--axis", "x", "--ends", "periodic",
               "--sides", "periodic", "--json", str(report), "--tolerance", str(arguments.tolerance),
               "--max-refine", str(arguments.max_refine), "--max-steps", "2000000"]
    if dimension == 3:
        command += ["--shape", str(n), str(n), str(n), "--pore", "0"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return json.loads(report.read_text())


def rows(arguments):
    """Array, share of the volume, voxels along a cell, radius over cell, published k over cell squared."""
    for share, drag in CYLINDERS.items():
        for n in arguments.cylinders:
            yield 2, share, n, math.sqrt(share / math.pi), 1 / drag
    for share, drag in SPHERES.items():
        for n in arguments.spheres:
            radius = (3 * share / (4 * math.pi)) ** (1 / 3)
            yield 3, share, n, radius, 1 / (6 * math.pi * radius * drag)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluvia", default="build/release/fluvia")
    parser.add_argument("--cylinders", type=int, nargs="*", default=[32, 64], help="voxels along a cell")
    parser.add_argument("--spheres", type=int, nargs="*", default=[], help="voxels along a cell")
    parser.add_argument("--tolerance", type=float, default=0.05)
    parser.add_argument("--max-refine", type=int, default=3)
    arguments = parser.parse_args()
    print("| array | share of the volume | voxels along a cell | share in the image | k, cells² | estimated error | published | "
          "off by | one node a voxel |")
    print("|---|---|---|---|---|---|---|---|---|")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for dimension, share, n, radius, published in rows(arguments):
            voxels, found = image_of(dimension, n, radius * n)
            axis = permeability(arguments, Path(folder), dimension, n, voxels)["axes"][0]
            off = axis["permeability_m2"] / published - 1
            coarsest = axis["flows"][0]["permeability_m2"] / published - 1
            good = good and (n < max(arguments.cylinders if dimension == 2 else arguments.spheres) or abs(off) <= 0.1)
            print(f"| {'cylinders' if dimension == 2 else 'spheres'} | {share:g} | {n} | {found:.4f} | "
                  f"{axis['permeability_m2']:.4g} | {axis['relative_error']:.1%} | {published:.4g} | {off:+.1%} | "
                  f"{coarsest:+.1%} |", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
