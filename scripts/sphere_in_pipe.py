#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables and figures of docs/sphere-in-pipe.md: a sphere moving along a pipe, after section 6 of J. Tölke and
M. Krafczyk, Int. J. Comput. Fluid Dyn. 22 (2008) 443.

  commands [--table 2|3] ...           print the `fluvia run` commands of a table
  table DIR...                         drag of finished runs against eqs 14 to 20, as a Markdown table
  digest DIR... --json FILE            the same and the drag's history, for programs
  history DIR... --png FILE            drag coefficient over time, figure 9
  spectrum DIR... --png FILE           amplitude over Strouhal number, figure 10
  streamlines DIR... --png FILE        streamlines in the plane z = 0, figure 8
  stokes                               drag without inertia, from the Stokes equations themselves

DIR is a folder that `fluvia run` wrote. `commands` needs nothing but Python, the others numpy, and pictures matplotlib,
streamlines h5py, too (scripts/test-requirements.txt).
"""
import argparse
import csv
import importlib.util
import json
import sys
from pathlib import Path

try:
    import numpy as np
except ImportError:  # `commands` does without
    np = None

NEEDED = {"commands": (), "history": ("numpy", "matplotlib"), "spectrum": ("numpy", "matplotlib"),
          "streamlines": ("numpy", "matplotlib", "h5py")}  # others: numpy

PAPER_SPEED = {32: 0.004, 64: 0.002, 128: 0.001}  # u of table 2 by nodes across
TABLE_3_SPEED = 0.02  # u of table 3
RATIO = 0.5  # of the diameters of sphere and pipe
DRAG_COLUMN = "coefficient_sphere_x"
OUTLET = 'boundary=[{{surface="x_max", type="{}"}}]'
VARIANTS = {"-velocity-outlet": "velocity outlet", "-non-reflecting": "non-reflecting outlet", "-paper-speed": "u 0.02"}  # in names of folders


def free_drag(reynolds):
    """Eq. 14: sphere in an unbounded fluid, within 5% for Re < 800."""
    return 24 / reynolds * (1 + 0.15 * reynolds**0.687)


def expected_drag(reynolds, ratio=RATIO):
    """Eqs 17 and 18 (within 5%, Re < 50) and eqs 19 and 20 (within 6%, 100 < Re < 800); the paper uses the first up to
    Re 50."""
    if reynolds > 50.5:
        return free_drag(reynolds) / (1 - 1.6 * ratio**1.6)
    wall = (1 - 0.75857 * ratio**5) / (
        1 - 2.1050 * ratio + 2.0865 * ratio**3 - 1.7068 * ratio**5 + 0.72603 * ratio**6
    )
    return free_drag(reynolds) + 24 / reynolds * (wall - 1)


# The paper's drag coefficients: by (Re, nodes across the box).
PAPER = {(1, 32): 152.2, (1, 64): 146.6, (1, 128): 145.3, (10, 128): 14.74, (50, 128): 3.697, (100, 128): 2.380,
         (200, 128): 1.679, (300, 128): 1.440, (400, 128): 1.305}
PAPER_RATIO = {10: 0.93, 50: 1.15, 100: 1.43, 200: 1.90, 300: 2.35, 400: 2.82}


class Run:
    """What a run left in its folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.summary = json.loads((self.folder / "summary.json").read_text())
        units = self.summary["units"]
        self.reynolds = units["reynolds"]
        self.diameter = self.reynolds * units["viscosity"]  # the speed is 1
        self.box = self.summary["geometry"]["nodes"]
        self.nodes = self.box[1]
        self.across = self.diameter / units["spacing"]
        self.steps = self.summary["run"]["step"]
        self.cut_off = self.summary["results"]["ended_because"] == "interrupted"
        self.format = self.summary["plan"].get("format", "fp32")
        self.lattice, self.scheme = self.summary["plan"]["lattice"], self.summary["plan"]["scheme"]
        self.published = "-paper" in self.folder.name.replace("-paper-speed", "")  # as `commands` names them
        self.steady = self.summary["results"]["ended_because"] == "steady state"
        with open(self.folder / "monitors.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.columns = {name.split(" [")[0]: k for k, name in enumerate(rows[0])}
        self.values = np.array(rows[1:], dtype=float)

    def column(self, name):
        return self.values[:, self.columns[name]]

    def last(self, name, share=0.0):
        """Mean over the last part of the run; 0: the last row if it is steady, else the mean of some of them."""
        rows = int(share * len(self.values))
        if rows == 0:
            rows = 1 if self.steady else len(self.values) // 2 if self.reynolds > 250 else 8
        return self.column(name)[-rows:].mean()

    def parts_ratio(self, way, share=0.0):
        """Pressure over viscous drag by method A (exchange) or B (integral); None if not measured."""
        names = [f"{part}_{way}_sphere_x" for part in ("pressure", "viscous")]
        if not set(names) <= set(self.columns):
            return None
        return self.last(names[0], share) / self.last(names[1], share)

    def paper(self):
        """Nodes across the paper's grid next to this one, and its drag; None if it has no such case."""
        same = [(abs(n - self.nodes), n, drag) for (r, n), drag in PAPER.items() if r == round(self.reynolds)]
        return min(same)[1:] if same else None

    def label(self):
        return f"Re {self.reynolds:.4g}, {self.model()}, {self.nodes}² nodes"

    def model(self):
        variants = [words for part, words in VARIANTS.items() if part in self.folder.name]
        return ", ".join([self.lattice] + (["rates of the paper"] if self.published and self.lattice == "D3Q13" else []) + variants)


def nodes_across(nodes):
    """Sphere diameter in nodes, of the box of `nodes` nodes across: 14.88, 30.24 and 60.96, as in the paper."""
    return 0.48 * (nodes - 1)


def cubic_rate(viscosity, product=0.25):
    """D3Q13: the rate s_h of the cubic moments with (1/s'_nu - 1/2)(1/s_h - 1/2) = product; at 1/4 straight walls lie
    half-way between the nodes. s'_nu by eq. 7."""
    return 1 / (0.5 + product / (2 * viscosity))


def lattice_options(lattice, cubic):
    if lattice == "D3Q19":
        return ["numerics.scheme=compact-pull"]
    return ["numerics.lattice=D3Q13", "numerics.collision=mrt", "numerics.scheme=fcc-aa",
            f"numerics.mrt_rates={{cubic={cubic:.6g}}}"]


def run_command(args, reynolds, nodes, speed, *, cubic=None, name="", options=(), extra=""):
    """One `fluvia run`; cubic None: half-way walls."""
    step = 1 / nodes_across(nodes)
    half = [2 * nodes * step, nodes * step / 2, nodes * step / 2]
    viscosity = speed * nodes_across(nodes) / reynolds
    settings = [f"units.spacing={step:.9f}", f"units.lattice_velocity={speed:g}",
                "domain.size=[" + ", ".join(f"{2 * side:.9f}" for side in half) + "]",
                "domain.origin=[" + ", ".join(f"{-side:.9f}" for side in half) + "]", f"walls.method={args.walls}",
                *lattice_options(args.lattice, cubic_rate(viscosity) if cubic is None else cubic), *options]
    if args.format != "fp32":
        settings.append(f"numerics.format={args.format}")
        name += f"-{args.format}"
    if reynolds != 1:
        settings += [f"units.viscosity={1 / reynolds:.9g}", "monitor.expect=[]"]
    outlet = args.outlet or ("pressure" if reynolds >= 100 else "velocity")
    if outlet != "velocity":
        settings.append(OUTLET.format(outlet.replace("-", "_")))
    if args.outlet:
        name += {"velocity": "-velocity-outlet", "non-reflecting": "-non-reflecting", "pressure": ""}[args.outlet]
    if args.paper_speed:
        name += "-paper-speed"
    quoted = " ".join("--set " + (f"'{s}'" if set(s) & set(' {["') else s) for s in settings)
    folder = f"out/sphere-{args.lattice.lower()}{name}-re{reynolds}-{nodes}"
    return f"fluvia run cases/sphere-in-pipe.toml {quoted} {extra}--output {folder}"


def print_commands(args):
    """Steady flows do not depend on the speed on the lattice, so large speeds save steps. With the paper's rate, s_h = 1,
    walls move with the viscosity: there table 2 takes the paper's speeds, and table 3 a rate that puts walls where the
    paper's are."""
    published = args.rates == "paper"
    name = "-paper" if published else "-walls" if args.walls == "interpolated" else ""
    sizes = [args.nodes] if args.nodes else [32, 64, 128] if args.table == 2 else [128]
    for nodes in sizes:
        every = ["monitor.every=500"] if nodes > 64 else []
        if args.table == 2:
            speed = PAPER_SPEED.get(nodes, 0.004) if published else 0.004
            print(run_command(args, 1, nodes, speed, cubic=1 if published else None, name=name,
                              options=every + ["output.vtk=none"], extra="--steps 260000 "))
            continue
        step = 1 / nodes_across(nodes)
        plane = ["output.vtk=image", f"output.region=[[-9.0, -2.0, {-step:.6f}], [9.0, 2.0, {step:.6f}]]"]
        for reynolds in args.reynolds or (10, 50, 100, 200, 300, 400):
            if reynolds <= 200 and args.paper_speed:
                print(run_command(args, reynolds, nodes, TABLE_3_SPEED, cubic=1 if published else None, name=name,
                                  options=every + plane, extra="--steps 400000 "))
                continue
            if reynolds <= 200:
                speed = 0.1
                paper_viscosity = TABLE_3_SPEED * nodes_across(nodes) / reynolds
                cubic = cubic_rate(5 * paper_viscosity, paper_viscosity) if published else None
                print(run_command(args, reynolds, nodes, speed, cubic=cubic, name=name,
                                  options=every + plane, extra="--steps 150000 "))
                continue
            if args.lattice == "D3Q13" and not published:  # not stable so close to tau = 1/2
                continue
            speed = TABLE_3_SPEED if args.paper_speed else 0.05
            time = {300: 560, 400: 920}[reynolds] if args.full_length else {300: 180, 400: 240}[reynolds]  # d/u
            steps = round(time * nodes_across(nodes) / speed)
            print(run_command(args, reynolds, nodes, speed, cubic=1, name=name, extra=f"--steps {steps} ", options=[
                "monitor.every=400", "run.steady.tolerance=1e-12", "physics.initial_velocity=[1.0, 0.02, 0.01]",
                *plane]))


def runs_of(args):
    return sorted(map(Run, args.folders), key=lambda r: (r.lattice, r.published, round(r.reynolds), r.nodes))


def print_table(args):
    print("| Re | lattice | nodes across sphere | steps | drag coefficient | eqs 14-20 | error | paper | its error | "
          "pressure/viscous A | paper | B |")
    print("|---" * 12 + "|")
    for run in runs_of(args):
        reynolds = round(run.reynolds)
        drag, expected = run.last(DRAG_COLUMN, args.average), expected_drag(run.reynolds)
        cells = [f"{reynolds}", run.model(), f"{run.across:.1f}", f"{run.steps}", f"{drag:.4g}", f"{expected:.4g}",
                 f"{100 * (drag / expected - 1):+.1f}%"]
        paper = run.paper()
        cells += [f"{paper[1]:.4g} ({paper[0]}²)", f"{100 * (paper[1] / expected - 1):+.1f}%"] if paper else ["", ""]
        ratios = [run.parts_ratio(way, args.average) for way in ("exchange", "integral")]
        first, second = (f"{ratio:.2f}" if ratio else "" for ratio in ratios)
        cells += [first, f"{PAPER_RATIO.get(reynolds, '')}", second]
        print("| " + " | ".join(cells) + " |")


def strouhal_number(run):
    """The frequency of the highest peak in the second half of the run; 0 if the drag does not change by a thousandth there."""
    if run.steady or run.reynolds < 250:
        return 0.0
    frequency, amplitude, mean = spectrum(run, 0.5)
    peak = np.argmax(amplitude[1:]) + 1
    return float(frequency[peak]) if amplitude[peak] > 1e-3 * mean else 0.0


def write_digest(args):
    runs = []
    for run in runs_of(args):
        drag, expected = run.last(DRAG_COLUMN), expected_drag(run.reynolds)
        paper = run.paper()
        other_grid = f", {run.across:.0f} nodes across" if paper and paper[0] != run.nodes else ""
        every = -(-len(run.values) // 400)
        history = np.column_stack([run.column("time"), run.column(DRAG_COLUMN)])[::every]
        runs.append({
            "reynolds": round(run.reynolds), "scheme": run.scheme, "format": run.format,
            "lattice": run.model() + other_grid + (", cut off" if run.cut_off else ""),
            "nodes_across": round(run.across, 2), "box": run.box, "porosity": run.summary["geometry"].get("porosity"),
            "drag": round(drag, 5), "expected": round(expected, 5), "error": round(drag / expected - 1, 5),
            "paper": paper[1] if paper and paper[0] == run.nodes else None,
            "pressure_viscous_a": run.parts_ratio("exchange"), "pressure_viscous_b": run.parts_ratio("integral"),
            "strouhal": strouhal_number(run), "steps": run.steps, "steady": run.steady,
            "mflups": run.summary["results"].get("mflups"), "seconds": run.summary["results"].get("seconds"),
            "memory_bytes": run.summary["plan"].get("memory_bytes"), "device": run.summary["plan"].get("device"),
            "history": [[float(f"{t:.6g}"), float(f"{c:.6g}")] for t, c in history]})
    lines = [json.dumps(run) for run in runs]
    Path(args.json).write_text('{"runs": [\n' + ",\n".join(lines) + "\n]}\n")
    print(f"{args.json}: {len(runs)} runs")


def steady_part(run, share):
    """Times in d/u and deviations of the drag from its mean over the last part of the run, evenly spaced."""
    time, drag = run.column("time"), run.column(DRAG_COLUMN)
    chosen = time > time[-1] * (1 - share)
    time, drag = time[chosen], drag[chosen]
    even = np.linspace(time[0], time[-1], len(time))
    drag = np.interp(even, time, drag)
    return even, drag - drag.mean(), drag.mean()


def panels(args, figure):
    """Axes for every Reynolds number, one below the other, with its runs."""
    runs = runs_of(args)
    numbers = sorted({round(run.reynolds) for run in runs})
    for k, reynolds in enumerate(numbers):
        yield figure.add_subplot(len(numbers), 1, k + 1), [run for run in runs if round(run.reynolds) == reynolds]


def draw_history(args, figure):
    for axes, runs in panels(args, figure):
        for run in runs:
            axes.plot(run.column("time"), run.column(DRAG_COLUMN), label=run.label(), linewidth=1)
        settled = np.concatenate([run.column(DRAG_COLUMN)[len(run.values) // 5:] for run in runs])
        margin = 0.1 * (settled.max() - settled.min()) + 1e-3
        axes.set_ylim(settled.min() - margin, settled.max() + 3 * margin)  # room for the legend
        axes.set_xlabel("time [d/u]")
        axes.set_ylabel("drag coefficient")
        axes.legend(loc="upper right", fontsize=8)


def spectrum(run, share):
    """Strouhal numbers f d/u, amplitudes of the drag there, and its mean, over the last part of the run."""
    time, drag, mean = steady_part(run, share)
    window = np.hanning(len(drag))
    return np.fft.rfftfreq(len(drag), time[1] - time[0]), 2 * np.abs(np.fft.rfft(drag * window)) / window.sum(), mean


def draw_spectrum(args, figure):
    for axes, runs in panels(args, figure):
        for run in runs:
            frequency, amplitude, mean = spectrum(run, args.average or 0.5)
            axes.plot(frequency, 100 * amplitude / mean, label=run.label(), linewidth=1)
            peak = np.argmax(amplitude[1:]) + 1
            print(f"{run.label()}: mean {mean:.4f}, peak at St {frequency[peak]:.3f} +- {frequency[1]:.3f}, "
                  f"amplitude {100 * amplitude[peak] / mean:.3g}%")
        axes.set_xlim(0, 1)
        axes.set_xlabel("Strouhal number f d/u")
        axes.set_ylabel("amplitude, % of mean drag")
        axes.legend(loc="upper right", fontsize=8)


def middle_plane(run):
    """Coordinates, in-plane velocity and mask of the nodes next to z = 0 of the last field file."""
    import h5py

    file = h5py.File(sorted(run.folder.glob("fields-*.vtkhdf"))[-1])["VTKHDF"]
    if file.attrs["Type"].decode() != "ImageData":
        sys.exit(f"{run.folder}: run with --set output.vtk=image for streamlines")
    origin, step = np.array(file.attrs["Origin"]), np.array(file.attrs["Spacing"])
    velocity = file["PointData/velocity"]
    depth, height, width, _ = velocity.shape
    plane = velocity[depth // 2].astype(float)
    if depth % 2 == 0:
        plane = 0.5 * (plane + velocity[depth // 2 - 1])
    x, y = origin[0] + step[0] * np.arange(width), origin[1] + step[1] * np.arange(height)
    return x, y, plane


def draw_streamlines(args, figure):
    from matplotlib.patches import Circle

    runs = sorted(map(Run, args.folders), key=lambda run: (round(run.reynolds), run.model()))
    columns = len({run.model() for run in runs})
    for k, run in enumerate(runs):
        axes = figure.add_subplot(-(-len(runs) // columns), columns, k + 1)
        x, y, velocity = middle_plane(run)
        speed = np.hypot(velocity[..., 0], velocity[..., 1])
        radius = np.hypot(x[None, :], y[:, None])
        outside = (radius < 0.5) | (np.abs(y[:, None]) > 1 + 0 * x)
        shown = axes.pcolormesh(x, y, np.ma.array(speed, mask=outside), shading="nearest", cmap="viridis")
        u, v = (np.where(outside, np.nan, velocity[..., a]) for a in (0, 1))
        heights = np.linspace(-0.97, 0.97, 39)
        start = np.concatenate([np.column_stack([np.full_like(heights, x[2]), heights])] + [
            np.column_stack([np.full(9, behind), np.linspace(-height, height, 9)])
            for behind, height in ((0.62, 0.28), (1.4, 0.4), (2.4, 0.5), (3.3, 0.6))])
        axes.streamplot(x, y, u, v, start_points=start, density=8, color="white", linewidth=0.5, arrowsize=0.01)
        axes.add_patch(Circle((0, 0), 0.5, color="0.6"))
        axes.set_aspect("equal")
        axes.set_xlim(max(x[0], -1.5), min(x[-1], 4.2))
        axes.set_ylim(-1, 1)
        axes.set_xlabel("x/d")
        axes.set_ylabel("y/d")
        axes.set_title(run.label(), fontsize=9)
        figure.colorbar(shown, ax=axes, label="speed in the plane / u", shrink=0.8)


def ring_velocities(points, rings, angles=400):
    """Velocities (r, z) at points (r, z) caused by rings of radial and of axial Stokeslets of total force 1, mu = 1."""
    angle = (np.arange(angles) + 0.5) * 2 * np.pi / angles
    cosine, sine = np.cos(angle), np.sin(angle)
    count, total = len(points), len(rings)
    matrix = np.zeros((2 * count, 2 * total))
    for k, (radius, height) in enumerate(rings):
        x, y = points[:, :1] - radius * cosine, -radius * sine
        z = (points[:, 1] - height)[:, None]
        inverse = 1 / np.sqrt(x**2 + y**2 + z**2)
        along = (x * cosine + y * sine) * inverse**3
        matrix[:count, k] = (cosine * inverse + x * along).mean(1)
        matrix[count:, k] = (z * along).mean(1)
        matrix[:count, total + k] = (x * z * inverse**3).mean(1)
        matrix[count:, total + k] = (inverse + z**2 * inverse**3).mean(1)
    return matrix / (8 * np.pi)


def print_stokes(_):
    """Boundary collocation: rings of Stokeslets inside of the sphere and outside of a closed pipe of 6 diameters."""
    radius, pipe, half_length = RATIO, 1.0, 3.0

    def outline(sphere_count, wall_count, lid_count, sphere_scale, wall_distance):
        polar = (np.arange(sphere_count) + 0.5) * np.pi / sphere_count
        r, end = pipe + wall_distance, half_length + wall_distance
        lid = (np.arange(lid_count) + 0.5) / lid_count * r
        parts = [sphere_scale * radius * np.column_stack([np.sin(polar), np.cos(polar)]),
                 np.column_stack([np.full(wall_count, r), np.linspace(-end, end, wall_count)])]
        return np.vstack(parts + [np.column_stack([lid, np.full(lid_count, side * end)]) for side in (-1, 1)])

    for rings in (20, 30):
        points, sources = outline(2 * rings, 200, 28, 1, 0), outline(rings, 100, 14, 0.75, 0.25)
        matrix = ring_velocities(points, sources)
        wanted = np.zeros(2 * len(points))
        wanted[len(points):len(points) + 2 * rings] = 1
        forces = np.linalg.lstsq(matrix, wanted, rcond=1e-12)[0]
        factor = forces[len(sources):len(sources) + rings].sum() / (6 * np.pi * radius)
        error = np.abs(matrix @ forces - wanted).max()
        print(f"wall factor {factor:.5f}, drag coefficient {24 * factor:.3f} / Re, boundary error {error:.1e}")


def draw(args):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    if args.command == "streamlines":
        columns = len({Run(folder).model() for folder in args.folders})
        figure = plt.figure(figsize=(8 * columns, 3 * -(-len(args.folders) // columns)))
        draw_streamlines(args, figure)
    else:
        figure = plt.figure(figsize=(8, 3 * len({round(run.reynolds) for run in runs_of(args)})))
        (draw_history if args.command == "history" else draw_spectrum)(args, figure)
    figure.tight_layout()
    figure.savefig(args.png, dpi=110)
    print(args.png)


def require(command):
    """Ends with one line if a package is missing that this command needs."""
    missing = [name for name in NEEDED.get(command, ("numpy",)) if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(f"sphere_in_pipe.py {command}: needs {' and '.join(missing)}, not installed for {sys.executable}; "
                 "pip install -r scripts/test-requirements.txt")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    printing = commands.add_parser("commands")
    printing.add_argument("--table", type=int, choices=(2, 3), default=2)
    printing.add_argument("--nodes", type=int, help="nodes across the box (table 2: 32, 64, 128; table 3: 128)")
    printing.add_argument("--reynolds", type=int, nargs="+", metavar="RE", help="only these, table 3")
    printing.add_argument("--lattice", choices=("D3Q19", "D3Q13"), default="D3Q19")
    printing.add_argument("--rates", choices=("half-way", "paper"), default="half-way",
                          help="D3Q13: the rate of the cubic moments that puts straight walls half-way, or the paper's")
    printing.add_argument("--format", choices=("fp32", "fp64"), default="fp32", help="of the populations: the paper's, or double precision")
    printing.add_argument("--walls", choices=("half-way", "interpolated"), default="half-way",
                          help="the paper's, or where they are")
    printing.add_argument("--outlet", choices=("velocity", "pressure", "non-reflecting"),
                          help="at the end of the pipe: the paper's, a pressure (from Re 100 on the default), or one that sound leaves through")
    printing.add_argument("--paper-speed", action="store_true", help="table 3 at the paper's speed on the lattice, 0.02, instead of 0.1 and 0.05")
    printing.add_argument("--full-length", action="store_true", help="Re 300 and 400: as long as the paper's runs, 560 and 920 d/u")
    digest = commands.add_parser("digest")
    digest.add_argument("folders", nargs="+", metavar="DIR")
    digest.add_argument("--json", required=True, metavar="FILE")
    for name in ("table", "history", "spectrum", "streamlines"):
        command = commands.add_parser(name)
        command.add_argument("folders", nargs="+", metavar="DIR")
        command.add_argument("--average", type=float, default=0.0, metavar="SHARE",
                             help="use the mean over this last share of the run (spectrum: 0.5)")
        if name != "table":
            command.add_argument("--png", required=True, metavar="FILE")
    commands.add_parser("stokes")
    args = parser.parse_args()
    require(args.command)
    if args.command == "stokes":
        print_stokes(args)
    elif args.command == "commands":
        print_commands(args)
    elif args.command == "table":
        print_table(args)
    elif args.command == "digest":
        write_digest(args)
    else:
        draw(args)


if __name__ == "__main__":
    main()
