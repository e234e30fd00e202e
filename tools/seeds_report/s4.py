# SPDX-License-Identifier: Apache-2.0
"""S4: two lattices against one with ghost cells, up to domains that do not fit into the device."""
import paper
from document import Section, Table
from drawing import Bars, Line
from formats import both, count, number, percent
from speeds import choose_format, in_order, refusals
from verdicts import Claim, by_claims, claim_table

TWO_LATTICES = ("soa-pull", "pull")
PART_NAMES = {"step": "step", "ghost": "ghost update", "transfer": "transfer"}


def two_lattices(rows):
    """The scheme that stands for the paper's two lattices: the published one if it was measured."""
    return next((s for s in TWO_LATTICES if any(r["scheme"] == s for r in rows)), TWO_LATTICES[0])


def millions(row):
    return row["fluid_nodes"] / 1e6


def swaps(row):
    """Whether the row's domain was cut and its parts swapped every step."""
    return bool((row.get("parts_ms") or {}).get("transfer"))


def by_size(rows, scheme):
    """{millions of nodes: row} of a scheme: of each size the swapped one, else the fastest."""
    found = {}
    for row in sorted((r for r in rows if r["scheme"] == scheme), key=lambda r: (swaps(r), r["mlups"])):
        found[round(millions(row), 2)] = row
    return dict(sorted(found.items()))


def size_name(size):
    return f"{size:.0f} M" if size >= 10 else f"{size:.2g} M"


def figure_6(inputs, draw):
    name = "S4 Fig 6"
    section = Section("S4 Fig 6: time of a step, beyond the device's memory")
    section.say("D2Q9 squares of 9 to 72 million nodes, fp64, on a K20c with 5 GB. Up to 36 million two lattices fit; beyond, the "
                "domain is computed in two blocks that are swapped between host and device every step. One lattice with ghost "
                "cells still fits. Here the device's memory is limited (`--memory-limit`) so that the same happens; `ghost` and "
                "compact storage run within the limit.")
    rows = inputs.find(name)
    pull = two_lattices(rows)
    schemes = [s for s in [pull] + in_order({r["scheme"] for r in rows} - {pull})]
    sizes = sorted({round(millions(r), 2) for r in rows})
    bars, lines = {}, []
    for scheme in schemes:
        found = by_size(rows, scheme)
        bars[scheme] = [{PART_NAMES[p]: v for p, v in (found[s].get("parts_ms") or {"step": found[s]["step_ms"]}).items() if v}
                        if s in found else None for s in sizes]
    for size in sizes:
        line = [size_name(size)]
        for scheme in schemes:
            row = by_size(rows, scheme).get(size)
            parts = (row.get("parts_ms") or {}) if row else {}
            line.append(f"{row['step_ms']:.3g} ms" if row else None)
            if scheme == pull:
                line.append(percent(parts["transfer"] / sum(parts.values())) if parts.get("transfer") else None)
        lines.append(line)
    if rows:
        header = ["nodes"] + [h for s in schemes for h in ([f"`{s}`", "of which transfer"] if s == pull else [f"`{s}`"])]
        section.add(Table(header, lines))
        section.add(draw.stacked("s4-fig6", f"Time of a step over the size of the domain, {inputs.device}.",
                                 Bars([size_name(s) for s in sizes], bars), "ms a step", log="y" if len(bars) == 1 else ""))
    else:
        section.say("Not measured: no rows of this figure (they need a GPU and `--memory-limit`).")
    ghost = [r["parts_ms"] for r in rows if r["scheme"] == "ghost" and (r.get("parts_ms") or {}).get("ghost")]
    share = max((p["ghost"] / sum(p.values()) for p in ghost), default=None)
    moved = [r["parts_ms"]["transfer"] / sum(r["parts_ms"].values()) for r in rows if swaps(r)]
    claims = [
        Claim("transfers take most of the time once the domain is swapped", min(moved) > 0.5 if moved else None,
              f"{percent(min(moved))} and more" if moved else ""),
        Claim("updating ghost cells takes less than 2% of the time", None if share is None else share < 0.02,
              "" if share is None else f"up to {percent(share)}"),
    ]
    section.add(by_claims(claims, "on this card the kernel that updates ghost cells, whose accesses are scattered, takes a "
                          "larger share of the step."))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def figure_7(inputs, draw):
    name = "S4 Fig 7"
    value = choose_format(inputs, name, "fp64")
    section = Section("S4 Fig 7: memory and speed over the size of the domain")
    section.say("Memory of both, and MFLUPS against an ideal that counts six accesses a value (eq. 7), three times eq. 43. In the "
                "paper two lattices are near that ideal, ghost cells a tenth slower, and some 25 times faster where two lattices "
                f"must be swapped. Here {value}.")
    rows = [r for r in inputs.find(name, format=value) if not swaps(r)]
    swapped = [r for r in inputs.find(name, format=value) + inputs.find("S4 Fig 6", format=value) if swaps(r)]
    pull = two_lattices(rows + swapped)
    schemes = in_order(r["scheme"] for r in rows)
    lines = []
    for size in sorted({round(millions(r), 2) for r in rows}):
        found = {s: by_size(rows, s).get(size) for s in schemes}
        lines.append([size_name(size)] + [both(r["mlups"], inputs.utilisation(r)) if r else None for r in found.values()] +
                     [count(r["memory_mib"]) if r else None for r in found.values()])
    if rows:
        section.add(Table(["nodes", *(f"`{s}` MFLUPS (BU)" if k == 0 else f"`{s}`" for k, s in enumerate(schemes)),
                           *(f"`{s}` MiB" if k == 0 else f"`{s}`" for k, s in enumerate(schemes))], lines))
        memory = [Line(s, list(by_size(rows, s)), [r["memory_mib"] / 1024 for r in by_size(rows, s).values()]) for s in schemes]
        section.add(draw.lines("s4-fig7-memory", "Memory over the size of the domain.", memory, "million nodes", "GiB"))
        speed = [Line(s, list(by_size(rows, s)), [r["mlups"] for r in by_size(rows, s).values()]) for s in schemes]
        if swapped:
            of_swapped = by_size(swapped, pull)
            speed.append(Line(f"{pull}, swapped", list(of_swapped), [r["mlups"] for r in of_swapped.values()]))
        ideal = inputs.peak / (6 * 9 * {"fp64": 8, "fp32": 4}.get(value, 2)) / 1e6
        section.add(draw.lines("s4-fig7-speed", "Speed over the size of the domain.", speed, "million nodes", "MFLUPS",
                               levels=[(ideal, "the paper's ideal")]))
    else:
        section.say("Not measured: no rows of this figure.")
    claims = figure_7_claims(by_size(rows, pull), by_size(rows, "ghost"), by_size(swapped, pull))
    section.add(by_claims(claims, "on this card `ghost` is held back by its barrier and its second kernel, and two lattices "
                          "are well above the paper's ideal."))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def figure_7_claims(two, ghost, swapped):
    common = [s for s in two if s in ghost]
    slower = [1 - ghost[s]["mlups"] / two[s]["mlups"] for s in common]
    memory = [ghost[s]["memory_mib"] / two[s]["memory_mib"] for s in common]
    nearest = {s: min(ghost, key=lambda g, s=s: abs(g - s)) for s in swapped} if ghost else {}
    gains = [ghost[g]["mlups"] / swapped[s]["mlups"] for s, g in nearest.items()]
    return [
        Claim("ghost cells take almost half the memory of two lattices", max(memory) < 0.62 if memory else None,
              f"{number(min(memory), 2)} to {number(max(memory), 2)} times" if memory else ""),
        Claim("ghost cells are almost 10% slower where both fit", max(slower) < 0.15 if slower else None,
              f"by {percent(min(slower), 0)} to {percent(max(slower), 0)}" if slower else ""),
        Claim("and near 25 times faster where two lattices are swapped", max(gains) > 20 if gains else None,
              f"{min(gains):.1f} to {max(gains):.1f} times" if gains else ""),
    ]


def sections(inputs, draw):
    return [figure_6(inputs, draw), figure_7(inputs, draw)]
