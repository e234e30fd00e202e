# SPDX-License-Identifier: Apache-2.0
"""What the scripts that validate Fluvia share: their two commands, the line that runs a case, and what a run left."""
import argparse
import csv
import json
from pathlib import Path

import numpy as np


def fluvia_run(case, arguments, name, settings, options=""):
    """The command that runs docs/validation/CASE with these settings, KEY=VALUE, in the folder NAME of the output."""
    words = " ".join(f"--set '{word}'" for word in settings)
    return (f"fluvia run docs/validation/{case} --device {arguments.device} --output {arguments.output}/{name} "
            f"{options}{words}")


def read_run(folder):
    """summary.json and the columns of monitors.csv by name, without units, of a folder that `fluvia run` wrote."""
    summary = json.loads((Path(folder) / "summary.json").read_text())
    with open(Path(folder) / "monitors.csv", newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    values = np.array(rows[1:], dtype=float)
    return summary, {name.split(" [")[0]: values[:, k] for k, name in enumerate(rows[0])}


def strouhal(time, lift):
    """Frequency of the largest peak of the spectrum of the second half, Hann window; time in D/U."""
    half = len(time) // 2
    t, y = time[half:], lift[half:] - lift[half:].mean()
    power = np.abs(np.fft.rfft(y * np.hanning(len(y)), 16 * len(y))) ** 2
    return np.fft.rfftfreq(16 * len(y), t[1] - t[0])[np.argmax(power)]


def main(description, output, add_options, print_commands, print_table):
    """`commands` prints what to run, after options of its own; `table` makes Markdown of the folders that were written.
    Returns the exit code: 1 if the table says that something is not good enough."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    show = commands.add_parser("commands")
    add_options(show)
    show.add_argument("--device", default="auto")
    show.add_argument("--output", default=output)
    table = commands.add_parser("table")
    table.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "commands":
        print_commands(arguments)
        return 0
    return 0 if print_table(arguments.folders) else 1
