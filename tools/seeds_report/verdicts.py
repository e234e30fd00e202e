# SPDX-License-Identifier: Apache-2.0
"""How the report judges: the rules are stated once here, and printed in the report by `RULES`."""
import math
from dataclasses import dataclass

from document import Table, Verdict

TOLERANCE = 0.05  # of a ratio of speeds

RULES = [
    "Speeds are compared as bandwidth utilisation (eq. 43 of S1), since cards differ: the ratio of ours to the paper's, "
    f"geometric mean over all rows that both have. From {1 + TOLERANCE:.2f} on: better; from {1 - TOLERANCE:.2f} on: "
    "reproduced; below: worse.",
    "Numbers that do not depend on a card (the model, drag coefficients) are reproduced if every one of them lies within the "
    "tolerance that the section states, partly if more than half of them do. Drag has the paper's error as its tolerance, and "
    "counts as partly reproduced where errors are larger but most drags lie near the paper's.",
    "Statements that a paper draws from its measurements are listed one by one. Where a table has nothing else to be judged by, "
    "it is reproduced if all of them hold here, partly if some do.",
]


@dataclass
class Claim:
    """A statement of a paper and what was found here; `holds` is None where it was not measured."""
    text: str
    holds: object
    found: str = ""


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def by_group(ratios, group):
    """The geometric mean of each group, as words."""
    groups = {}
    for label, r in ratios:
        groups.setdefault(group(label), []).append(r)
    return ", ".join(f"{name} {geometric_mean(values):.2f}" for name, values in groups.items())


def by_utilisation(pairs, what="bandwidth utilisation", why="", group=None):
    """The verdict on (label, ours, paper's) utilisations; `why` explains a worse result, `group` maps labels to groups whose
    means are told, too."""
    ratios = [(label, ours / paper) for label, ours, paper in pairs if ours and paper]
    if not ratios:
        return Verdict("not measured", "no row of this table has been measured here.")
    mean = geometric_mean([r for _, r in ratios])
    low, high = min(ratios, key=lambda r: r[1]), max(ratios, key=lambda r: r[1])
    text = f"{what} is {mean:.2f} times the paper's"
    if len(ratios) > 1:
        text += (f" in the geometric mean of {len(ratios)} rows, from {low[1]:.2f} ({low[0]}) to {high[1]:.2f} "
                 f"({high[0]})")
    if group:
        text += f"; {by_group(ratios, group)}"
    if mean >= 1 + TOLERANCE:
        return Verdict("better", text + ".")
    if mean >= 1 - TOLERANCE:
        return Verdict("reproduced", text + ".")
    return Verdict("worse", text + ".", why)


def by_difference(values, tolerance, what, why=""):
    """The verdict on (label, ours, paper's) numbers that should agree within `tolerance`."""
    found = [(label, ours - paper) for label, ours, paper in values if ours is not None and paper is not None]
    if not found:
        return Verdict("not measured", "none of these numbers has been made here.")
    label, worst = max(found, key=lambda v: abs(v[1]))
    inside = sum(abs(d) <= tolerance * (1 + 1e-9) for _, d in found)
    text = f"{inside} of {len(found)} {what} lie within {tolerance:g} of the paper's; the largest difference is " \
           f"{worst:+.3g} ({label})"
    if inside == len(found):
        return Verdict("reproduced", text + ".")
    word = "partly reproduced" if 2 * inside > len(found) else "not reproduced"
    return Verdict(word, text + ".", why)


def by_claims(claims, why=""):
    """The verdict of a section that has nothing but statements."""
    judged = [c for c in claims if c.holds is not None]
    if not judged:
        return Verdict("not measured", "none of the paper's statements could be tested here.")
    holding = sum(bool(c.holds) for c in judged)
    text = f"{holding} of {len(judged)} statements of the paper hold here"
    if holding == len(judged):
        return Verdict("reproduced", text + ".")
    return Verdict("partly reproduced" if holding else "not reproduced", text + ".", why)


def claim_table(claims):
    word = {True: "yes", False: "no", None: "not measured"}
    return Table(["statement of the paper", "holds here", "found"],
                 [[c.text, word[None if c.holds is None else bool(c.holds)], c.found] for c in claims], words=True)
