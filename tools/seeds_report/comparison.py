# SPDX-License-Identifier: Apache-2.0
"""All schemes, the papers' and Fluvia's own, on the same boxes and spheres."""
from document import Section, Table
from formats import both, number
from inputs import VALUE_BYTES
from speeds import PUBLISHED, choose_format, refusals, schemes_of

NAME = "Fluvia"
WORDS = {"D2Q9": 9, "D3Q13": 13, "D3Q15": 15, "D3Q19": 19, "D3Q27": 27}


def least_bytes(row):
    """M_node of S1 eq. 9."""
    return WORDS[row["lattice"]] * VALUE_BYTES[row["format"]]


def sections(inputs, draw):
    value = choose_format(inputs, NAME, "fp32")
    section = Section("All schemes on the same geometries", level=3)
    section.say(f"D3Q19 BGK {value}: an empty box and randomly arranged spheres of diameter 40. Cells: MFLUPS of fluid nodes "
                "(share of the measured copy bandwidth), then bytes a fluid node, everything included, over the least, one copy "
                "of its populations.")
    rows = inputs.find(NAME, format=value, lattice="D3Q19", geometry="box")
    if not rows:
        section.say("Not measured: no rows of this comparison.")
        section.add(refusals(inputs, NAME))
        return [section]
    schemes, porosities = schemes_of(rows), sorted({r["porosity"] for r in rows}, reverse=True)
    best = {(s, p): max((r for r in rows if r["scheme"] == s and r["porosity"] == p), key=lambda r: r["mlups"], default=None)
            for s in schemes for p in porosities}
    shares = {k: r["share"] if r else None for k, r in best.items()}
    memory = {k: r["bytes_per_node"] / least_bytes(r) if r else None for k, r in best.items()}
    section.add(Table(["scheme", *(f"φ = {p:g}" for p in porosities), *(f"bytes, φ = {p:g}" for p in porosities)], [
        [f"`{s}`"] + [both(best[s, p]["mlups"], shares[s, p]) if best[s, p] else None for p in porosities] +
        [number(memory[s, p], 2) for p in porosities] for s in schemes]))
    section.add(draw.heat("fluvia-speed", "Share of the measured copy bandwidth over porosity φ.",
                          [[shares[s, p] for p in porosities] for s in schemes], [f"{p:g}" for p in porosities], schemes,
                          "porosity φ", "scheme"))
    section.add(draw.heat("fluvia-memory", "Bytes a fluid node over the least.",
                          [[memory[s, p] for p in porosities] for s in schemes], [f"{p:g}" for p in porosities], schemes,
                          "porosity φ", "scheme"))
    section.say("\n".join(winners(porosities, schemes, shares, memory)))
    section.add(refusals(inputs, NAME))
    return [section]


def winners(porosities, schemes, shares, memory):
    """Fastest and smallest scheme at each porosity, and the best of the papers'."""
    lines = []
    for p in porosities:
        fast = max((s for s in schemes if shares[s, p]), key=lambda s: shares[s, p])
        small = min((s for s in schemes if memory[s, p]), key=lambda s: memory[s, p])
        line = f"- φ = {p:g}: fastest `{fast}` ({number(shares[fast, p], 2)}), least memory `{small}` ({memory[small, p]:.2f} times " \
               "the least)"
        published = [s for s in schemes if s in PUBLISHED and shares[s, p]]
        if published:
            of_papers = max(published, key=lambda s: shares[s, p])
            line += f"; fastest of the papers' schemes `{of_papers}` ({number(shares[of_papers, p], 2)}, {memory[of_papers, p]:.2f} times)"
        lines.append(line + ".")
    return lines
