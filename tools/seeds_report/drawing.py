# SPDX-License-Identifier: Apache-2.0
"""Figures: a handful of plain kinds of plot, drawn by matplotlib where it is installed. Every function returns the Figure
for the report, or None where there is nothing to draw or nothing to draw with."""
from dataclasses import dataclass, field

from document import Figure
from symbols import in_figure, letters

# Okabe & Ito: told apart by the colour-blind, too.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1c1e21", "#b8a500"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
PATTERNS = ["", "//", "..", "xx", "\\\\", "++"]
PAPER = "#6b7178"  # the paper's own numbers

LEGEND_LETTERS = 100  # beside each other under a plot


@dataclass
class Line:
    """One series; `paper` draws it as the paper's: grey, dashed, hollow markers."""
    label: str
    x: list
    y: list
    paper: bool = False
    dots: bool = True
    dashed: bool = False  # so that what lies below shows
    marker: int = None  # the same for series that belong together


@dataclass
class Bars:
    """Stacked bars: for each group one or several bars (name, [(part, height)]), and marks of the paper's totals."""
    groups: list
    bars: dict  # bar's name: list over groups of {part: height}, or None where it was not measured
    marks: dict = field(default_factory=dict)  # bar's name: list over groups of the paper's total, or None
    order: tuple = ()  # parts that look the same in several figures


def library():
    try:
        import matplotlib
    except ImportError:
        return None
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.axisbelow": True, "legend.fontsize": 8,
                         "axes.spines.top": False, "axes.spines.right": False, "figure.constrained_layout.use": True})
    return plt


class Drawer:
    def __init__(self, folder):
        self.folder = folder / "figures"
        self.plt = library()

    @property
    def available(self):
        return self.plt is not None

    def start(self, width=6.6, height=3.4):
        return self.plt.subplots(figsize=(width, height))

    def save(self, figure, name, caption):
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.png"
        figure.savefig(path, dpi=110)
        self.plt.close(figure)
        self.shrink(path)
        return Figure(f"figures/{name}.png", caption)

    @staticmethod
    def shrink(path):
        """128 colours are enough for plots; matplotlib brings Pillow along."""
        from PIL import Image
        with Image.open(path) as image:
            small = image.convert("RGB").quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        small.save(path, optimize=True)

    @staticmethod
    def legend(figure, axes):
        """Below the plot, where no line can run through it."""
        handles, labels = axes.get_legend_handles_labels()
        if len(labels) > 1:
            columns = max(1, LEGEND_LETTERS // (max(map(letters, labels)) + 8))  # a sample of the line takes some eight letters
            figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 4, columns), frameon=False)

    @staticmethod
    def scale(axes, log):
        """`log`: which axes are logarithmic, e.g. "xy"; powers of two are written out."""
        if "x" in log:
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        if "y" in log:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)

    def lines(self, name, caption, lines, x_label, y_label, log="", levels=(), y_range=None):
        """`levels`: (height, text) of horizontal lines."""
        lines = [line for line in lines if line.x]
        if not self.available or not lines:
            return None
        figure, axes = self.start()
        for k, line in enumerate(lines):
            marker = k if line.marker is None else line.marker
            style = {"color": COLOURS[marker % 8], "linestyle": "-" if marker < 8 else ":"}
            if line.paper:
                style = {"color": PAPER, "linestyle": "--", "markerfacecolor": "white"}
            elif line.dashed:
                style = {"color": COLOURS[6], "linestyle": (0, (3, 3))}
            style["marker"] = MARKERS[marker % 8] if line.dots else None
            axes.plot(line.x, line.y, label=in_figure(line.label), linewidth=1.3, markersize=4.5, **style)
        for height, text in levels:
            axes.axhline(height, color="#1c1e21", linewidth=0.8, linestyle=":")
            axes.annotate(text, (1, height), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=8)
        self.scale(axes, log)
        if y_range:
            axes.set_ylim(*y_range)
        axes.set_xlabel(in_figure(x_label))
        axes.set_ylabel(in_figure(y_label))
        self.legend(figure, axes)
        return self.save(figure, name, caption)

    def stacked(self, name, caption, bars, y_label, log=""):
        """Bars side by side in each group, each a stack of its parts; the bar's name stands below it if there are several."""
        names = [n for n, values in bars.bars.items() if any(values)]
        if not self.available or not names:
            return None
        figure, axes = self.start(max(6.6, 0.17 * len(bars.groups) * len(names) + 1.4), 4.0)
        parts = list(dict.fromkeys([*bars.order, *(p for n in names for bar in bars.bars[n] if bar for p in bar)]))
        width = 0.84 / len(names)
        shown = set()
        for k, bar_name in enumerate(names):
            for g, bar in enumerate(bars.bars[bar_name]):
                at, bottom = g - 0.42 + (k + 0.5) * width, 0.0
                for part, height in (bar or {}).items():
                    p = parts.index(part)
                    axes.bar(at, height, width * 0.92, bottom=bottom, color=COLOURS[p % 8], hatch=PATTERNS[p % 6],
                             edgecolor="white", linewidth=0.4, label=None if part in shown else part)
                    shown.add(part)
                    bottom += height
                mark = bars.marks.get(bar_name, [None] * len(bars.groups))[g]
                if mark is not None:
                    axes.plot([at - width * 0.46, at + width * 0.46], [mark, mark], color="black", linewidth=1.6,
                              label=None if "paper" in shown else "paper")
                    shown.add("paper")
                if len(names) > 1 and bar:
                    axes.annotate(bar_name, (at, 0), xytext=(0, -3), textcoords="offset points", rotation=90, ha="center",
                                  va="top", fontsize=6.5)
        longest = max(map(len, names)) if len(names) > 1 else 0
        axes.set_xticks(range(len(bars.groups)), bars.groups, rotation=0 if len(bars.groups) < 7 else 30,
                        ha="center" if len(bars.groups) < 7 else "right")
        axes.tick_params(axis="x", length=0, pad=4 + 3.9 * longest)
        axes.grid(False, axis="x")
        self.scale(axes, log)
        axes.set_ylabel(in_figure(y_label))
        self.legend(figure, axes)
        return self.save(figure, name, caption)

    def heat(self, name, caption, table, x_values, y_values, x_label, y_label, bar_label, top=None):
        """A table of numbers (None: not measured), written into its cells; colours, which `bar_label` explains, end at `top`."""
        if not self.available or not any(v is not None for row in table for v in row):
            return None
        figure, axes = self.start(6.6, 0.36 * len(y_values) + 1.2)
        values = [[float("nan") if v is None else v for v in row] for row in table]
        flat = [v for row in table for v in row if v is not None]
        end = min(max(flat), top or max(flat))
        image = axes.imshow(values, cmap="cividis", aspect="auto", vmax=end)
        middle = (min(flat) + end) / 2
        for i, row in enumerate(table):
            for j, value in enumerate(row):
                if value is not None:
                    axes.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=8,
                              color="black" if value > middle else "white")
        axes.grid(False)
        wide = sum(len(str(x)) for x in x_values) > 60  # more than fits side by side
        axes.set_xticks(range(len(x_values)), x_values, rotation=40 if wide else 0, ha="right" if wide else "center")
        axes.set_yticks(range(len(y_values)), y_values)
        axes.set_xlabel(in_figure(x_label))
        axes.set_ylabel(in_figure(y_label))
        figure.colorbar(image, ax=axes, extend="max" if max(flat) > end else "neither", label=in_figure(bar_label))
        return self.save(figure, name, caption)
