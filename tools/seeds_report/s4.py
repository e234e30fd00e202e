# SPDX-License-Identifier: Apache-2.0
"""S4: two lattices against one with ghost cells, up to domains that do not fit into the device."""
import paper
import waits
from document import Section, Table
from drawing import Bars, Line
from formats import both, count, percent, span
from speeds import choose_format, in_order, refusals
from verdicts import UP_TO, by_claims, claim_table, finding, statements, unseen, within

TWO_LATTICES = ("soa-pull", "pull")
PART_NAMES = {"step": "step", "ghost": "ghost update"}


def named(rows):
    """The rows, by name: of ghost cells the largest blocks, as the paper takes them, bear the scheme's name, others their size,
    too; domains that were streamed through the device say so."""
    edges = [r.get("tile") or 0 for r in rows if r["scheme"] == "ghost"]
    largest = max(edges, default=0)

    def name(row):
        if streams(row):
            return f"{row['scheme']}, streamed"
        return f"ghost {row['tile']}²" if row["scheme"] == "ghost" and (row.get("tile") or 0) < largest else row["scheme"]
    return [{**r, "of": r["scheme"], "scheme": name(r)} for r in rows]


def two_lattices(rows):
    """The scheme that stands for the paper's two lattices: the published one if it was measured."""
    return next((s for s in TWO_LATTICES if any(r["scheme"] == s for r in rows)), TWO_LATTICES[0])


def millions(row):
    return row["fluid_nodes"] / 1e6


def streams(row):
    """Whether the row's domain exceeded the memory and was streamed through the device in parts, all of them in every step."""
    return bool(row.get("transfer_mib"))


def by_size(rows, scheme):
    """{millions of nodes: row} of a scheme by its name, the fastest of each size."""
    found = {}
    for row in sorted((r for r in rows if r["scheme"] == scheme), key=lambda r: r["mlups"]):
        found[round(millions(row), 2)] = row
    return dict(sorted(found.items()))


def size_name(size):
    return f"{size:.0f} M" if size >= 10 else f"{size:.2g} M"


def parts_of(row):
    """{part: ms}; of one kernel the whole step."""
    parts = row.get("parts_ms") if not streams(row) else None
    return {PART_NAMES[p]: v for p, v in (parts or {"step": row["step_ms"]}).items() if v}


def limit_words(rows):
    """How much memory the streamed rows were allowed, and whether the others would have fitted."""
    limits = sorted({row["memory_limit_mib"] for row in rows if streams(row) and row.get("memory_limit_mib")})
    if not limits:
        return "Nothing was streamed here."
    text = (f"Here the device's memory is limited to {' or '.join(count(v) for v in limits)} MiB (`--memory-limit`), and what exceeds it is "
            "streamed: in parts that follow each other, one copy of the populations and not both of them, both ways of the link at "
            "once and beside the steps")
    one = [r for r in rows if r["of"] not in TWO_LATTICES]
    if one:
        names = ", ".join(f"`{s}`" for s in in_order(r["scheme"] for r in one))
        fits = max(r["memory_mib"] for r in one) <= min(limits)
        text += f"; {names} were measured without a limit and " + ("fit within it" if fits else "do not all fit within it")
    return text + "."


def figure_6_lines(rows, schemes, sizes):
    lines = []
    for size in sizes:
        line = [size_name(size)]
        for scheme in schemes:
            row = by_size(rows, scheme).get(size)
            line.append(f"{row['step_ms']:.3g} ms" if row else None)
            if any(r["scheme"] == scheme and streams(r) for r in rows):
                line.append(percent(row["both_ways_fraction"]) if row else None)
        lines.append(line)
    return lines


def step_figures(draw, rows, schemes, sizes, device):
    """All rows, and those that were not streamed, which are too short to be seen beside the others."""
    found = []
    for name, words, shown in (("s4-fig6", f"Time of a step over the size of the domain, parts timed apart, {device}.", rows),
                               ("s4-fig6-fitting", "The same without the domains that were streamed.",
                                [r for r in rows if not streams(r)])):
        if shown is not rows and (len(shown) == len(rows) or not shown):
            continue
        keep = {s: by_size(shown, s) for s in schemes}
        bars = {s: [parts_of(keep[s][size]) if size in keep[s] else None for size in sizes] for s in schemes}
        found.append(draw.stacked(name, words,
                                  Bars([size_name(s) for s in sizes], bars, order=tuple(PART_NAMES.values())), "ms a step"))
    return found


def why_ghost(inputs, rows):
    """What rows and counters say of the ghost kernel."""
    share = ghost_share(rows)
    if share is None:
        return "parts of steps were not timed."
    words = f"the kernel that updates ghost cells takes up to {percent(share)} of a step here (timed apart from the other)"
    row = next((r for r in rows if r["scheme"] == "ghost" and waits.launches_of(inputs, r)), None)
    launches = waits.launches_of(inputs, row) if row else []
    update, step = ([k for k in launches if ("ghost" in k["kernel"]) == ghost] for ghost in (True, False))
    if not waits.words(update) or not waits.words(step):
        return f"{words}; no counters were read of its kernels."
    bytes_of = {name: sum(waits.mean(k, m) for m in ("dram_read", "dram_write")) for name, k in (("update", update), ("step", step))}
    two = next((r for r in rows if r["scheme"] in TWO_LATTICES and waits.launches_of(inputs, r)), None)
    beside = f"; beside it `{two['scheme']}`: {waits.words(waits.launches_of(inputs, two))}" if two else ""
    return (f"{words}, and moves {percent(bytes_of['update'] / (bytes_of['update'] + bytes_of['step']))} of its bytes between memory and "
            f"chip, since of each row next to a block's left and right sides it reads one value of a sector. By counters ({waits.place(row)}), the update: {waits.words(update)}; the step "
            f"itself: {waits.words(step)}{beside}.")


def ghost_share(rows):
    """The largest share of a step that the update of ghost cells takes, or None."""
    found = [r["parts_ms"] for r in rows if r["scheme"] == "ghost" and (r.get("parts_ms") or {}).get("ghost")]
    return max((p["ghost"] / sum(p.values()) for p in found), default=None)


def figure_6(inputs, draw):
    name = "S4 Fig 6"
    section = Section("S4 Fig 6: time of a step, beyond the device's memory")
    rows = named(inputs.find(name))
    section.say("D2Q9 squares of 9 to 72 million nodes, fp64, on a K20c with 5 GB. Up to 36 million two lattices fit; beyond, the "
                "domain is computed in two blocks that are swapped between host and device every step. One lattice with ghost "
                f"cells still fits. {limit_words(rows)}")
    pull = two_lattices(rows)
    schemes = [s for s in [pull] + in_order({r["scheme"] for r in rows} - {pull})]
    sizes = sorted({round(millions(r), 2) for r in rows})
    if rows:
        streamed = {r["scheme"] for r in rows if streams(r)}
        header = ["nodes"] + [h for s in schemes for h in ([f"`{s}`", "link, of both ways"] if s in streamed else [f"`{s}`"])]
        section.add(Table(header, figure_6_lines(rows, schemes, sizes)))
        for picture in step_figures(draw, rows, schemes, sizes, inputs.device):
            section.add(picture)
    else:
        section.say("Not measured: no rows of this figure (they need a GPU and `--memory-limit`).")
    share = ghost_share(rows)
    claims = statements("s4", "Fig 6", figure_6_found(rows, pull, share))
    section.add(by_claims(claims, why_ghost(inputs, rows)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def figure_6_found(rows, pull, share):
    fitting, ghost = by_size(rows, pull), by_size(rows, "ghost")
    slower = [ghost[s]["step_ms"] / fitting[s]["step_ms"] for s in fitting if s in ghost]
    held = [r for r in rows if streams(r)]
    busy = [r["both_ways_fraction"] for r in held]
    one = {s: ghost[s]["memory_mib"] for s in (round(millions(r), 2) for r in held) if s in ghost}
    limit = max((r["memory_limit_mib"] for r in held), default=0)
    return {1: finding(min(busy) > 0.5, f"the link is busy both ways {percent(min(busy))} of the time and more", "more than half") if busy
            else unseen("nothing was streamed"),
            2: finding(share < 0.02, f"up to {percent(share)}") if share is not None else unseen("parts of steps were not timed"),
            3: finding(min(slower) > 1, f"one lattice takes {span(slower, lambda v: f'{v:.2f}')} times as long") if slower else
            unseen("not both were measured"),
            4: finding(max(one.values()) <= limit, f"{count(max(one.values()))} of {count(limit)} MiB") if one and limit else
            unseen("nothing was streamed")}


def figure_7(inputs, draw):
    name = "S4 Fig 7"
    value = choose_format(inputs, name, "fp64")
    section = Section("S4 Fig 7: memory and speed over the size of the domain")
    section.say("Memory of both, and MFLUPS against an ideal that counts six accesses a value (eq. 7), three times eq. 43. In the "
                "paper two lattices are near that ideal, ghost cells a tenth slower, and some 25 times faster where two lattices "
                "must be swapped. `ghost` has blocks as large as can be, as published, where those were measured. "
                f"Here {value}; MFLUPS and memory of the table without a limit, so nothing is streamed in it.")
    rows = [r for r in named(inputs.find(name, format=value)) if not streams(r)]
    streamed = [r for r in named(inputs.find(name, format=value) + inputs.find("S4 Fig 6", format=value)) if streams(r)]
    pull = two_lattices(rows)
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
        speed = [Line(f"{s}, no limit" if streamed and s == pull else s, list(by_size(rows, s)),
                      [r["mlups"] for r in by_size(rows, s).values()]) for s in schemes]
        for s in in_order(r["scheme"] for r in streamed):
            speed.append(Line(s, list(by_size(streamed, s)), [r["mlups"] for r in by_size(streamed, s).values()]))
        ideal = inputs.peak / (6 * 9 * {"fp64": 8, "fp32": 4}.get(value, 2)) / 1e6
        section.add(draw.lines("s4-fig7-speed", "Speed over the size of the domain.", speed, "million nodes", "MFLUPS",
                               levels=[(ideal, "the paper's ideal")]))
    else:
        section.say("Not measured: no rows of this figure.")
    blocks = inputs.find(None, lattice="D2Q9", scheme="ghost", format=value)
    claims = statements("s4", "Fig 7", figure_7_found(inputs, by_size(rows, pull), by_size(rows, "ghost"),
                                                      {round(millions(r), 2): r for r in streamed}, blocks))
    section.add(by_claims(claims, why_ghost(inputs, rows)))
    section.add(claim_table(claims))
    section.add(refusals(inputs, name))
    return section


def ghost_bytes(rows):
    """{edge of the blocks: bytes a node} on the largest square that was measured with several."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row["nodes"]), {})[row.get("tile")] = row["bytes_per_node"]
    several = {nodes: edges for nodes, edges in found.items() if len(edges) > 1}
    return several[max(several)] if several else {}


def figure_7_found(inputs, two, ghost, streamed, blocks):
    """`two`, `ghost`, `streamed`: {size: row}; `blocks`: all rows of ghost cells."""
    common = [s for s in two if s in ghost]
    slower = [1 - ghost[s]["mlups"] / two[s]["mlups"] for s in common]
    memory = [ghost[s]["memory_mib"] / two[s]["memory_mib"] for s in common]
    nearest = {s: min(ghost, key=lambda g, s=s: abs(g - s)) for s in streamed} if ghost else {}
    gains = [ghost[g]["mlups"] / streamed[s]["mlups"] for s, g in nearest.items()]
    falls = [1 - row["mlups"] / two[min(two, key=lambda t: abs(t - s))]["mlups"] for s, row in streamed.items()] if two else []
    values = {f"{size_name(s)}": row["bytes_per_node"] / 8 for s, row in two.items() if row["format"] == "fp64"}
    ideal = [inputs.utilisation(r) * 3 for r in two.values() if inputs.utilisation(r)]
    even = [r["mlups"] for r in ghost.values()]
    edges = ghost_bytes(blocks)
    none = unseen("not both were measured")
    return {5: finding(max(memory) <= 0.55, span(memory, lambda v: f"{v:.2f}") + " times", "up to 0.55 times") if memory else none,
            6: finding(min(1 / m for m in memory) >= 2 * 0.9, span([1 / m for m in memory], lambda v: f"{v:.2f}") + " times as many nodes",
                       "from 1.8 times on") if memory else none,
            7: within(values, 20, 22, "20 to 22 (theirs also stores density and velocity, ours finds them when they are asked for)")
            if values else unseen("not measured in double precision"),
            8: finding(min(ideal) >= UP_TO, span(ideal, lambda v: f"{v:.2f}") + " times the ideal, whose six accesses a value caches save",
                       f"from {UP_TO:g} times on") if ideal else none,
            9: finding(max(slower) < 0.15, f"by {span(slower, lambda v: percent(v, 0))}", "by less than 15%") if slower else none,
            10: finding(min(even) >= 0.95 * max(even), span(even, lambda v: f"{v:.0f}") + " MFLUPS", "within 5%") if len(even) > 1 else none,
            11: finding(min(falls) > 0.5, f"{span(falls, lambda v: percent(v, 0))} of it", "more than half") if falls else
            unseen("nothing was streamed"),
            12: finding(min(gains) >= 25 * UP_TO, f"{span(gains, lambda v: f'{v:.1f}')} times", f"from {25 * UP_TO:g} times on") if gains else
            unseen("nothing was streamed"),
            13: unseen("Sailfish, another program, was not run here"),
            14: finding(edges[max(edges)] == min(edges.values()), ", ".join(f"{e}²: {b:.1f} bytes a node" for e, b in sorted(edges.items())),
                        "the largest blocks take the least memory") if edges else unseen("one size of blocks was measured")}


def sections(inputs, draw):
    return [figure_6(inputs, draw), figure_7(inputs, draw)]
