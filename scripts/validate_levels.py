#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Levels of refinement: a cavity with fine strips, a cylinder in a channel at Re 20 and 100 and between four walls, a
sphere, its wake and its vortices, a Taylor-Green vortex, a pulse, the mass over 100,000 steps.

  commands [--device D]   print the `fluvia run` commands; together many hours on two cores, six minutes on a GPU
  table DIR...            finished runs beside what they must reach, as Markdown

DIR is a folder that `fluvia run` wrote, named as `commands` says. docs/validation/levels.md shows the results.
"""
import csv
import math
import sys
from pathlib import Path

import numpy as np

from validation import main, read_run

DRAG, LIFT = 5.5795, 0.01062  # Schaefer & Turek 2D-1, spectral: G. Nabh, Dissertation, Heidelberg 1998
# Schaefer & Turek 2D-2: the intervals that they give of the largest drag, of the largest lift, of the Strouhal number
VORTICES = ("drag", 3.22, 3.24), ("lift", 0.99, 1.01), ("Strouhal number", 0.295, 0.305)
DRAG_3D, LIFT_3D = 6.18533, 0.009401  # 3D-1Z: M. Braack, T. Richter, Computers & Fluids 35 (2006) 372
SOUND_3D = 3  # seconds: the period of sound between inlet and outlet, which dies out slowly
SPHERE_DRAG = 1.087  # Clift, Grace & Weber 1978
WAKE = 0.87  # length of the closed wake at Re 100: T. A. Johnson, V. C. Patel, J. Fluid Mech. 378 (1999) 19
SHEDDING = 0.656, 0.137  # sphere at Re 300, mean drag and Strouhal number: ibid.
LID = 0.1
PULSE = 0.5e-4  # of its half


def print_commands(arguments):
    end = f"--device {arguments.device} --output {arguments.output}"
    line = '{{name="{0}",from={1},to={2},points=65}}'
    lines = ",".join((line.format("vertical", "[64,0]", "[64,128]"), line.format("horizontal", "[0,64]", "[128,64]")))
    uniform = ["refine=[]", "domain.nodes=[128,128]", "units.viscosity=0.0128", "units.reference_length=128",
               "run.steps=120000", f"output.line=[{lines}]"]
    words = " ".join(f"--set '{word}'" for word in uniform)
    print(f"fluvia run docs/validation/levels-cavity.toml {end}/cavity-levels")
    print(f"fluvia run docs/validation/levels-cavity.toml {end}/cavity-uniform {words}")
    print(f"fluvia run docs/validation/levels-mass.toml {end}/mass")
    print(f"fluvia run cases/levels.toml {end}/cylinder")
    wide = ["run.time=40", 'numerics.collision="recursive-regularized"',
            "refine=[{level=2,box=[[0.12,0.1],[0.34,0.3]]},{level=1,box=[[0.05,0.0],[0.6,0.41]]}]"]
    words_of_wide = " ".join(f"--set '{word}'" for word in wide)
    print(f"fluvia run cases/levels.toml {end}/cylinder-wide {words_of_wide}")
    print(f"fluvia run docs/validation/levels-vortices.toml {end}/vortices")
    print(f"fluvia run docs/validation/levels-sphere.toml {end}/sphere")
    print(f"fluvia run docs/validation/levels-wake.toml {end}/wake")
    print(f"fluvia run docs/validation/levels-shedding.toml {end}/shedding")
    print(f"fluvia run docs/validation/levels-cylinder-3d.toml {end}/cylinder-3d")
    fine = ["units.spacing=0.005", "run.time=20", 'numerics.collision="recursive-regularized"',
            "refine=[{level=2,box=[[0.40,0.10,0.0],[0.68,0.30,0.41]]},{level=1,box=[[0.25,0.0,0.0],[1.0,0.41,0.41]]}]"]
    words_of_fine = " ".join(f"--set '{word}'" for word in fine)
    print(f"fluvia run docs/validation/levels-cylinder-3d.toml {end}/cylinder-3d-fine {words_of_fine}")
    print(f"fluvia run docs/validation/levels-taylor-green.toml {end}/taylor-green")
    pulse, middle = "docs/validation/levels-pulse.toml", "1e-4*exp(-((x-{0})/{1})^2)"
    fine = ["refine=[]", "domain.nodes=[1536,32]", "units.viscosity=0.002", "run.steps=680",
            'output.line=[{name="along",from=[1,16],to=[1535,16],points=768}]',
            f"physics.initial_pressure_formula={middle.format(768, 16)}"]
    inside = [f"physics.initial_pressure_formula={middle.format(384, 8)}"]
    for name, settings in (("in", []), ("in-uniform", ["refine=[]"]), ("out", inside), ("out-uniform", fine)):
        words = " ".join(f"--set '{word}'" for word in settings)
        print(f"fluvia run {pulse} {end}/pulse-{name} {words}".rstrip())


def extremes(folder):
    """Lowest u on the vertical, lowest and highest v on the horizontal centre line, in speeds of the lid."""
    def column(line, name):
        file = sorted(Path(folder).glob(f"line-{line}-*.csv"))[-1]
        with open(file, newline="") as rows:
            return [float(row[name]) / LID for row in csv.DictReader(rows)]

    u, v = column("vertical", "velocity_x [lattice]"), column("horizontal", "velocity_y [lattice]")
    return min(u), min(v), max(v)


def reflected(folder, uniform, first, last):
    """The largest difference of pressure between two runs, first to last point of their lines, by that of the pulse."""
    def pressure(run):
        file = sorted(Path(run).glob("line-along-*.csv"))[-1]
        with open(file, newline="") as rows:
            return [float(row["pressure [lattice]"]) for row in csv.DictReader(rows)]

    return max(abs(a - b) for a, b in zip(pressure(folder)[first:last], pressure(uniform)[first:last])) / PULSE


def wake_length(folder):
    """From the back of the sphere to where the velocity on the axis turns, diameters."""
    with open(sorted(Path(folder).glob("line-wake-*.csv"))[-1], newline="") as rows:
        points = [(float(row["x [m]"]), float(row["velocity_x [m/s]"])) for row in csv.DictReader(rows)]
    for (x, u), (beyond, faster) in zip(points, points[1:]):
        if u < 0 <= faster:
            return x - u * (beyond - x) / (faster - u) - 0.5
    return float("nan")


def strouhal_number(times, force):
    """The strongest frequency between 0.05 and 0.4 of a force whose slow change is taken out."""
    swings = (force - np.polyval(np.polyfit(times, force, 1), times)) * np.hanning(len(times))
    frequencies = np.fft.rfftfreq(8 * len(times), times[1] - times[0])
    heights = np.abs(np.fft.rfft(swings, 8 * len(times)))
    heights[(frequencies < 0.05) | (frequencies > 0.4)] = 0
    return frequencies[np.argmax(heights)]


def energy_of_vortex(folder, at):
    """Kinetic energy of the Taylor-Green vortex at a time of L/U, and the same of a spectral simulation on 512 nodes a
    side; 1/8 at the start."""
    columns = read_run(folder)[1]
    file = Path(__file__).parent.parent / "docs/validation/tgv_re1600_spectral512.csv"
    spectral = np.loadtxt((line for line in open(file) if line[0].isdigit()), delimiter=",")
    times, energy = columns["step"] * 0.05 / (128 / (2 * math.pi)), columns["kinetic_energy"]
    scale = np.interp(times[0], spectral[:, 0], spectral[:, 1]) / energy[0]
    return np.interp(at, times, scale * energy), np.interp(at, spectral[:, 0], spectral[:, 1])


def print_table(folders):
    found = {folder.name: folder for folder in folders}
    good = True
    print("| | is | must |\n|---|---|---|")

    def row(what, value, must, fulfilled):
        nonlocal good
        good = good and fulfilled
        print(f"| {what} | {value} | {must} |")

    if "cavity-levels" in found and "cavity-uniform" in found:
        levels, uniform = extremes(found["cavity-levels"]), extremes(found["cavity-uniform"])
        for name, one, other in zip(("lowest u", "lowest v", "highest v"), levels, uniform):
            error = one / other - 1
            row(f"cavity, Re 1000, {name} on a centre line: fine strips, fine everywhere",
                f"{one:.4f}, {other:.4f} ({error:+.2%})", "0.3%", abs(error) <= 0.003)
    for run, which in (("cylinder", "2D-1"), ("cylinder-wide", "2D-1, finer in wider regions")):
        if run not in found:
            continue
        columns = read_run(found[run])[1]
        for name, column, exact, must in (("drag", "coefficient_cylinder_x", DRAG, 0.005),
                                          ("lift", "coefficient_cylinder_y", LIFT, 0.005)):
            error = columns[column][-1] / exact - 1
            row(f"cylinder {which}, {name}", f"{columns[column][-1]:.5g} ({error:+.2%})", f"{must:.1%}", abs(error) <= must)
    if "vortices" in found:
        summary, columns = read_run(found["vortices"])
        settled = columns["time"] > 5
        strouhal = next(q["value"] for q in summary["results"]["quantities"] if q["name"] == "strouhal_cylinder")
        values = (max(columns["coefficient_cylinder_x"][settled]), max(columns["coefficient_cylinder_y"][settled]),
                  strouhal)
        for value, (name, low, high) in zip(values, VORTICES):
            row(f"cylinder 2D-2, {name}", f"{value:.4g}", f"{low:.4g} to {high:.4g}, and 0.5% on both sides",
                0.995 * low <= value <= 1.005 * high)
    if "sphere" in found:
        drag = read_run(found["sphere"])[1]["coefficient_sphere_x"][-1]
        row("sphere, Re 100, drag", f"{drag:.4f} ({drag / SPHERE_DRAG - 1:+.2%})", "1%",
            abs(drag / SPHERE_DRAG - 1) <= 0.01)
    if "wake" in found:
        drag, length = read_run(found["wake"])[1]["coefficient_sphere_x"][-1], wake_length(found["wake"])
        row("whole sphere, Re 100, drag", f"{drag:.4f} ({drag / SPHERE_DRAG - 1:+.2%})", "1%",
            abs(drag / SPHERE_DRAG - 1) <= 0.01)
        row("whole sphere, Re 100, length of the wake", f"{length:.4f} ({length / WAKE - 1:+.2%})", "2%",
            abs(length / WAKE - 1) <= 0.02)
    if "shedding" in found:
        columns = read_run(found["shedding"])[1]
        late = columns["time"] > 120
        drag = np.mean(columns["coefficient_sphere_x"][late])
        strouhal = strouhal_number(columns["time"][late], columns["coefficient_sphere_y"][late])
        row("whole sphere, Re 300, mean drag", f"{drag:.4f} ({drag / SHEDDING[0] - 1:+.2%})", "1%",
            abs(drag / SHEDDING[0] - 1) <= 0.01)
        row("whole sphere, Re 300, Strouhal number", f"{strouhal:.4f} ({strouhal / SHEDDING[1] - 1:+.2%})", "3%",
            abs(strouhal / SHEDDING[1] - 1) <= 0.03)
    for run, which in (("cylinder-3d", "3D-1Z"), ("cylinder-3d-fine", "3D-1Z, 20 to 80 nodes across")):
        if run not in found:
            continue
        columns = read_run(found[run])[1]
        late = columns["time"] > columns["time"][-1] - SOUND_3D
        for name, column, exact in (("drag", "coefficient_cylinder_x", DRAG_3D), ("lift", "coefficient_cylinder_y", LIFT_3D)):
            mean = np.mean(columns[column][late])
            error = mean / exact - 1
            row(f"cylinder {which}, {name}", f"{mean:.5g} ({error:+.2%})", "0.5%", abs(error) <= 0.005)
    if "taylor-green" in found:
        for at in (6, 9, 11):
            energy, spectral = energy_of_vortex(found["taylor-green"], at)
            row(f"Taylor-Green vortex, Re 1600, half of the box finer, energy at {at} L/U",
                f"{energy:.5f} ({energy / spectral - 1:+.2%})", "1%", abs(energy / spectral - 1) <= 0.01)
    for name, words, first, last in (("in", "coarse to fine", 140, 235), ("out", "fine to coarse", 265, 360)):
        if f"pulse-{name}" in found and f"pulse-{name}-uniform" in found:
            share = reflected(found[f"pulse-{name}"], found[f"pulse-{name}-uniform"], first, last)
            row(f"pulse of 8 nodes, reflected, {words}", f"{share:.1e}", "3e-3", share <= 3e-3)
    if "mass" in found:
        mass = read_run(found["mass"])[1]["mass_deviation"]
        drift = max(abs(mass - mass[0])) / (48 * 32)  # nodes of the box, whose density is 1
        row("mass after 100,000 steps, of all mass", f"{drift:.1e}", "1e-11", drift <= 1e-11)
    return good


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/levels", lambda parser: None, print_commands, print_table))
