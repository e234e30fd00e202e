# SPDX-License-Identifier: Apache-2.0
"""Courses over time and planes of fields as SVG, in the colours of the page that shows them."""
from __future__ import annotations

import io
import re

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from .colors import color_range
from .fields import Fields, label_of, unit_of
from .markup import Html, text
from .runs import Column, Run
from .true_walls import Plane, cut_at_walls

INK = "#0a0b0c"  # stands for the page's own colour, whether it is light or dark
MOST_POINTS = 1600  # of one curve
COLORS = ("#2f7ed8", "#d8672f", "#3a9d5d", "#b455c4", "#b08b1f", "#d64569", "#2a9fa8", "#858b91")
STYLE = {
    "svg.fonttype": "none", "font.size": 9, "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.grid": True, "grid.color": "#80808055", "grid.linewidth": 0.6,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "axes.titlesize": 10,
    "axes.formatter.limits": (-3, 4), "axes.formatter.use_mathtext": True, "text.parse_math": True,
}


def draw_svg(width: float, height: float, name: str, words: str, draw) -> Html:
    """SVG that `draw(figure)` draws; `words` describe it. `name` tells its parts from those of other figures."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        page = Figure(figsize=(width, height), layout="constrained")
        page.patch.set_alpha(0)
        draw(page)
        out = io.StringIO()
        page.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    svg = out.getvalue()
    svg = svg[svg.index("<svg"):].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda match: match.group(0) if match.group(1) in used else "", svg)
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', "", svg, count=1)
    return Html(svg.replace("<svg", f'<svg role="img" aria-label="{text(words)}"', 1))


def plain(words: str) -> str:
    """A text of a case or file, which must not be taken for formulas."""
    return words.replace("\\", "\\\\").replace("$", r"\$")


def thin(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The curve with at most MOST_POINTS points: lowest and highest of each stretch, so that no peak is lost."""
    good = np.isfinite(x)
    x, y = x[good], y[good]
    if len(x) <= MOST_POINTS:
        return x, y
    keep = [0, len(x) - 1]
    for part in np.array_split(np.arange(len(x)), MOST_POINTS // 2 - 1):
        values = y[part]
        if np.isnan(values).all():
            keep.append(part[0])
            continue
        keep += [part[np.nanargmin(values)], part[np.nanargmax(values)]]
    chosen = np.unique(keep)
    return x[chosen], y[chosen]


def time_axis(run: Run) -> tuple[np.ndarray, str]:
    if run.si and run.time is not None:
        return run.time.values, "time [s]"
    return run.steps, "time step"


def course_plots(run: Run, most: int = 24) -> tuple[list[Html], int]:
    """One plot for each group of columns, and how many more there would be."""
    groups: dict[tuple[str, str], list[Column]] = {}
    for column in run.columns:
        if np.isfinite(column.values).any():
            groups.setdefault(column.group, []).append(column)
    panels = []
    for columns in groups.values():
        panels += [columns[k:k + len(COLORS)] for k in range(0, len(columns), len(COLORS))]
    x, label = time_axis(run)

    def panel(columns: list[Column], name: str) -> Html:
        def draw(page: Figure) -> None:
            axes = page.add_subplot()
            for color, column in zip(COLORS, columns):
                axes.plot(*thin(x, column.values), color=color, linewidth=1.2, label=plain(column.name))
            limit(axes, [column.values for column in columns])
            axes.set_xlabel(label)
            axes.set_ylabel(plain(columns[0].unit if len(columns) > 1 else f"{columns[0].name} [{columns[0].unit}]"))
            if len(columns) > 1:
                axes.legend(fontsize=7.5, ncols=2 if len(columns) > 3 else 1, loc="best")

        names = ", ".join(column.name for column in columns)
        return draw_svg(4.6, 2.7, name, f"Course of {names} in {columns[0].unit} over {label}", draw)

    return [panel(columns, f"course-{k}") for k, columns in enumerate(panels[:most])], max(0, len(panels) - most)


def limit(axes, curves: list[np.ndarray]) -> None:
    """Limits an axis to values beyond the first tenth of the rows, where those would flatten the rest."""
    values = np.concatenate(curves)
    late = np.concatenate([curve[len(curve) // 10:] for curve in curves])
    values, late = values[np.isfinite(values)], late[np.isfinite(late)]
    if len(late) < 8 or np.ptp(values) <= 6 * np.ptp(late) or np.ptp(late) == 0:
        return
    margin = 0.15 * np.ptp(late)
    axes.set_ylim(late.min() - margin, late.max() + margin)
    axes.set_title("the start lies outside", fontsize=7.5, loc="right")


def convergence(run: Run) -> Html | None:
    """How far each signal was from its last value, as a fraction of its scale."""
    names = list(run.results.get("statistics", {}).get("columns", {}))
    shown = [c for c in run.columns if c.name == "kinetic_energy"]
    shown += [c for c in run.columns if f"{c.name} [{c.unit}]" in names and c not in shown]
    curves = []
    x, label = time_axis(run)
    for column in shown:
        values = column.values
        if np.isfinite(values).sum() < 4 or not np.isfinite(values[-1]):
            continue
        large = np.nanmax(np.abs(values[len(values) // 2:]))
        part = np.abs(values - values[-1]) / large if large > 0 else np.zeros_like(values)
        part[part < 1e-7] = np.nan  # rounding of single precision
        if np.isfinite(part).any():
            curves.append((column.name, part))
    if not curves:
        return None
    curves = curves[:len(COLORS)]

    def draw(page: Figure) -> None:
        axes = page.add_subplot()
        for color, (name, part) in zip(COLORS, curves):
            axes.semilogy(*thin(x, part), color=color, linewidth=1.2, label=plain(name))
        axes.set_xlabel(label)
        axes.set_ylabel("distance from the last value")
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))

    listed = ", ".join(name for name, _ in curves)
    return draw_svg(9.4, 3.2, "convergence", f"Distance of {listed} from their last values over {label}, logarithmic", draw)


def residence_times(run: Run) -> list[tuple[str, Html]]:
    """For each tracer whose points left, with its name: how old its points were when they left, opening by opening."""
    unit = "s" if run.si else "steps"
    panels = []
    for number, (name, tracer) in enumerate((run.results.get("tracers") or {}).items()):
        left = {opening: found for opening, found in tracer["left"].items() if found["distribution"]}
        if not left:
            continue

        def draw(page: Figure, left=left) -> None:
            axes = page.add_subplot()
            for color, (opening, found) in zip(COLORS, left.items()):
                edges, density = found["distribution"]["edges"], found["distribution"]["density"]
                axes.stairs(density, edges, color=color, linewidth=1.2, label=plain(f"{opening}, {found['points']} points"))
                axes.axvline(found["mean_age"], color=color, linewidth=0.8, linestyle="--")
            axes.set_xlabel(f"age on leaving [{unit}]")
            axes.set_ylabel(f"E [1/{unit}]")
            axes.legend(fontsize=8)

        listed = ", ".join(f"{found['mean_age']:.4g} {unit} at {opening}" for opening, found in left.items())
        words = f"Residence times of {name}: mean ages {listed}"
        panels.append((name, draw_svg(4.6, 2.7, f"residence-{number}", words, draw)))
    return panels


def plane(run: Run, fields: Fields, name: str, axis: int, number: int) -> Html:
    """A field on the middle plane across an axis; in 2D with streamlines on the velocity."""
    dimension = run.dimension
    index = fields.middle(axis)
    picture, stride = fields.plane(fields.scalars(name, dimension), axis, index)
    across = [a for a in range(3) if a != axis]
    ends = [fields.position(a, n * stride - 0.5) for a, n in zip(across, picture.shape[::-1])]
    unit = unit_of(name, run.si)
    label = label_of(name)
    magnitude = fields.values[name].ndim == 2 and not (dimension == 2 and name.endswith("vorticity"))
    shown = color_range(picture, 0.2, from_zero=magnitude)
    wall = run.newest("wall-*.vtp") if dimension == 3 and stride == 1 else None
    if wall is not None:
        picture = cut_at_walls(fields, Plane(picture, axis, index), wall)
    if picture.shape[0] > 1.5 * picture.shape[1]:  # long ones lie
        picture, across, ends = picture.T, across[::-1], ends[::-1]
    edges = [fields.position(a, -0.5) for a in across] + ends
    extent = (edges[0], edges[2], edges[1], edges[3])
    ratio = (extent[3] - extent[2]) / (extent[1] - extent[0])
    flow = fields.values.get("velocity", fields.values.get("average_velocity"))
    lines = dimension == 2 and name.endswith("velocity") and flow is not None and min(picture.shape) > 3
    width = 9.4 if is_long(run, fields) else 4.6
    height = min(max((width - 1.7) * ratio + 0.85, 1.7), 7.5)

    def draw(page: Figure) -> None:
        axes = page.add_subplot()
        axes.grid(False)
        axes.set_facecolor("#80808040")
        image = axes.imshow(picture, origin="lower", extent=extent, interpolation="none", vmin=shown.low, vmax=shown.high,
                            cmap=shown.map)
        if lines and flow is not None:
            draw_streamlines(axes, fields, flow, across, extent)
        axes.set_xlim(extent[0], extent[1])
        axes.set_ylim(extent[2], extent[3])
        axes.set_xlabel(f"{'xyz'[across[0]]} [{'m' if run.si else 'lattice'}]")
        axes.set_ylabel(f"{'xyz'[across[1]]} [{'m' if run.si else 'lattice'}]")
        axes.locator_params(nbins=6)
        bar = page.colorbar(image, ax=axes, shrink=0.9, pad=0.02, aspect=24)
        bar.set_label(plain(f"{label} [{unit}]"))
        bar.outline.set_visible(False)

    where = f" on the plane {'xyz'[axis]} = {fields.position(axis, index):.4g}" if dimension == 3 else ""
    words = f"{label} in {unit}{where}, from {number_text(shown.low)} to {number_text(shown.high)}"
    return draw_svg(width, height, f"plane-{number}", words + (", with streamlines" if lines else ""), draw)


def is_long(run: Run, fields: Fields) -> bool:
    """Whether planes take the whole width of the page, as those of 2D runs like channels do."""
    extent = np.sort((fields.size * fields.spacing)[:2])
    return run.dimension == 2 and bool(extent[0] < 0.5 * extent[1])


def number_text(value: float) -> str:
    return f"{value:.3g}"


def draw_streamlines(axes, fields: Fields, flow: np.ndarray, across: list[int], extent) -> None:
    """Draws streamlines of the velocity in the plane of a 2D run, from at most 150 × 150 values."""
    u, _ = fields.plane(flow, 2, 0, most=150)
    if across[0] == 1:
        u = np.swapaxes(u, 0, 1)
    height, width = u.shape[:2]
    x = np.linspace(extent[0], extent[1], width + 1)
    y = np.linspace(extent[2], extent[3], height + 1)
    drawn = axes.streamplot((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2, u[..., across[0]], u[..., across[1]],
                            color="white", linewidth=0.6, arrowsize=0.6, density=1.1)
    drawn.lines.set_alpha(0.75)


def nodes_picture(run: Run, fields: Fields) -> Html:
    """The shape of a 2D run, its openings named."""
    picture, stride = fields.plane(np.ones(len(fields.index)), 2, 0)
    extent = (fields.position(0, -0.5), fields.position(0, picture.shape[1] * stride - 0.5),
              fields.position(1, -0.5), fields.position(1, picture.shape[0] * stride - 0.5))
    ratio = (extent[3] - extent[2]) / (extent[1] - extent[0])

    def draw(page: Figure) -> None:
        axes = page.add_subplot()
        axes.grid(False)
        axes.set_facecolor("#8b8378")
        axes.imshow(picture, origin="lower", extent=extent, interpolation="none", cmap="Blues", vmin=-1, vmax=4)
        for opening in run.summary["geometry"]["openings"]:
            x, y = opening["centre"][:2]
            nx, ny = opening["normal"][:2]
            axes.annotate(plain(opening["name"]), (x, y), xytext=(-36 * nx, -18 * ny), textcoords="offset points",
                          ha="center", va="center", color="#101418", fontsize=8,
                          bbox={"boxstyle": "round,pad=0.25", "facecolor": "#ffffffcc", "edgecolor": "none"})
        axes.set_xlabel(f"x [{'m' if run.si else 'lattice'}]")
        axes.set_ylabel(f"y [{'m' if run.si else 'lattice'}]")

    return draw_svg(5.4, min(max(4.6 * ratio + 0.6, 1.4), 6), "nodes",
                    "The shape of the flow: fluid light blue, solid brown, openings named", draw)
