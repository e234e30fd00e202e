# SPDX-License-Identifier: Apache-2.0
"""S2: D2Q9 on a GPU from arrays of structures to AA in half precision; blocks, flows, even and odd steps."""
import counters
import paper
from document import Section, Table
from drawing import Line
from formats import both, number, percent, ratio, speed
from speeds import in_order, refusals, why_slower
from verdicts import Claim, by_claims, by_utilisation, claim_table

VERSIONS = {name: tuple(value) for name, value in paper.load("s2")["versions"].items()}
BYTES = {"fp32": 72, "fp16s": 36}  # least traffic of a D2Q9 update
FROM_MEMORY = 2048  # N from which on no card's second cache holds the domain
PEAK = paper.load("s2")["bandwidth_gb_s"] * 1e9


def paper_utilisation(version, mlups):
    """Eq. 43 of S1 for the paper's card."""
    return mlups * 1e6 * BYTES[VERSIONS[version][1]] / PEAK


def own_row(inputs, experiment, version, n, flow=None):
    """Our row of one of the paper's versions; Poiseuille flow, as the paper's, where there are both."""
    scheme, value = VERSIONS[version]
    flows = (flow,) if flow else ("poiseuille", "cavity")
    for wanted in flows:
        rows = [r for r in inputs.find(experiment, scheme=scheme, format=value, lattice="D2Q9", flow=wanted)
                if r["nodes"][0] == n and not r.get("gpu_threads")]
        if rows:
            return max(rows, key=lambda r: r["mlups"])
    return None


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
    section.add(by_utilisation(pairs, f"from N = {FROM_MEMORY} on, utilisation", why_slower(inputs, name),
                               group=lambda label: label.split(",")[0]))
    section.add(other_schemes(inputs, name))
    section.add(figure_1(inputs, draw, series))
    claims = []
    for row in paper.rows("s2", "ratios"):
        here = ratio(*((own_row(inputs, name, v, row["n"]) or {}).get("mlups") for v in (row["of"], row["to"])))
        claims.append(Claim(f"N = {row['n']}: {row['of']} runs {row['ratio']:.2f} times as fast as {row['to']}",
                            None if here is None else here >= 0.95 * row["ratio"], "" if here is None else f"{here:.2f} times"))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def launches_of(inputs, experiment, version, n):
    row = own_row(inputs, experiment, version, n)
    kernel = inputs.counters.get("kernels", {}).get(counters.key_of(row)) if row else None
    return kernel["launches"] if kernel else None


def counter_section(inputs, title, words, table, columns, judge):
    """A table of counters: paper and ours one below the other; `columns`: (paper's name, counter, launch, digits)."""
    section = Section(title)
    section.say(words)
    lines, measured = [], 0
    for row in paper.rows("s2", table):
        launches = launches_of(inputs, f"S2 {table}", row["version"], row["n"])
        lines.append([f"{row['n']} {row['version']}", "paper"] + [number(row[c], d) for c, _, _, d in columns])
        if launches:
            measured += 1
            two = row["version"].startswith("AA") and len(launches) > 1
            lines.append(["", "here"] + [number(launches[k].get(m), d) if k == 0 or two else None
                                         for _, m, k, d in columns])
    section.add(Table(["N, version", "", *(c.replace("_", " ") for c, _, _, _ in columns)], lines))
    if not measured:
        reason = inputs.counters.get("reason") or "; ".join(sorted(set(inputs.counters.get("reasons", {}).values())))
        section.say(f"Counters: not measured: {reason or 'no row of this table was profiled'}.")
    claims = judge(inputs, f"S2 {table}")
    section.add(by_claims(claims, "caches and instructions of the cards differ."))
    section.add(claim_table(claims))
    return section


def table_2_claims(inputs, experiment):
    def counted(version, n, metric, k=0):
        launches = launches_of(inputs, experiment, version, n)
        return launches[k].get(metric) if launches and len(launches) > k else None

    claims = []
    for version in ("SOA", "AA"):
        busy = counted(version, 2048, "dram")
        claims.append(Claim(f"N = 2048: {version} keeps DRAM more than 85% busy", None if busy is None else busy > 85,
                            "" if busy is None else f"{busy:.1f}%"))
    odd, even = counted("AA FP16", 2048, "dram", 1), counted("AA FP16", 2048, "dram")
    claims.append(Claim("N = 2048: in 16 bits AA's odd step no longer keeps DRAM busy (52.65% against 89.92%)",
                        None if odd is None or even is None else odd < 0.75 * even,
                        "" if odd is None or even is None else f"{odd:.1f}% against {even:.1f}%"))
    aa, soa = counted("AA", 256, "l1"), counted("SOA", 256, "l1")
    claims.append(Claim("N = 256: AA's hit rate in the first cache is at least twice SOA's",
                        None if aa is None or soa is None else aa >= 2 * soa,
                        "" if aa is None or soa is None else f"{aa:.1f}% against {soa:.1f}%"))
    return claims


def table_3_claims(inputs, experiment):
    def counted(version, metric, k=0):
        launches = launches_of(inputs, experiment, version, 2048)
        return launches[k].get(metric) if launches and len(launches) > k else None

    claims = []
    for version, metric, printed in (("Naive", "store", 32.0), ("SOA", "store", 4.67), ("AA", "store", 4.0),
                                     ("AA FP16", "store", 2.0)):
        found = counted(version, metric)
        claims.append(Claim(f"N = 2048: a store of {version} touches {printed:g} sectors",
                            None if found is None else abs(found - printed) <= 0.15 * printed,
                            "" if found is None else f"{found:.2f}"))
    return claims


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
                                known.get(best["width"] * best["height"], 0) >= 0.98 * known[top],
                                f"{top}; with {best['width'] * best['height']}: "
                                f"{percent(known.get(best['width'] * best['height'], 0) / known[top])} of it"))
            if n >= FROM_MEMORY:
                pairs.append((f"N = {n}", own_share[top], paper_utilisation("AA", best["mlups"])))
    section.add(Table(["N", "best shape, paper", "MLUPS (BU)", "4th of best", "best, here", "MLUPS (BU)", "slowest, here",
                       "of best"], lines))
    section.add(by_utilisation(pairs, f"from N = {FROM_MEMORY} on, the best block's utilisation",
                               "AA's odd steps, which read and write neighbours, are slower than its even ones (S2 Table 6)."))
    section.add(draw.heat("s2-table4", f"Speed of `{scheme}` fp32 over the threads of a block, as a share of the best.", shares,
                          threads, sizes, "threads of a block", "N"))
    if claims:
        section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def table_5(inputs):
    name, n = "S2 Table 5", 1024
    section = Section("S2 Table 5: Poiseuille flow against the cavity")
    section.say("The same versions at N = 1024 in a periodic channel and in a closed box with a moving lid. In the paper only "
                "16 bits show a difference, since there every node computes periodic coordinates. A large card's second cache holds "
                "much of such a domain.")
    lines, claims = [], []
    for row in paper.rows("s2", "Table 5"):
        own = {flow: own_row(inputs, name, row["version"], n, flow) for flow in ("poiseuille", "cavity")}
        change = ratio(*((own[f] or {}).get("mlups") for f in ("cavity", "poiseuille")))
        lines.append([row["version"], speed(row["poiseuille"]), speed(row["cavity"]), f"{row['change']:+.2f}%",
                      *(speed(own[f]["mlups"]) if own[f] else None for f in ("poiseuille", "cavity")),
                      f"{100 * (change - 1):+.2f}%" if change else None])
        if row["version"] != "AA FP16":
            claims.append(Claim(f"{row['version']}: the flows differ by less than 2%",
                                None if change is None else abs(change - 1) < 0.02,
                                "" if change is None else f"{100 * (change - 1):+.2f}%"))
        elif change is not None:
            claims.append(Claim("AA FP16: the cavity is faster by 12.94%", change > 1.05, f"{100 * (change - 1):+.2f}%"))
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
    section.add(by_claims(claims, "a change that is absent here is no loss: both flows run at the faster one's speed."))
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
        claims.append(Claim(f"N = {row['n']}: even over odd is {there:.2f}", None if here is None else abs(here - there) <= 0.15,
                            "" if here is None else f"{here:.2f}"))
    section.add(Table(["N", "even, paper", "odd, paper", "even/odd", "even, here", "odd, here", "even/odd"], lines))
    section.add(by_claims(claims, "waiting for a step costs some microseconds, which on a fast card hide the difference at "
                          "small N."))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def sections(inputs, draw):
    quality = [("dram", "dram", 0, 1), ("sm", "sm", 0, 1), ("l1", "l1", 0, 1), ("odd_dram", "dram", 1, 1),
               ("odd_sm", "sm", 1, 1), ("odd_l1", "l1", 1, 1)]
    sectors = [("load", "load", 0, 2), ("store", "store", 0, 2), ("odd_load", "load", 1, 2), ("odd_store", "store", 1, 2)]
    return [
        table_1(inputs, draw),
        counter_section(inputs, "S2 Table 2: what keeps the card busy", "Nsight Compute on each version: throughput of DRAM and "
                        "of the multiprocessors and hits in the first cache, in percent; AA's odd step apart.", "Table 2",
                        quality, table_2_claims),
        counter_section(inputs, "S2 Table 3: sectors per request", "Sectors of 32 bytes that a warp's load or store touches; "
                        "4 are needed in fp32, 2 in 16 bits.", "Table 3", sectors, table_3_claims),
        table_4(inputs, draw), table_5(inputs), table_6(inputs)]
