#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Levels of refinement: a cavity with fine strips, a cylinder in a channel, the mass over 100,000 steps.

  commands [--device D]   print the `fluvia run` commands; together some ten minutes on two cores
  table DIR...            finished runs beside what they must reach, as Markdown

DIR is a folder that `fluvia run` wrote, named as `commands` says. docs/validation/levels.md shows the results.
"""
import csv
import sys
from pathlib import Path

from validation import main, read_run

DRAG, LIFT = 5.5795, 0.01062  # Schaefer & Turek 2D-1, spectral: G. Nabh, Dissertation, Heidelberg 1998
LID = 0.1


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


def extremes(folder):
    """Lowest u on the vertical, lowest and highest v on the horizontal centre line, in speeds of the lid."""
    def column(line, name):
        file = sorted(Path(folder).glob(f"line-{line}-*.csv"))[-1]
        with open(file, newline="") as rows:
            return [float(row[name]) / LID for row in csv.DictReader(rows)]

    u, v = column("vertical", "velocity_x [lattice]"), column("horizontal", "velocity_y [lattice]")
    return min(u), min(v), max(v)


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
    if "cylinder" in found:
        columns = read_run(found["cylinder"])[1]
        for name, column, exact, must in (("drag", "coefficient_cylinder_x", DRAG, 0.005),
                                          ("lift", "coefficient_cylinder_y", LIFT, 0.005)):
            error = columns[column][-1] / exact - 1
            row(f"cylinder 2D-1, {name}", f"{columns[column][-1]:.5g} ({error:+.2%})", f"{must:.1%}", abs(error) <= must)
    if "mass" in found:
        mass = read_run(found["mass"])[1]["mass_deviation"]
        drift = max(abs(mass - mass[0])) / (48 * 32)  # nodes of the box, whose density is 1
        row("mass after 100,000 steps, of all mass", f"{drift:.1e}", "1e-11", drift <= 1e-11)
    return good


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/levels", lambda parser: None, print_commands, print_table))
