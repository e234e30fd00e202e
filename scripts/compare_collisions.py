#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far collisions are from what is known of small flows, as a Markdown table (docs/moments.md): those whose moments
may be kept instead of populations beside others.

  vortex   Taylor-Green, periodic square: deviation of the viscosity, from the decay of the kinetic energy
  channel  between plates, driven by a force: deviation of the speed in the middle
  cavity   square with a lid: deviations of the extreme speeds on the centre lines, in the lid's speed, from Marchi,
           Suero & Araki, J. Braz. Soc. Mech. Sci. Eng. 31 (2009) 186 (Re 100) and Botella & Peyret, Comput. Fluids 27
           (1998) 421 (Re 1000)
  sphere   in a stream between free-slip walls, Re 100, 10 nodes across: its drag coefficient

  scripts/compare_collisions.py --device cpu --threads 2
  scripts/compare_collisions.py --device cuda --scheme moments --format fp32 fp16s

Needs nothing but the program (--fluvia) and Python.
"""
import argparse
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLLISIONS = ("regularized", "recursive-regularized", "mrt", "cumulant")


def lattice_units(viscosity, speed, length):
    return (f'[units]\nsystem = "lattice"\nviscosity = {viscosity}\nreference_velocity = {speed}\n'
            f"reference_length = {length}\n")


def box(nodes, periodic=None):
    flags = f"periodic = {str(periodic).lower()}\n" if periodic else ""
    return f"[domain]\ndimension = {len(nodes)}\nnodes = {list(nodes)}\n{flags}"


def probes(points):
    return "".join(f'[[monitor.probe]]\nname = "p{k}"\nposition = {list(point)}\n' for k, point in enumerate(points))


def vortex(size, tau):
    """The case, its lattice and steps, and what to make of the columns of monitors."""
    viscosity, speed, waves = (tau - 0.5) / 3, 0.02, 2 * math.pi / size
    steps = int(1 / (4 * viscosity * waves**2))
    text = (lattice_units(viscosity, speed, size) + box([size, size], [True, True]) +
            f'[physics]\ninitial_flow = "taylor-green"\ninitial_speed = {speed}\n')

    def deviation(rows):
        first, last = rows[len(rows) // 2], rows[-1]  # stresses have formed
        rate = math.log(first["kinetic_energy"] / last["kinetic_energy"]) / (last["step"] - first["step"])
        return {"viscosity": rate / (4 * viscosity * waves**2) - 1}

    return text, "D2Q9", steps, deviation


def channel(size, tau):
    viscosity, speed = (tau - 0.5) / 3, 0.05
    force = 8 * viscosity * speed / size**2
    text = (lattice_units(viscosity, speed, size) + box([4, size], [True, False]) +
            f"[physics]\nacceleration = [{force}, 0.0]\n" + probes([(2.5, size // 2 + 0.5)]))
    exact = force / (2 * viscosity) * (size // 2 + 0.5) * (size - size // 2 - 0.5)
    steps = int(2 * size**2 / viscosity)
    return text, "D2Q9", steps, lambda rows: {"speed": rows[-1]["p0_u"] / exact - 1}


def extreme(values):
    """The extreme of values at equal distances, by the parabola through the three nodes around the largest of them."""
    k = max(range(1, len(values) - 1), key=lambda n: abs(values[n]))
    a, b, c = values[k - 1 : k + 2]
    curvature = a - 2 * b + c
    return b - (a - c) ** 2 / (8 * curvature)


CAVITY = {100: {"u_min": -0.2140417, "v_max": 0.1795728, "v_min": -0.2538030},
          1000: {"u_min": -0.3885698, "v_max": 0.3769447, "v_min": -0.5270771}}


def cavity(size, reynolds):
    lid = 0.1
    text = (lattice_units(lid * size / reynolds, lid, size) + box([size, size]) +
            f'[[boundary]]\nsurface = "y_max"\ntype = "moving_wall"\nvelocity = [{lid}, 0.0]\n')
    middle = size / 2
    low, high = range(size // 2), range(size // 2, size)
    lines = [[(middle, n + 0.5) for n in low], [(n + 0.5, middle) for n in low], [(n + 0.5, middle) for n in high]]
    text += probes([point for line in lines for point in line])

    def deviations(rows):
        result, first = {}, 0
        for (name, value), line in zip(CAVITY[reynolds].items(), lines):
            column = "u" if name[0] == "u" else "v"
            found = extreme([rows[-1][f"p{first + k}_{column}"] / lid for k in range(len(line))])
            result[name], first = found - value, first + len(line)
        return result

    return text, "D2Q9", (300 if reynolds == 100 else 600) * size, deviations


def sphere(size, _):
    speed, across = 0.05, size
    nodes = [8 * across, 5 * across, 5 * across]
    centre = [2.5 * across + 0.11, 2.5 * across + 0.17, 2.5 * across + 0.23]
    text = lattice_units(speed * across / 100, speed, across) + box(nodes)
    text += f'[[geometry.shape]]\nname = "sphere"\nkind = "sphere"\ncenter = {centre}\nradius = {across / 2}\n'
    text += f'[walls]\nmethod = "half-way"\n[physics]\ninitial_velocity = [{speed}, 0.0, 0.0]\n'
    text += f'[[boundary]]\nsurface = "x_min"\ntype = "velocity"\nvelocity = [{speed}, 0.0, 0.0]\n'
    text += '[[boundary]]\nsurface = "x_max"\ntype = "non_reflecting"\n'
    for face in ("y_min", "y_max", "z_min", "z_max"):
        text += f'[[boundary]]\nsurface = "{face}"\ntype = "free_slip"\n'
    area = math.pi * across**2 / 4
    monitors = f'forces = ["sphere"]\nreference_area = {area}\ndrag_axis = [1.0, 0.0, 0.0]\n'

    def drag(rows):
        last = rows[-len(rows) // 4 :]
        return {"drag": sum(row["C_d_sphere"] for row in last) / len(last)}

    return text, "D3Q19", int(25 * across / speed), drag, monitors


FLOWS = {"vortex": (vortex, [(32, 0.51), (32, 0.6), (32, 1.0)]), "channel": (channel, [(20, 0.51), (20, 0.6), (20, 1.0)]),
         "cavity": (cavity, [(32, 100), (64, 100), (64, 1000), (128, 1000)]), "sphere": (sphere, [(10, None)])}


def run(name, size, tau, collision, form, args, folder):
    """Numbers of one run; None where the program refuses it."""
    make, _ = FLOWS[name]
    text, lattice, steps, numbers, *monitors = make(size, tau)
    if collision == "cumulant" and lattice == "D3Q19":
        lattice = "D3Q27"
    text += f'[numerics]\nlattice = "{lattice}"\ncollision = "{collision}"\nformat = "{form}"\n'
    text += f'device = "{args.device}"\n' + (f'scheme = "{args.scheme}"\n' if args.scheme else "")
    text += f"threads = {args.threads}\n" if args.threads else ""
    text += f"[run]\nsteps = {steps}\n[monitor]\nevery = {max(1, steps // 100)}\n" + "".join(monitors)
    text += '[output]\nvtk = "none"\n[checkpoint]\nat_end = false\n'
    case, out = folder / "case.toml", Path(tempfile.mkdtemp(dir=folder))
    case.write_text(text)
    done = subprocess.run([str(args.fluvia), "run", str(case), "--output", str(out)], capture_output=True, text=True)
    table = out / "monitors.csv"
    if not table.exists():
        print(done.stderr.strip().splitlines()[-1:], file=sys.stderr)
        return None
    with table.open(newline="") as stream:
        rows = list(csv.reader(line for line in stream if not line.startswith("#")))
    titles = [title.split(" ")[0] for title in rows[0]]
    return numbers([dict(zip(titles, map(float, row))) for row in rows[1:]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluvia", type=Path, default=ROOT / "build/release/fluvia")
    parser.add_argument("--flow", nargs="+", choices=FLOWS, default=list(FLOWS))
    parser.add_argument("--collision", nargs="+", default=list(COLLISIONS))
    parser.add_argument("--format", nargs="+", default=["fp64"])
    parser.add_argument("--device", default="auto")
    parser.add_argument("--scheme", help="the device's choice if not given")
    parser.add_argument("--threads", type=int)
    args = parser.parse_args()
    columns = [(collision, form) for collision in args.collision for form in args.format]
    print("| flow | " + " | ".join(f"{collision}, {form}" for collision, form in columns) + " |")
    print("|---|" + "---|" * len(columns), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in args.flow:
            for size, tau in FLOWS[name][1]:
                found = [run(name, size, tau, *column, args, Path(folder)) for column in columns]
                kinds = next((list(numbers) for numbers in found if numbers), [])
                for kind in kinds:
                    label = f"{name} {size}" + (f", {'Re' if tau > 10 else 'tau'} {tau}" if tau else "") + f": {kind}"
                    cells = [f"{numbers[kind]:.3g}" if numbers else "–" for numbers in found]
                    print(f"| {label} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
