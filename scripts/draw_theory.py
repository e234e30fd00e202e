#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/theory.md, docs/architecture.md and docs/fused-steps.md.

    scripts/draw_theory.py                into docs/images (needs matplotlib: build/venv/bin/python)
    scripts/draw_theory.py --output DIR   elsewhere

The streamings are written down here once more, as what they are: four functions of parity and direction
(src/fluvia/core/streaming). `check` makes sure that what one step leaves is where the next one looks for it.
"""
import argparse
import math
from pathlib import Path

C = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]  # D2Q9, opposites are neighbours
READ, WRITE, SOLID, PALE, INK = "#1f6feb", "#d9480f", "#c9ced6", "#dfe3e8", "#24292f"


def opposite(i):
    return 0 if i == 0 else i + 1 if i % 2 else i - 1


class Pull:
    title, parities = "pull", 1
    read_from = staticmethod(lambda parity, i: (-1, i))
    write_to = staticmethod(lambda parity, i: (0, i))


class Aa:
    title, parities = "aa", 2
    read_from = staticmethod(lambda parity, i: (0, i) if parity == 0 else (-1, opposite(i)))
    write_to = staticmethod(lambda parity, i: (0, opposite(i)) if parity == 0 else (1, i))


class EsotericPull:
    title, parities = "esoteric-pull", 2

    @staticmethod
    def read_from(parity, i):
        if i == 0:
            return 0, 0
        return (0 if i % 2 else -1), (opposite(i) if parity == 0 else i)

    @staticmethod
    def write_to(parity, i):
        if i == 0:
            return 0, 0
        return (1 if i % 2 else 0), (i if parity == 0 else opposite(i))


STREAMINGS = (Pull, Aa, EsotericPull)


def check(streaming):
    """What goes along i from a node is found, one step later, by the node that it goes to; no two share an element."""
    for parity in range(streaming.parities):
        after = (parity + 1) % streaming.parities
        left, found = set(), set()
        for i, (x, y) in enumerate(C):
            side, slot = streaming.write_to(parity, i)
            place = (side * x, side * y, slot)
            side, next_slot = streaming.read_from(after, i)
            if place != (x + side * x, y + side * y, next_slot):
                raise AssertionError(f"{streaming.title}: direction {i} of parity {parity} gets lost")
            left.add(place)
            side, slot = streaming.read_from(parity, i)
            found.add((side * x, side * y, slot))
        if len(left) != len(C) or len(found) != len(C):
            raise AssertionError(f"{streaming.title}: two populations share a place")
        if streaming.parities == 2 and left != found:
            raise AssertionError(f"{streaming.title}: one copy needs to write where it read")


def arrow(axes, start, end, color, width=1.6, head=9, z=3):
    axes.annotate("", xy=end, xytext=start, zorder=z,
                  arrowprops={"arrowstyle": "-|>", "color": color, "lw": width, "mutation_scale": head, "shrinkA": 0, "shrinkB": 0})


def slot_arrow(axes, node, slot, color, width, z, length=0.34):
    (x, y), (cx, cy) = node, C[slot]
    norm = math.hypot(cx, cy)
    begin = (x + 0.09 * cx / norm, y + 0.09 * cy / norm)
    end = (x + length * cx / math.sqrt(norm), y + length * cy / math.sqrt(norm))
    arrow(axes, begin, end, color, width, 5 + 2.5 * width, z)
    return end


def plain(axes, title=None, size=10.5):
    axes.set_aspect("equal")
    axes.axis("off")
    if title:
        axes.set_title(title, fontsize=size, color=INK, pad=4)


def draw_places(axes, places, color, title):
    """3 x 3 nodes with their slots; those in `places`, direction -> (side, slot), are coloured and numbered."""
    plain(axes, title)
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            axes.plot(x, y, "o", ms=4.5, color=INK if (x, y) == (0, 0) else "#8b949e", zorder=4)
            for cx, cy in C[1:]:
                far = 0.34 / math.sqrt(math.hypot(cx, cy))
                axes.plot([x, x + far * cx], [y, y + far * cy], color=PALE, lw=1.1, zorder=1)
    for i, (side, slot) in places.items():
        node = (side * C[i][0], side * C[i][1])
        if slot == 0:
            axes.plot(*node, "o", ms=7, mfc="none", mec=color, mew=1.6, zorder=5)
            continue
        slot_arrow(axes, node, slot, color, 1.8, 3)
        (cx, cy), norm = C[slot], math.hypot(*C[slot])
        along, beside = (0.5, 0.0) if node == (0, 0) else (0.27, 0.13)  # the number's place: in the middle arrows are many
        axes.text(node[0] + (along * cx - beside * cy) / norm, node[1] + (along * cy + beside * cx) / norm, str(i), color=color,
                  fontsize=8.5, ha="center", va="center", zorder=6)
    axes.set_xlim(-1.6, 1.6)
    axes.set_ylim(-1.6, 1.6)


def draw_streaming(plt, streaming):
    count = 2 * streaming.parities
    figure, all_axes = plt.subplots(1, count, figsize=(2.75 * count, 3.0))
    for parity in range(streaming.parities):
        step = "" if streaming.parities == 1 else (" (even step)", " (odd step)")[parity]
        reads = {i: streaming.read_from(parity, i) for i in range(9)}
        writes = {i: streaming.write_to(parity, i) for i in range(9)}
        draw_places(all_axes[2 * parity], reads, READ, "reads" + step + (", one copy" if streaming is Pull else ""))
        draw_places(all_axes[2 * parity + 1], writes, WRITE, "writes" + step + (", the other" if streaming is Pull else ""))
    figure.tight_layout(pad=0.4)
    return figure


def draw_lattices(plt):
    figure, (flat, solid) = plt.subplots(1, 2, figsize=(8.4, 4.1))
    plain(flat, "D2Q9")
    names = {0: "4/9", 1: "1/9", 2: "1/36"}
    for i, (x, y) in enumerate(C):
        distance = x * x + y * y
        flat.plot(x, y, "o", ms=6, color="#8b949e", zorder=2)
        if i == 0:
            flat.plot(0, 0, "o", ms=9, color=INK, zorder=3)
            flat.text(0.17, 0.42, "0", fontsize=11, ha="center", color=INK)
            continue
        arrow(flat, (0.07 * x, 0.07 * y), (0.92 * x, 0.92 * y), READ if distance == 1 else WRITE, 1.8, 12)
        flat.text(1.22 * x, 1.22 * y, str(i), fontsize=11, ha="center", va="center", color=INK)
    flat.text(0, -1.6, f"weights: at rest {names[0]}, blue {names[1]}, orange {names[2]}", fontsize=9.5, ha="center", color=INK)
    flat.set_xlim(-1.7, 1.7)
    flat.set_ylim(-1.75, 1.5)

    plain(solid, "D3Q19")

    def project(x, y, z):
        return x - 0.42 * y, z - 0.30 * y + 0.10 * x

    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    for a in corners:
        for b in corners:
            if a < b and sum(p != q for p, q in zip(a, b)) == 1:
                (x0, y0), (x1, y1) = project(*a), project(*b)
                hidden = (-1, 1, -1) in (a, b)
                solid.plot([x0, x1], [y0, y1], color="#b6bdc7", lw=1.0, ls=":" if hidden else "-", zorder=1)
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            for z in (-1, 0, 1):
                distance = x * x + y * y + z * z
                if distance in (1, 2):
                    end = project(0.97 * x, 0.97 * y, 0.97 * z)
                    arrow(solid, (0, 0), end, READ if distance == 1 else WRITE, 1.5, 10, 3 - y)
    solid.plot(0, 0, "o", ms=9, color=INK, zorder=9)
    solid.text(0, -1.82, "weights: at rest 1/3, blue 1/18, orange 1/36", fontsize=9.5, ha="center", color=INK)
    solid.set_xlim(-1.9, 1.9)
    solid.set_ylim(-1.97, 1.7)
    figure.tight_layout(pad=0.4)
    return figure


def draw_walls(plt):
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.3))
    centre, radius = (6.6, -0.9), 4.35

    def fluid(x, y):
        return math.hypot(x - centre[0], y - centre[1]) > radius

    for which, panel in enumerate(axes):
        plain(panel, ("half-way: in the middle of every cut link", "interpolated: where the surface is")[which])
        panel.add_patch(plt.Circle(centre, radius, color="#eef0f3", zorder=0))
        panel.add_patch(plt.Circle(centre, radius, fill=False, color=INK, lw=1.3 if which else 0.8, ls="-" if which else ":", zorder=2))
        for x in range(0, 8):
            for y in range(0, 6):
                panel.plot(x, y, "o", ms=4.5, color=READ if fluid(x, y) else SOLID, zorder=4)
                if not fluid(x, y):
                    continue
                for dx, dy in C[1:]:
                    if not (0 <= x + dx < 8 and 0 <= y + dy < 6) or fluid(x + dx, y + dy):
                        continue
                    low, high = 0.0, 1.0
                    for _ in range(40):
                        middle = (low + high) / 2
                        low, high = (middle, high) if fluid(x + middle * dx, y + middle * dy) else (low, middle)
                    q = 0.5 if which == 0 else high
                    panel.plot([x, x + q * dx], [y, y + q * dy], color=READ, lw=0.8, alpha=0.6, zorder=3)
                    panel.plot(x + q * dx, y + q * dy, "s", ms=4, color=WRITE, zorder=5)
        panel.set_xlim(-0.4, 7.4)
        panel.set_ylim(-0.4, 5.4)
    figure.tight_layout(pad=0.4)
    return figure


def draw_compact(plt):
    grains = [((3.2, 3.0), 3.3), ((12.3, 4.4), 4.1), ((4.0, 12.5), 3.7), ((12.6, 13.0), 1.7), ((15.9, 8.2), 2.0), ((0.0, 8.0), 1.6),
              ((19.8, 4.0), 6.2), ((19.8, 3.0), 4.9), ((22.5, 0.5), 4.0), ((16.2, 0.4), 2.4), ((23, 13), 2.6)]

    def fluid(x, y):
        return all(math.hypot(x + 0.5 - a, y + 0.5 - b) > r for (a, b), r in grains)

    figure, (place, memory) = plt.subplots(1, 2, figsize=(10.5, 3.9), gridspec_kw={"width_ratios": (1.35, 1)})
    plain(place, "six tiles of 8 × 8 nodes")
    colors = ["#8ab4f8", "#7bd1b5", "#f5c26b", "#e79bb5", "#b6a1e8", "#9fb3c8"]
    stored = []
    for row in range(2):
        for column in range(3):
            tile = 3 * row + column
            nodes = [(x, y) for y in range(8 * row, 8 * row + 8) for x in range(8 * column, 8 * column + 8) if fluid(x, y)]
            if nodes:
                stored.append((tile, len(nodes)))
            for x in range(8 * column, 8 * column + 8):
                for y in range(8 * row, 8 * row + 8):
                    place.add_patch(plt.Rectangle((x, y), 1, 1, lw=0.3, ec="white", fc=colors[tile] if (x, y) in nodes else SOLID))
            place.add_patch(plt.Rectangle((8 * column, 8 * row), 8, 8, fill=False, lw=1.6, ec=INK))
            place.text(8 * column + 4, 8 * row + 4, str(tile) if nodes else f"{tile}: nothing", fontsize=12, ha="center", va="center", color=INK,
                       bbox={"fc": "white", "ec": "none", "pad": 2, "alpha": 0.85})
    place.set_xlim(-0.2, 24.2)
    place.set_ylim(-0.2, 16.2)

    memory.axis("off")
    memory.set_title("what they take", fontsize=10.5, color=INK, pad=4)
    for line, (tile, count) in enumerate(stored):
        y = -line
        memory.add_patch(plt.Rectangle((0, y), 9, 0.62, fc="white", ec=INK, lw=0.9))
        memory.text(4.5, y + 0.31, "mask", ha="center", va="center", fontsize=8, color=INK)
        x = 11
        for slot in range(3):
            width = count * 0.36
            memory.add_patch(plt.Rectangle((x, y), width, 0.62, fc=colors[tile], ec=INK, lw=0.7))
            memory.text(x + width / 2, y + 0.31, f"$f_{slot}$", ha="center", va="center", fontsize=8.5, color=INK)
            x += width
        memory.text(x + 1.2, y + 0.31, f"… $f_8$   tile {tile}, {count} nodes", va="center", fontsize=8.5, color=INK)
    memory.set_xlim(-1, 106)
    memory.set_ylim(-len(stored) + 0.7, 1.0)
    figure.tight_layout(pad=0.5)
    return figure


def draw_sliding(plt):
    tiles, shift, done = 12, 3, 6
    figure, axes = plt.subplots(figsize=(9.2, 4.3))
    plain(axes)
    rows = [("before the sweep", 0), (f"tile {done} is next", done), ("after it", tiles)]
    for row, (title, count) in enumerate(rows):
        y = -1.65 * row
        axes.text(-0.3, y + 0.4, title, ha="right", va="center", fontsize=10.5, color=INK)
        for place in range(tiles + shift):
            axes.add_patch(plt.Rectangle((place, y), 1, 0.8, fc="white", ec="#b6bdc7", lw=0.8, ls=":"))
        for tile in range(tiles):
            new = tile < count
            x = tile if new else tile + shift
            axes.add_patch(plt.Rectangle((x, y), 1, 0.8, fc="#fbd3bf" if new else "#cfe0fd", ec=WRITE if new else READ, lw=1.1))
            axes.text(x + 0.5, y + 0.4, str(tile), ha="center", va="center", fontsize=10, color=INK)
        if 0 < count < tiles:
            for tile in range(count - shift, count):  # what was there before is still there, and read
                axes.add_patch(plt.Rectangle((tile + shift, y), 1, 0.8, fc="#f1f5fe", ec=READ, lw=1.0, ls="--"))
                axes.text(tile + shift + 0.5, y + 0.4, str(tile), ha="center", va="center", fontsize=10, color="#6e7781")
            curved = {"arrowstyle": "-|>", "color": WRITE, "lw": 1.7, "mutation_scale": 12, "connectionstyle": "arc3,rad=0.32"}
            axes.annotate("", xy=(count + 0.5, y + 0.86), xytext=(count + shift + 0.5, y + 0.86), arrowprops=curved)
            for neighbour in (-2, -1, 1, 2):
                axes.annotate("", xy=(count + shift + 0.5 + 0.06 * neighbour, y - 0.03), xytext=(count + neighbour + shift + 0.5, y - 0.03),
                              arrowprops={"arrowstyle": "-|>", "color": READ, "lw": 1.2, "mutation_scale": 9,
                                          "connectionstyle": f"arc3,rad={-0.45 if neighbour > 0 else 0.45}"})
    y = -1.65 * 2 - 0.35
    axes.annotate("", xy=(tiles, y), xytext=(tiles + shift, y), arrowprops={"arrowstyle": "<|-|>", "color": INK, "lw": 1.0, "mutation_scale": 9})
    axes.text(tiles + shift / 2, y - 0.3, "distance", ha="center", va="center", fontsize=9.5, color=INK)
    axes.text(0, y - 0.3, "place in memory →", ha="left", va="center", fontsize=9.5, color=INK)
    axes.text(0, y - 0.85, "blue: before the step    orange: after it    dashed: done, but their neighbours still read them    dotted: free", ha="left", va="center", fontsize=9.5, color=INK)
    axes.set_xlim(-4.3, tiles + shift + 0.2)
    axes.set_ylim(y - 1.1, 1.9)
    figure.tight_layout(pad=0.3)
    return figure


def draw_fused(plt):
    """One round of a pass of three steps: docs/fused-steps.md."""
    steps, width, planes = 3, 8, 15
    halo = steps - 1
    figure, axes = plt.subplots(figsize=(9.2, 5.0))
    plain(axes)
    colors = [READ, "#8250df", WRITE]
    at = 11  # the plane of stage 0
    for plane in range(planes):
        for column in range(width + 2 * halo):
            fill, edge = "white", "#b6bdc7"
            if plane > at and plane <= at + 1:
                fill = "#e8f0fe"  # asked for next
            for stage in range(steps):
                inside = stage <= column < width + 2 * halo - stage
                here = at - 2 * stage
                if not inside:
                    continue
                if plane == here:
                    fill, edge = colors[stage], colors[stage]
                elif here - 3 <= plane < here and stage < steps - 1 and fill == "white":
                    fill, edge = ("#cfe0fd", "#e3d5fb")[stage], colors[stage]  # kept for the next stage
                elif stage == steps - 1 and plane < here and fill == "white":
                    fill, edge = "#fbd3bf", WRITE
            axes.add_patch(plt.Rectangle((column, plane * 0.55), 0.92, 0.47, fc=fill, ec=edge, lw=0.9))
    right = width + 2 * halo + 0.4
    for stage, text in enumerate(["step 1 reads memory", "step 2", "step 3 writes memory"]):
        axes.text(right, (at - 2 * stage) * 0.55 + 0.23, text, ha="left", va="center", fontsize=10.5, color=colors[stage])
    axes.text(right, 2.0 * 0.55, "done", ha="left", va="center", fontsize=10.5, color=INK)
    axes.annotate("", xy=(-0.7, planes * 0.55), xytext=(-0.7, 0), arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.2, "mutation_scale": 12})
    axes.text(-1.0, planes * 0.275, "the block marches", ha="center", va="center", rotation=90, fontsize=10.5, color=INK)
    for first, last, text in [(0, halo, "halo"), (halo, halo + width, "columns that the block stores"), (halo + width, width + 2 * halo, "halo")]:
        axes.annotate("", xy=(first, -0.25), xytext=(last - 0.08, -0.25), arrowprops={"arrowstyle": "<|-|>", "color": INK, "lw": 1.0, "mutation_scale": 8})
        axes.text((first + last) / 2, -0.62, text, ha="center", va="center", fontsize=10, color=INK)
    axes.text(0, -1.2, "pale blue and violet: in shared memory, for the stage two planes behind", ha="left", va="center", fontsize=9.5, color=INK)
    axes.set_xlim(-1.6, right + 5.2)
    axes.set_ylim(-1.5, planes * 0.55 + 0.2)
    figure.tight_layout(pad=0.3)
    return figure


def draw_way(plt):
    """From a case to pictures: docs/architecture.md."""
    figure, axes = plt.subplots(figsize=(9.6, 4.6))
    axes.axis("off")
    boxes = {"case.toml": (0, 3, ""), "Case": (2.6, 3, "plain struct"), "Grid": (5.2, 4.1, ""), "Geometry": (7.8, 3, "nodes, surfaces, openings"),
             "Units": (5.2, 1.9, "SI and lattice"), "Plan": (7.8, 0.9, "lattice, scheme, bytes"), "Solver": (5.2, -0.3, "one backend; steps"),
             "Monitors": (2.6, 0.5, "forces, flow rates, guard"), "Writers": (2.6, -1.1, "VTKHDF, pictures, CSV")}
    arrows = [("case.toml", "Case", "read_case"), ("Case", "Grid", "make_grid"), ("Grid", "Geometry", "build_geometry"), ("Case", "Geometry", "build_geometry"),
              ("Case", "Units", "make_units"), ("Geometry", "Plan", "make_plan"), ("Units", "Plan", "make_plan"), ("Plan", "Solver", "make_solver"),
              ("Solver", "Monitors", ""), ("Solver", "Writers", "")]
    drawn = {}
    for name, (x, y, below) in boxes.items():
        drawn[name] = axes.text(x, y, name + (f"\n{below}" if below else ""), ha="center", va="center", fontsize=9, color=INK, linespacing=1.35,
                                bbox={"boxstyle": "round,pad=0.45", "fc": "#eef3fd", "ec": READ, "lw": 1.0}, zorder=3)
    axes.set_xlim(-1.0, 9.4)
    axes.set_ylim(-1.8, 4.7)
    figure.canvas.draw()  # the boxes get their sizes
    for start, end, label in arrows:
        (x0, y0, _), (x1, y1, _) = boxes[start], boxes[end]
        axes.annotate("", xy=(x1, y1), xytext=(x0, y0), zorder=1,
                      arrowprops={"arrowstyle": "-|>", "color": "#57606a", "lw": 1.2, "mutation_scale": 11, "shrinkA": 2, "shrinkB": 2,
                                  "patchA": drawn[start].get_bbox_patch(), "patchB": drawn[end].get_bbox_patch()})
        if label:
            axes.text((x0 + x1) / 2, (y0 + y1) / 2 + (0.16 if x0 != x1 else 0.0), label, ha="center", va="center", fontsize=8, style="italic",
                      color="#57606a", bbox={"fc": "white", "ec": "none", "pad": 0.8}, zorder=2)
    figure.tight_layout(pad=0.3)
    return figure


def draw(folder):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "fluvia", "font.family": "DejaVu Sans"})
    pictures = {"theory-lattices": draw_lattices, "theory-walls": draw_walls, "theory-compact": draw_compact, "theory-sliding": draw_sliding,
                "fused-steps": draw_fused,
                "architecture": draw_way}
    pictures |= {f"theory-{streaming.title}": lambda plt, streaming=streaming: draw_streaming(plt, streaming) for streaming in STREAMINGS}
    folder.mkdir(parents=True, exist_ok=True)
    for name, function in pictures.items():
        figure = function(plt)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None}, facecolor="white", bbox_inches="tight", pad_inches=0.08)
        plt.close(figure)
        print(folder / f"{name}.svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parents[1] / "docs" / "images")
    arguments = parser.parse_args()
    for streaming in STREAMINGS:
        check(streaming)
    draw(arguments.output)


if __name__ == "__main__":
    main()
