# SPDX-License-Identifier: Apache-2.0
"""S1 Table 1, Figs 7 to 9 and the sections around them: the overhead model on geometries like the paper's."""
import math

import paper
import s1_statements as said
from document import Section, Table
from drawing import Bars, Line
from formats import count, number
from inputs import least_bytes
from model_runs import CHANNELS, TILES, WIDER, mask_name, network_name
from s1_statements import METHODS, overhead, parts
from verdicts import by_claims, by_difference, claim_table, statements

PARTS = ("solid", "type", "buffers", "copy", "index", "gaps", "slide")
VESSELS = {"Aneurysm": ("giant-aneurysm", "aneurysm"), "Coarctation": ("aorta", "coarctation")}  # the second: of older rows
SHOWN = ("RAS_0.9", "RAS_0.8", "RAS_0.7", "RAS_0.2", "Aneurysm", "Coarctation", "ChipA_08", "ChipA_16", "ChipA_32")


def model_name(case):
    """The file in DIR/model that stands for a case of the paper."""
    if case.startswith("Chip"):
        channel = own_channel(case)
        return network_name(channel) if case[4] == "A" else mask_name(channel)
    return case.lower()


def own_channel(case):
    """Nodes across the channels of the network that stands for a chip of the paper."""
    return WIDER * int(case[-2:])


def own_name(case):
    """What is measured here in place of a case of the paper: other vessel networks bear other names, and their own widths."""
    if not case.startswith("Chip"):
        return case
    name = {"ChipA": "Network", "ChipB": "Image"}[case[:5]]
    return f"{name}_{own_channel(case):02d}" if case[5:] else name


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
        return {"geometry": "network" if case[4] == "A" else "mask", "channel": own_channel(case)}
    if case == "cavity3D":
        return {"geometry": "box", "porosity": 1.0, "lattice": "D3Q19"}
    return {"geometry": VESSELS[case]}


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
                "vessels and vessel networks, which are like the paper's but not the same: theirs are not published. Network_16 to "
                "64 are generated and stand for the paper's ChipA_08 to 32, Image_16 to 64 come from an image of a network, with its mirror image above it, and stand for "
                f"ChipB_08 to 32; the numbers are the widths of their channels. Ours have the tile porosity of theirs at {WIDER} times the "
                "width: their chips also have channels wider than the narrow ones that name them. RAS are named by porosity; the last three are the "
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
    claims = own_statements("Table 1", said.table_1(said.cases_of(models)))
    section.add(by_difference(differences, 0.02, "numbers of the RAS geometries (φ_t, α_M, all Δ)", claims=claims))
    section.add(claim_table(claims))
    section.add(missing(inputs, [model_name(r["case"]) for r in paper.rows("s1", "Table 1")]))
    return section


def all_cases(inputs):
    """The geometries of Table 1 that were made."""
    return said.cases_of({r["case"]: inputs.models.get(model_name(r["case"])) for r in paper.rows("s1", "Table 1")})


def channel_lines(models, known):
    """The curves of Fig 7; α_B is dashed, since α_M lies below it."""
    widths = list(models)
    curves = (("φ_t", "tile_porosity"), ("α_M", "alpha_M"), ("α_B", "alpha_B"))
    return [Line(f"{name}, here", widths, [models[c][key] for c in widths], dots=name != "α_B", dashed=name == "α_B")
            for name, key in curves] + [Line(f"φ_t, the paper's ChipA (Table 1), at {WIDER} times its widths", [WIDER * r["channel"] for r in known],
                                             [r["tile_porosity"] for r in known], paper=True)]


def tile_figure(inputs, draw):
    edges = {a: inputs.models.get("ras_0.8" if a == 4 else f"ras_0.8_tile_{a}") for a in TILES}
    edges = {a: m for a, m in edges.items() if m}
    return draw.lines("s1-fig7-tiles", "Tile porosity and memory overhead over the tile's edge, RAS 0.8, D3Q19 fp64.",
                      [Line("φ_t", list(edges), [m["tile_porosity"] for m in edges.values()])] +
                      [Line(f"Δ^M of {s.upper()}", list(edges), [overhead(m, s, "memory_overhead") for m in edges.values()])
                       for s in ("t2c", "tgb")], "tile edge, nodes", "share or overhead", log="x")


def why_other_network(models, known):
    """Our network beside the paper's at `WIDER` times its widths."""
    both = [(r["channel"], WIDER * r["channel"], models[WIDER * r["channel"]]["tile_porosity"], r["tile_porosity"]) for r in known
            if WIDER * r["channel"] in models]
    words = ", ".join(f"{ours:.2f} at {w} nodes (the chip {theirs:.2f} at {c})" for c, w, ours, theirs in both)
    return f"our network is not the paper's chip; its φ_t is {words}." if both else ""


def figure_7(inputs, draw):
    section = Section("S1 Fig 7: tile parameters over channel width")
    section.say("The paper follows tile porosity φ_t and the shares of ghost buffers that are needed (α_M) and moved (α_B) "
                "over the width of the channels of ChipA, on tiles of 16². Here the generated vessel network, whose channels are "
                f"{WIDER} times as wide at the same φ_t (the paper's curve is drawn over {WIDER} times its widths), and tile "
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
    claims = own_statements("Fig 7", said.figure_7(models, all_cases(inputs), WIDER))
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


def own_statements(where, found):
    """Statements whose findings name geometries of Table 1 by what stands for them here."""
    for claim in found.values():
        for row in paper.rows("s1", "Table 1"):
            claim.found = claim.found.replace(row["case"], own_name(row["case"]))
    return statements("s1", where, found)


def why_other_cases(claims):
    """The geometries that the statements name which do not hold."""
    words = "; ".join(f"{c.text.split(' ')[0]}: {c.found}" for c in claims if c.word == "no")
    return f"of our geometries, which are not the paper's: {words}." if words else ""


def figure_8(inputs, draw):
    section = Section("S1 Fig 8: memory overheads and what they are made of")
    section.say("Bars are Δ^M of our geometries by parts, black lines the paper's totals for its own (ChipA where ours is "
                "Network). `compact-sliding` is Fluvia's one copy of the fluid nodes. Parts: `solid` nodes that are stored, node "
                "`type`s, ghost `buffers`, the second `copy`, `index` (all that says where nodes, tiles or buffers are), `gaps` "
                "(places between compact tiles that hold no node) and `slide` (the room by which `compact-sliding` moves its one "
                "copy every step).")
    section.add(overhead_figure(inputs, draw, "s1-fig8", "memory", ("tgb", "t2c", "fia", "cm", "compact-sliding"),
                                "Memory beyond one copy of the fluid nodes' populations, fp64."))
    claims = own_statements("Fig 8", said.figure_8(all_cases(inputs)))
    section.add(by_claims(claims, why_other_cases(claims)))
    section.add(claim_table(claims))
    return section


def figure_9(inputs, draw):
    section = Section("S1 Fig 9: traffic overheads and what they are made of")
    section.say("The same for Δ^B. FIA, whose two kernels read and write everything twice, exceeds 1 everywhere and is left "
                "out.")
    section.add(overhead_figure(inputs, draw, "s1-fig9", "bandwidth", ("tgb", "t2c", "cm", "compact-sliding"),
                                "Traffic beyond one read and one write of every population, fp64, without bursts."))
    claims = own_statements("Fig 9", said.figure_9(all_cases(inputs)))
    section.add(by_claims(claims, why_other_cases(claims)))
    section.add(claim_table(claims))
    return section


def text_section(where, title, words, found):
    """A section for statements that belong to no table."""
    section = Section(f"S1 {title}")
    section.say(words)
    claims = own_statements(where, found)
    section.add(by_claims(claims, why_other_cases(claims)))
    section.add(claim_table(claims))
    return section


def indirect_curves(lattice, first):
    """Δ^B of CM (eq. 14) and of FIA as built and ideal (eq. 16) over the share of solid nodes, fp64; `first`: number of its colours."""
    q, sizes = {"D2Q9": 9, "D3Q19": 19}[lattice], paper.load("s1")["constants"]
    node = 2 * q * sizes["s_d"]
    solid = [k / 200 for k in range(196)]
    index = [sizes["s_idx"] / ((1 - s) * node) for s in solid]
    return [Line(f"{name}, {lattice}", solid, values, dots=False, marker=first + k) for k, (name, values) in enumerate((
        ("CM", [(q - 1) * sizes["s_idx"] / node] * len(solid)), ("FIA as built", [1 + v for v in index]), ("FIA, ideal", index)))]


def preprint_figure_2(inputs, draw):
    """Curves by eqs 14 and 16, and what `fluvia model` says of its geometries."""
    section = Section("S1 preprint Fig 2: connectivity matrix and fluid index array")
    section.say("The preprint draws the bandwidth overheads of CM and FIA over the share of solid nodes, as built (two kernels for FIA) and "
                "ideal, fp64. The curves are drawn again; the statements are judged by what `fluvia model` says of its geometries.")
    section.add(draw.lines("s1-preprint-fig2", "Bandwidth overheads of indirect methods over the share of solid nodes.",
                           indirect_curves("D2Q9", 0) + indirect_curves("D3Q19", 3), "share of solid nodes, 1 − φ", "Δ^B", y_range=(0, 1.6)))
    claims = statements("s1", "Preprint Fig 2", said.preprint_figure_2(inputs.models))
    section.add(by_claims(claims))
    section.add(claim_table(claims))
    return section


def sections(inputs, draw):
    cases = all_cases(inputs)
    return [text_section("Section 2.3", "section 2.3: what indirect addressing costs", "Statements about CM and FIA, which follow from the "
                         "model's formulas; by `fluvia model` on the geometries of Table 1, and on a network in fp32.",
                         said.section_2_3(inputs.models)),
            preprint_figure_2(inputs, draw),
            text_section("Section 3.1", "section 3.1: what tiles cost", "Statements about T2C and TGB in general, by `fluvia model` on the "
                         "same geometries.", said.section_3_1(cases)),
            table_1(inputs), figure_7(inputs, draw), figure_8(inputs, draw), figure_9(inputs, draw)]
