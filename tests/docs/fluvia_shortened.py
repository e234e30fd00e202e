# SPDX-License-Identifier: Apache-2.0
"""`fluvia` as the tests of the pages call it: the same program and words, and fewer steps, nodes or seconds."""
import os
import sys

SHORTER = {
    "run": ["--steps", "20", "--device", "cpu", "--try", "0"],
    "verify": ["--steps", "20", "--device", "cpu", "--try", "0"],
    "sweep": ["--set", "run.steps=20", "--device", "cpu"],
    "permeability": ["--max-steps", "20", "--refine", "1", "--device", "cpu", "--axis", "x", "--crop", "0", "0", "0", "16", "16", "16"],
    "plan": ["--device", "cpu"],
    "bench": ["--seconds", "0.01", "--size", "16", "--device", "cpu"],
}


LONGEST = 2000  # steps: what a page asks for beyond takes minutes


def cut(words):
    """The words with no more steps than a test has time for."""
    found = list(words)
    for k, word in enumerate(found[:-1]):
        if word == "--steps" and found[k + 1].isdigit():
            found[k + 1] = str(min(int(found[k + 1]), LONGEST))
    return found


def shortened(words):
    """The words with what makes them short, unless they say it themselves; suites leave out their reports, whose models are large."""
    if not words:
        return words
    words = cut(words)
    added = list(SHORTER.get(words[0], []))
    if "seeds" in words and "--suite" in words:
        added += ["--rows-only"]
    if words[0] == "new" and "--from" in words and "--minutes" not in words:
        added = ["--most-nodes", "40000"]
    options, at = [], 0
    while at < len(added):  # an option with its values
        end = at + 1
        while end < len(added) and not added[end].startswith("--"):
            end += 1
        if added[at] == "--set" or added[at] not in words:
            options += added[at:end]
        at = end
    return [*words, *options]


if __name__ == "__main__":
    os.execv(os.environ["FLUVIA_BINARY"], [os.environ["FLUVIA_BINARY"], *shortened(sys.argv[1:])])
