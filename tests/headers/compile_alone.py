# SPDX-License-Identifier: Apache-2.0
"""Compiles every header of src/fluvia as the first of a source: compile_alone.py SOURCES BUILD NINJA PATTERN [LAUNCHER]

PATTERN is a source in BUILD/compile_commands.json whose command is used. Most of the time of such a compile is reading
standard headers and ours below, the same ones again and again. So a header is compiled after a precompiled one that it
includes itself, before anything else than includes: nothing stands before it then that is not there without, either,
and a forgotten include shows as ever. A second run compiles only what changed.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

# What making and writing a precompiled header takes, in compiles of the same text.
PRICE = 3.0
# What the compiler reads for a standard header, in lines of ours; from 2 (<cstdint>) to 30 000 (<regex>).
STANDARD = 2000
MOST = 8  # of 30 to 90 MB each


def includes_of(text):
    """What a header includes before all else; whatever stands below, or depends on a condition, does not count."""
    found = []
    for line in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).splitlines():
        line = line.split("//")[0].strip()
        if match := re.fullmatch(r'#\s*include\s*([<"][^>"]+[>"])', line):
            found.append(match[1])
        elif line and not re.fullmatch(r"#\s*pragma once", line):
            break
    return found


def closures(root):
    """{header: all that it includes, by way of others too}, headers as they stand in an #include."""
    direct, lines = {}, {}
    for path in sorted(root.glob("fluvia/**/*.hpp")):
        name, text = f'"{path.relative_to(root).as_posix()}"', path.read_text()
        direct[name], lines[name] = includes_of(text), text.count("\n")
    known = {}

    def closure(name):
        if name not in known:
            known[name] = set()  # for circles of headers, which compile nowhere
            known[name] = set(direct[name]).union(*(closure(other) for other in direct[name] if other in direct))
        return known[name]

    return {name: closure(name) for name in direct}, lines


def choose(all_of, weight):
    """The sets of headers to precompile, each the one that saves most beside those before it."""
    candidates = {frozenset([name]): closure | {name} for name, closure in all_of.items()}
    for closure in all_of.values():
        standard = frozenset(name for name in closure if name.startswith("<"))
        if standard:
            candidates[standard] = standard
    sizes = {key: sum(map(weight, content)) for key, content in candidates.items()}
    saved, chosen = dict.fromkeys(all_of, 0), []
    while len(chosen) < MOST:

        def gain(key):
            users = (name for name, closure in all_of.items() if key <= closure)
            return sum(max(0, sizes[key] - saved[name]) for name in users) - PRICE * sizes[key]

        best = max(candidates, key=lambda key: (gain(key), sorted(key)))
        if gain(best) <= 0:
            break
        chosen.append(best)
        for name, closure in all_of.items():
            if best <= closure:
                saved[name] = max(saved[name], sizes[best])
    return sorted(chosen, key=lambda key: -sizes[key])


def write(path, text):
    """Leaves a file that says the same as old as it is."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    root, build, ninja, pattern, *launcher = sys.argv[1:]
    root, build, folder = pathlib.Path(root), pathlib.Path(build), pathlib.Path(pattern).parent
    command = next(
        shlex.split(entry["command"]) for entry in json.loads((build / "compile_commands.json").read_text())
        if pathlib.Path(entry["file"]) == pathlib.Path(pattern))
    if command[:len(launcher)] == launcher:  # newer CMakes have it in there
        command = command[len(launcher):]
    for option in ("-o", "-c"):
        at = command.index(option)
        del command[at:at + 2]
    all_of, lines = closures(root)
    device = '"fluvia/cuda/kernels/'  # device code; tests/cuda compiles it with NVRTC
    all_of = {name: closure for name, closure in all_of.items() if not name.startswith(device)}
    if not all_of:
        sys.exit(f"{root}: no headers")
    chosen = choose(all_of, lambda name: lines.get(name, STANDARD))

    # A compiler cache takes precompiled headers if it is told that their macros need no look.
    compile_with = "CCACHE_SLOPPINESS=pch_defines,time_macros " + shlex.join(launcher + command).replace("$", "$$")
    rules = [
        f"rule unit\n  command = {compile_with} $before -MD -MF $out.d -c $in -o $out\n  deps = gcc\n  depfile = $out.d\n  description = $in",
        f"rule first\n  command = {compile_with} -MD -MF $out.d -x c++-header $in -o $out\n  deps = gcc\n  depfile = $out.d\n  description = $in"]
    for index, key in enumerate(chosen):
        write(folder / f"first_{index}.hpp", "".join(f"#include {name}\n" for name in sorted(key)))
        rules.append(f"build first_{index}.hpp.gch: first first_{index}.hpp")
    for name, closure in all_of.items():
        unit = name.strip('"').replace("/", "_")
        # Twice, so that a missing include guard shows.
        write(folder / f"{unit}.cpp", f"#include {name}\n" * 2)
        index = next((k for k, key in enumerate(chosen) if key <= closure), None)
        if index is None:
            rules.append(f"build {unit}.o: unit {unit}.cpp")
        else:
            rules.append(f"build {unit}.o: unit {unit}.cpp | first_{index}.hpp.gch\n"
                         f"  before = -Winvalid-pch -include first_{index}.hpp")
    write(folder / "build.ninja", "\n".join(rules) + "\n")
    print(f"{len(all_of)} headers, {len(chosen)} precompiled before them", flush=True)
    sys.exit(subprocess.call([ninja, "-C", folder, "-k", "0"]))


main()
