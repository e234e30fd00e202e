# SPDX-License-Identifier: Apache-2.0
"""S1 Tables 2 to 5: speed in dense boxes, sparse 3D geometries and vessel networks, and traffic by counters."""
import math

import counters
import paper
from document import Section, Table
from formats import both, number, ratio
from s1_model import conditions, model_name, overhead, own_name
from speeds import cells, choose_format, device_line, heads, in_order, refusals, schemes_of, why_slower
from verdicts import Claim, by_utilisation, claim_table, geometric_mean, reaches

MODELS = [("bgk", "incompressible"), ("bgk", "quasi-compressible"), ("mrt", "incompressible"), ("mrt", "quasi-compressible")]


def short(collision, equilibrium):
    return f"{collision.upper()} {'incompr.' if equilibrium == 'incompressible' else 'q-compr.'}"


def table_2_claims(inputs, name, value):
    best = {lattice: max((inputs.utilisation(r) for r in inputs.find(name, lattice=lattice)), default=None)
            for lattice in ("D3Q19", "D2Q9")}
    claims = []
    for lattice, limit in (("D3Q19", 0.790), ("D2Q9", 0.656)):
        claims.append(Claim(f"the best of those codes uses {limit:.2f} of the bandwidth ({lattice}); Fluvia's best uses more",
                            None if best[lattice] is None else best[lattice] > limit,
                            "" if best[lattice] is None else number(best[lattice], 2)))
    drop = ratio(*(inputs.utilisation(inputs.best(name, scheme="t2c", lattice="D3Q19", format=value, collision=c,
                                                  equilibrium="incompressible")) for c in ("mrt", "bgk")))
    claims.append(Claim("MRT is much slower than BGK with T2C, D3Q19 (0.69 times)", None if drop is None else drop < 0.85,
                        "" if drop is None else f"{drop:.2f} times", "below 0.85 times"))
    return claims


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
    claims = table_2_claims(inputs, name, value)
    section.add(by_utilisation(pairs, why=why_slower(inputs, name, ("t2c", "tgb")), group=lambda label: label.split()[0],
                               claims=claims))
    others = [r for r in paper.rows("s1", "Table 2") if r["work"] != "this"]
    section.add(Table(["work, GPU", "lattice, format", "model", "MLUPS (BU)"], [
        [f"{r['work']} {r['gpu']}", f"{r['lattice']} {r['format']}", short(r["collision"], r["equilibrium"]),
         both(r["mlups"], r["bu"])] for r in others], "Codes for dense geometries that the paper compares with:"))
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
    lines, pairs, claims, others = [], [], [], []
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
            there = row["bu"] / row["other_bu"]
            claims.append(reaches(f"{row['case']}: T2C uses {there:.2f} times the bandwidth of {row['other_method'].upper()}",
                                  ratio(inputs.utilisation(own), beside), there))
    section.add(Table(["case", "paper", "others", *heads(schemes)], lines))
    section.add(by_utilisation(pairs, why=why_slower(inputs, name, ("t2c",)), claims=claims, claims_why=why_others(others)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


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
    claims, smaller = table_4_claims(inputs, name, value), why_smaller(inputs, name)
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
    return f"{' and '.join(words)}; what their smaller size costs was not separated from what `tgb` itself costs."


def table_4_claims(inputs, name, value):
    claims = []
    for chip in ("ChipA", "ChipB"):
        found = [inputs.utilisation(inputs.best(name, scheme="tgb", format=value, collision="bgk", **conditions(f"{chip}_{w}")))
                 for w in ("08", "16", "32")]
        known = all(v is not None for v in found)
        claims.append(Claim(f"{chip}: the wider the channels, the faster TGB", found == sorted(found) if known else None,
                            f"{own_name(chip)}: {', '.join(number(v, 2) for v in found)}" if known else ""))
    return claims


def measured_overheads(inputs, case, scheme):
    """Of reads, of writes and of both, beyond the least; None without counters."""
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
    section.add(by_utilisation(found, "share of useful traffic, 1 / (1 + overhead),",
                               "not examined beyond these counters."))
    section.add(refusals(inputs, "S1 Table 5"))
    return section


def sections(inputs, _draw):
    return [table_2(inputs), table_3(inputs), table_4(inputs), table_5(inputs)]


def introduction(inputs):
    """Which schemes were measured at all."""
    names = in_order(r["scheme"] for r in inputs.rows if r["mlups"] > 0)
    return device_line(inputs) + (f" Schemes measured: {', '.join(f'`{n}`' for n in names)}." if names else "")
