# SPDX-License-Identifier: Apache-2.0
"""All schemes, the papers' and Fluvia's own, on the same boxes and spheres."""
from document import Section, Table
from formats import both, number
from inputs import least_bytes
from speeds import PUBLISHED, refusals, schemes_of

NAME = "Fluvia"
FORMATS = ("fp64", "fp32", "fp16s", "fp16c")


def combinations(rows):
    """(scheme, format) in order, single precision first."""
    order = sorted(FORMATS, key=lambda f: (f != "fp32", FORMATS.index(f)))
    found = {(r["scheme"], r["format"]) for r in rows}
    return [(s, f) for f in order for s in schemes_of(rows) if (s, f) in found]


def words_of(combination):
    scheme, value = combination
    return scheme if value == "fp32" else f"{scheme} {value}"


def sections(inputs, draw):
    section = Section("All schemes on the same geometries", level=3)
    section.say("D3Q19 BGK, fp32 unless stated: an empty box with a moving lid and randomly arranged spheres of diameter 40 in it. "
                "Cells: MFLUPS of fluid nodes (share of the measured copy bandwidth), then bytes a fluid node, everything "
                "included, over the least, one copy of its populations.")
    rows = inputs.find(NAME, lattice="D3Q19", geometry="box")
    if not rows:
        section.say("Not measured: no rows of this comparison.")
        section.add(refusals(inputs, NAME))
        return [section]
    found, porosities = combinations(rows), sorted({r["porosity"] for r in rows}, reverse=True)
    best = {(c, p): max((r for r in rows if (r["scheme"], r["format"]) == c and r["porosity"] == p),
                        key=lambda r: r["mlups"], default=None) for c in found for p in porosities}
    shares = {k: r["roofline_fraction"] if r else None for k, r in best.items()}
    memory = {k: r["bytes_per_node"] / least_bytes(r) if r else None for k, r in best.items()}
    section.add(Table(["scheme", *(f"φ = {p:g}" for p in porosities), *(f"bytes, φ = {p:g}" for p in porosities)], [
        [f"`{words_of(c)}`"] + [both(best[c, p]["mlups"], shares[c, p]) if best[c, p] else None for p in porosities] +
        [number(memory[c, p], 2) for p in porosities] for c in found]))
    names = [words_of(c) for c in found]
    for name, caption, values, unit, top in (
            ("fluvia-speed", "Share of the measured copy bandwidth over porosity φ.", shares, "share of the copy bandwidth", None),
            ("fluvia-memory", "Bytes a fluid node over the least, one copy of its populations.", memory,
             "bytes / bytes of one copy", 4)):
        section.add(draw.heat(name, caption, [[values[c, p] for p in porosities] for c in found],
                              [f"{p:g}" for p in porosities], names, "porosity φ", "scheme", unit, top))
    section.say("\n".join(winners(porosities, [c for c in found if c[1] == "fp32"] or found, shares, memory)))
    section.add(refusals(inputs, NAME))
    return [section]


def winners(porosities, found, shares, memory):
    """Fastest and smallest scheme at each porosity, and the fastest of the papers'."""
    lines = []
    for p in porosities:
        known = [c for c in found if shares[c, p]]
        if not known:
            continue
        fast, small = max(known, key=lambda c: shares[c, p]), min(known, key=lambda c: memory[c, p])
        line = f"- φ = {p:g}: fastest `{words_of(fast)}` ({number(shares[fast, p], 2)}), least memory `{words_of(small)}` " \
               f"({memory[small, p]:.2f} times the least)"
        published = [c for c in known if c[0] in PUBLISHED]
        if published:
            best = max(published, key=lambda c: shares[c, p])
            line += f"; fastest of the papers' schemes `{words_of(best)}` ({number(shares[best, p], 2)}, {memory[best, p]:.2f} times)"
        lines.append(line + ".")
    return lines
