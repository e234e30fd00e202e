# SPDX-License-Identifier: Apache-2.0
"""How the report judges: the rules are stated once here, and printed in the report by `RULES`."""
import math
from dataclasses import dataclass

from document import Table, Verdict

TOLERANCE = 0.05  # of a ratio of speeds
REACHED = 1 - TOLERANCE  # of a ratio that a paper states
UP_TO = 0.8  # of a number that a paper rounds: "up to 50 times", "near 25 times"
WORDS = ("better", "reproduced", "partly reproduced", "worse", "not reproduced", "not judged", "not measured")

RULES = [
    "Speeds are compared as bandwidth utilisation (eq. 43 of S1), since cards differ: the ratio of ours to the paper's, "
    f"geometric mean over all rows that both have. From {1 + TOLERANCE:.2f} on: better; from {REACHED:.2f} on: "
    "reproduced; below: worse.",
    "Numbers that do not depend on a card (the model, drag coefficients) are reproduced if every one of them lies within the "
    "tolerance that the section states, partly if more than half of them do. Drag has the paper's error as its tolerance, and "
    "counts as partly reproduced where errors are larger but most drags lie near the paper's.",
    "Statements that a paper draws from its measurements are listed one by one, each with what it takes to hold here: a "
    f"ratio of speeds from {REACHED:.2f} of the paper's on; rounded numbers (\"up to 50 times\", \"near 25 times\") from "
    f"{UP_TO:g} of them on; ratios of AA's steps within 0.05 and sectors within 5% of the paper's; an order or \"more than\" "
    "as it stands; other words (\"almost half\", \"roughly\") as the column says.",
    "Where a table has nothing else to be judged by, it is reproduced if all of its statements hold here, partly if some do. "
    "Where speeds or numbers are judged, too, better and reproduced become partly reproduced unless more than half of the "
    "statements hold. Pictures that can only be compared by eye are not judged.",
    "\"Why\" gives reasons that a row, a counter or another document shows, and names it; what nothing here explains is "
    "called not examined.",
]


@dataclass
class Claim:
    """A statement of a paper and what was found here; `holds` is None where it was not measured."""
    text: str
    holds: object
    found: str = ""
    rule: str = "as stated"  # what it takes to hold


def reaches(text, here, there):
    """The statement that something is `there` times as fast."""
    return Claim(text, None if here is None else here >= REACHED * there, "" if here is None else f"{here:.3f} times",
                 f"from {REACHED * there:.3f} times on")


def near(text, here, there, tolerance):
    """The statement that a number is `there`."""
    return Claim(text, None if here is None else abs(here - there) <= tolerance, "" if here is None else f"{here:.2f}",
                 f"{there - tolerance:.2f} to {there + tolerance:.2f}")


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def by_group(ratios, group):
    """The geometric mean of each group, as words."""
    groups = {}
    for label, r in ratios:
        groups.setdefault(group(label), []).append(r)
    return ", ".join(f"{name} {geometric_mean(values):.2f}" for name, values in groups.items())


def by_utilisation(pairs, what="bandwidth utilisation", why="", group=None, claims=(), claims_why=""):
    """The verdict on (label, ours, paper's) utilisations; `why` explains a worse result, `group` maps labels to groups whose
    means are told, too; `claims` are the table's statements, `claims_why` says why they do not hold."""
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
    word = "better" if mean >= 1 + TOLERANCE else "reproduced" if mean >= REACHED else "worse"
    return with_claims(Verdict(word, text + ".", why if word == "worse" else ""), claims, claims_why)


def by_difference(values, tolerance, what, why="", claims=()):
    """The verdict on (label, ours, paper's) numbers that should agree within `tolerance`."""
    found = [(label, ours - paper) for label, ours, paper in values if ours is not None and paper is not None]
    if not found:
        return Verdict("not measured", "none of these numbers has been made here.")
    label, worst = max(found, key=lambda v: abs(v[1]))
    inside = sum(abs(d) <= tolerance * (1 + 1e-9) for _, d in found)
    text = f"{inside} of {len(found)} {what} lie within {tolerance:g} of the paper's; the largest difference is " \
           f"{worst:+.3g} ({label})."
    word = "reproduced" if inside == len(found) else "partly reproduced" if 2 * inside > len(found) else "not reproduced"
    return with_claims(Verdict(word, text, why if word != "reproduced" else ""), claims)


def count_words(claims):
    """(how many hold, how many were judged, both as words)."""
    judged = [c for c in claims if c.holds is not None]
    holding = sum(bool(c.holds) for c in judged)
    return holding, len(judged), f"{holding} of {len(judged)} statements of the paper {'holds' if holding == 1 else 'hold'} here"


def with_claims(verdict, claims, why=""):
    """That verdict once the table's statements count, too; `why` says why they do not hold."""
    holding, judged, words = count_words(claims)
    word = verdict.word
    if judged and word in ("better", "reproduced") and 2 * holding <= judged:
        word = "partly reproduced"
    reasons = [verdict.why, why if holding < judged and word not in ("better", "reproduced") else ""]
    return Verdict(word, verdict.text + (f" {words}." if judged else ""), " ".join(r for r in reasons if r))


def by_claims(claims, why=""):
    """The verdict of a section that has nothing but statements."""
    holding, judged, words = count_words(claims)
    if not judged:
        return Verdict("not measured", "none of the paper's statements could be tested here.")
    if holding == judged:
        return Verdict("reproduced", words + ".")
    return Verdict("partly reproduced" if holding else "not reproduced", words + ".", why)


def claim_table(claims):
    word = {True: "yes", False: "no", None: "not measured"}
    return Table(["statement of the paper", "counts if", "holds here", "found"],
                 [[c.text, c.rule, word[None if c.holds is None else bool(c.holds)], c.found] for c in claims], words=True)
