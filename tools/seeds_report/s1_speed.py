# SPDX-License-Identifier: Apache-2.0
"""S1 Tables 2 to 5: speed in dense boxes, sparse 3D geometries and vessel networks, and traffic by counters."""
import math

import counters
import paper
from document import Section, Table
from formats import both, number, ratio
from s1_model import conditions, model_name, own_name
from s1_statements import overhead
from speeds import cells, choose_format, device_line, heads, in_order, refusals, schemes_of, why_slower
from s1_work import short
from verdicts import REACHED, by_utilisation, claim_table, finding, geometric_mean, over, reaches, statements, unseen, within

NOT_RUN = "these kernels run on GPUs only, and were not measured here"
DENSE = ("pull", "aa", "esoteric-pull", "soa-pull", "soa-push")  # schemes for dense geometries, in single steps


def utilisations(inputs, name, value):
    """{(lattice, collision, equilibrium): utilisation} of the paper's own schemes in dense boxes."""
    found = {}
    for row in paper.rows("s1", "Table 2"):
        if row["work"] == "this":
            key = (row["lattice"], row["collision"], row["equilibrium"])
            own = inputs.best(name, scheme="t2c" if row["lattice"] == "D3Q19" else "tgb", format=value,
                              **dict(zip(("lattice", "collision", "equilibrium"), key)))
            found[key] = inputs.utilisation(own)
    return found


def occupancies(inputs, name, lattice, equilibrium):
    """Warps of BGK and MRT on a multiprocessor, in percent of the most, by counters."""
    found = []
    for collision in ("bgk", "mrt"):
        row = inputs.best(name, scheme="t2c" if lattice == "D3Q19" else "tgb", lattice=lattice, collision=collision,
                          equilibrium=equilibrium, format="fp64")
        kernel = inputs.counters.get("kernels", {}).get(counters.flop_key(row)) if row else None
        found.append(kernel["launches"][0].get("occupancy") if kernel else None)
    return found


def without_found(inputs, name, value):
    """Statements about kernels that do without barriers, ghost buffers, collision or sharing work around a tile: BGK
    incompressible, dense boxes. None but the last of these compute the flow, so that no case can run them."""
    def speed(scheme, lattice, without=None):
        row = inputs.best(name, scheme=scheme, lattice=lattice, format=value, collision="bgk", equilibrium="incompressible", without=without)
        return inputs.utilisation(row)
    def times(number, ours, paper_has):
        if not (of_tgb and ours):
            return {number: unseen(NOT_RUN)}
        found = reaches("", ours / paper_has, 1.0)
        found.found, found.rule = f"{ours:.3f} ({ours / of_tgb:.2f} times that with them)", f"from {REACHED * paper_has:.3f} on"
        return {number: found}
    of_tgb, of_t2c = speed("tgb", "D2Q9"), speed("t2c", "D3Q19")
    waits, alone = speed("tgb", "D2Q9", "barriers"), speed("tgb", "D2Q9", "barriers+ghosts")
    moves = speed("tgb", "D2Q9", "barriers+collision")
    single = {k: ratio(speed(k, lattice, "sharing"), of) for k, lattice, of in (("tgb", "D2Q9", of_tgb), ("t2c", "D3Q19", of_t2c))}
    single = {k: v for k, v in single.items() if v}
    shown = ", ".join(f"`{k}` {v:.2f} times as fast" for k, v in single.items())
    slower = finding(all(v < 1 for v in single.values()), shown + " if each thread looks around by itself", "slower") if single else unseen(NOT_RUN)
    free = finding(moves / waits <= 1 / REACHED, f"{moves / waits:.2f} times as fast without collision", f"up to {1 / REACHED:.2f} times") \
        if waits and moves else unseen(NOT_RUN)
    return {**times(60, waits, 0.649), **times(61, alone, 0.806), 62: free, 68: slower}


def without_table(inputs, name, value):
    """What kernels reach that do without something, beside those that have it; None if none was measured."""
    lines = []
    for scheme, lattice in (("tgb", "D2Q9"), ("t2c", "D3Q19")):
        same = {"scheme": scheme, "lattice": lattice, "format": value, "collision": "bgk", "equilibrium": "incompressible"}
        whole = inputs.best(name, **same)
        for without in ("barriers", "barriers+collision", "ghosts", "barriers+ghosts", "sharing", "staging", "layout"):
            row = inputs.best(name, without=without, **same)
            if whole and row:
                lines.append([f"{lattice} `{scheme}`", without.replace("+", " and "), both(row["mlups"], inputs.utilisation(row)),
                              f"{row['mlups'] / whole['mlups']:.2f}"])
    return Table(["kernel", "without", "MFLUPS (BU)", "times as fast"], lines,
                 "Kernels that do without something, BGK incompressible (4.2.1, 3.2). Without barriers, ghosts or collision they compute "
                 "another flow: no case can run them.") if lines else None


def table_2_found(inputs, name, value):
    of, quasi, plain = utilisations(inputs, name, value), "quasi-compressible", "incompressible"
    best = {lattice: max((inputs.utilisation(r) for r in inputs.find(name, lattice=lattice, format=value, scheme=DENSE)), default=None)
            for lattice in ("D3Q19", "D2Q9")}
    t2c, fluid = of.get(("D3Q19", "bgk", quasi)), of.get(("D3Q19", "bgk", plain))
    tgb = of.get(("D2Q9", "bgk", plain))
    lead = ratio(best["D3Q19"], t2c)
    single = [r["bu"] for r in paper.rows("s1", "Table 2") if r["work"] != "this" and r["format"] == "fp32"]
    below = sum(v < t2c for v in single) if t2c else 0
    slower = {f"{lattice} {e}": ratio(of.get((lattice, "mrt", e)), of.get((lattice, "bgk", e))) for lattice in ("D3Q19", "D2Q9")
              for e in (plain, quasi)}
    warps = {lattice: occupancies(inputs, name, lattice, plain) for lattice in ("D3Q19", "D2Q9")}
    known = None not in (*warps["D3Q19"], *warps["D2Q9"])
    found = {**without_found(inputs, name, value),
             63: over({k: v for k, v in slower.items() if v}, lambda v: v < 1, "models"),
             64: finding(warps["D3Q19"][1] < warps["D3Q19"][0] and
                         warps["D3Q19"][1] / warps["D3Q19"][0] <= warps["D2Q9"][1] / warps["D2Q9"][0],
                         ", ".join(f"{k} {b:.0f}% and {m:.0f}%" for k, (b, m) in warps.items()), "fewer warps, and most of all in D3Q19")
             if known else unseen("no counters of these kernels")}
    if t2c:
        found.update({
            56: finding(lead <= 1.17 / REACHED, f"the best dense scheme on this card uses {lead:.2f} times as much", "up to 1.23 times")
            if lead else unseen("no dense scheme was measured"),
            58: finding(2 * below > len(single), f"{below} of {len(single)} codes of the table", "more than half"),
            65: reaches("", fluid / 0.719, 1.0) if fluid else unseen("not measured in that model"),
            66: finding(1 / lead >= REACHED * 0.85, f"{1 / lead:.2f} of the best dense scheme's on this card", "from 0.81 on") if lead else
            unseen("no dense scheme was measured"),
            67: finding((fluid or t2c) * 900e9 / 304 >= REACHED * 2e9, f"{(fluid or t2c) * 900 / 304:.2f} GLUPS at the share that it uses here",
                        "from 1.9 GLUPS on, on 900 GB/s")})
        found[65].found = number(fluid, 3) if fluid else found[65].found
        found[65].rule = f"from {REACHED * 0.719:.3f} on"
    if t2c and fluid:
        found[57] = within({"[6]": fluid / 0.616 / 1.17, "[14]": t2c / 0.480 / 1.40}, REACHED, 9, "from 0.95 of these ratios on")
        found[57].found = f"{fluid / 0.616:.2f} and {t2c / 0.480:.2f} times"
    if tgb and fluid:
        found[59] = finding(tgb < fluid, f"{fluid / tgb:.2f} times less", "less")
    return found


def table_2(inputs):
    name, value = "S1 Table 2", choose_format(inputs, "S1 Table 2", "fp64")
    section = Section("S1 Table 2: dense geometries")
    section.say("Driven cavities, fp64: the paper's T2C (D3Q19) and TGB (D2Q9) on a GTX Titan, compared with codes for dense "
                f"geometries on other cards. Ours in {value}. Cells: MLUPS (bandwidth utilisation).")
    published = [r for r in paper.rows("s1", "Table 2") if r["work"] == "this"]
    schemes = schemes_of(inputs.find(name, format=value))
    lines, pairs = [], []
    for row in published:
        same = {"lattice": row["lattice"], "collision": row["collision"], "equilibrium": row["equilibrium"]}
        scheme = "t2c" if row["lattice"] == "D3Q19" else "tgb"
        own = inputs.best(name, scheme=scheme, format=value, **same)
        model = short(row["collision"], row["equilibrium"])
        lines.append([f"{row['lattice']} {model}", f"`{scheme}` {both(row['mlups'], row['bu'])}",
                      *cells(inputs, name, schemes, format=value, **same)])
        pairs.append((f"{row['lattice']} {model}", inputs.utilisation(own), row["bu"]))
    section.add(Table(["model", "paper", *heads(schemes)], lines))
    claims = statements("s1", "Table 2", table_2_found(inputs, name, value))
    section.add(by_utilisation(pairs, why=why_slower(inputs, name, ("t2c", "tgb")), group=lambda label: label.split()[0],
                               claims=claims))
    others = [r for r in paper.rows("s1", "Table 2") if r["work"] != "this"]
    section.add(Table(["work, GPU", "lattice, format", "model", "MLUPS (BU)"], [
        [f"{r['work']} {r['gpu']}", f"{r['lattice']} {r['format']}", short(r["collision"], r["equilibrium"]),
         both(r["mlups"], r["bu"])] for r in others], "Codes for dense geometries that the paper compares with:"))
    section.add(without_table(inputs, name, value))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def table_3(inputs):
    name, value = "S1 Table 3", choose_format(inputs, "S1 Table 3", "fp64")
    section = Section("S1 Table 3: sparse 3D geometries")
    section.say("Vessels and randomly arranged spheres, BGK quasi-compressible, D3Q19 fp64, fluid nodes only: T2C against "
                "published connectivity matrices (CM) and fluid index arrays (FIA) of others. Here all of them run on the "
                f"same card and the same geometries ({value}). RAS of porosity 0.3 and less, where listed, are the preprint's.")
    schemes = schemes_of(inputs.find(name, format=value))
    lines, pairs, others, beyond, share = [], [], [], {}, {}
    for row in paper.rows("s1", "Table 3"):
        same = {"format": value, "lattice": "D3Q19", "collision": "bgk", **conditions(row["case"])}
        own = inputs.best(name, scheme="t2c", **same)
        if own is None and row["other_method"] is None:
            continue  # the preprint's, not measured here
        about = "≈ " if row["estimated"] else ""
        other = f"`{row['other_method']}` {about}{both(row['other_mlups'], row['other_bu'])}" if row["other_mlups"] else None
        lines.append([row["case"], f"`t2c` {both(row['mlups'], row['bu'])}", other, *cells(inputs, name, schemes, **same)])
        pairs.append((row["case"], inputs.utilisation(own), row["bu"]))
        if row["other_method"]:
            beside = inputs.utilisation(inputs.best(name, scheme=row["other_method"], **same))
            others.append((row["other_method"], ratio(beside, row["other_bu"])))
        share[row["case"]] = inputs.utilisation(own)
        for method in ("cm", "fia", "tgb"):
            beside = inputs.utilisation(inputs.best(name, scheme=method, **same))
            beyond[row["case"], method] = ratio(inputs.utilisation(own), beside)
    section.add(Table(["case", "paper", "others", *heads(schemes)], lines))
    claims = statements("s1", "Table 3", table_3_found(beyond, share))
    section.add(by_utilisation(pairs, why=why_slower(inputs, name, ("t2c",)), claims=claims, claims_why=why_others(others)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def published(case, method):
    """The utilisation that others published of a method in a case, or None; of RAS_0.1 what the preprint compares with."""
    case = {"RAS_0.1": "RAS_0.9"}.get(case, case)  # its name there, by solid nodes
    row = paper.row("s1", "Table 3", case=case)
    return row["other_bu"] if row and row["other_method"] == method else None


def against(share, beyond, case, method, times=1.0):
    """(T2C over `times` what others published of a method, words about that and about the same card)."""
    here, there, same = share.get(case), published(case, method), beyond.get((case, method))
    if not here or not there:
        return None, "not measured"
    words = f"{here / (times * there):.2f} times the published {method.upper()}" + (f" or what may be had of it on one GPU" if times != 1 else "")
    return here / (times * there), words + (f"; {same:.2f} times `{method}` on this card" if same else "")


def table_3_found(beyond, share):
    """`beyond`: {(case, method): utilisation of T2C over that of the method, on the same card and geometry}; `share`: {case: utilisation
    of T2C}. The paper compares with what others published, and so do these rules; the same card is told beside it."""
    cases = [r["case"] for r in paper.rows("s1", "Table 3") if r["other_method"] == "cm" and share.get(r["case"])]
    cm = {case: against(share, beyond, case, "cm")[0] for case in cases}
    same = {case: beyond[case, "cm"] for case in cases if beyond.get((case, "cm"))}
    tgb = [v for (_, method), v in beyond.items() if method == "tgb" and v]
    rule, found = "from 0.95 of that on, against the numbers published by others, as in the paper", {}
    for number_of, case, method, there, times in ((70, "Aneurysm", "cm", 1.49, 1), (71, "Coarctation", "fia", 3.0, 1),
                                                  (72, "Aneurysm", "cm", 1.19, 1.25)):
        value, words = against(share, beyond, case, method, times)
        found[number_of] = finding(value >= REACHED * there, words, rule) if value else unseen(words)
    dense, words = against(share, beyond, "RAS_0.1", "cm")
    mean = geometric_mean(tgb) if tgb else None
    found.update({
        69: finding(all(v > 1 for v in cm.values()), f"{min(cm.values()):.2f} to {max(cm.values()):.2f} times the published CM" +
                    (f"; {min(same.values()):.2f} to {max(same.values()):.2f} times `cm` on this card" if same else ""),
                    "more than what others published, as in the paper") if cm else unseen("not measured"),
        73: finding(mean >= 1.2, f"{mean:.2f} times as fast (geometric mean of {len(tgb)}, from {min(tgb):.2f} to {max(tgb):.2f})",
                    "from 1.2 times on") if tgb else unseen("not both were measured"),
        74: finding(0.82 <= dense <= 0.92, words, "0.82 to 0.92 times the published CM") if dense else unseen(words)})
    return found


def why_others(ratios):
    """How much more of the bandwidth the methods use that the paper compares with: (method, ours over theirs)."""
    found = {}
    for method, value in ratios:
        if value:
            found.setdefault(method, []).append(value)
    words = ", ".join(f"`{method}` {geometric_mean(values):.2f}" for method, values in found.items())
    return (f"the methods that `t2c` is compared with use another share of the bandwidth here than where others published them: "
            f"{words} times theirs (geometric means). The paper compares codes of several authors on several cards.") if words else ""


def table_4(inputs):
    name, value = "S1 Table 4", choose_format(inputs, "S1 Table 4", "fp64")
    section = Section("S1 Table 4: sparse 2D geometries")
    section.say(f"Vessel networks with channels of 8, 16 and 32 nodes, D2Q9 TGB, fp64 (here {value}). Network_xx, generated, stands "
                "for the paper's ChipA_xx, and Image_xx, from an image, for ChipB_xx.")
    schemes = schemes_of(inputs.find(name, format=value))
    lines, pairs = [], []
    for row in paper.rows("s1", "Table 4"):
        same = {"format": value, "lattice": "D2Q9", "collision": row["collision"], "equilibrium": row["equilibrium"],
                **conditions(row["case"])}
        own = inputs.best(name, scheme="tgb", **same)
        model = f"{own_name(row['case'])} {short(row['collision'], row['equilibrium'])}"
        lines.append([model, f"{row['case']} `tgb` {both(row['mlups'], row['bu'])}", *cells(inputs, name, schemes, **same)])
        pairs.append((model, inputs.utilisation(own), row["bu"]))
    section.add(Table(["case, model", "paper", *heads(schemes)], lines))
    claims, smaller = statements("s1", "Table 4", table_4_found(inputs, name, value)), why_smaller(inputs, name)
    section.add(by_utilisation(pairs, why=f"{why_slower(inputs, name, ('tgb',))} {smaller}".strip(), claims=claims,
                               claims_why=smaller))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def why_smaller(inputs, name):
    """How large our networks are beside the paper's."""
    words = []
    for chip in ("ChipA", "ChipB"):
        found = [(r["case"], inputs.best(name, scheme="tgb", **conditions(r["case"])), r["nodes"])
                 for r in paper.rows("s1", "Table 1") if r["case"].startswith(chip)]
        ratios = [math.prod(row["nodes"]) / nodes for _, row, nodes in found if row]
        if ratios and geometric_mean(ratios) < 0.67:
            words.append(f"{own_name(chip)} has 1/{1 / geometric_mean(ratios):.0f} of the nodes of the paper's {chip}")
    if not words:
        return ""
    large, small = (inputs.utilisation(inputs.best(name, scheme="pull", **conditions(f"ChipB_{w}"))) for w in ("32", "08"))
    size = f"; a dense scheme, `pull`, uses {number(small, 2)} of the bandwidth on the smallest and {number(large, 2)} on the largest" \
        if large and small else ""
    return f"{' and '.join(words)}{size}."


def table_4_found(inputs, name, value):
    found = {}
    for chip in ("ChipA", "ChipB"):
        of = [inputs.utilisation(inputs.best(name, scheme="tgb", format=value, collision="bgk", equilibrium="quasi-compressible",
                                             **conditions(f"{chip}_{w}"))) for w in ("08", "32")]
        if None not in of:
            found[own_name(chip)] = of
    if not found:
        return {78: unseen("not both widths were measured")}
    words = ", ".join(f"{name} {number(a, 2)} and {number(b, 2)}" for name, (a, b) in found.items())
    return {78: finding(all(a < b for a, b in found.values()), words, "the narrowest channels below the widest")}


def measured_overheads(inputs, case, scheme):
    """Overheads of reads, of writes and of both, beyond the least; None without counters."""
    rows = inputs.find("S1 Table 5", scheme=scheme, collision="bgk", equilibrium="quasi-compressible", **conditions(case))
    for row in rows:
        kernel = inputs.counters.get("kernels", {}).get(counters.key_of(row))
        if kernel:
            reads, writes = counters.traffic(counters.step_sums(kernel, scheme))
            least = row["fluid_nodes"] * row["bytes_per_update"]
            if reads is not None and writes is not None:
                return 2 * reads / least - 1, 2 * writes / least - 1, (reads + writes) / least - 1
    return None


def burst_overhead(model, scheme):
    return overhead(model, scheme, "burst_overhead")


def table_5(inputs):
    section = Section("S1 Table 5: estimated and measured traffic")
    section.say("Traffic beyond the least possible, which is one read and one write of every population of a fluid node: the "
                "model without bursts of memory (Δ^B) and with them (Δ^B_bt, a bound from above), and what the card counted. "
                "The paper counted transactions of 32 bytes by `nvprof`. Here `ncu` counts, with caches empty at first, bytes read "
                "from DRAM and bytes written into the second cache, where those written last stay; both by the step's kernels, "
                "without those of boundary conditions. T2C in 3D, TGB in 2D, fp64.")
    lines, found = [], []
    for row in paper.rows("s1", "Table 5"):
        scheme = "t2c" if row["lattice"] == "D3Q19" else "tgb"
        model = inputs.models.get(model_name(row["case"]))
        own = measured_overheads(inputs, row["case"], scheme)
        lines.append([own_name(row["case"]), row["case"], number(row["estimate"]), number(overhead(model, scheme, "bandwidth_overhead")),
                      number(row["burst_estimate"]), number(burst_overhead(model, scheme)), number(row["measured"]),
                      *(number(v) for v in (own or (None, None, None))[::-1])])
        if own:
            found.append((own_name(row["case"]), 1 / (1 + own[2]), 1 / (1 + row["measured"])))
    section.add(Table(["case", "the paper's", "Δ^B paper", "Δ^B here", "Δ^B_bt paper", "Δ^B_bt here", "measured paper",
                       "measured here", "writes", "reads"], lines))
    reason = inputs.counters.get("reason") or "; ".join(sorted(set(inputs.counters.get("reasons", {}).values())))
    if not found:
        reason = reason or ("no row of this table was measured" if not inputs.find("S1 Table 5") else "no counters.json")
        section.say(f"Counters: not measured: {reason}.")
    elif reason:
        section.say(f"Some kernels were not counted: {reason}.")
    claims = statements("s1", "Table 5", table_5_found(inputs))
    section.add(by_utilisation(found, "share of useful traffic, 1 / (1 + overhead),",
                               "reads and writes stand apart in the table.", claims=claims))
    section.add(claim_table(claims))
    section.add(refusals(inputs, "S1 Table 5"))
    return section


def table_5_found(inputs):
    """{number: what was found} of the measured overheads beside the model's."""
    found = {}
    for row in paper.rows("s1", "Table 5"):
        scheme = "t2c" if row["lattice"] == "D3Q19" else "tgb"
        model, own = inputs.models.get(model_name(row["case"])), measured_overheads(inputs, row["case"], scheme)
        if model and own:
            found[row["case"]] = (overhead(model, scheme, "bandwidth_overhead"), overhead(model, scheme, "burst_overhead"), own[2], model)
    if not found:
        return {n: unseen("no counters of these kernels") for n in range(79, 85)}
    sparse = {own_name(n): v for n, v in found.items() if n != "cavity3D"}
    space = {n: v[2] for n, v in found.items() if not n.startswith("Chip")}
    low = {n: v for n, v in sparse.items() if v[3]["tile_porosity"] < 0.9}
    cavity, thin = found.get("cavity3D"), found.get("RAS_0.9")
    none = unseen("not counted")
    return {79: over(sparse, lambda v: v[2] > v[0]), 80: over(low, lambda v: v[0] <= v[2] <= v[1], rule="φ_t below 0.9"),
            81: within(space, 0.005, 0.085, "0.5 to 8.5%; less than 2% counts, too"),
            82: finding(cavity[2] < cavity[0], f"{cavity[2]:.3f} below {cavity[0]:.3f}") if cavity else none,
            83: finding(thin[2] > thin[1], f"{thin[2]:.3f} beside {thin[1]:.3f}") if thin else none,
            84: finding(cavity[2] <= 0.03, f"{cavity[2]:.3f}", "overhead of the dense cavity up to 0.03") if cavity else none}


def sections(inputs, _draw):
    return [table_2(inputs), table_3(inputs), table_4(inputs), table_5(inputs)]


def introduction(inputs):
    """Which schemes were measured at all."""
    names = in_order(r["scheme"] for r in inputs.rows if r["mlups"] > 0)
    return device_line(inputs) + (f" Schemes measured: {', '.join(f'`{n}`' for n in names)}." if names else "")
