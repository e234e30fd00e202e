# SPDX-License-Identifier: Apache-2.0
"""S3: the sphere in a pipe: drag, history, spectrum."""
import cmath
import math
import re

import paper
import s3_speed
from document import Figure, Section, Table, Verdict
from drawing import Line
from formats import count, number, percent, span
from verdicts import by_claims, claim_table, finding, over, statements, unseen, with_claims

ROUNDING = 0.1  # percentage points by which errors must differ to count
NEAR = 0.02  # of the paper's drag
FINEST = 60.95  # nodes across the sphere in Table 3
PEAK_WIDTH = 0.03  # how far from the paper's Strouhal number a peak may lie
RANGES = ((0.0, 0.1), (0.1, 0.6))  # of Strouhal numbers: slow motion, and shedding
NO_RUNS = "Not measured: no sphere.json (written by `scripts/sphere_in_pipe.py digest`)."


def error_percent(run):
    return 100 * (run["drag"] / run["expected"] - 1)


def signed_error(row, reference):
    """The paper prints errors without their signs, which follow from its drags."""
    return math.copysign(row["error_percent"], row["drag"] - reference)


def kind(run):
    """Lattice and rates; the resolution stands elsewhere."""
    return re.sub(r", \d+ nodes across", "", run["lattice"])


def label(run):
    return f"{kind(run)}, {run['nodes_across']:.1f} nodes across"


def is_published(run):
    """Whether a run is of the paper's system: D3Q13 with its relaxation rates, in a pipe whose ends reflect sound."""
    return kind(run).startswith("D3Q13, rates of the paper") and "non-reflecting" not in kind(run)


def by_errors(pairs, claims=()):
    """The verdict on (label, our run, the paper's row) at the same resolution. No larger error is what counts; drags near the
    paper's own count as partly reproduced, whatever the correlation says. The paper's system is judged if it was run, others are told."""
    others = [p for p in pairs if not is_published(p[1])]
    system = [p for p in pairs if is_published(p[1])]
    judged = with_claims(errors_verdict(system or others), claims)
    if not system or not others:
        return judged
    words = errors_verdict(others).text
    return Verdict(judged.word, f"D3Q13 with the paper's rates: {judged.text} Others, not judged: {words}", judged.why)


def errors_verdict(pairs):
    if not pairs:
        return Verdict("not measured", "no run at the paper's resolution.")
    larger = [(name, run, row) for name, run, row in pairs if abs(error_percent(run)) > paper_error(run, row) + ROUNDING]
    smaller = [p for p in pairs if abs(error_percent(p[1])) < paper_error(p[1], p[2]) - ROUNDING]
    apart = [abs(run["drag"] / row["drag"] - 1) for _, run, row in pairs]
    near = sum(d <= NEAR for d in apart)
    text = (f"at the paper's resolution {len(pairs)} runs, of which {len(smaller)} have a smaller error than the paper's and "
            f"{len(larger)} a larger one (by more than {ROUNDING:g} percentage points); {near} have its drag within {percent(NEAR, 0)}, the farthest is "
            f"{percent(max(apart))} off")
    if larger:
        names = "; ".join(f"{name}: {error_percent(run):+.1f}% against {signed_error(row, run['expected']):+.1f}%"
                          for name, run, row in larger)
        word = "partly reproduced" if 2 * len(larger) <= len(pairs) or 2 * near > len(pairs) else "worse"
        return Verdict(word, f"{text}. Larger errors: {names}.",
                       "examined in docs/sphere-in-pipe.md: rates, places of the sphere between the nodes, what drag converges "
                       "to. The correlations themselves are good to 5 or 6% (section 6 of the paper).")
    return Verdict("better" if 2 * len(smaller) > len(pairs) else "reproduced", text + ".")


def drag_lines(row, runs, paper_cells):
    """The paper's line and ours below it."""
    lines = [[paper_cells[0], "paper", *paper_cells[1:]]]
    for run in runs:
        lines.append(["", label(run), "×".join(map(str, run["box"])), count(run["steps"]), f"{run['drag']:#.4g}",
                      f"{run['expected']:#.4g}", f"{error_percent(run):+.1f}%", number(run.get("pressure_viscous_a"), 2),
                      number(run.get("pressure_viscous_b"), 2), count(round(run["mflups"])) if run.get("mflups") else None,
                      number(run["memory_bytes"] / 1e6, 0) if run.get("memory_bytes") else None, number(run.get("seconds"), 0)])
    return lines


HEADER = ["Re", "run", "box", "steps", "drag", "expected", "error", "pressure/viscous A", "B", "MFLUPS", "MB", "seconds"]


def paper_error(run, row):
    """The paper's error in percent, by its drag: its tables round it."""
    return 100 * abs(row["drag"] / run["expected"] - 1)


def same_resolution(run, diameter):
    return abs(run["nodes_across"] / diameter - 1) < 0.03


def table_2(inputs):
    section = Section("S3 Table 2: sphere in a pipe at Re 1")
    section.say("A sphere moving along a pipe of twice its diameter; drag coefficient against eq. 17 on three grids. Ours with "
                "the lattices and grids that were run, each with its speed in fluid nodes, its memory and the time of the whole run; the physics is explained in docs/sphere-in-pipe.md.")
    expected = paper.load("s3")["Table 2"]["expected"]
    runs = [r for r in inputs.sphere if abs(r["reynolds"] - 1) < 1e-6]
    lines, pairs = [], []
    for row in paper.rows("s3", "Table 2"):
        here = [r for r in runs if same_resolution(r, row["diameter"])]
        cells = [f"1, d = {row['diameter']:.1f}", "×".join(map(str, row["box"])), count(row["steps"]), f"{row['drag']:#.4g}",
                 f"{expected:.1f}", f"{signed_error(row, expected):+.1f}%", None, None, number(row["mflups"], 0), number(row["memory_mb"], 0), None]
        lines += drag_lines(row, here, cells)
        pairs += [(label(r), r, row) for r in here]
    section.add(Table(HEADER, lines))
    if not runs:
        section.say(NO_RUNS)
    claims = statements("s3", "Table 2", table_2_found(inputs, pairs))
    section.add(by_errors(pairs, claims))
    section.add(claim_table(claims))
    return section


def of_system(runs):
    """Runs of the paper's system, or all if there are none."""
    return [r for r in runs if is_published(r)] or runs


def table_2_found(inputs, pairs):
    """`pairs`: (label, our run, the paper's row)."""
    grids = {}
    for run in of_system([r for _, r, _ in pairs]):
        grids.setdefault(kind(run), []).append((run["nodes_across"], abs(error_percent(run))))
    grids = {k: [e for _, e in sorted(v)] for k, v in grids.items() if len(v) > 1}
    words = "; ".join(f"{k}: {', '.join(f'{e:.1f}%' for e in v)}" for k, v in grids.items())
    told = [r for r in of_system(inputs.sphere) if r.get("porosity")]
    finest = max(told, key=lambda r: r["nodes_across"], default=None)
    halves = [r["fluid_nodes"] / math.prod(r["nodes"]) for r in inputs.find("S3 Table 4", scheme=("fcc", "fcc-shared"))]
    return {13: finding(all(v[-1] < v[0] for v in grids.values()), words, "the finest grid has the smaller error") if grids else
            unseen("fewer than two grids"),
            14: finding(abs(finest["porosity"] - math.pi / 4) <= 0.1, f"{finest['porosity']:.3f} with {finest['nodes_across']:.0f} nodes across",
                        "within 0.1 of π/4: here the pipe does not touch the faces of the box") if finest else
            unseen("these runs do not tell their share of fluid nodes"),
            15: finding(max(halves) <= 0.5001, f"{max(halves):.3f} of the box are stored (S3 Table 4)") if halves else unseen("no rows of `fcc`"),
            16: accuracy(inputs), 17: stability(inputs)}


def accuracy(inputs):
    """Drag in single precision beside the same run in double."""
    def name(run):
        return (run["reynolds"], kind(run), round(run["nodes_across"]))

    double = {name(r): r["drag"] for r in inputs.sphere_in("fp64")}
    pairs = {f"Re {r['reynolds']}, {label(r)}": abs(r["drag"] / double[name(r)] - 1) for r in inputs.sphere if name(r) in double}
    if not pairs:
        return unseen("all runs are in fp32, and none was made in fp64 to compare")
    return over(pairs, lambda d: d <= 0.005, "runs", "drags within 0.5%") if any(d > 0.005 for d in pairs.values()) else \
        finding(True, f"drags of {len(pairs)} runs differ by up to {100 * max(pairs.values()):.2g}%", "drags within 0.5%")


def stability(inputs):
    """The largest Reynolds number of a node that D3Q13 survives, in doublings."""
    limits = {r["format"]: r for r in inputs.stability if r["lattice"] == "D3Q13" and r["collision"] == "mrt"}
    if not {"fp32", "fp64"} <= set(limits):
        return unseen("no stability.json with both formats (scripts/stability_map.py --json)")
    single, double = limits["fp32"], limits["fp64"]
    flows = [f for f in single["limits"] if single["limits"][f] and double["limits"].get(f)]
    words = "; ".join(f"{f}: U h/ν up to {single['limits'][f]} in fp32, {double['limits'][f]} in fp64" for f in flows)
    return finding(all(double["limits"][f] / 2 <= single["limits"][f] <= double["limits"][f] for f in flows), words,
                   "as far as fp64, or half as far, of values that double") if flows else unseen("no flow was brought to its limit")


def table_3_found(inputs):
    runs = of_system([r for r in inputs.sphere if r["reynolds"] > 1.5 and same_resolution(r, FINEST)])
    both = {f"Re {r['reynolds']}": r["pressure_viscous_a"] / r["pressure_viscous_b"] - 1 for r in runs
            if r.get("pressure_viscous_a") and r.get("pressure_viscous_b")}
    rising = sorted((r["reynolds"], r["pressure_viscous_a"]) for r in runs if r.get("pressure_viscous_a"))
    theirs = {r["reynolds"]: r["pressure_viscous"] for r in paper.rows("s3", "Table 3")}
    ends = [(re, v, theirs[re]) for re, v in rising if re in (10, 400)]
    return {18: over(both, lambda v: abs(v) <= 0.1, "runs") if both else unseen("no run has both"),
            19: finding(all(a[1] <= b[1] for a, b in zip(rising, rising[1:])) and all(abs(h / t - 1) <= 0.1 for _, h, t in ends),
                        ", ".join(f"{v:.2f} (Re {re})" for re, v in rising), "rising, and within 10% of these")
            if {re for re, _, _ in ends} == {10, 400} else
            unseen("no such runs at both ends")}


def table_3(inputs):
    section = Section("S3 Table 3: sphere in a pipe at Re 10 to 400")
    section.say("The same on 512 × 128², d = 60.95, up to the unsteady flows at Re 300 and 400, where drag is a mean. Runs on "
                "other grids are listed and not judged. Ours took other numbers of steps, so that seconds compare with theirs by the step.")
    lines, pairs = [], []
    for row in paper.rows("s3", "Table 3"):
        here = [r for r in inputs.sphere if abs(r["reynolds"] / row["reynolds"] - 1) < 0.01]
        cells = [str(row["reynolds"]), "512×128×128", count(row["steps"]), f"{row['drag']:#.4g}", f"{row['reference']:#.4g}",
                 f"{signed_error(row, row['reference']):+.1f}%", number(row["pressure_viscous"], 2), None, None, None, number(row["seconds"], 0)]
        lines += drag_lines(row, here, cells)
        pairs += [(f"Re {row['reynolds']}, {kind(r)}", r, row) for r in here if same_resolution(r, 60.95)]
    section.add(Table(HEADER, lines))
    if not any(r["reynolds"] > 1.5 for r in inputs.sphere):
        section.say(NO_RUNS)
    claims = statements("s3", "Table 3", table_3_found(inputs))
    section.add(by_errors(pairs, claims))
    section.add(claim_table(claims))
    return section


def platforms(inputs):
    """S3 Table 1, with the machine at hand."""
    section = Section("S3 Table 1: platforms")
    section.say("Theoretical peak performance and bandwidth by data sheets; the last line is the machine at hand, as far as this report "
                "knows it (fp32, without tensor cores).")
    lines = [[r["platform"], number(r["peak_gflops"], 0), number(r["bandwidth_gb_s"], 1), number(r["bandwidth_gb_s"] / r["peak_gflops"], 2)]
             for r in paper.rows("s3", "Table 1")]
    flop, peak = paper.peak_arithmetic(inputs.device), paper.peak_bandwidth(inputs.device)
    lines.append([inputs.device or "no machine", number(flop / 1e9, 0) if flop else None, number(peak / 1e9, 1) if peak else None,
                  number(peak / flop, 3) if peak and flop else None])
    section.add(Table(["platform", "peak, GFLOPS", "bandwidth, GB/s", "bytes a FLOP"], lines))
    there = paper.load("s3")["Table 1"]["copy_share"]
    found = finding(inputs.copy / peak >= 0.95 * there, f"{percent(inputs.copy / peak, 0)}", f"from {percent(0.95 * there, 0)} on") \
        if peak and inputs.copy else unseen("the theoretical bandwidth of this machine is not known")
    claims = statements("s3", "Table 1", {1: found})
    section.add(by_claims(claims))
    section.add(claim_table(claims))
    return section


def unsteady(inputs):
    """Runs with shedding, those at the paper's resolution if there are any."""
    runs = [r for r in inputs.sphere if r["reynolds"] > 250 and len(r.get("history", [])) > 20]
    return [r for r in runs if same_resolution(r, FINEST)] or runs


def developed(run):
    """The later half of a history: (times, drag) of the oscillating state."""
    history = run["history"][len(run["history"]) // 2:]
    return [t for t, _ in history], [c for _, c in history]


def spectrum(times, values):
    """Amplitudes over frequency of evenly spaced values, by the plain Fourier sum, with a Hann window."""
    n = len(values)
    mean = sum(values) / n
    window = [0.5 - 0.5 * math.cos(2 * math.pi * k / (n - 1)) for k in range(n)]
    weighted = [w * (v - mean) for w, v in zip(window, values)]
    span = (times[-1] - times[0]) * n / (n - 1)
    frequencies = [k / span for k in range(1, n // 2)]
    amplitudes = [2 / sum(window) * abs(sum(v * cmath.exp(-2j * math.pi * k * m / n) for m, v in enumerate(weighted)))
                  for k in range(1, n // 2)]
    return frequencies, amplitudes


def highest_within(low, high, frequency, amplitude):
    """Where the spectrum is largest between two Strouhal numbers, and how high that is beside its highest peak."""
    height, at = max(((a, f) for f, a in zip(frequency, amplitude) if low <= f < high), default=(0, low))
    return at, height / max(amplitude)


def peak_found(run, wanted, frequency, amplitude):
    """Whether the highest peak of its range lies where the paper's does."""
    low, high = next(r for r in RANGES if r[0] <= wanted < r[1])
    at, height = highest_within(low, high, frequency, amplitude)
    return finding(abs(at - wanted) <= PEAK_WIDTH and height >= 0.5,
                   f"{kind(run)}: highest of its range at {at:.3f}, {height:.2f} times the highest of all",
                   f"within {PEAK_WIDTH:g}, highest from {low:g} to {high:g}, half of the highest of all")


def all_of(found):
    """One finding of several runs: of the paper's system if it was run, else of all."""
    if not found:
        return None
    return finding(all(f.holds for f in found), "; ".join(f.found for f in found), found[0].rule)


def figure_8(inputs):
    section = Section("S3 Fig 8: streamlines")
    section.say("Streamlines at Re 200 (steady), 300 and 400 (as the runs ended), by `scripts/sphere_in_pipe.py "
                "streamlines`; distances in diameters d of the sphere. The pictures themselves are to be compared by eye.")
    runs = of_system([r for r in inputs.sphere if same_resolution(r, FINEST) and r["reynolds"] in (200, 300, 400) and "steady" in r])
    steady = {f"Re {r['reynolds']}": (r["steady"], r["reynolds"] == 200) for r in runs}
    claims = statements("s3", "Fig 8", {20: over(steady, lambda pair: pair[0] == pair[1], "runs", "steady at 200, not at 300 and 400")
                                        if len(steady) == 3 else unseen("not all three were run")})
    places = ("streamlines.png", "../images/sphere-streamlines.png")
    found = next((place for place in places if (inputs.folder / place).exists()), None)
    if found:
        section.add(Figure(found, "Streamlines and speed in the plane z = 0, seen from the sphere, in units of its speed u."))
    else:
        section.say("No streamlines.png in this folder; see docs/sphere-in-pipe.md.")
    section.add(by_claims(claims))
    section.add(claim_table(claims))
    return section


def figure_9(inputs, draw):
    section = Section("S3 Fig 9: drag over time")
    section.say("Drag coefficient over time at Re 300 and 400, where vortices are shed.")
    runs = unsteady(inputs)
    lines = [Line(f"Re {r['reynolds']:g}, {kind(r)}", [t for t, _ in r["history"]], [c for _, c in r["history"]], dots=False)
             for r in runs]
    late = [c for r in runs for _, c in r["history"][len(r["history"]) // 10:]]
    margin = 0.15 * (max(late) - min(late)) if late else 0
    section.add(draw.lines("s3-fig9", "Drag coefficient over time in units of d/u, beginning cut off.", lines, "time, d/u",
                           "drag coefficient", y_range=(min(late) - margin, max(late) + margin) if late else None))
    found = []
    for run in of_system([r for r in runs if abs(r["reynolds"] - 300) < 5]):
        _, drag = developed(run)
        swing = 50 * (max(drag) - min(drag)) / (sum(drag) / len(drag))
        found.append(finding(0.5 <= swing <= 2, f"{kind(run)}: {swing:.2f}%", "0.5% to 2%"))
    claims = statements("s3", "Fig 9", {21: all_of(found) or unseen("no run with a history")})
    section.add(by_claims(claims, why_other_peaks(runs)))
    section.add(claim_table(claims))
    return section


def why_other_peaks(runs):
    """How long our records are beside the paper's, whose lengths follow from the notes of Table 3."""
    lengths = {}
    for run in runs:
        times, _ = developed(run)
        lengths.setdefault(round(run["reynolds"]), []).append(times[-1] - times[0])
    words = [f"{span(lengths[r['reynolds']], lambda v: f'{v:.0f}')} d/u at Re {r['reynolds']} (the paper's: some {r['record']})"
             for r in paper.rows("s3", "Fig 10 records") if max(lengths.get(r["reynolds"], [r["record"]])) < r["record"]]
    kinds = sorted({kind(r) for r in runs})
    if not words:
        return f"our records are as long as the paper's; lattices and rates compared in docs/sphere-in-pipe.md: {', '.join(kinds)}."
    return (f"our records are shorter: {', '.join(words)}, which makes low frequencies uncertain by one over their length; lattices and "
            f"rates are compared in docs/sphere-in-pipe.md ({', '.join(kinds)}).")


def figure_10(inputs, draw):
    section = Section("S3 Fig 10: spectrum of the drag")
    section.say("Amplitude over Strouhal number f d/u. The paper has a peak at 0.2 for Re 300, and at 0.03 and a \"more or less "
                "pronounced\" one at 0.22 for Re 400; an experiment with a free sphere 0.15 to 0.18. A peak counts if it is the "
                f"highest of its range, below {RANGES[0][1]:g} or from there to {RANGES[1][1]:g}, lies within {PEAK_WIDTH:g} of "
                "the paper's, and is at least half as high as the highest of all.")
    lines, found, runs = [], {}, unsteady(inputs)
    chosen = {(r["reynolds"], kind(r)) for re in (300, 400) for r in of_system([r for r in runs if round(r["reynolds"]) == re])}
    for run in runs:
        times, drag = developed(run)
        frequency, amplitude = spectrum(times, drag)
        mean = sum(drag) / len(drag)
        shown = [(f, 100 * a / mean) for f, a in zip(frequency, amplitude) if f <= RANGES[1][1]]
        lines.append(Line(f"Re {run['reynolds']:g}, {kind(run)}", [f for f, _ in shown], [a for _, a in shown], dots=False))
        for number_of, row in zip((22, 23, 24), paper.rows("s3", "Fig 10")):
            if row["reynolds"] == round(run["reynolds"]) and (run["reynolds"], kind(run)) in chosen:
                found.setdefault(number_of, []).append(peak_found(run, row["strouhal"], frequency, amplitude))
    section.add(draw.lines("s3-fig10", "Spectrum of the drag, later half of the run.", lines, "Strouhal number f d/u",
                           "amplitude, % of the mean drag"))
    claims = statements("s3", "Fig 10", {n: all_of(found.get(n)) or unseen("no run with a history") for n in (22, 23, 24)})
    section.add(by_claims(claims, why_other_peaks(runs)))
    section.add(claim_table(claims))
    return section


def sections(inputs, draw):
    return [platforms(inputs), table_2(inputs), table_3(inputs), figure_8(inputs), figure_9(inputs, draw), figure_10(inputs, draw),
            s3_speed.table_4(inputs, draw)]
