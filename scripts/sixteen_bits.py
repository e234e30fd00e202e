#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What storing populations in 16 bits does to steady flows: runs each case in fp32, then in 16 bits, and prints how far
the latter are, as a Markdown table (docs/decisions/0016-stochastic-rounding.md).

  cavity      lid-driven, Re 1000, cube or (--dimension 2) square: rms and largest deviation of the velocity on the
              centre lines, in the lid's speed
  poiseuille  between plates, driven by a force, Re 100: the same across the channel, in the greatest speed
  rock        water through cases/data/rock.raw.gz: relative deviation of the permeability

  scripts/sixteen_bits.py --case cavity --size 64 128 256 --device cuda
  scripts/sixteen_bits.py --case cavity --dimension 2 --size 64 128 --collision bgk trt --device cpu --threads 2

A velocity is the mean of the last `--mean` rows of probes: random rounding leaves noise around it. Needs nothing but
the program (--fluvia) and Python.
"""
import argparse
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LID = 0.1  # speed of the lid and of the channel, lattice units


def probes(points):
    return "".join(f'[[monitor.probe]]\nname = "p{k}"\nposition = {list(point)}\n' for k, point in enumerate(points))


def along(size, count=32):
    return [(k * size // count) + 0.5 for k in range(min(count, size))]


def cavity(size, args):
    """The case and the columns that count."""
    flat = args.dimension == 2
    middle = size // 2 + 0.5
    lines = [[(middle, y, middle) for y in along(size)], [(x, middle, middle) for x in along(size)]]
    points = [point[: args.dimension] for line in lines for point in line]
    count = len(lines[0])
    steps = args.steps or {64: 64000, 128: 80000, 256: 120000}.get(size, 1000 * size)
    text = f"""[units]
system = "lattice"
viscosity = {LID * size / 1000}
reference_velocity = {LID}
reference_length = {size}
[domain]
dimension = {args.dimension}
nodes = {[size] * args.dimension}
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = {[LID, 0.0] if flat else [LID, 0.0, 0.0]}
"""
    columns = [f"p{k}_u" for k in range(count)] + [f"p{count + k}_v" for k in range(count)]
    return text, points, columns, steps, LID


def poiseuille(size, args):
    viscosity = LID * size / 100
    force = 8 * viscosity * LID / size**2
    flat = args.dimension == 2
    nodes = [8, size] if flat else [8, size, 8]
    text = f"""[units]
system = "lattice"
viscosity = {viscosity}
reference_velocity = {LID}
reference_length = {size}
[domain]
dimension = {args.dimension}
nodes = {nodes}
periodic = {'[true, false]' if flat else '[true, false, true]'}
[physics]
acceleration = {[force, 0.0] if flat else [force, 0.0, 0.0]}
"""
    points = [(4.5, y, 4.5)[: args.dimension] for y in along(size)]
    steps = args.steps or int(3 * size**2 / viscosity / 4)
    return text, points, [f"p{k}_u" for k in range(len(points))], steps, LID


def rock(size, args):
    refine = max(1, size // 64)
    text = f"""[units]
system = "si"
spacing = {5e-6 / refine}
density = 1000.0
viscosity = 1e-6
tau = 0.8
reference_velocity = 6e-4
reference_length = 8e-5
[geometry.voxels]
file = "{ROOT / 'cases/data/rock.raw.gz'}"
shape = [64, 64, 64]
bits = 8
order = "x-fastest"
fluid_labels = [0]
refine = {refine}
[[boundary]]
surface = "x_min"
type = "pressure"
pressure = 10.0
[[boundary]]
surface = "x_max"
type = "pressure"
pressure = 0.0
"""
    return text, [], ["permeability"], args.steps or 3000 * refine**2, None


CASES = {"cavity": cavity, "poiseuille": poiseuille, "rock": rock}


def run(name, size, collision, form, rounding, args, folder):
    """Last values of the columns, means of the last rows."""
    text, points, columns, steps, scale = CASES[name](size, args)
    text += f'[numerics]\ncollision = "{collision}"\nformat = "{form}"\ndevice = "{args.device}"\n'
    if args.scheme:
        text += f'scheme = "{args.scheme}"\n'
    if args.threads:
        text += f"threads = {args.threads}\n"
    if rounding:
        text += f'rounding = "{rounding}"\n'
    every = max(1, steps // 200)
    text += f'[run]\nsteps = {steps}\n[monitor]\nevery = {every}\n'
    text += 'permeability_axis = "x"\n' if name == "rock" else ""
    text += probes(points) + '[output]\nfields = ["velocity"]\nvtk = "none"\n[checkpoint]\nat_end = false\n'
    file, out = folder / "case.toml", Path(tempfile.mkdtemp(dir=folder))
    file.write_text(text)
    command = [str(args.fluvia), "run", str(file), "--output", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    table = next(out.glob("*.csv"))
    with table.open(newline="") as stream:
        rows = list(csv.reader(line for line in stream if not line.startswith("#")))
    where = [next(k for k, title in enumerate(rows[0]) if title.split(" ")[0] == column) for column in columns]
    last = rows[-args.mean :]
    return [sum(float(row[k]) for row in last) / len(last) for k in where], scale


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluvia", type=Path, default=ROOT / "build/release/fluvia")
    parser.add_argument("--case", nargs="+", choices=CASES, default=["cavity"])
    parser.add_argument("--size", nargs="+", type=int, default=[64])
    parser.add_argument("--dimension", type=int, choices=(2, 3), default=3)
    parser.add_argument("--collision", nargs="+", default=["bgk"])
    parser.add_argument("--format", nargs="+", default=["fp16s", "fp16c"])
    parser.add_argument("--rounding", nargs="+", default=["nearest", "stochastic"])
    parser.add_argument("--device", default="auto")
    parser.add_argument("--scheme", help="the device's choice if not given")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--steps", type=int, help="instead of what each case needs")
    parser.add_argument("--mean", type=int, default=1, help="last rows, of 200, that are averaged")
    args = parser.parse_args()
    print("| case | size | collision | format | rounding | rms deviation from fp32 | largest |", flush=True)
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in args.case:
            for size in args.size:
                for collision in args.collision:
                    expected, scale = run(name, size, collision, "fp32", None, args, Path(folder))
                    scale = scale or abs(expected[0])
                    for form in args.format:
                        for rounding in args.rounding:
                            found, _ = run(name, size, collision, form, rounding, args, Path(folder))
                            off = [abs(a - b) / scale for a, b in zip(found, expected)]
                            rms = math.sqrt(sum(x * x for x in off) / len(off))
                            shape = f"{size}^{args.dimension}" if name == "cavity" else str(size)
                            print(f"| {name} | {shape} | {collision} | {form} | {rounding} | {rms:.1e} | "
                                  f"{max(off):.1e} |", flush=True)


if __name__ == "__main__":
    main()
