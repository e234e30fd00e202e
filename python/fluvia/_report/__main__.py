# SPDX-License-Identifier: Apache-2.0
"""What the program starts: each command has its own words, and ends with the program's exit codes.

    report FOLDER [--output FILE]    the page of a run
    gif WIDTHxHEIGHT RATE FILE       a film of the frames on standard input
    watch FOLDER DESCRIPTOR          the page of a run that goes on
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from . import Problem


def say(text: str) -> None:
    sys.stderr.write(f"fluvia: {text}\n")


def report(words: list[str]) -> None:
    from . import make_report

    parser = argparse.ArgumentParser(prog="fluvia report", description="Make one HTML page of a run.")
    parser.add_argument("folder", help="output folder of a run")
    parser.add_argument("--output", default=None, metavar="FILE", help="the page (default: FOLDER/report.html)")
    arguments = parser.parse_args(words)
    try:
        page = make_report(arguments.folder, arguments.output, on_message=lambda text: say(f"warning: {text}"))
    except MemoryError:
        say("report: memory ran out; write fewer nodes (output.stride, output.region)")
        raise SystemExit(4) from None
    print(f"{page} ({page.stat().st_size / 1048576:.1f} MiB)")


def gif(words: list[str]) -> None:
    from .gif import write_gif

    size, rate, file = words
    width, height = (int(number) for number in size.split("x"))
    try:
        write_gif(sys.stdin.buffer, width, height, float(rate), file)
    except Problem as problem:  # the words are part of a message
        raise SystemExit(str(problem)) from None


def watch(words: list[str]) -> None:
    from .watch import serve

    folder, descriptor = words
    serve(folder, int(descriptor), sys.stdin.buffer)


COMMANDS: dict[str, Callable[[list[str]], None]] = {"report": report, "gif": gif, "watch": watch}


def main() -> int:
    try:
        COMMANDS[sys.argv[1]](sys.argv[2:])
    except Problem as problem:
        say(str(problem))
        return problem.code
    except KeyboardInterrupt:
        return 6
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
