# SPDX-License-Identifier: Apache-2.0
"""How the report judges: the rules are stated once here, and printed in the report by `RULES`."""
import math
from dataclasses import dataclass, replace

import paper
from document import Table, Verdict

TOLERANCE = 0.05  # of a ratio of speeds, and of a number that a paper states
REACHED = 1 - TOLERANCE  # of a ratio that a paper states
UP_TO = 0.8  # of a number that a paper rounds: "up to 50 times", "near 25 times"
WORDS = ("better", "reproduced", "partly reproduced", "worse", "not reproduced", "not judged", "not measured")

RULES = [
    "Speeds are compared as bandwidth utilisation (eq. 43 of S1), since cards differ: the ratio of ours to the paper's, "
    f"geometric mean over all rows that both have. From {1 + TOLERANCE:.2f} on: better; from {REACHED:.2f} on: "
    "reproduced; below: worse.",
    "S2 Table 1 is judged row by row where no cache holds the populations: reproduced if all rows reach that, partly if at least half do.",
    "Numbers that do not depend on a card (the model, drag coefficients) are reproduced if every one of them lies within the "
    "tolerance that the section states, partly if more than half of them do. Drag has the paper's error as its tolerance, and "
    "counts as partly reproduced where errors are larger but most drags lie near the paper's.",
    "Statements of a paper's text are numbered (S1.1 and so on; all are in tools/seeds_report/paper) and listed one by one, each "
    "with its section and what it takes to hold here: a "
    f"ratio of speeds from {REACHED:.2f} of the paper's on; rounded numbers (\"up to 50 times\", \"near 25 times\") from "
    f"{UP_TO:g} of them on; ratios of AA's steps within 0.05 and sectors within 5% of the paper's; an order or \"more than\" "
    "as it stands; other words (\"almost half\", \"roughly\") as the column says. What keeps memory busy is measured by what a plain "
    "copy reaches on this card.",
    "A statement that another card cannot show is not counted, and its line says why: domains that a 2019 card held in memory lie "
    "in the second cache of a newer one. Where the paper's words are about memory, the size is taken here at which they apply.",
    "Where a table has nothing else to be judged by, it is reproduced if all of its statements hold here and at least half were measured, partly if some do. "
    "Where speeds or numbers are judged, too, better and reproduced become partly reproduced unless more than half of the "
    "statements hold. Pictures that can only be compared by eye are not judged.",
    "\"Why\" gives reasons that a row, a counter or another document shows, and names it, or says which of them was not read here.",
]


@dataclass
class Claim:
    """A statement of a paper and what was found here; `holds` is None where that was not measured, or where `beyond` says why this
    machine cannot show it."""
    text: str
    holds: object
    found: str = ""
    rule: str = "as stated"  # what it takes to hold
    beyond: str = ""

    @property
    def word(self):
        if self.beyond:
            return "cannot be shown here"
        return {True: "yes", False: "no", None: "not measured"}[None if self.holds is None else bool(self.holds)]


def finding(holds, found="", rule="as stated", beyond=""):
    """What was found of a statement whose text stands in tools/seeds_report/paper."""
    return Claim("", None if beyond else holds, found, rule, beyond)


def unseen(why):
    """A statement of which nothing was found, and why."""
    return Claim("", None, why)


def statements(tag, where, found):
    """The statements of paper `tag` that the section of the table, figure or section `where` lists, in their order, with what
    was found: {number: Claim without text}."""
    rows = [r for r in paper.rows(tag, "statements") if r["where"] == where]
    unknown = set(found) - {r["number"] for r in rows}
    if unknown:
        raise KeyError(f"{tag} {where}: no such statements: {sorted(unknown)}")
    return [replace(found.get(r["number"]) or unseen(""), text=f"{tag.upper()}.{r['number']} ({r['place']}) {r['text']}") for r in rows]


def over(cases, holds, what="geometries", rule="as stated"):
    """The statement that something holds in all of `cases`, {name: values}; names those where it does not."""
    if not cases:
        return unseen("none of these was made")
    wrong = [name for name, values in cases.items() if not holds(values)]
    return finding(not wrong, f"{len(cases) - len(wrong)} of {len(cases)} {what}" + (f", not {', '.join(wrong)}" if wrong else ""), rule)


def reaches(text, here, there):
    """The statement that something is `there` times as fast."""
    return Claim(text, None if here is None else here >= REACHED * there, "" if here is None else f"{here:.3f} times",
                 f"from {REACHED * there:.3f} times on")


def near(text, here, there, tolerance):
    """The statement that a number is `there`."""
    return Claim(text, None if here is None else abs(here - there) <= tolerance, "" if here is None else f"{here:.2f}",
                 f"{there - tolerance:.2f} to {there + tolerance:.2f}")


def within(values, low, high, rule):
    """The statement that numbers, {name: value}, lie in a range."""
    known = {name: v for name, v in values.items() if v is not None}
    if not known:
        return unseen("")
    wrong = [name for name, v in known.items() if not low <= v <= high]
    return finding(not wrong, f"{min(known.values()):.3g} to {max(known.values()):.3g}" + (f", outside: {', '.join(wrong)}" if wrong else ""),
                   rule)


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


def by_rows(pairs, apart="", why="", claims=()):
    """The verdict on (label, ours, paper's) utilisations that are judged one by one; `apart`: what is told and does not count."""
    ratios = [(label, ours / paper) for label, ours, paper in pairs if ours and paper]
    if not ratios:
        return Verdict("not measured", f"no row of this table that a cache does not hold has been measured here. {apart}".strip())
    mean, lacking = geometric_mean([r for _, r in ratios]), [f"{label} {r:.2f}" for label, r in ratios if r < REACHED]
    text = f"row by row, {len(ratios) - len(lacking)} of {len(ratios)} rows that no cache holds reach the paper's utilisation"
    text += f", the others have so many times of it: {', '.join(lacking)}." if lacking else f"; {mean:.2f} times it in the geometric mean."
    word = "better" if mean >= 1 + TOLERANCE else "reproduced"
    if lacking:
        word = "partly reproduced" if 2 * len(lacking) <= len(ratios) else "worse"
    return with_claims(Verdict(word, f"{text} {apart}".strip(), why if lacking else ""), claims)


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
    words = f"{holding} of {len(judged)} statements of the paper {'holds' if holding == 1 else 'hold'} here"
    beyond, missing = sum(bool(c.beyond) for c in claims), sum(c.holds is None and not c.beyond for c in claims)
    rest = [f"{n} {text}" for n, text in ((beyond, "cannot be shown on this machine"), (missing, "not measured")) if n]
    return holding, len(judged), words + (f" ({', '.join(rest)})" if rest else "")


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
    if 2 * judged < sum(not c.beyond for c in claims):
        return Verdict("partly reproduced" if holding else "not reproduced", words + ".", "most of these statements were not measured.")
    if holding == judged:
        return Verdict("reproduced", words + ".")
    return Verdict("partly reproduced" if holding else "not reproduced", words + ".", why)


def claim_table(claims):
    return Table(["statement of the paper", "counts if", "holds here", "found"],
                 [[c.text, c.rule, c.word, "; ".join(w for w in (c.beyond, c.found) if w)] for c in claims], words=True) if claims else None
