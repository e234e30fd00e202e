# SPDX-License-Identifier: Apache-2.0
"""S1 sections 2.2 and 4.2.2: floating-point operations by counters, machine balance, speed over tile porosity."""
import counters
import paper
from document import Section, Table
from drawing import Line
from formats import number
from s1_model import conditions, model_name, own_name
from verdicts import UP_TO, by_claims, claim_table, finding, statements, unseen

MODELS = [("bgk", "incompressible"), ("bgk", "quasi-compressible"), ("mrt", "incompressible"), ("mrt", "quasi-compressible")]
VELOCITIES = {"D2Q9": 9, "D3Q19": 19}
PUBLISHED = {("D2Q9", *MODELS[0]): 52, ("D2Q9", *MODELS[3]): 145, ("D3Q19", *MODELS[0]): 304, ("D3Q19", *MODELS[3]): 1165}
FERMI, KEPLER, PASCAL = 0.29, 0.18, 0.14  # bytes a FLOP, section 2.2
NAME = "S1 Table 2"


def short(collision, equilibrium):
    return f"{collision.upper()} {'incompr.' if equilibrium == 'incompressible' else 'q-compr.'}"


def operations(inputs, lattice, collision, equilibrium):
    """FLOP of a node's step, a fused multiply-add being two, by counters; None without."""
    row = inputs.best(NAME, lattice=lattice, scheme="t2c" if lattice == "D3Q19" else "tgb", collision=collision,
                      equilibrium=equilibrium, format="fp64")
    kernel = inputs.counters.get("kernels", {}).get(counters.flop_key(row)) if row else None
    return counters.operations(kernel) / row["fluid_nodes"] if kernel and counters.operations(kernel) else None


def balance(inputs):
    """Bytes a FLOP that our card can move, fp64; None where its peak is not known."""
    peak, flop = paper.peak_bandwidth(inputs.device), paper.peak_arithmetic(inputs.device, "fp64")
    return peak / flop if peak and flop else None


def ends(found, lattice):
    """Whether the least and the most work of a lattice are the paper's."""
    pairs = [(found.get(key), there) for key, there in PUBLISHED.items() if key[0] == lattice]
    if any(here is None for here, _ in pairs):
        return unseen("no counters of these kernels")
    return finding(all(UP_TO <= here / there <= 1 / UP_TO for here, there in pairs), " and ".join(f"{here:.0f}" for here, _ in pairs),
                   f"{UP_TO:g} to {1 / UP_TO:g} times as many: compilers differ")


def section_2_2(inputs):
    section = Section("S1 section 2.2: work and bytes of a node")
    section.say("The paper counts floating-point operations by disassembling its kernels, two for a fused multiply-add, and sets the bytes "
                "that a step must move (eq. 10) against them and against what machines can do. Here `ncu` counts those that the kernels of "
                "Table 2 carry out (`t2c` in D3Q19, `tgb` in D2Q9, fp64), divided by fluid nodes.")
    lines, found = [], {}
    for lattice, q in VELOCITIES.items():
        for model in MODELS:
            here, there = operations(inputs, lattice, *model), PUBLISHED.get((lattice, *model))
            found[lattice, *model] = here
            least = 2 * q * 8
            lines.append([f"{lattice} {short(*model)}", str(there or ""), number(least / there, 2) if there else None,
                          number(here, 0), number(least / here, 2) if here else None])
    section.add(Table(["model", "FLOP, paper", "bytes a FLOP", "FLOP, here", "bytes a FLOP"], lines))
    own, shares = balance(inputs), [2 * VELOCITIES[k[0]] * 8 / v for k, v in found.items() if v]
    balances = f"{FERMI} (Fermi), {KEPLER} (Kepler), {PASCAL} (Pascal)"
    section.say(f"Machine balance in bytes a FLOP: {balances}; {inputs.device or 'this machine'}: "
                f"{number(own, 2) if own else 'its peak performance is not known to this report'}.")
    of_flop = {k: 2 * VELOCITIES[k[0]] * 8 / v for k, v in found.items() if v}
    sides = [(of_flop.get(k), 2 * VELOCITIES[k[0]] * 8 / there) for k, there in PUBLISHED.items()]
    claims = statements("s1", "Section 2.2", {
        1: ends(found, "D2Q9"), 2: ends(found, "D3Q19"),
        3: finding(all(UP_TO <= h / t <= 1 / UP_TO for h, t in sides), ", ".join(number(h, 2) for h, _ in sides), "0.8 to 1.25 times as many")
        if all(h for h, _ in sides) else unseen("no counters of these kernels"),
        4: finding(min(shares) > own, f"at least {min(shares):.2f} against {own:.2f}") if shares and own else
        unseen("no counters of these kernels" if own else "the peak performance of this machine is not known")})
    section.add(by_claims(claims, "compilers of ten years apart, and other kernels: the table has both counts."))
    section.add(claim_table(claims))
    return section


def points(inputs):
    """{flat: [(φ_t, utilisation, case, fluid nodes)]} of T2C in 3D and TGB in 2D, BGK quasi-compressible, fp64."""
    found = {False: [], True: []}
    cavity = {"collision": "bgk", "equilibrium": "quasi-compressible", "format": "fp64", "geometry": "box", "porosity": 1.0}
    for plane, scheme, lattice in ((False, "t2c", "D3Q19"), (True, "tgb", "D2Q9")):
        row = inputs.best(NAME, scheme=scheme, lattice=lattice, **cavity)
        if row:
            found[plane].append((1.0, inputs.utilisation(row), "cavity", row["fluid_nodes"]))
    for line in paper.rows("s1", "Table 1"):
        plane, model = line["lattice"] == "D2Q9", inputs.models.get(model_name(line["case"]))
        row = inputs.best("S1 Table 4" if plane else "S1 Table 3", scheme="tgb" if plane else "t2c", lattice=line["lattice"],
                          format="fp64", collision="bgk", equilibrium="quasi-compressible", **conditions(line["case"]))
        if row and model:
            found[plane].append((model["tile_porosity"], inputs.utilisation(row), own_name(line["case"]), row["fluid_nodes"]))
    return found


def fit(values):
    """Slope, height at 0 and r² of the line of least squares through (x, y, ...); None of less than three."""
    if len(values) < 3:
        return None
    x, y = ([v[k] for v in values] for k in (0, 1))
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    xx, yy = sum((a - mean_x)**2 for a in x), sum((b - mean_y)**2 for b in y)
    return (xy / xx, mean_y - xy / xx * mean_x, xy * xy / (xx * yy)) if xx and yy else None


def line_claim(found, least, there):
    if not found:
        return unseen("fewer than three of these were measured")
    slope, height, square = found
    return finding(slope > 0 and square >= least, f"{slope:.2f} φ_t {'+' if height >= 0 else '−'} {abs(height):.2f}, r² {square:.2f}",
                   f"a rising line, r² from {least:g} on (the paper's own numbers: {there})")


def section_4_2_2(inputs, draw):
    section = Section("S1 section 4.2.2: speed over tile porosity")
    section.say("Utilisation over φ_t, BGK quasi-compressible, fp64: T2C in 3D, TGB in 2D, dense cavities at φ_t = 1. The paper's lines are "
                "those of its card; here whether ours lie on a line, too, and on which.")
    found = points(inputs)
    printed = {r["case"]: r for r in paper.rows("s1", "Table 1")}
    theirs = {False: [(printed[r["case"]]["tile_porosity"], r["bu"]) for r in paper.rows("s1", "Table 3")],
              True: [(printed[r["case"]]["tile_porosity"], r["bu"]) for r in paper.rows("s1", "Table 4")
                     if (r["collision"], r["equilibrium"]) == MODELS[1]]}
    lines = []
    for plane, name in ((False, "T2C, 3D"), (True, "TGB, 2D")):
        mine = sorted(found[plane])
        lines.append(Line(name, [p[0] for p in mine], [p[1] for p in mine], marker=int(plane)))
        lines.append(Line(f"{name}, paper", *([p[k] for p in sorted(theirs[plane])] for k in (0, 1)), paper=True, marker=int(plane)))
    if any(found.values()):
        section.add(draw.lines("s1-422", "Bandwidth utilisation over tile porosity.", lines, "φ_t", "bandwidth utilisation"))
    of = {k: fit(v) for k, v in {"3D": found[False], "2D": found[True], "both": found[False] + found[True]}.items()}
    space, plane = (line_claim(of[k], 0.8, there) for k, there in (("3D", "0.84 in 3D, 0.95 in 2D"), ("2D", "")))
    near = space if space.holds is None else plane if plane.holds is None else \
        finding(space.holds and plane.holds, f"3D: {space.found}; 2D: {plane.found}", space.rule)
    claims = statements("s1", "Section 4.2.2", {75: near, 76: line_claim(of["both"], 0.58, "0.58 with the preprint's, 0.76 without"),
                                               77: line_claim(of["2D"], 0.95, "0.99")})
    words = ", ".join(f"{name} {share:.2f} at φ_t {t:.2f} ({nodes / 1e6:.2g} M fluid nodes)" for t, share, name, nodes in sorted(found[True]))
    section.add(by_claims(claims, f"of the 2D geometries: {words}." if words else ""))
    section.add(claim_table(claims))
    return section
