# SPDX-License-Identifier: Apache-2.0
"""S2: D2Q9 on a GPU from arrays of structures to AA in half precision; blocks, flows, even and odd steps."""
import paper
import s2_counters
import s2_reasons
from document import Section, Table
from drawing import Line
from formats import both, number, percent, ratio, speed
from s2_rows import BYTES, FROM_MEMORY, VERSIONS, own_row, paper_utilisation
from speeds import in_order, refusals, why_slower
from verdicts import REACHED, Claim, by_claims, by_utilisation, claim_table, near, reaches

SAME_SPEED = 0.02  # by which flows may differ
SAME_BLOCK = 0.98  # of the best block's speed


def other_combinations(inputs, experiment):
    """(scheme, format) measured beyond the paper's versions."""
    found = {(r["scheme"], r["format"]) for r in inputs.find(experiment, lattice="D2Q9")} - set(VERSIONS.values())
    return [(s, f) for s in in_order(s for s, _ in found) for f in ("fp32", "fp16s") if (s, f) in found]


def other_schemes(inputs, name):
    """Speed over N of what the paper does not have."""
    others = other_combinations(inputs, name)
    sizes = sorted({r["nodes"][0] for r in inputs.find(name, lattice="D2Q9")})
    lines = [[str(n)] + [next((both(r["mlups"], inputs.utilisation(r)) for r in
                               inputs.find(name, lattice="D2Q9", scheme=s, format=f) if r["nodes"][0] == n), None)
                         for s, f in others] for n in sizes]
    return Table(["N", *(f"`{s}` {f}" for s, f in others)], lines, "Other schemes, same domains:") if others else None


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


def table_1(inputs, draw):
    name = "S2 Table 1"
    section = Section("S2 Table 1 and Fig 1: speed over the size of the domain")
    section.say("Squares of N × N nodes, D2Q9 BGK: arrays of structures (Naive, here `aos-push`), structures of arrays (SOA, "
                "`soa-push`), in place (AA, `aa`), and that in 16 bits (AA FP16, `aa` fp16s), on an RTX 2080 (448 GB/s). The "
                "paper's numbers agree with its Poiseuille flow of Table 5; ours are of the cavity unless both were measured. "
                "Cells: MLUPS (utilisation); above 1 the second cache holds the domain.")
    lines, pairs, series = [], [], {v: ([], []) for v in VERSIONS}
    for row in paper.rows("s2", "Table 1"):
        line = [str(row["n"])]
        for version in VERSIONS:
            own = own_row(inputs, name, version, row["n"])
            line += [both(row[version], paper_utilisation(version, row[version])),
                     both(own["mlups"], inputs.utilisation(own)) if own else None]
            if own:
                series[version][0].append(row["n"])
                series[version][1].append(own["mlups"])
                if row["n"] >= FROM_MEMORY:
                    pairs.append((f"{version}, N = {row['n']}", inputs.utilisation(own),
                                  paper_utilisation(version, row[version])))
        lines.append(line)
    section.add(Table(["N", *(f"{v} {who}" for v in VERSIONS for who in ("paper", "here"))], lines))
    claims = [reaches(f"N = {row['n']}: {row['of']} runs {row['ratio']:.2f} times as fast as {row['to']}",
                      ratio(*((own_row(inputs, name, v, row["n"]) or {}).get("mlups") for v in (row["of"], row["to"]))),
                      row["ratio"]) for row in paper.rows("s2", "ratios")]
    section.add(by_utilisation(pairs, f"from N = {FROM_MEMORY} on, utilisation",
                               why_slower(inputs, name, ("aos-push", "soa-push", "aa")),
                               group=lambda label: label.split(",")[0], claims=claims))
    section.add(other_schemes(inputs, name))
    section.add(figure_1(inputs, draw, series))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def table_4(inputs, draw):
    name = "S2 Table 4"
    section = Section("S2 Table 4: threads of a block")
    section.say("The paper sweeps over shapes of blocks with AA fp32 and lists the four fastest for each N. Fluvia's blocks are "
                "runs of a row, so only their length can be chosen; utilisation of the best and the slowest is listed.")
    swept = [r for r in inputs.find(name, lattice="D2Q9") if r["format"] == "fp32"]
    scheme = "aa" if any(r["scheme"] == "aa" for r in swept) else (swept[0]["scheme"] if swept else "aa")
    swept = [r for r in swept if r["scheme"] == scheme and r.get("gpu_threads")]
    threads, sizes = sorted({r["gpu_threads"] for r in swept}), [r["n"] for r in paper.rows("s2", "Table 4") if r["rank"] == 1]
    lines, shares, pairs, claims = [], [], [], []
    for n in sizes:
        best = paper.row("s2", "Table 4", n=n, rank=1)
        last = paper.row("s2", "Table 4", n=n, rank=4)
        own = {t: max((r["mlups"] for r in swept if r["nodes"][0] == n and r["gpu_threads"] == t), default=None)
               for t in threads}
        known = {t: v for t, v in own.items() if v}
        top, low = (max(known, key=known.get), min(known, key=known.get)) if known else (None, None)
        own_share = {t: v * 1e6 * BYTES["fp32"] / inputs.peak for t, v in known.items()}
        lines.append([str(n), f"{best['width']}x{best['height']}", both(best["mlups"], paper_utilisation("AA", best["mlups"])),
                      percent(last["mlups"] / best["mlups"]), str(top) if top else None,
                      both(known[top], own_share[top]) if top else None, str(low) if top else None,
                      percent(known[low] / known[top]) if top else None])
        shares.append([own[t] / known[top] if top and own[t] else None for t in threads])
        if top:
            claims.append(Claim(f"N = {n}: the best block has {best['width'] * best['height']} threads",
                                known.get(best["width"] * best["height"], 0) >= SAME_BLOCK * known[top],
                                f"{top}; with {best['width'] * best['height']}: "
                                f"{percent(known.get(best['width'] * best['height'], 0) / known[top])} of it",
                                f"these reach {SAME_BLOCK:g} of the best"))
            if n >= FROM_MEMORY:
                pairs.append((f"N = {n}", own_share[top], paper_utilisation("AA", best["mlups"])))
    section.add(Table(["N", "best shape, paper", "MLUPS (BU)", "4th of best", "best, here", "MLUPS (BU)", "slowest, here",
                       "of best"], lines))
    section.add(by_utilisation(pairs, f"from N = {FROM_MEMORY} on, the best block's utilisation",
                               s2_reasons.odd_steps(inputs, pairs), claims=claims))
    section.add(draw.heat("s2-table4", f"Speed of `{scheme}` fp32 over the threads of a block, as a share of the best.", shares,
                          threads, sizes, "threads of a block", "N", "share of the best block's MLUPS"))
    if claims:
        section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def flow_claim(version, change):
    """What the paper says of the cavity beside Poiseuille flow."""
    known = "" if change is None else f"{100 * (change - 1):+.2f}%"
    if version != "AA FP16":
        return Claim(f"{version}: the flows differ by less than {percent(SAME_SPEED, 0)}",
                     None if change is None else abs(change - 1) < SAME_SPEED, known)
    least = REACHED * (1 + paper.row("s2", "Table 5", version=version)["change"] / 100)
    return Claim("AA FP16: the cavity is faster by 12.94%", None if change is None else change >= least, known,
                 f"from {100 * (least - 1):+.1f}% on")


def table_5(inputs):
    name, n = "S2 Table 5", 1024
    section = Section("S2 Table 5: Poiseuille flow against the cavity")
    section.say("The same versions at N = 1024 in a periodic channel and in a closed box with a moving lid. In the paper only "
                f"16 bits show a difference, since there every node computes periodic coordinates.{s2_reasons.cached(inputs, n)}")
    lines, claims, changes = [], [], []
    for row in paper.rows("s2", "Table 5"):
        own = {flow: own_row(inputs, name, row["version"], n, flow) for flow in ("poiseuille", "cavity")}
        change = ratio(*((own[f] or {}).get("mlups") for f in ("cavity", "poiseuille")))
        lines.append([row["version"], speed(row["poiseuille"]), speed(row["cavity"]), f"{row['change']:+.2f}%",
                      *(speed(own[f]["mlups"]) if own[f] else None for f in ("poiseuille", "cavity")),
                      f"{100 * (change - 1):+.2f}%" if change else None])
        changes.append((row["version"], change))
        claims.append(flow_claim(row["version"], change))
    section.add(Table(["version", "Poiseuille, paper", "cavity, paper", "change", "Poiseuille, here", "cavity, here", "change"],
                      lines))
    others = []
    for scheme, value in other_combinations(inputs, name):
        found = [next((r for r in inputs.find(name, scheme=scheme, format=value, flow=f)), None)
                 for f in ("poiseuille", "cavity")]
        if all(found):
            others.append([f"`{scheme}` {value}", *(speed(r["mlups"]) for r in found),
                           f"{100 * (found[1]['mlups'] / found[0]['mlups'] - 1):+.2f}%"])
    if others:
        section.add(Table(["scheme", "Poiseuille", "cavity", "change"], others, "Other schemes, here:"))
    section.add(by_claims(claims, s2_reasons.flows(inputs, n, changes, SAME_SPEED)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def table_6(inputs):
    name = "S2 Table 6"
    section = Section("S2 Table 6: AA's even and odd steps")
    section.say("AA fp32, each step waited for. The paper gives seconds of an unknown number of steps, so the ratio of even to "
                "odd is compared.")
    lines, claims = [], []
    for row in paper.rows("s2", "Table 6"):
        own = next((r for r in inputs.find(name, scheme="aa", format="fp32") if r["nodes"][0] == row["n"] and r.get("odd_ms")), None)
        here = ratio(own["even_ms"], own["odd_ms"]) if own else None
        there = row["even"] / row["odd"]
        lines.append([str(row["n"]), f"{row['even']} s", f"{row['odd']} s", number(there, 2),
                      f"{1e3 * own['even_ms']:.1f} µs" if own else None, f"{1e3 * own['odd_ms']:.1f} µs" if own else None,
                      number(here, 2) if own else None])
        claims.append(near(f"N = {row['n']}: even over odd is {there:.2f}", here, there, 0.05))
    section.add(Table(["N", "even, paper", "odd, paper", "even/odd", "even, here", "odd, here", "even/odd"], lines))
    section.add(by_claims(claims, s2_reasons.waiting(inputs)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def sections(inputs, draw):
    return [table_1(inputs, draw), *s2_counters.sections(inputs), table_4(inputs, draw), table_5(inputs), table_6(inputs)]
