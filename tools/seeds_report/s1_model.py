# SPDX-License-Identifier: Apache-2.0
"""S1 Table 1 and Figs 7 to 9: the overhead model on geometries like the paper's."""
import math

import paper
from document import Section, Table
from drawing import Bars, Line
from formats import count, number
from inputs import least_bytes
from model_runs import CHANNELS, TILES, mask_name, network_name
from verdicts import UP_TO, Claim, by_claims, by_difference, claim_table

METHODS = ("tgb", "t2c", "fia", "cm")
PARTS = ("solid", "type", "buffers", "copy", "index", "gaps", "slide")
SHOWN = ("RAS_0.9", "RAS_0.8", "RAS_0.7", "RAS_0.2", "Aneurysm", "Coarctation", "ChipA_08", "ChipA_16", "ChipA_32")


def model_name(case):
    """The file in DIR/model that stands for a case of the paper."""
    if case.startswith("Chip"):
        channel = int(case[-2:])
        return network_name(channel) if case[4] == "A" else mask_name(channel)
    return case.lower()


def own_name(case):
    """What is measured here in place of a case of the paper: other vessel networks bear other names."""
    return case.replace("ChipA", "Network").replace("ChipB", "Image")


def overhead(model, scheme, kind):
    """`kind`: memory_overhead or bandwidth_overhead; None if it is not there."""
    return next((s[kind] for s in model["schemes"] if s["scheme"] == scheme), None) if model else None


def parts(model, scheme, kind):
    """{part: value} of an overhead; `kind`: memory or bandwidth."""
    found = next((s for s in model["schemes"] if s["scheme"] == scheme), None) if model else None
    return {p["name"]: p["value"] for p in found[kind]} if found else None


def missing(inputs, names):
    """A line that says which of these models there are not, and why."""
    lost = [n for n in names if n not in inputs.models]
    if not lost:
        return None
    reasons = {inputs.failures[n] for n in lost if n in inputs.failures}
    return f"Not made: {', '.join(lost)}" + (f" ({'; '.join(sorted(reasons))})." if reasons else ".")


def conditions(case):
    """What rows of a case of the paper have in common."""
    if case.startswith("RAS_"):
        return {"geometry": "box", "porosity": float(case[4:])}
    if case.startswith("Chip"):
        return {"geometry": "network" if case[4] == "A" else "mask", "channel": int(case[-2:])}
    if case == "cavity3D":
        return {"geometry": "box", "porosity": 1.0, "lattice": "D3Q19"}
    return {"geometry": case.lower()}


def paper_line(row):
    return [row["case"], "paper", count(row["nodes"]), number(row["porosity"], 2), number(row["tile_porosity"], 2),
            number(row["alpha_M"], 2), *(number(row[f"M_{m}"], 2) for m in METHODS),
            *(number(row[f"B_{m}"], 2 if m == "cm" else 3) for m in METHODS)]


def allocated_line(inputs, case):
    """Memory overheads of what Fluvia allocates for these methods, from the speed rows; None without rows."""
    found = [inputs.best("S1 Table 1", scheme=m, **conditions(case)) for m in METHODS]
    if not any(found):
        return None
    row = next(r for r in found if r)
    return ["", "allocated", count(math.prod(row["nodes"])), number(row["fluid_nodes"] / math.prod(row["nodes"]), 2), None, None,
            *(number(r["bytes_per_node"] / least_bytes(r) - 1, 2) if r else None for r in found), *[None] * len(METHODS)]


def own_line(case, model):
    memory = [overhead(model, m, "memory_overhead") for m in METHODS]
    traffic = [overhead(model, m, "bandwidth_overhead") for m in METHODS]
    name = own_name(case)
    return ["" if name == case else name, "here", count(model["nodes"]), number(model["porosity"], 2), number(model["tile_porosity"], 3),
            number(model["alpha_M"], 3), *(number(v, 2) for v in memory), *(number(v, 3) for v in traffic)]


def table_1_claims(models):
    """The statements of sections 4.1.2 and 4.1.3 about our geometries."""
    if not models:
        return []
    memory = {n: {m: overhead(v, m, "memory_overhead") for m in METHODS} for n, v in models.items()}
    traffic = {n: {m: overhead(v, m, "bandwidth_overhead") for m in METHODS} for n, v in models.items()}
    worse = [n for n, v in memory.items() if v["t2c"] <= v["tgb"]]
    dense = {n: v for n, v in memory.items() if models[n]["tile_porosity"] > 0.86}
    exceptions = [n for n, v in dense.items() if v["tgb"] > min(v["cm"], v["fia"])]
    of_cm = max(v["cm"] / v["t2c"] for v in traffic.values())
    of_fia = max(v["fia"] / v["t2c"] for v in traffic.values())
    return [
        Claim("T2C always takes more memory than TGB", not worse, f"{len(memory) - len(worse)} of {len(memory)} geometries"),
        Claim("above a tile porosity of 0.86, TGB takes the least memory of the four", not exceptions if dense else None,
              f"{len(dense) - len(exceptions)} of {len(dense)} geometries"),
        Claim("tiles move up to 10 times less beyond the minimum than CM", of_cm >= 10 * UP_TO, f"up to {of_cm:.1f} times",
              f"from {10 * UP_TO:g} times on"),
        Claim("and up to 50 times less than FIA", of_fia >= 50 * UP_TO, f"up to {of_fia:.0f} times", f"from {50 * UP_TO:g} times on"),
    ]


def ras_differences(row, model):
    """(label, ours, the paper's) of a row with spheres, the only geometries that can be made again."""
    found = [("φ_t", model["tile_porosity"], row["tile_porosity"]), ("α_M", model["alpha_M"], row["alpha_M"])]
    for m in METHODS:
        found += [(f"Δ^M {m.upper()}", overhead(model, m, "memory_overhead"), row[f"M_{m}"]),
                  (f"Δ^B {m.upper()}", overhead(model, m, "bandwidth_overhead"), row[f"B_{m}"])]
    return [(f"{name} of {row['case']}", ours, theirs) for name, ours, theirs in found]


def table_1(inputs):
    section = Section("S1 Table 1: overheads of sparse geometries")
    section.say("The paper models memory (Δ^M) and traffic (Δ^B) beyond the least possible of tiles with two copies (T2C), "
                "tiles with ghost buffers (TGB), fluid index arrays (FIA) and connectivity matrices (CM), in fp64. Here: "
                "`fluvia model` on spheres of diameter 40 placed at random (RAS) in the paper's box, and on generated "
                "vessels and vessel networks, which are like the paper's but not the same: theirs are not published. Network_08 to "
                "32 are generated and stand for the paper's ChipA, Image_08 to 32 come from an image of a network and stand for "
                "ChipB; the numbers are the widths of their channels. RAS are named by porosity; the last three are the "
                "preprint's. `allocated`: what Fluvia's own versions of these "
                "methods take, with one byte for a node's type where the paper has two.")
    lines, differences, models = [], [], {}
    for row in paper.rows("s1", "Table 1"):
        name = model_name(row["case"])
        model = inputs.models.get(name)
        lines.append(paper_line(row))
        if model:
            lines.append(own_line(row["case"], model))
        allocated = allocated_line(inputs, row["case"])
        if allocated:
            lines.append(allocated)
        if model is None:
            continue
        models[row["case"]] = model
        if row["case"].startswith("RAS"):
            differences += ras_differences(row, model)
    header = ["case", "", "nodes", "φ", "φ_t", "α_M", *(f"Δ^M {m.upper()}" for m in METHODS),
              *(f"Δ^B {m.upper()}" for m in METHODS)]
    section.add(Table(header, lines))
    claims = table_1_claims(models)
    section.add(by_difference(differences, 0.02, "numbers of the RAS geometries (φ_t, α_M, all Δ)", claims=claims))
    if claims:
        section.add(claim_table(claims))
    section.add(missing(inputs, [model_name(r["case"]) for r in paper.rows("s1", "Table 1")]))
    return section


def first_above(points, limit):
    """The smallest x from which on every y lies above the limit, or None."""
    x_above = None
    for x, y in sorted(points, reverse=True):
        if y <= limit:
            break
        x_above = x
    return x_above


def channel_lines(models, known):
    """The curves of Fig 7; α_B is dashed, since α_M lies below it."""
    widths = list(models)
    curves = (("φ_t", "tile_porosity"), ("α_M", "alpha_M"), ("α_B", "alpha_B"))
    return [Line(f"{name}, here", widths, [models[c][key] for c in widths], dots=name != "α_B", dashed=name == "α_B")
            for name, key in curves] + [Line("φ_t, the paper's ChipA (Table 1)", [r["channel"] for r in known],
                                             [r["tile_porosity"] for r in known], paper=True)]


def tile_figure(inputs, draw):
    edges = {a: inputs.models.get("ras_0.8" if a == 4 else f"ras_0.8_tile_{a}") for a in TILES}
    edges = {a: m for a, m in edges.items() if m}
    return draw.lines("s1-fig7-tiles", "Tile porosity and memory overhead over the tile's edge, RAS 0.8, D3Q19 fp64.",
                      [Line("φ_t", list(edges), [m["tile_porosity"] for m in edges.values()])] +
                      [Line(f"Δ^M of {s.upper()}", list(edges), [overhead(m, s, "memory_overhead") for m in edges.values()])
                       for s in ("t2c", "tgb")], "tile edge, nodes", "share or overhead", log="x")


def width_claim(points, limit, width):
    """Whether tile porosity exceeds a limit from about the paper's width of channels on."""
    text, low, high = f"φ_t exceeds {limit:.2f} from channels of {width} nodes on", 0.75 * width, 1.25 * width
    rule = f"from {low:.0f} to {high:.0f} nodes on"
    if not points:
        return Claim(text, None, "", rule)
    found = first_above(points, limit)
    last, at_last = max(points)
    words = f"not up to {last} nodes ({at_last:.3f})" if found is None else f"from {found} nodes on (of the widths measured)"
    return Claim(text, found is not None and low <= found <= high, words, rule)


def figure_7_claims(models):
    points = [(c, m["tile_porosity"]) for c, m in models.items()]
    gap = max((abs(m["alpha_M"] - m["alpha_B"]) for m in models.values()), default=None)
    limit = paper.load("s1")["Fig 7"]["alpha_difference"]
    return [width_claim(points, 0.80, 27), width_claim(points, 0.85, 39),
            Claim(f"α_M and α_B differ by less than {limit}", None if gap is None else gap < limit,
                  "" if gap is None else f"by up to {gap:.3f}")]


def why_other_network(models, known):
    """Our network beside the paper's at the same widths."""
    both = [(r["channel"], models[r["channel"]]["tile_porosity"], r["tile_porosity"]) for r in known if r["channel"] in models]
    if not both:
        return ""
    widths, ours, theirs = (", ".join(words) for words in zip(*((f"{c}", f"{a:.2f}", f"{b:.2f}") for c, a, b in both)))
    return (f"our network is not the paper's chip: with channels of {widths} nodes its φ_t is {ours}, the chip's {theirs}. "
            "Which of their differences in shape does this was not examined.")


def figure_7(inputs, draw):
    section = Section("S1 Fig 7: tile parameters over channel width")
    section.say("The paper follows tile porosity φ_t and the shares of ghost buffers that are needed (α_M) and moved (α_B) "
                "over the width of the channels of ChipA, on tiles of 16². Here the generated vessel network, and tile "
                "edges from 2 to 16 in RAS 0.8.")
    models = {c: inputs.models[network_name(c)] for c in CHANNELS if network_name(c) in inputs.models}
    known = [r for r in paper.rows("s1", "Fig 7") if r["relation"] == "="]
    if models:
        section.add(draw.lines("s1-fig7-channels", "Tile parameters of the generated network, tiles of 16².",
                               channel_lines(models, known), "channel width, nodes", "share"))
        section.add(Table(["channel width", "φ", "φ_t", "α_M", "α_B"], [
            [c, number(m["porosity"], 2), number(m["tile_porosity"]), number(m["alpha_M"]), number(m["alpha_B"])]
            for c, m in models.items()]))
    section.add(tile_figure(inputs, draw))
    claims = figure_7_claims(models)
    section.add(by_claims(claims, why_other_network(models, known)))
    section.add(claim_table(claims))
    section.add(missing(inputs, [network_name(c) for c in CHANNELS]))
    return section


def overhead_figure(inputs, draw, name, kind, methods, caption):
    cases = [c for c in SHOWN if model_name(c) in inputs.models]
    letter = "M" if kind == "memory" else "B"
    bars = {m: [parts(inputs.models[model_name(c)], m, kind) for c in cases] for m in methods}
    marks = {m: [paper.row("s1", "Table 1", case=c)[f"{letter}_{m}"] for c in cases] for m in methods if m in METHODS}
    groups = [own_name(c) for c in cases]
    return draw.stacked(name, caption, Bars(groups, bars, marks, PARTS), f"Δ^{letter}")


def largest_part(inputs, cases, method, part, text):
    """The statement that one part of a method's memory overhead is the largest in all of these geometries."""
    found = [parts(inputs.models.get(model_name(c)), method, "memory") for c in cases]
    found = [p for p in found if p]
    holds = [p for p in found if p[part] == max(p.values())]
    return Claim(text, len(holds) == len(found) if found else None, f"{len(holds)} of {len(found)} geometries")


def figure_8(inputs, draw):
    section = Section("S1 Fig 8: memory overheads and what they are made of")
    section.say("Bars are Δ^M of our geometries by parts, black lines the paper's totals for its own (ChipA where ours is "
                "Network). `compact-sliding` is Fluvia's one copy of the fluid nodes. Parts: `solid` nodes that are stored, node "
                "`type`s, ghost `buffers`, the second `copy`, `index` (all that says where nodes, tiles or buffers are), `gaps` "
                "(places between compact tiles that hold no node) and `slide` (the room by which `compact-sliding` moves its one "
                "copy every step).")
    section.add(overhead_figure(inputs, draw, "s1-fig8", "memory", ("tgb", "t2c", "fia", "cm", "compact-sliding"),
                                "Memory beyond one copy of the fluid nodes' populations, fp64."))
    spatial = [c for c in SHOWN if not c.startswith("Chip")]
    claims = [largest_part(inputs, SHOWN, "t2c", "copy", "the second copy is the largest part of T2C's memory overhead"),
              largest_part(inputs, spatial, "tgb", "buffers", "in 3D, ghost buffers are the largest part of TGB's memory overhead")]
    section.add(by_claims(claims))
    section.add(claim_table(claims))
    return section


def figure_9(inputs, draw):
    section = Section("S1 Fig 9: traffic overheads and what they are made of")
    section.say("The same for Δ^B. FIA, whose two kernels read and write everything twice, exceeds 1 everywhere and is left "
                "out.")
    section.add(overhead_figure(inputs, draw, "s1-fig9", "bandwidth", ("tgb", "t2c", "cm", "compact-sliding"),
                                "Traffic beyond one read and one write of every population, fp64, without bursts."))
    claims = []
    for method in ("t2c", "tgb"):
        found = [parts(inputs.models.get(model_name(c)), method, "bandwidth") for c in SHOWN]
        found = [p for p in found if p]
        holds = [p for p in found if p["type"] > p["index"]]
        claims.append(Claim(f"node types are the largest part of {method.upper()}'s traffic overhead",
                            len(holds) == len(found) if found else None, f"{len(holds)} of {len(found)} geometries"))
    section.add(by_claims(claims))
    section.add(claim_table(claims))
    return section


def sections(inputs, draw):
    return [table_1(inputs), figure_7(inputs, draw), figure_8(inputs, draw), figure_9(inputs, draw)]
