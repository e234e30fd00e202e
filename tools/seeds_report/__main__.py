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
    parser.add_argument("--counters", metavar="SECONDS", type=float, default=300,
                        help="begin no profile after this time (300); 0: read no counters")
    return parser.parse_args()


def make_models(fluvia, folder):
    """Makes the model's numbers, which S1 alone is about; returns why some of them are missing."""
    found = results.read_inputs(folder)
    if found.rows and not any(e.startswith("S1") for r in found.rows for e in r["experiments"]):
        return {}
    return model_runs.make_models(fluvia, folder, "cuda" if found.is_gpu else "cpu", found.copy or 1e12)


def write(folder, failures, drawer):
    found = results.read_inputs(folder)
    found.failures = failures
    return render.write(found, drawer)


def work(fluvia, folder, seconds):
    """Measures what is missing and writes the report; before the counters, too, since they may take long."""
    drawer = drawing.Drawer(folder)
    if not drawer.available:
        print("seeds_report: matplotlib is not installed, so there are no figures", file=sys.stderr)
    failures = make_models(fluvia, folder) if fluvia else {}
    pages = write(folder, failures, drawer)
    if fluvia and seconds > 0:
        counters.make_counters(fluvia, results.read_inputs(folder), seconds)
        pages = write(folder, failures, drawer)
    for path in pages:
        print(path)


def main():
    arguments = parse()
    if not arguments.folder.is_dir():
        sys.exit(f"seeds_report: {arguments.folder}: no such folder; expected the one given to `fluvia bench --suite seeds "
                 "--output`")
    fluvia = shutil.which(arguments.fluvia) if arguments.fluvia else None
    if arguments.fluvia and fluvia is None:
        sys.exit(f"seeds_report: --fluvia {arguments.fluvia}: no such program; expected the path of the fluvia binary")
    try:
        work(fluvia, arguments.folder, arguments.counters)
    except results.InputError as error:
        sys.exit(f"seeds_report: {error}")


if __name__ == "__main__":
    main()
