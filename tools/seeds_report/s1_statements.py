# SPDX-License-Identifier: Apache-2.0
"""S1: what its text says of the overhead model, of tiles and of memory, each with what our geometries have."""
import paper
from formats import number, ratio
from verdicts import REACHED, UP_TO, finding, near, over, unseen, within

METHODS = ("tgb", "t2c", "fia", "cm")
PREPRINT = ("RAS_0.3", "RAS_0.2", "RAS_0.1")  # of Table 1: the published version leaves them out
CLOSE = 0.02  # of an overhead
NONE = "no model of these geometries"


def overhead(model, scheme, kind):
    """`kind`: memory_overhead, bandwidth_overhead or burst_overhead; None if it is not there."""
    return next((s[kind] for s in model["schemes"] if s["scheme"] == scheme), None) if model else None


def parts(model, scheme, kind):
    """{part: value} of an overhead; `kind`: memory or bandwidth."""
    found = next((s for s in model["schemes"] if s["scheme"] == scheme), None) if model else None
    return {p["name"]: p["value"] for p in found[kind]} if found else None


class Case:
    """One geometry of Table 1 as the model sees it."""

    def __init__(self, name, model):
        self.name, self.model = name, model
        self.plane = paper.row("s1", "Table 1", case=name)["lattice"] == "D2Q9"
        self.porosity, self.tile_porosity = model["porosity"], model["tile_porosity"]
        self.memory = {m: overhead(model, m, "memory_overhead") for m in METHODS}
        self.traffic = {m: overhead(model, m, "bandwidth_overhead") for m in METHODS}
        self.is_spheres = name.startswith("RAS")

    def memory_parts(self, scheme):
        return parts(self.model, scheme, "memory")

    def traffic_parts(self, scheme):
        return parts(self.model, scheme, "bandwidth")

    def total(self, scheme):
        """Memory of a node over one copy of its populations."""
        return 1 + self.memory[scheme]


def cases_of(models):
    """{name: Case} of {name: model}, without what was not made."""
    return {name: Case(name, model) for name, model in models.items() if model}


def some(cases, test):
    return {name: c for name, c in cases.items() if test(c)}


def published(cases):
    return {name: c for name, c in cases.items() if name not in PREPRINT}


def table_1(cases):
    memory = published(cases)
    space, plane = some(memory, lambda c: not c.plane), some(memory, lambda c: c.plane)
    wide = {n: c for n, c in memory.items() if n.endswith("_32")}
    high = some(memory, lambda c: c.tile_porosity > 0.86)
    low = some(cases, lambda c: c.tile_porosity < 0.5)
    spheres = some(cases, lambda c: c.is_spheres)
    between = [n for n, c in space.items() if c.memory["fia"] <= c.memory["t2c"] <= c.memory["cm"]]
    above = [n for n, c in plane.items() if c.memory["t2c"] > 1.1 * max(c.memory["fia"], c.memory["cm"])]
    shares = {n: c.model.get("boundary_share") for n, c in cases.items()}
    ends = [shares.get(n) for n in ("Aneurysm", "RAS_0.1")]
    return {
        30: unseen("the model has no boundary nodes of these") if None in ends else
        finding(abs(ends[0] - 0.05) <= 0.02 and abs(ends[1] - 0.5) <= 0.1,
                f"aneurysm {ends[0]:.2f}, RAS_0.1 {ends[1]:.2f}; of all {min(v for v in shares.values() if v):.2f} to "
                f"{max(v for v in shares.values() if v):.2f}", "within 0.02 and 0.1"),
        31: over({**high, **low}, lambda c: (c.memory["tgb"] < min(c.memory["cm"], c.memory["fia"])) == (c.tile_porosity > 0.86),
                 rule="TGB the least above φ_t = 0.86, CM or FIA below 0.5"),
        32: over(memory, lambda c: c.memory["tgb"] < min(c.memory["cm"], c.memory["fia"])),
        33: over(some(cases, lambda c: not c.plane and abs(c.tile_porosity - 0.7) > 0.02),
                 lambda c: (c.memory["cm"] < c.memory["tgb"]) == (c.tile_porosity < 0.7), rule="0.02 and more beside that φ_t"),
        34: over(some(cases, lambda c: c.plane and c.tile_porosity > 0.5), lambda c: c.memory["tgb"] < c.memory["cm"]),
        35: over(some(spheres, lambda c: abs(c.tile_porosity - 0.86) > 0.02),
                 lambda c: (c.memory["tgb"] < c.memory["fia"]) == (c.tile_porosity > 0.86), rule="0.02 and more beside that φ_t"),
        36: crossing(cases),
        37: within({f"{n} {m.upper()}": c.total(m) / c.total("tgb") for n, c in wide.items() for m in ("fia", "cm")},
                   1.6 * REACHED, 1.7 / REACHED, "1.52 to 1.79 times"),
        38: within({m.upper(): max(c.total(m) / c.total("tgb") for c in space.values()) for m in ("fia", "cm")} if space else {},
                   1.05, 1.38, "at most 1.10 and 1.33 times, within 0.05"),
        39: over(cases, lambda c: c.memory["t2c"] > c.memory["tgb"]),
        40: within({n: c.total("t2c") / c.total("tgb") for n, c in space.items()}, 1.105, 1.145, "1.12 to 1.14 times, rounded (its own aneurysm: 1.11)"),
        41: within({n: c.total("t2c") / c.total("tgb") for n, c in plane.items()}, 1.7 * REACHED, 1.7 / REACHED, "1.61 to 1.79 times"),
        42: over(some(cases, lambda c: abs(c.tile_porosity - 0.83) > 0.02),
                 lambda c: (c.memory["t2c"] < c.memory["cm"]) == (c.tile_porosity > 0.83), rule="0.02 and more beside that φ_t"),
        43: over(cases, lambda c: c.memory["t2c"] > c.memory["fia"]),
        44: finding(len(between) >= len(space) - 1 and len(above) >= 2, f"between in {len(between)} of {len(space)}, above both by a "
                    f"tenth in {len(above)} of {len(plane)} 2D ones", "all but one; two and more") if space and plane else unseen(NONE),
    }


def crossing(cases):
    """2D: where FIA and TGB take the same memory, by eqs 15 and 31 for the α_M and φ of each network."""
    plane = some(cases, lambda c: c.plane)
    if not plane:
        return unseen(NONE)
    limits = {}
    for name, c in plane.items():
        tgb = c.total("tgb") * c.tile_porosity  # eq. 31: it falls with 1/φ_t
        limits[name] = tgb / c.total("fia")
    return within(limits, 0.45, 0.58, "FIA less below a φ_t between 0.45 and 0.58")


def race(c):
    """The part that avoids races: the second copy or the ghost buffers."""
    return {m: c.memory_parts(m).get("copy" if m == "t2c" else "buffers", 0) for m in ("t2c", "tgb")}


def figure_8(cases):
    memory = published(cases)
    tiles = {(n, m): c for n, c in memory.items() for m in ("t2c", "tgb") if not (c.plane and m == "tgb")}
    most = [f"{n} {m.upper()}" for (n, m), c in tiles.items() if 2 * race(c)[m] <= c.memory[m]]
    plane = some(memory, lambda c: c.plane)
    solid = {n: c.memory_parts("tgb").get("solid", 0) / c.memory["tgb"] for n, c in plane.items()}
    others = {f"{n} {m.upper()}": c.memory_parts(m).get("solid", 0) / c.memory[m] for (n, m), c in tiles.items()}
    without = {f"{n} {m.upper()}": (c.memory[m] - race(c)[m], min(c.memory["cm"], c.memory["fia"]))
               for n, c in memory.items() for m in ("t2c", "tgb")}
    return {45: finding(not most, f"{len(tiles) - len(most)} of {len(tiles)}" + (f", not {', '.join(most)}" if most else ""), "more than half")
            if tiles else unseen(NONE),
            46: finding(min(solid.values()) > max(others.values()), f"solid nodes are {min(solid.values()):.2f} and more of TGB's in 2D, at "
                        f"most {max(others.values()):.2f} of the others'") if solid and others else unseen(NONE),
            47: over(without, lambda pair: pair[0] < pair[1])}


def figure_9(cases):
    memory = published(cases)
    if not memory:
        return {n: unseen(NONE) for n in range(48, 56)}
    of = {m: max(c.traffic[m] / c.traffic["t2c"] for c in memory.values()) for m in ("cm", "fia")}
    tiles = {f"{n} {m.upper()}": (c.traffic_parts(m)["index"], c.traffic_parts(m)["type"]) for n, c in memory.items() for m in ("t2c", "tgb")}
    sparse = some(cases, lambda c: c.porosity < 0.29 and overhead(c.model, "fia-fused", "bandwidth_overhead") is not None)
    dense = 1 / (1 + min(c.traffic["cm"] for c in memory.values()))
    return {48: over(memory, lambda c: max(c.traffic["t2c"], c.traffic["tgb"]) < 0.5 * min(c.traffic["cm"], c.traffic["fia"]),
                     rule="less than half"),
            49: finding(of["cm"] >= 10 * UP_TO, f"up to {of['cm']:.1f} times", f"from {10 * UP_TO:g} times on"),
            50: finding(of["fia"] >= 50 * UP_TO, f"up to {of['fia']:.0f} times", f"from {50 * UP_TO:g} times on"),
            51: near("", dense, 0.82, 0.01), 52: over(tiles, lambda pair: pair[0] < pair[1], "overheads"),
            53: over({f"{n} {m.upper()}": c.traffic[m] for n, c in memory.items() for m in ("t2c", "tgb")}, lambda v: v < 0.05, "overheads"),
            54: within({n: c.traffic["t2c"] for n, c in cases.items()}, 0.015, 0.055, "2 to 5%, rounded"),
            55: over(sparse, lambda c: max(c.traffic["t2c"], c.traffic["tgb"] if c.porosity > 0.1 or c.plane else 0) <
                     min(overhead(c.model, "fia-fused", "bandwidth_overhead"), c.traffic["cm"]),
                     rule="φ below 0.3: the preprint excepts its RAS of that") if sparse else unseen("no ideal FIA in these models")}


def section_2_3(models):
    """`models`: {name: model} of all, fp32 among them."""
    def shares(lattice, value):
        of = {n: m for n, m in models.items() if m.get("lattice") == lattice and m.get("format") == value and m.get("porosity", 1) < 0.99}
        return {n: (parts(m, "cm", "memory")["index"], parts(m, "cm", "bandwidth")["index"], parts(m, "fia", "memory")["index"],
                    m["porosity"], m) for n, m in of.items() if parts(m, "cm", "memory") and parts(m, "fia", "memory")}

    plane, space, single = shares("D2Q9", "fp64"), shares("D3Q19", "fp64"), shares("D2Q9", "fp32")
    double = {**plane, **space}
    all_of = {**double, **single}
    total = {n: 1 + overhead(v[4], m, "memory_overhead") for n, v in double.items() if v[3] >= 0.15 for m in ("cm", "fia")}
    sparse = {n: v for n, v in double.items() if v[3] <= 0.12}
    return {5: over(double, lambda v: v[0] < 0.5), 6: over(all_of, lambda v: v[1] < (0.25 if v[4]["format"] == "fp64" else 0.5)),
            7: within({n: v[2] * v[3] for n, v in plane.items()}, 0.0555, 0.0565, "0.056, rounded, over φ"),
            8: within({n: v[2] * v[3] for n, v in single.items()}, 0.1105, 0.1115, "0.111, rounded, over φ") if single else
            unseen("no model in fp32"),
            9: over(double, lambda v: overhead(v[4], "fia", "bandwidth_overhead") > 1),
            10: over(double, lambda v: abs(2 * (parts(v[4], "fia", "bandwidth").get("index", 0)) - v[2]) < 1e-6),
            11: within(total, 2.0, 2.5, "2 to 2.5 times, φ from 0.15 on"),
            12: within({n: 1 / v[3] / (1 + overhead(v[4], m, "memory_overhead")) for n, v in sparse.items() for m in ("cm", "fia")},
                       4 * REACHED, 5 / REACHED, "3.8 to 5.3 times at φ up to 0.12") if sparse else unseen("no geometry of φ near 0.1")}


def preprint_figure_2(models):
    real = {n: overhead(m, "fia", "bandwidth_overhead") / overhead(m, "cm", "bandwidth_overhead") for n, m in models.items()
            if overhead(m, "cm", "bandwidth_overhead") and m.get("porosity", 0) >= 0.3 and m.get("format", "fp64") == "fp64"}
    crossings = {}
    for row in paper.rows("s1", "Preprint Fig 2"):
        found = next((m["index_crossing"] for m in models.values() if m.get("lattice") == row["lattice"] and "index_crossing" in m), None)
        crossings[row["lattice"]] = (found, row["crossing_solid"])
    known = {k: v for k, v in crossings.items() if v[0] is not None}
    return {13: within(real, 3.8, 4.6, "3.8 to 4.6 times, φ from 0.3 on") if real else unseen(NONE),
            14: finding(all(abs(1 - here - there) <= 0.0005 for here, there in known.values()),
                        ", ".join(f"{k} {1 - here:.4f}" for k, (here, _) in known.items()), "within 0.0005")
            if len(known) == 2 else unseen("the model says nothing of it")}


def constant(cases, scheme, wanted):
    """Δ^B φ_t of a method, which the paper prints for each lattice: {lattice is flat: number}."""
    found = {n: (c.traffic[scheme] * c.tile_porosity, wanted[c.plane]) for n, c in cases.items()}
    return over(found, lambda pair: abs(pair[0] - pair[1]) <= 1e-4, rule="within 0.0001")


def section_3_1(cases):
    maps = {n: c.memory_parts("t2c").get("index", 0) for n, c in cases.items()}
    tiles = [c.model["tiles"] / c.model["occupied_tiles"] for c in published(cases).values() if c.model.get("occupied_tiles")]
    words = f"; N_tiles/N_ftiles {min(tiles):.2g} to {max(tiles):.2g}" if tiles else ""
    smaller = {n: c.model["reduced_buffers"] for n, c in published(cases).items() if "reduced_buffers" in c.model}
    buffers = [next((race(c)["tgb"] * c.tile_porosity / c.model["alpha_M"] for c in cases.values() if c.plane == plane), None)
               for plane in (False, True)]
    times = ratio(*buffers)
    return {15: finding(max(maps.values()) < 0.01, f"at most {max(maps.values()):.4f}{words}", "below 0.01") if maps else unseen(NONE),
            16: over({n: c.memory["t2c"] - (2 - c.tile_porosity) / c.tile_porosity for n, c in cases.items()},
                     lambda v: abs(v) <= 0.06, rule="within 0.06"),
            17: over({n: c.model["alpha_M"] for n, c in cases.items()}, lambda v: v > 0.7),
            18: over(smaller, lambda v: v < 0.02) if smaller else unseen("the model counts none"),
            19: finding(4.5 <= times <= 5, f"{times:.2f} times", "4.5 to 5 times") if times else unseen(NONE),
            20: constant(cases, "t2c", {True: 0.0184, False: 0.0259}), 21: constant(cases, "tgb", {True: 0.0206, False: 0.0370}),
            22: over({n: (c.model["alpha_B"], c.model["alpha_M"]) for n, c in cases.items() if c.plane},
                     lambda pair: 0.9 * pair[1] < pair[0] <= pair[1])}


def first_above(points, limit):
    """The smallest x from which on every y lies above the limit, or None."""
    x_above = None
    for x, y in sorted(points, reverse=True):
        if y <= limit:
            break
        x_above = x
    return x_above


def width(points, limit, wanted, wider):
    """Whether tile porosity exceeds a limit from about the paper's width of channels on; `wider`: so many times its nodes are ours."""
    low, high = 0.75 * wanted * wider, 1.25 * wanted * wider
    rule = f"from {low:.0f} to {high:.0f} nodes on, around {wider} × {wanted}"
    if not points:
        return unseen(NONE)
    found = first_above(points, limit)
    last, at_last = max(points)
    words = f"not up to {last} nodes ({at_last:.3f})" if found is None else f"from {found} nodes on (of the widths made)"
    return finding(found is not None and low <= found <= high, words, rule)


def figure_7(networks, cases, wider):
    """`networks`: {channel width: model}."""
    points = [(c, m["tile_porosity"]) for c, m in networks.items()]
    alphas = {c: (m["alpha_M"], m["alpha_B"]) for c, m in networks.items()}
    both = {f"{c} {k}": v for c, pair in alphas.items() for k, v in zip(("α_M", "α_B"), pair) if c >= 8 * wider}
    gap = max((abs(a - b) for a, b in alphas.values()), default=None)
    lower = [b <= a for a, b in alphas.values()]
    porosities = [m["porosity"] for m in networks.values()]
    vessels = [cases.get(n) for n in ("Aneurysm", "Coarctation")]
    limit = paper.load("s1")["Fig 7"]["alpha_difference"]
    return {
        23: finding(max(porosities) - min(porosities) < 0.05 and max(p for _, p in points) - min(p for _, p in points) > 0.2,
                    f"φ {min(porosities):.2f} to {max(porosities):.2f}, φ_t {min(p for _, p in points):.2f} to {max(p for _, p in points):.2f}",
                    "φ within 0.05, φ_t over more than 0.2") if points else unseen(NONE),
        24: width(points, 0.80, 27, wider), 25: width(points, 0.85, 39, wider),
        26: finding(vessels[0].tile_porosity > vessels[1].tile_porosity, f"{number(vessels[0].tile_porosity, 2)} and "
                    f"{number(vessels[1].tile_porosity, 2)}") if all(vessels) else unseen(NONE),
        27: within(both, 0.76 - CLOSE, 0.97 + CLOSE, "within 0.02 of that range, from the paper's narrowest channels on"),
        28: finding(gap < limit, f"by up to {gap:.3f}") if gap is not None else unseen(NONE),
        29: finding(2 * sum(lower) > len(lower), f"in {sum(lower)} of {len(lower)} networks", "more than half") if lower else unseen(NONE)}
