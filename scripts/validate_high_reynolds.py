#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bodies at high Reynolds numbers with wall functions: Ahmed bodies, a square cylinder, a sphere.

  commands [--device D]   print the commands; together ten minutes on a GPU
  table DIR...            finished runs beside what was measured, as Markdown

DIR is a folder that `fluvia run` wrote, named as `commands` says. docs/validation/high-reynolds.md shows the results.
"""
import sys

from validation import fluvia_run, main, read_run, strouhal

# Name: body of the case, what, lowest and highest of what was measured, how much more is allowed.
AHMED = {25: (0.285, 0.30, 0.12), 35: (0.26, 0.28, 0.08)}  # S. R. Ahmed et al., SAE paper 840300 (1984), and later ones
SQUARE = {"drag": (2.1, 2.1, 0.08), "Strouhal number": (0.13, 0.13, 0.08)}  # D. A. Lyn et al., JFM 304 (1995) 285
SPHERE = {"drag": (0.40, 0.40, 0.08)}


def print_commands(arguments):
    for angle in AHMED:
        print(f"scripts/ahmed_body.py {angle} ahmed{angle}.stl")
        print(f"fluvia new --from ahmed{angle}.stl --unit m --wind 40m/s --ground moving --clearance 50mm --levels 4 "
              f"--spacing {arguments.spacing} --wall-functions high-reynolds")
        print(f"fluvia run high-reynolds/ahmed{angle}.toml --device {arguments.device} "
              f"--output {arguments.output}/ahmed{angle}")
    for name in ("square", "sphere"):
        print(fluvia_run(f"high-reynolds-{name}.toml", arguments, name, []).rstrip())


def print_table(folders):
    print("| run | is | measured | must |")
    print("|---|---|---|---|")
    good = True

    def row(name, value, wanted):
        nonlocal good
        low, high, more = wanted
        fits = low * (1 - more) <= value <= high * (1 + more)
        good = good and fits
        measured = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        print(f"| {name} | {value:.3f} | {measured} | {more:.0%}{'' if fits else ': missed'} |")

    for folder in folders:
        columns = read_run(folder)[1]
        time = columns["time"]
        late = time > 0.5 * time[-1]
        if folder.name.startswith("ahmed"):
            angle = int(folder.name.removeprefix("ahmed"))
            row(f"Ahmed body, {angle} degrees: drag", columns["C_d_body"][late].mean(), AHMED[angle])
            print(f"| the same: lift | {columns['C_l_body'][late].mean():.3f} | | |")
        elif folder.name == "square":
            row("square cylinder: drag", columns["coefficient_cylinder_x"][late].mean(), SQUARE["drag"])
            row("square cylinder: Strouhal number", strouhal(time, columns["coefficient_cylinder_y"]),
                SQUARE["Strouhal number"])
        elif folder.name == "sphere":
            row("sphere: drag", columns["coefficient_sphere_x"][late].mean(), SPHERE["drag"])
    return good


if __name__ == "__main__":
    sys.exit(main(__doc__, "out/high-reynolds",
                  lambda options: options.add_argument("--spacing", default="6mm", help="of the Ahmed bodies"),
                  print_commands, print_table))
