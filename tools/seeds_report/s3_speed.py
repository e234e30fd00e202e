# SPDX-License-Identifier: Apache-2.0
"""S3 Table 4: the speed of D3Q13 over the shape of the domain."""
import paper
import waits
from document import Section, Table
from drawing import Line
from formats import both, number, ratio
from speeds import FROM_MEMORY, heads, populations, refusals, schemes_of, why_slower
from verdicts import REACHED, UP_TO, by_utilisation, claim_table, finding, statements, unseen


def stored_length(row):
    """Stored nodes along x: what the paper calls nx, whatever the scheme stores of a box."""
    _, ny, nz = row["nodes"]
    return round(row["fluid_nodes"] / (ny * nz)) if row.get("fluid_nodes") else 0


def paper_utilisation(mlups):
    """Eq. 43 of S1 for D3Q13 in fp32 and the paper's card."""
    return mlups * 1e6 * 2 * 13 * 4 / (paper.load("s3")["bandwidth_gb_s"] * 1e9)


def fills_the_card(inputs, nx, side):
    """Whether a domain has a node for each thread that the card at hand holds at once; CPUs and unknown cards are filled."""
    return nx * side**2 >= (paper.threads_at_once(inputs.device) or 0)


def filled_words(inputs):
    """What of the table this card cannot show, or ""."""
    here = paper.threads_at_once(inputs.device)
    return "" if not here else (
        f" This card holds {here:,} threads at once, the paper's {paper.threads_at_once('8800 Ultra'):,}: domains of fewer stored nodes "
        "leave it partly idle, whatever the program does, and are not judged.")


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
            if here.get(judged) and fills_the_card(inputs, int(nx), line["side"]):
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


def best_at(inputs, rows, **wanted):
    """The best utilisation of rows with this nx, this side or these threads; None without rows."""
    found = [inputs.utilisation(r) for r in rows if all({"nx": stored_length(r), "side": r["nodes"][1]}[k] == v for k, v in wanted.items())]
    return max(found, default=None)


def limits(inputs):
    """Eq. 21 for the card at hand, MLUPS: by bandwidth and by arithmetic."""
    table, peak, flop = paper.load("s3"), paper.peak_bandwidth(inputs.device), paper.peak_arithmetic(inputs.device)
    return (peak / table["bytes_per_update"] / 1e6 if peak else None, flop / table["Table 4"]["flop_per_update"] / 1e6 if flop else None)


def limit_table(inputs):
    """A table of the two sides of eq. 21, the paper's card beside ours."""
    table = paper.load("s3")
    theirs = paper.row("s3", "Table 1", platform="nVIDIA 8800 Ultra")
    nb, nf = table["bytes_per_update"], table["Table 4"]["flop_per_update"]
    by_memory, by_work = limits(inputs)
    return Table(["", f"bandwidth / {nb} bytes, MLUPS", f"peak / {nf} FLOP, MLUPS"], [
        ["paper", number(theirs["bandwidth_gb_s"] * 1e3 / nb, 0), number(theirs["peak_gflops"] * 1e3 / nf, 0)],
        [inputs.device or "here", number(by_memory, 0), number(by_work, 0)]], "Eq. 21, the smaller side limits (fp32):")


def obstacles(inputs, judged):
    """What spheres cost beyond their share of the nodes: the speed of fluid nodes should fall with the porosity."""
    rows = [r for r in inputs.find("S3 Table 4", lattice="D3Q13", scheme=judged) if len(set(r["nodes"])) == 1]
    full = max((r["mlups"] for r in rows if r["porosity"] == 1), default=None)
    shares = {r["porosity"]: r["mlups"] / full / r["porosity"] for r in rows if full and r["porosity"] < 1}
    if not shares:
        return unseen("no rows of D3Q13 with obstacles")
    return finding(all(abs(v - 1) <= 0.15 for v in shares.values()),
                   ", ".join(f"{v * p:.2f} of the speed at porosity {p:g}" for p, v in sorted(shares.items(), reverse=True)),
                   "fluid nodes at the porosity's share of the speed, within 15%")


def beside_a_pc(inputs, rows):
    """The best of D3Q13 over one thread of the host with D3Q19 in double precision, as the paper has it."""
    host = inputs.best("S3 Table 4", lattice="D3Q19", scheme="serial", format="fp64")
    best = max((r["mlups"] for r in rows), default=None)
    if not host or not best:
        return unseen("no row of `serial` in D3Q19, one thread of the host")
    words = f"{best / host['mlups']:.0f} times `serial`, {host['mlups']:.1f} MLUPS"
    if not inputs.is_gpu:
        return finding(None, words, "", "measured on a CPU: there is no GPU to compare")
    return finding(best / host["mlups"] >= 100 * UP_TO, words, f"from {100 * UP_TO:g} times on")


def found_of(inputs, rows, judged):
    table = paper.load("s3")["Table 4"]
    limit, there = table["best"], paper_utilisation(table["best"]["mlups"])
    own = [r for r in rows if r["scheme"] == judged]
    best = max(own, key=inputs.utilisation, default=None)
    gain = ratio(*(max((r["mlups"] for r in rows if r["scheme"] == s), default=None) for s in ("fcc-shared", "fcc")))
    by_memory, by_work = limits(inputs)
    widths = {nx: best_at(inputs, own, nx=nx) for nx in (16, 64)}
    sides = {side: best_at(inputs, own, side=side, nx=64) for side in (32, 128)}
    none = unseen("these were not measured")
    top = max((v for r in own if (v := inputs.utilisation(r)) is not None), default=None)
    at_64 = widths[64]
    bytes_of = {"D3Q19": 2 * 19 * 8, "D3Q13": 2 * 13 * 4}
    found = {2: finding(by_memory < by_work, f"{by_memory:.0f} and {by_work:.0f} MLUPS on this card", "the first is the smaller")
             if by_memory and by_work else unseen("the peak performance of this machine is not known"),
             10: finding(abs(bytes_of["D3Q19"] / bytes_of["D3Q13"] / 2.92 - 1) < 0.005, f"{bytes_of['D3Q19'] / bytes_of['D3Q13']:.2f} times"),
             11: obstacles(inputs, judged),
             12: beside_a_pc(inputs, own)}
    if best is None:
        return {**found, **{n: none for n in (3, 4, 5, 6, 7, 8, 9)}}
    found[3] = finding(inputs.utilisation(best) >= REACHED * there, best_words(inputs, best),
                       f"`{judged}` from {REACHED * there:.2f} on, by eq. 43, which counts 104 bytes")
    work = best["mlups"] / by_work if by_work else None
    theirs = paper.row("s3", "Table 1", platform="nVIDIA 8800 Ultra")
    balances = [theirs["bandwidth_gb_s"] * 1e9 / (theirs["peak_gflops"] * 1e9), ratio(paper.peak_bandwidth(inputs.device),
                                                                                     paper.peak_arithmetic(inputs.device))]
    found[4] = unseen("the peak performance of this machine is not known") if work is None else \
        finding(work >= REACHED * limit["share_of_peak"], f"{100 * work:.0f}%", f"from {100 * REACHED * limit['share_of_peak']:.0f}% on",
                f"this card moves {balances[1]:.3f} bytes a FLOP where theirs moved {balances[0]:.2f}: memory leaves less of its arithmetic busy"
                if balances[1] < 0.5 * balances[0] else "")
    found[5] = finding(at_64 >= REACHED * top, f"{at_64:.2f} of the bandwidth at nx = 64, at best {top:.2f}", "within 5% of the best") \
        if at_64 and top else none
    found[6] = finding(stored_length(best) * best["nodes"][1]**2 >= 64 * 64**2, best_words(inputs, best), "the best row is of 64 × 64² and more")
    found[7] = finding(widths[16] < REACHED * at_64, f"{widths[16]:.2f} at nx = 16, {at_64:.2f} at 64", "5% and more slower") \
        if all(widths.values()) else none
    found[8] = finding(sides[32] < sides[128], f"{sides[32]:.2f} at 32², {sides[128]:.2f} at 128²") if all(sides.values()) else none
    cached = "" if not inputs.is_gpu else "cards since coalesce what lies in the same sectors, aligned or not"
    found[9] = none if gain is None else finding(gain > 5, f"`fcc-shared` runs at {gain:.2f} times the speed of plain stores (`fcc`)",
                                                 "from 5 times the speed of plain stores on", cached)
    return found


def table_4(inputs, draw):
    name = "S3 Table 4"
    section = Section("S3 Table 4: driven cavity over nx and domain")
    section.say("D3Q13 on the half lattice; in the paper a block of threads holds a row of nx stored nodes, on a GeForce 8800 "
                "Ultra; here as many whole rows as make 128 threads. `fcc-shared` propagates along x through shared memory as published, `fcc` without, `fcc-aa` keeps one "
                "copy. Cells: MLUPS of stored nodes (utilisation by eq. 43; the paper counts one more word and finds 0.61 for "
                "its best)." + filled_words(inputs))
    rows = inputs.find(name, lattice="D3Q13", porosity=1.0)
    schemes = schemes_of(rows)
    judged = "fcc-shared" if "fcc-shared" in schemes else "fcc"  # CPUs have no shared memory
    lines, pairs = table_4_lines(inputs, rows, schemes, judged)
    section.add(Table(["nx × domain", "paper", *heads(schemes, "MLUPS (BU)")], lines))
    section.add(limit_table(inputs))
    claims = statements("s3", "Table 4", found_of(inputs, rows, judged))
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
