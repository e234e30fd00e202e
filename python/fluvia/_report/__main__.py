# SPDX-License-Identifier: Apache-2.0
"""What `fluvia report OUT [--output FILE]` runs. Ends with the program's exit codes."""
from __future__ import annotations

import argparse
import sys

from . import Problem, make_report


def say(text: str) -> None:
    sys.stderr.write(f"fluvia: {text}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="fluvia report", description="Make one HTML page of a run.")
    parser.add_argument("folder", help="output folder of a run")
    parser.add_argument("--output", default=None, metavar="FILE", help="the page (default: FOLDER/report.html)")
    arguments = parser.parse_args()
    try:
        page = make_report(arguments.folder, arguments.output, on_message=lambda text: say(f"warning: {text}"))
    except Problem as problem:
        say(str(problem))
        return problem.code
    except MemoryError:
        say("report: memory ran out; write fewer nodes (output.stride, output.region)")
        return 4
    except KeyboardInterrupt:
        return 6
    print(f"{page} ({page.stat().st_size / 1048576:.1f} MiB)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
