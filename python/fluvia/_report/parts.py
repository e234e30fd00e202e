# SPDX-License-Identifier: Apache-2.0
"""The sections of the page."""
from __future__ import annotations

import pkgutil
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import plots
from .fields import Fields, label_of
from .images import png_texts
from .markup import Html, element, figure, join, number, pairs, picture, size, table, text, with_error
from .runs import Run

MARKS = {"good": "✓ good", "doubtful": "! doubtful", "bad": "✗ bad", "unknown": "? unknown"}
LEVELS = {"trust": "good", "trust, grid error unknown": "unknown", "trust with care": "doubtful", "do not trust": "bad"}
MOST_PICTURES = 3 << 20  # bytes of the run's own pictures in the page
LONGEST_CASE = 200_000  # characters


@dataclass
class Spatial:
    """Contents of the page that only three-dimensional runs have."""

    view: list[Any] = field(default_factory=list)
    geometry: bytes | None = None
    scripts: list[Html] = field(default_factory=list)


def heading(run: Run) -> list[Html]:
    ended = run.results.get("ended_because", "")
    step, planned = run.summary["run"]["step"], run.results.get("planned_last_step")
    words = f"Fluvia {run.summary['version']} · case {run.summary['case_hash']} · step {step}"
    if planned and planned != step:
        words += f" of {planned}"
    return [element("p", words + (f" · ended: {ended}" if ended else ""), class_="soft")]


def verdict(run: Run) -> Html:
    found = run.results.get("verdict")
    if not found:
        return element("div", element("strong", "No verdict"), element("p", "summary.json has none: the run was made by "
                       "an older version."), class_="verdict unknown", role="note")
    level = LEVELS.get(found["verdict"], "doubtful")
    sentence = found["sentence"]
    for start in ("verdict:", found["verdict"] + ":"):  # what the terminal needs
        sentence = sentence.removeprefix(start).strip()
    sentence = sentence.replace(" more above)", " more below)")
    mark = MARKS[level].split()[0]
    return element("div", element("strong", f"{mark} Verdict: {found['verdict']}", class_=level), element("p", sentence),
                   class_=f"verdict {level}", role="note")


def facts(run: Run) -> Html:
    geometry, units, plan = run.summary["geometry"], run.summary["units"], run.summary["plan"]
    nodes = geometry["nodes"][:run.dimension]
    unit = {"spacing": " m", "time": " s"} if run.si else {"spacing": "", "time": " steps"}
    entries = [
        ("Nodes", " × ".join(str(n) for n in nodes)),
        ("Fluid nodes", f"{int(geometry['fluid_nodes']):,}".replace(",", "\u202f")),
        ("Spacing", number(geometry["spacing"], 4) + unit["spacing"]),
        ("Time reached", number(run.summary["run"].get("time"), 4) + unit["time"]),
        ("Reynolds number", reynolds(units)),
        ("Mach number", number(units.get("mach"), 3)),
        ("Method", " ".join(str(plan.get(key, "")) for key in ("lattice", "collision", "format"))),
        ("Computed on", f"{plan.get('device', '')}, {number(run.results.get('mflups'), 3)} MFLUPS"),
    ]
    known = [(key, value) for key, value in entries if value.strip() and not value.startswith("–") and value != "0"]
    return element("dl", *(element("div", element("dt", key), element("dd", value)) for key, value in known),
                   class_="facts")


def reynolds(units: dict[str, Any]) -> str:
    """Reynolds number of the case, and that of the real fluid where the case computes with another viscosity."""
    computed, real = number(units.get("reynolds"), 4), units.get("physical_reynolds")
    return f"{computed} computed, {number(real, 4)} asked" if real and real != units.get("reynolds") else computed


def kind_of(quantity: dict[str, Any]) -> str:
    """Words for the time and the flow of a result."""
    cycle = quantity.get("cycle")
    words = "mean" if quantity["rms"] is not None else "last"
    if cycle:
        words = f"mean of a cycle; peak {number(cycle['systole'], 4)}, trough {number(cycle['diastole'], 4)}"
    return words + (f"; at {quantity['at']}" if quantity.get("at") else "")


def in_other_unit(quantity: dict[str, Any]) -> str:
    """A result in the unit in which people of its field read it; empty where that is the unit of the case."""
    also = quantity.get("also")
    if not also or not isinstance(quantity["value"], (int, float)):
        return ""
    return f"{number(also['factor'] * quantity['value'], 4)} {also['unit']}"


def results(run: Run) -> list[Any]:
    quantities = run.results.get("quantities", [])
    if not quantities:
        return [element("p", "summary.json lists no results.")]
    rows = []
    for quantity in quantities:
        value, error = with_error(quantity["value"], quantity["error"])
        share = ""
        if quantity["value"] and isinstance(quantity["error"], (int, float)):
            part = abs(quantity["error"] / quantity["value"])
            share = "< 0.01 %" if part < 1e-4 else f"{100 * part:.2g} %" if part < 10 else ""
        rows.append([quantity["name"], value, error, share, number(quantity["rms"], 3), quantity["unit"],
                     kind_of(quantity)])
    heads = ["quantity", "value", "±", "± relative", "rms of fluctuation", "unit", "is"]
    if any(quantity.get("also") for quantity in quantities):
        heads.insert(6, "in the unit of the field")
        for row, quantity in zip(rows, quantities):
            row.insert(6, in_other_unit(quantity))
    caption = "± is what time and averaging leave open, 95 %; “?”: not known."
    if run.results.get("grids"):
        heads[4:4] = ["± of the grid", "limit of fine grids", "order"]
        for row, quantity in zip(rows, quantities):
            row[4:4] = [number(quantity.get("grid_error"), 2), number(quantity.get("limit")), number(quantity.get("order"), 2)]
        caption += " ± of the grid is how far the limit of fine grids may be from the value."
    else:
        caption += " The grid adds an error of its own: run the case on other grids, too (--refine-check)."
    content = [table(caption, heads, rows, range(1, heads.index("unit"))), *grids(run), *residence(run)]
    expected = run.results.get("expected", [])
    if expected:
        rows = [[e.get("column", ""), number(e.get("value")), number(e.get("expected")),
                 "–" if e.get("relative_error") is None else f"{100 * e['relative_error']:+.2f} %", e.get("source", "")]
                for e in expected]
        content.append(table("Beside values known from elsewhere (monitor.expect)",
                             ["quantity", "found", "expected", "difference", "source"], rows, (1, 2, 3)))
    return content


def residence(run: Run) -> list[Any]:
    panels = plots.residence_times(run)
    shown = [figure(panel, f"Residence times of '{name}': how old its points were when they left, and their mean.")
             for name, panel in panels]
    return [element("div", *shown, class_="pair")] if shown else []


def grids(run: Run) -> list[Any]:
    """The other grids that the case ran on."""
    found = run.results.get("grids") or []
    if not found:
        return []
    rows = [[number(grid["factor"], 3), number(grid["spacing"], 4), str(grid["steps"]), grid["problem"] or "ran"]
            for grid in found]
    return [table("Grids that the case ran on besides its own",
                  ["times the spacing", "spacing", "steps", "how it went"], rows, (0, 1, 2))]


def checks(run: Run) -> list[Any]:
    found = (run.results.get("verdict") or {}).get("findings", [])
    rows = []
    for finding in found:
        judgement = finding["judgement"]
        todo = [text(finding.get("advice") or "")]
        settings = finding.get("settings") or []
        if settings:
            todo.append(element("code", " ".join(f"--set {shlex.quote(str(s))}" for s in settings)))
        rows.append([finding["question"], element("span", MARKS.get(judgement, judgement), class_="judgement " + judgement),
                     finding["found"], join(todo, " ")])
    if not rows:
        return []
    return [table("What the run asked itself; between the limits of good and bad it is doubtful.",
                  ["check", "judgement", "found", "to do"], rows)]


def spatial(run: Run, fields: Fields | None, on_message: Callable[[str], None]) -> Spatial:
    from . import rendering, scene, view

    content = scene.make_scene(run, fields)
    pictures = rendering.draw(run, content)
    if pictures.problem:
        on_message(f"report: the page has no drawn pictures: {pictures.problem}")
    result = Spatial(geometry=pictures.geometry)
    if content.empty:
        result.view = [element("p", "There is no three-dimensional view: the run wrote neither fields nor walls "
                                    "(output.vtk, output.wall).")]
        return result
    words = describe(content)
    still = Html("")
    if pictures.flow:
        still = figure(picture(pictures.flow, "png", words), "", id="view-still", class_="framed")
    choices = []
    if content.wall is not None:
        options = [("1", "solid", True), ("0.45", "see-through", False), ("0", "hidden", False)]
        choices.append(element("fieldset", element("legend", "Wall"), *(
            element("label", Html(f'<input type="radio" name="wall" value="{value}"{" checked" if chosen else ""}> '), name)
            for value, name, chosen in options)))
        if len(content.wall.colorings) > 1:
            names = (element("option", coloring.label, value=str(k)) for k, coloring in enumerate(content.wall.colorings))
            choices.append(element("label", "Colour of the wall ", element("select", *names, name="color")))
    if content.lines:
        shown = "" if rendering.is_inside(content) else " checked"
        choices.append(element("label", Html(f'<input type="checkbox" name="lines"{shown}> '), "Streamlines"))
    choices.append(element("button", "Reset the view", type="button"))
    note = "Drag to turn, scroll to zoom, point at the surface for values. " if pictures.flow else ""
    result.view = [
        Html('<div class="buttons" id="view-buttons" hidden>') + join(choices) + Html("</div>"),
        Html(f'<div id="view-live" class="framed" role="img" aria-label="{text("Interactive: " + words)}" hidden></div>'),
        still,
        element("p", element("span", note, id="view-note"), words + ".", class_="soft"),
        element("noscript", element("p", "With JavaScript the picture can be turned.", class_="soft")),
    ]
    result.view[0] = Html(result.view[0])
    result.scripts = [view.data_script(content), view.library_script(),
                      Html("<script>" + (pkgutil.get_data(__package__, "view.js") or b"").decode("utf-8") + "</script>")]
    return result


def describe(scene) -> str:
    words = []
    if scene.wall is not None:
        thinned = ""
        if scene.wall.stored_triangles > len(scene.wall.triangles):
            thinned = f", thinned from {scene.wall.stored_triangles} to {len(scene.wall.triangles)} triangles"
        colored = f"coloured by {scene.wall.colorings[0].label}" if scene.wall.colorings else "without colours"
        words.append(f"the wall, {colored} (from {scene.wall.origin}{thinned})")
    if scene.lines:
        words.append("streamlines of the velocity, coloured by speed")
    phrase = " and ".join(words)
    return phrase[:1].upper() + phrase[1:]


def slices(run: Run, fields: Fields | None, without: str) -> list[Any]:
    content: list[Any] = []
    if fields is None:
        content.append(element("p", without))
    else:
        content.append(element("div", *planes(run, fields), class_="pair"))
    content += own_pictures(run)
    return content


def planes(run: Run, fields: Fields) -> list[Html]:
    names = sorted(fields.values, key=lambda name: (not name.endswith("velocity"), not name.endswith("pressure"), name))
    figures: list[Html] = []
    for name in names[:8]:
        axes = [2]
        if run.dimension == 3:
            axes = [0, 1, 2] if name.endswith("velocity") else [broad_axis(fields)]
        if run.dimension == 3 and name.endswith("wall_shear_stress"):
            continue  # at nodes beside walls only: the view shows it
        for axis in axes:
            number_of = len(figures)
            figures.append(figure(plots.plane(run, fields, name, axis, number_of), caption_of(run, fields, name, axis),
                                  class_="wide" if plots.is_long(run, fields) else None))
    return figures


def broad_axis(fields: Fields) -> int:
    """The axis across which the middle plane has most fluid."""
    counts = [int((fields.index[:, axis] == fields.middle(axis)).sum()) for axis in range(3)]
    return max((2, 1, 0), key=lambda axis: counts[axis])


def caption_of(run: Run, fields: Fields, name: str, axis: int) -> str:
    label = label_of(name)
    label = label[:1].upper() + label[1:]
    if run.dimension == 2:
        return label + (", with streamlines" if name.endswith("velocity") else "")
    where = fields.position(axis, fields.middle(axis))
    return f"{label} on the plane {'xyz'[axis]} = {where:.4g}{' m' if run.si else ''}"


def own_pictures(run: Run) -> list[Any]:
    files = run.pictures()
    shown, left, total = [], [], 0
    for file in files:
        data = file.read_bytes()
        total += len(data)
        if total > MOST_PICTURES or not data.startswith(b"\x89PNG"):
            left.append(file.name)
            continue
        title = png_texts(data).get("Title", file.stem)
        shown.append(figure(picture(data, "png", f"Picture of the run: {title}", loading="lazy"),
                            join([title + " ", element("span", f"({file.name})", class_="soft")]), class_="picture"))
    content: list[Any] = []
    if shown:
        content += [element("h3", "Pictures that the run drew"), element("div", *shown, class_="pair")]
    if left:
        content.append(element("p", f"Not shown, to keep the page small: {', '.join(left)}.", class_="soft"))
    return content


def courses(run: Run) -> list[Any]:
    if len(run.steps) < 2:
        return [element("p", "monitors.csv is missing or has less than two rows, so there are no courses over time.")]
    content: list[Any] = []
    approach = plots.convergence(run)
    if approach:
        content.append(figure(approach, "How far each quantity was from its last value, as a part of what is large of it "
                                        "in the second half. Falling lines: the flow settles. Level ones: it fluctuates, or drifts."))
    panels, more = plots.course_plots(run)
    content.append(element("div", *(figure(panel, "") for panel in panels), class_="pair"))
    if more:
        content.append(element("p", f"{more} more plots are left out; monitors.csv has all columns.", class_="soft"))
    content += statistics(run)
    return content


def statistics(run: Run) -> list[Any]:
    found = run.results.get("statistics") or {}
    columns = found.get("columns") or {}
    if not columns:
        return []
    keys = ["mean", "standard_error", "rms", "min", "max", "frequency", "strouhal"]
    rows = [[name, *(number(values.get(key), 5 if key in ("mean", "min", "max") else 3) for key in keys)]
            for name, values in columns.items()]
    window = f"From step {found.get('from_step', '?')} to {found.get('to_step', '?')}, {found.get('rows', '?')} rows."
    return [element("details", element("summary", "Statistics"),
                    table(window, ["column", "mean", "standard error", "rms", "min", "max",
                                   "frequency [1/s]" if run.si else "frequency [1/step]", "Strouhal"],
                          rows, range(1, 8)))]


def geometry(run: Run, fields: Fields | None, drawn: bytes | None) -> list[Any]:
    known = run.summary["geometry"]
    content: list[Any] = []
    pictures = []
    if run.dimension == 2 and fields is not None and (known["openings"] or known["fluid_nodes"] != known.get("box_nodes")):
        pictures.append(figure(plots.nodes_picture(run, fields), "Fluid light blue, solid brown, openings by name"))
    if drawn:
        pictures.append(figure(picture(drawn, "png", "The wall, and the openings as arrows with their names: blue where "
                                       "fluid enters, orange where it leaves"),
                               "Openings: blue where fluid enters, orange where it leaves" if known["openings"] else
                               "The wall in its box", class_="framed"))
    unit = "m" if run.si else "lattice"
    rows = [["box", " × ".join(str(n) for n in known["nodes"][:run.dimension]) + " nodes"],
            ["spacing", f"{number(known['spacing'])} {unit}"],
            ["fluid nodes", f"{known['fluid_nodes']} ({100 * known.get('porosity', float('nan')):.3g} % of the box)"],
            ["nodes beside walls", number(known.get("boundary_nodes"))],
            ["periodic along", ", ".join(a for a, p in zip("xyz"[:run.dimension], known.get("periodic", [])) if p) or "no axis"]]
    content.append(element("div", *pictures, pairs(rows), class_="pair"))
    if known["openings"]:
        rows = [[o["name"], ", ".join(number(x, 4) for x in o["centre"]), ", ".join(number(x, 3) for x in o["normal"]),
                 number(o["area"], 5)] for o in known["openings"]]
        area = unit + ("²" if run.dimension == 3 else "")
        content.append(table("Openings", ["name", f"centre [{unit}]", "normal", f"area [{area}]"], rows, (3,)))
    return content


def case(run: Run) -> list[Any]:
    summary, plan = run.summary, run.summary["plan"]
    content: list[Any] = []
    command = summary.get("command")
    if command:
        line = shlex.join(str(word) for word in command)
        content += [element("p", "This command made the run:"), element("pre", element("code", line))]
    threads = f", {plan['threads']} threads" if plan.get("threads") else ""
    rows = [["version", f"Fluvia {summary['version']}"],
            ["hash of what decides the flow", element("code", summary["case_hash"])],
            ["lattice, collision, equilibrium", " ".join(str(plan.get(k, "–")) for k in ("lattice", "collision", "equilibrium"))],
            ["scheme, format", f"{plan.get('scheme', '–')} {plan.get('format', '–')}, rounded {plan.get('rounding', '–')}"],
            ["device", f"{plan.get('device', '–')}{threads}"],
            ["relaxation time, Δx, Δt", f"{number(summary['units'].get('tau'))}, {number(summary['units'].get('spacing'))}, "
                                        f"{number(summary['units'].get('time_step'))}"]]
    content.append(pairs(rows))
    written = summary.get("case")
    if not written:
        content.append(element("p", "summary.json does not have the text of the case: it was built by a program, or the run "
                                    "is of an older version."))
        return content
    cut = ""
    if len(written) > LONGEST_CASE:
        written, cut = written[:LONGEST_CASE], " The text is cut here; summary.json has all of it."
    name = "case.toml"
    again = ["fluvia", "run", name, *extra_words(command or [])]
    content += [element("p", "The whole case, includes and ", element("code", "--set"), " carried out. Saved as ",
                        element("code", name), " beside the files that it names, it is run by ",
                        element("code", shlex.join(again)), "." + cut),
                element("pre", element("code", written))]
    return content


def extra_words(command: list[Any]) -> list[str]:
    """Options of a command that are not in the text of the case: those that change what is computed."""
    words, kept = [str(word) for word in command], []
    for option, value in zip(words, words[1:]):
        if option in ("--steps", "--device", "--threads", "--memory-limit"):
            kept += [option, value]
    return kept


def files(run: Run) -> list[Any]:
    content: list[Any] = []
    warnings = run.summary.get("warnings") or []
    if warnings:
        content += [element("h3", "Warnings of the run"), element("ul", *(element("li", w) for w in warnings))]
    rows = []
    for name in [*(run.summary.get("files") or []), "summary.json"]:
        path = run.folder / str(name)
        rows.append([str(name), size(path.stat().st_size) if path.is_file() else "not there any more"])
    content.append(table("In the run's folder", ["file", "size"], rows, (1,)))
    return content
