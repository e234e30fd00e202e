# SPDX-License-Identifier: Apache-2.0
"""S2: D2Q9 on a GPU from arrays of structures to AA in half precision; blocks, flows, even and odd steps."""
import paper
import s2_counters
import s2_reasons
import s2_statements as said
from document import Section, Table
from drawing import Line
from formats import both, number, percent, ratio, speed
from s2_rows import SIZES, VERSIONS, flow_size, is_held, own_row, paper_utilisation, scheme_of, stored
from speeds import in_order, refusals, why_slower
from verdicts import REACHED, TOLERANCE, by_claims, by_rows, by_utilisation, claim_table, statements


def other_combinations(inputs, experiment):
    """(scheme, format) measured on this device beyond the paper's versions."""
    ours = {(scheme_of(inputs, experiment, v), VERSIONS[v][1]) for v in VERSIONS}
    found = {(r["scheme"], r["format"]) for r in inputs.find(experiment, lattice="D2Q9") if r["scheme"] != "serial"} - ours
    return [(s, f) for s in in_order(s for s, _ in found) for f in ("fp32", "fp16s") if (s, f) in found]


def other_schemes(inputs, name):
    """Speed over N of what the paper does not have."""
    others = other_combinations(inputs, name)
    sizes = sorted({r["nodes"][0] for r in inputs.find(name, lattice="D2Q9")})
    lines = [[str(n)] + [next((both(r["mlups"], inputs.utilisation(r)) for r in
                               inputs.find(name, lattice="D2Q9", scheme=s, format=f) if r["nodes"][0] == n), None)
                         for s, f in others] for n in sizes]
    return Table(["N", *(f"`{s}` {f}" for s, f in others)], lines, "Other schemes, same domains:") if others else None


def serial_table(inputs, name):
    """The code that the paper's began with: one thread of the host, beside the fastest here."""
    rows = sorted(inputs.find(name, scheme="serial"), key=lambda r: r["nodes"][0])
    best = paper.row("s2", "Table 1", n=8192)["AA FP16"]
    theirs = paper.load("s2")["cpu_mlups"]
    lines = [["paper", "8192", speed(theirs), speed(best), f"{best / theirs:.0f}"]]
    for r in rows:
        n = r["nodes"][0]
        fastest = max((o["mlups"] for v in VERSIONS if (o := own_row(inputs, name, v, n))), default=None)
        lines.append(["here", str(n), speed(r["mlups"]), speed(fastest), f"{fastest / r['mlups']:.0f}" if fastest else None])
    return Table(["", "N", "`serial`, MLUPS", "fastest version", "times"], lines, "The serial code, one thread of a CPU:")


def transposes(inputs, name):
    """What rearranging the populations takes, apart from steps."""
    rows = [r for r in inputs.find(name, lattice="D2Q9") if r.get("to_soa_ms")]
    lines = [[str(r["nodes"][0]), f"`{r['scheme']}` {r['format']}", f"{r['to_soa_ms']:.3g} ms", f"{r['to_aos_ms']:.3g} ms",
              f"{r['to_soa_ms'] / r['step_ms']:.1f}"] for r in rows]
    return Table(["N", "scheme", "to SoA", "back to AoS", "the first in steps"], lines,
                 "Populations rearranged on the device, timed apart as in the paper, which prints no numbers:") if lines else None


def published_blocks(inputs, name):
    """Lines about the versions in the paper's default blocks, beside those that its own sweep recommends."""
    width, height = said.DEFAULT_BLOCK
    lines = []
    for n in SIZES:
        line = [str(n)]
        for version in VERSIONS:
            scheme, value = scheme_of(inputs, name, version), VERSIONS[version][1]
            row = next((r for r in inputs.find(name, scheme=scheme, format=value, lattice="D2Q9")
                        if r["nodes"][0] == n and said.shape_of(r) == (width, height)), None)
            if version != "Naive":
                own = own_row(inputs, name, version, n)
                line += [both(row["mlups"], inputs.utilisation(row)) if row else None,
                         number(row["mlups"] / own["mlups"], 2) if row and own else None]
        if any(line[1:]):
            lines.append(line)
    heads = [head for v in VERSIONS if v != "Naive" for head in (f"{v}, {said.shape_words(said.DEFAULT_BLOCK)}", "of the speed above")]
    return Table(["N", *heads], lines, f"In blocks of {said.shape_words(said.DEFAULT_BLOCK)}:") if lines else None


def figure_1(inputs, draw, series):
    """`series`: of each version the sizes and speeds measured here."""
    if not any(sizes for sizes, _ in series.values()):
        return None
    rows = paper.rows("s2", "Table 1")
    lines = [Line(v, *series[v], marker=k) for k, v in enumerate(VERSIONS)]
    lines += [Line(f"{v}, paper", [r["n"] for r in rows], [r[v] for r in rows], paper=True, marker=k)
              for k, v in enumerate(VERSIONS)]
    return draw.lines("s2-fig1", f"Speed over N: {inputs.device} in colour, the paper's RTX 2080 in grey, the same markers for "
                      "the same versions.", lines, "N", "MLUPS", log="xy")


def judged_rows(inputs, name):
    """(version, N, ours, the paper's utilisation) of rows that no second cache holds."""
    found = []
    for version in VERSIONS:
        for n in SIZES:
            own = own_row(inputs, name, version, n)
            if own and not is_held(inputs, version, n):
                found.append((version, n, inputs.utilisation(own), paper_utilisation(version, paper.row("s2", "Table 1", n=n)[version])))
    return found


def row_table(inputs, name):
    """Every row by itself."""
    lines = []
    for version in VERSIONS:
        for n in SIZES:
            own, there = own_row(inputs, name, version, n), paper.row("s2", "Table 1", n=n)[version]
            if not own:
                continue
            here = inputs.utilisation(own) / paper_utilisation(version, there)
            held = is_held(inputs, version, n)
            word = "better" if here >= 1 + TOLERANCE else "reproduced" if here >= REACHED else "worse"
            lines.append([version, str(n), number(here, 2), f"cannot be shown here: {stored(version, n) / 1e6:.3g} MB lie in the second cache"
                          if held else f"apart: {word}" if version == "Naive" else word])
    return Table(["version", "N", "ours over the paper's", "judged"], lines, "Utilisation, row by row:", words=True) if lines else None


def block_words(inputs, name):
    """Words that say of which blocks of threads the rows are, where they are a GPU's."""
    if not inputs.is_gpu or not any(r.get("gpu_threads") for r in inputs.find(name, lattice="D2Q9")):
        return ""
    width, height = said.DEFAULT_BLOCK
    return (f"Blocks of threads: the paper's default is {width} × {height}, and its sweep (Table 4) finds 256 × 1 to be the fastest at half "
            "of the sizes, by up to 2% over the fourth. On this card the difference is larger, so SOA and AA have pieces of rows "
            "here, 512 × 1 in fp32 and 256 × 1 in fp16s, "
            f"Naive {width} × {height}; a table below has all in {width} × {height}.")


def table_1(inputs, draw):
    name = "S2 Table 1"
    section = Section("S2 Table 1 and Fig 1: speed over the size of the domain")
    section.say(f"Squares of N × N nodes, D2Q9 BGK: arrays of structures (Naive, here `aos-push`), structures of arrays (SOA, "
                f"`soa-push`), in place (AA, `{scheme_of(inputs, name, 'AA')}`), and that in 16 bits (AA FP16, "
                f"`{scheme_of(inputs, name, 'AA FP16')}` fp16s), on an RTX 2080 (448 GB/s, a second cache of 4 MB). The "
                "paper's numbers agree with its Poiseuille flow of Table 5; ours are of the cavity unless both were measured. "
                "Cells: MLUPS (utilisation); above 1 the second cache holds the domain. Naive is what the paper improves on: it is "
                "judged apart. " + block_words(inputs, name))
    lines, series = [], {v: ([], []) for v in VERSIONS}
    for row in paper.rows("s2", "Table 1"):
        line = [str(row["n"])]
        for version in VERSIONS:
            own = own_row(inputs, name, version, row["n"])
            line += [both(row[version], paper_utilisation(version, row[version])),
                     both(own["mlups"], inputs.utilisation(own)) if own else None]
            if own:
                series[version][0].append(row["n"])
                series[version][1].append(own["mlups"])
        lines.append(line)
    section.add(Table(["N", *(f"{v} {who}" for v in VERSIONS for who in ("paper", "here"))], lines))
    claims = statements("s2", "Table 1", said.table_1(inputs))
    found = judged_rows(inputs, name)
    pairs = [(f"{v}, N = {n}", ours, theirs) for v, n, ours, theirs in found if v != "Naive"]
    apart = [ours / theirs for v, _, ours, theirs in found if v == "Naive"]
    lacking = {scheme_of(inputs, name, v) for v, _, ours, theirs in found if v != "Naive" and ours < REACHED * theirs}
    section.add(by_rows(pairs, f"Naive, apart: {min(apart):.2f} to {max(apart):.2f} times the paper's." if apart else "",
                        why_slower(inputs, name, in_order(lacking)), claims))
    section.add(row_table(inputs, name))
    section.add(published_blocks(inputs, name))
    section.add(serial_table(inputs, name))
    section.add(transposes(inputs, name))
    section.add(other_schemes(inputs, name))
    section.add(figure_1(inputs, draw, series))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def table_4(inputs, draw):
    name = "S2 Table 4"
    section = Section("S2 Table 4: threads of a block")
    swept = said.swept_blocks(inputs)
    shapes = sorted({s for blocks in swept.values() for s in blocks}, key=lambda s: (s[0] * s[1], s[1]))
    flat = bool(shapes) and all(y == 1 for _, y in shapes)
    section.say("The paper sweeps over shapes of blocks with AA fp32 and lists the four fastest for each N."
                + (" The blocks of these rows are runs of a row, so only their length was swept." if flat else ""))
    lines, shares, pairs = [], [], []
    sizes = [r["n"] for r in paper.rows("s2", "Table 4") if r["rank"] == 1]
    for n in sizes:
        best, last = (paper.row("s2", "Table 4", n=n, rank=k) for k in (1, 4))
        ranked = sorted(swept.get(n, {}).items(), key=lambda item: -item[1]["mlups"])
        top = ranked[0][1] if ranked else None
        lines.append([str(n), said.shape_words((best["width"], best["height"])), both(best["mlups"], paper_utilisation("AA", best["mlups"])),
                      percent(last["mlups"] / best["mlups"]),
                      ", ".join(said.shape_words(s) for s, _ in ranked[:4]), both(top["mlups"], inputs.utilisation(top)) if top else None,
                      percent(ranked[3][1]["mlups"] / top["mlups"]) if len(ranked) > 3 else None,
                      f"{said.shape_words(ranked[-1][0])} {percent(ranked[-1][1]['mlups'] / top['mlups'])}" if top else None])
        shares.append([swept[n][s]["mlups"] / top["mlups"] if top and s in swept[n] else None for s in shapes])
        if top and not is_held(inputs, "AA", n):
            pairs.append((f"N = {n}", inputs.utilisation(top), paper_utilisation("AA", best["mlups"])))
    section.add(Table(["N", "best, paper", "MLUPS (BU)", "4th of best", "best four, here", "MLUPS (BU)", "4th of best", "slowest"], lines))
    claims = statements("s2", "Table 4", said.table_4(inputs))
    section.add(by_utilisation(pairs, "where no cache holds the domain, the best block's utilisation",
                               s2_reasons.odd_steps(inputs, pairs), claims=claims))
    section.add(draw.heat("s2-table4", f"Speed of `{scheme_of(inputs, name, 'AA')}` fp32 over the shape of a block, as a share of the best.",
                          shares, [said.shape_words(s) for s in shapes], sizes, "threads of a block", "N", "share of the best block's MLUPS"))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def flow_lines(inputs, name, n):
    """(lines of the paper's versions at N, [(version, cavity over channel)]); the paper's own numbers beside them at its N."""
    lines, changes = [], []
    for row in paper.rows("s2", "Table 5"):
        own = {flow: own_row(inputs, name, row["version"], n, flow) for flow in ("poiseuille", "cavity")}
        change = ratio(*((own[f] or {}).get("mlups") for f in ("cavity", "poiseuille")))
        theirs = [speed(row["poiseuille"]), speed(row["cavity"]), f"{row['change']:+.2f}%"] if n == 1024 else [None] * 3
        lines.append([f"{n} {row['version']}", *theirs, *(speed(own[f]["mlups"]) if own[f] else None for f in ("poiseuille", "cavity")),
                      f"{100 * (change - 1):+.2f}%" if change else None])
        changes.append((row["version"], change))
    return lines, changes


def other_flows(inputs, name):
    others = []
    for scheme, value in other_combinations(inputs, name):
        for n in sorted({r["nodes"][0] for r in inputs.find(name, scheme=scheme, format=value)}):
            found = [next((r for r in inputs.find(name, scheme=scheme, format=value, flow=f) if r["nodes"][0] == n), None)
                     for f in ("poiseuille", "cavity")]
            if all(found):
                others.append([f"{n} `{scheme}` {value}", *(speed(r["mlups"]) for r in found),
                               f"{100 * (found[1]['mlups'] / found[0]['mlups'] - 1):+.2f}%"])
    return Table(["N, scheme", "Poiseuille", "cavity", "change"], others, "Other schemes, here:") if others else None


def table_5(inputs):
    name, judged = "S2 Table 5", flow_size(inputs)
    section = Section("S2 Table 5: Poiseuille flow against the cavity")
    larger = f" Here also at N = {judged}, which no cache holds, and which is judged." if judged != 1024 else ""
    section.say("The same versions at N = 1024 in a periodic channel and in a closed box with a moving lid. In the paper only "
                f"16 bits show a difference, since there every node computes periodic coordinates.{s2_reasons.cached(inputs, 1024)}{larger}")
    lines, changes = [], []
    for n in sorted({1024, judged}):
        more, changes = flow_lines(inputs, name, n)
        lines += more
    section.add(Table(["N, version", "Poiseuille, paper", "cavity, paper", "change", "Poiseuille, here", "cavity, here", "change"], lines))
    section.add(other_flows(inputs, name))
    claims = statements("s2", "Table 5", said.table_5(inputs))
    section.add(by_claims(claims, s2_reasons.flows(inputs, judged, changes, said.SAME_SPEED)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def table_6(inputs):
    name = "S2 Table 6"
    section = Section("S2 Table 6: AA's even and odd steps")
    section.say("AA fp32, each step waited for. The paper gives seconds of an unknown number of steps, so the ratio of even to "
                "odd is compared.")
    lines = []
    for row in paper.rows("s2", "Table 6"):
        own = said.split_row(inputs, row["n"])
        here = ratio(own["even_ms"], own["odd_ms"]) if own else None
        there = row["even"] / row["odd"]
        lines.append([str(row["n"]), f"{row['even']} s", f"{row['odd']} s", number(there, 2),
                      f"{1e3 * own['even_ms']:.1f} µs" if own else None, f"{1e3 * own['odd_ms']:.1f} µs" if own else None,
                      number(here, 2) if own else None])
    section.add(Table(["N", "even, paper", "odd, paper", "even/odd", "even, here", "odd, here", "even/odd"], lines))
    claims = statements("s2", "Table 6", said.table_6(inputs))
    section.add(by_claims(claims, s2_reasons.waiting(inputs)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def sections(inputs, draw):
    return [table_1(inputs, draw), *s2_counters.sections(inputs), table_4(inputs, draw), table_5(inputs), table_6(inputs)]
