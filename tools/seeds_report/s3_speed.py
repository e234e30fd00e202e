# SPDX-License-Identifier: Apache-2.0
"""S3 Table 4: the speed of D3Q13 over the shape of the domain."""
import paper
import waits
from document import Section, Table
from drawing import Line
from formats import both, number, ratio
from speeds import FROM_MEMORY, heads, populations, refusals, schemes_of, why_slower
from verdicts import REACHED, Claim, by_utilisation, claim_table


def stored_length(row):
    """Stored nodes along x: what the paper calls nx, whatever the scheme stores of a box."""
    _, ny, nz = row["nodes"]
    return round(row["fluid_nodes"] / (ny * nz)) if row.get("fluid_nodes") else 0


def paper_utilisation(mlups):
    """Eq. 43 of S1 for D3Q13 in fp32 and the paper's card."""
    return mlups * 1e6 * 2 * 13 * 4 / (paper.load("s3")["bandwidth_gb_s"] * 1e9)


def table_4_lines(inputs, rows, schemes, judged):
    """(lines of the table, pairs to judge)."""
    lines, pairs = [], []
    for line in paper.rows("s3", "Table 4"):
        for nx in (k for k in line if k != "side"):
            share, place = paper_utilisation(line[nx]), f"{nx} × {line['side']}²"
            here = {s: max((r for r in rows if r["scheme"] == s and r["nodes"][1] == line["side"] and
                            stored_length(r) == int(nx)), key=lambda r: r["mlups"], default=None) for s in schemes}
            lines.append([place, both(line[nx], share),
                          *(both(r["mlups"], inputs.utilisation(r)) if r else None for r in here.values())])
            if here.get(judged):
                pairs.append((place, inputs.utilisation(here[judged]), share))
    return lines, pairs


def figure(inputs, draw, rows, schemes, judged):
    plotted = []
    for side, marker in ((32, 0), (128, 1)):
        table = paper.row("s3", "Table 4", side=side)
        widths = [int(k) for k in table if k != "side"]
        plotted.append(Line(f"paper, {side}²", widths, [paper_utilisation(table[str(w)]) for w in widths], paper=True,
                            marker=marker))
    for marker, (scheme, side) in enumerate([(judged, 32)] + [(s, 128) for s in schemes]):
        points = sorted((stored_length(r), inputs.utilisation(r)) for r in rows
                        if r["scheme"] == scheme and r["nodes"][1] == side and stored_length(r) in widths)
        plotted.append(Line(f"{scheme}, {side}²", [x for x, _ in points], [y for _, y in points], marker=marker))
    return draw.lines("s3-table4", "Utilisation over nx for domains of 32² and 128².", plotted, "nx, stored nodes",
                      "bandwidth utilisation", log="x")


def best_words(inputs, row):
    """A scheme's best row, and whether the second cache may have held it."""
    cache = paper.second_cache(inputs.device)
    held = f", {populations(row) / 1e6:.0f} MB, which the second cache can hold" if cache and populations(row) < cache else ""
    return f"`{row['scheme']}` {number(inputs.utilisation(row), 2)} ({stored_length(row)} × {row['nodes'][1]}²{held})"


def others(inputs, rows, judged):
    """What Fluvia's own variants reach, and the best of those that no cache holds."""
    best = [max((r for r in rows if r["scheme"] == s), key=inputs.utilisation) for s in schemes_of(rows) if s != judged]
    large = [r for r in rows if r["scheme"] != judged and populations(r) >= FROM_MEMORY]
    if not best:
        return None
    text = f"Fluvia's own beyond the paper's scheme, each at its best: {', '.join(best_words(inputs, r) for r in best)}."
    if large:
        text += f" The best on domains beyond {FROM_MEMORY / 1e6:.0f} MB of populations: {best_words(inputs, max(large, key=inputs.utilisation))}."
    return text


def small_domains(inputs, rows):
    """Which schemes are slower on the smallest domain of the table, and how much, or ""."""
    words = []
    for scheme in schemes_of(rows):
        small, large = (max((inputs.utilisation(r) for r in rows if r["scheme"] == scheme and r["nodes"][1] == side and
                             stored_length(r) == 16), default=None) for side in (32, 128))
        if small and large and small < large:
            words.append(f"`{scheme}` {number(small, 2)} against {number(large, 2)}")
    return f"Small domains are slower with {len(words)} schemes (16 × 32² against 16 × 128²: {', '.join(words)})." if words else ""


def counted_words(inputs, rows):
    """What kernels wait for on domains of several sizes, or ""."""
    known = [r for r in rows if waits.words(waits.launches_of(inputs, r))]
    text = waits.of_rows(inputs, sorted(known, key=lambda r: (populations(r), r["scheme"])))
    return f"By counters, {text}." if text else ""


def claims_of(inputs, rows, judged):
    limit = paper.load("s3")["Table 4"]["best"]
    there = paper_utilisation(limit["mlups"])
    best = max((r for r in rows if r["scheme"] == judged), key=inputs.utilisation, default=None)
    gain = ratio(*(max((r["mlups"] for r in rows if r["scheme"] == s), default=None) for s in ("fcc-shared", "fcc")))
    return [
        Claim(f"D3Q13 uses {limit['share_of_bandwidth']:.2f} of the bandwidth at best, {there:.2f} by eq. 43",
              None if best is None else inputs.utilisation(best) >= REACHED * there,
              "" if best is None else best_words(inputs, best), f"`{judged}` from {REACHED * there:.2f} on"),
        Claim("propagation through shared memory is needed for speed", None if gain is None else gain > 1.05,
              "" if gain is None else f"`fcc-shared` runs at {gain:.2f} times the speed of plain stores (`fcc`)",
              "from 1.05 times the speed of plain stores on"),
    ]


def table_4(inputs, draw):
    name = "S3 Table 4"
    section = Section("S3 Table 4: driven cavity over nx and domain")
    section.say("D3Q13 on the half lattice; in the paper a block of threads holds a row of nx stored nodes, on a GeForce 8800 "
                "Ultra; here as many whole rows as make 128 threads. `fcc-shared` propagates along x through shared memory as published, `fcc` without, `fcc-aa` keeps one "
                "copy. Cells: MLUPS of stored nodes (utilisation by eq. 43; the paper counts one more word and finds 0.61 for "
                "its best).")
    rows = inputs.find(name, lattice="D3Q13")
    schemes = schemes_of(rows)
    judged = "fcc-shared" if "fcc-shared" in schemes else "fcc"  # CPUs have no shared memory
    lines, pairs = table_4_lines(inputs, rows, schemes, judged)
    section.add(Table(["nx × domain", "paper", *heads(schemes, "MLUPS (BU)")], lines))
    claims = claims_of(inputs, rows, judged)
    counted = counted_words(inputs, rows)
    section.add(by_utilisation(pairs, f"utilisation of `{judged}`",
                               f"{why_slower(inputs, name, (judged,), counted and 'What kernels wait for stands below.')} "
                               f"{small_domains(inputs, rows)}".strip(), group=lambda label: label.split()[-1], claims=claims))
    section.add(counted or None)
    section.add(others(inputs, rows, judged))
    if rows:
        section.add(figure(inputs, draw, rows, schemes, judged))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section
