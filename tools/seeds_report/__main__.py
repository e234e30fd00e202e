# SPDX-License-Identifier: Apache-2.0
"""Makes DIR/report.md and DIR/report.html from what `fluvia bench --suite seeds --output DIR` measured: every table and
figure of four papers beside Fluvia's own numbers. First makes DIR/model/*.json by `fluvia model` and, on a GPU,
DIR/counters.json by NVIDIA's profiler; what is there already stays. Needs Python 3.9, for figures matplotlib."""
import argparse
import shutil
import sys
from pathlib import Path

import counters
import drawing
import inputs as results
import model_runs
import render


def parse():
    parser = argparse.ArgumentParser(prog="seeds_report", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder of results")
    parser.add_argument("--fluvia", metavar="FILE", help="the binary that measures; without it nothing new is measured")
    parser.add_argument("--counters", metavar="SECONDS", type=float, default=600,
                        help="begin no profile after this time (600); 0: read no counters")
    return parser.parse_args()


def measure(fluvia, found, seconds):
    """Makes the model's numbers and the counters; returns why some of the model's are missing."""
    bandwidth = found.copy or 1e12
    failures = model_runs.make_models(fluvia, found.folder, "cuda" if found.is_gpu else "cpu", bandwidth)
    if seconds > 0:
        counters.make_counters(fluvia, found, seconds)
    return failures


def main():
    arguments = parse()
    if not arguments.folder.is_dir():
        sys.exit(f"seeds_report: {arguments.folder}: no such folder; expected the one given to `fluvia bench --suite seeds "
                 "--output`")
    fluvia = shutil.which(arguments.fluvia) if arguments.fluvia else None
    if arguments.fluvia and fluvia is None:
        sys.exit(f"seeds_report: --fluvia {arguments.fluvia}: no such program; expected the path of the fluvia binary")
    try:
        found = results.read_inputs(arguments.folder)
        failures = measure(fluvia, found, arguments.counters) if fluvia else {}
        found = results.read_inputs(arguments.folder)
    except results.InputError as error:
        sys.exit(f"seeds_report: {error}")
    found.failures = failures
    drawer = drawing.Drawer(arguments.folder)
    if not drawer.available:
        print("seeds_report: matplotlib is not installed, so there are no figures", file=sys.stderr)
    for path in render.write(found, drawer):
        print(path)


if __name__ == "__main__":
    main()
