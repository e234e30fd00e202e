# SPDX-License-Identifier: Apache-2.0
"""The page of `fluvia permeability --output`: permeabilities with their errors, grids, pictures of the flows."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .document import document
from .markup import Html, element, figure, number, pairs, picture, table, with_error
from .problems import InputProblem
from .runs import read_json

FILE = "permeability.json"
NEEDED = ("tensor_m2", "principal", "complete", "within_tolerance", "axes", "image", "settings", "units")


def is_permeability(folder: Path) -> bool:
    """Whether the folder is one of `fluvia permeability --output` and not that of a run."""
    return (folder / FILE).exists() and not (folder / "summary.json").exists()


def make_permeability_page(folder: Path) -> str:
    """The page as a text. Raises InputProblem if the file is damaged."""
    file = folder / FILE
    found = read_json(file, NEEDED, "result of fluvia permeability")
    try:
        return _page(folder, found)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputProblem(f"{file}: {type(error).__name__} {error}: the file is damaged; run the command again") from error


def _page(folder: Path, found: dict[str, Any]) -> str:
    image, settings = found["image"], found["settings"]
    title = f"Permeability of {Path(image['file']).name}"
    sections = [
        ("results", "Results", [_axes(found), *_principal(found), *_tensor(found)]),
        ("flows", "The flows", _pictures(folder, found)),
        ("grids", "Grids", [_grids(found)]),
        ("image", "Image and settings", [_settings(image, settings)]),
    ]
    return document(title, [_verdict(found)], [entry for entry in sections if entry[2]],
                    "Made by fluvia report from a result of fluvia permeability.")


def _verdict(found: dict[str, Any]) -> Html:
    tolerance = f"{100 * found['settings']['tolerance']:.2g} %"
    notes = [f"along {axis['axis']}: {note}" for axis in found["axes"] for note in axis["notes"]]
    if not found["complete"]:
        level, words = "bad", "✗ Interrupted: these are the flows so far."
    elif found["within_tolerance"]:
        level, words = "good", f"✓ Every estimated error is within the {tolerance} asked for."
    else:
        level, words = "doubtful", f"! An estimated error is above the {tolerance} asked for."
    return element("div", element("strong", words, class_=level), *(element("p", note) for note in notes),
                   class_=f"verdict {level}", role="note")


def _axes(found: dict[str, Any]) -> Html:
    rows = []
    for axis in found["axes"]:
        k, error = axis["permeability_m2"], axis["relative_error"]
        value, spread = with_error(k, None if error is None else error * k)
        darcy, darcy_spread = with_error(axis["permeability_darcy"],
                                         None if error is None else error * axis["permeability_darcy"])
        rows.append([f"along {axis['axis']}", value, spread, darcy, darcy_spread,
                     "–" if error is None else f"{100 * error:.2g} %", number(axis["porosity"], 4),
                     number(axis["percolating_porosity"], 4), number(axis["tortuosity"], 4), number(axis["reynolds"], 2)])
    heads = ["permeability", "m²", "± m²", "darcy", "± darcy", "± relative", "porosity", "percolating", "tortuosity",
             "Reynolds number"]
    caption = ("± is what grids and the ends of the transients leave open; it says nothing of scan, segmentation and "
               "whether the part is large enough.")
    return table(caption, heads, rows, range(1, len(heads)))


def _principal(found: dict[str, Any]) -> list[Html]:
    principal, darcy = found["principal"], found["units"]["m2_per_darcy"]
    if not principal:
        return []
    rows = [[str(k + 1), number(value, 5), number(value / darcy, 5), ", ".join(f"{x:.3f}" for x in direction)]
            for k, (value, direction) in enumerate(zip(principal["values_m2"], principal["directions"]))]
    caption = "Principal permeabilities"
    if principal["anisotropy"] is not None:
        caption += f"; the largest is {number(principal['anisotropy'], 4)} times the smallest"
    return [table(caption + ".", ["principal value", "m²", "darcy", "direction (x, y, z)"], rows, (1, 2))]


def _tensor(found: dict[str, Any]) -> list[Html]:
    """The whole tensor, where sides and ends leave anything beside its diagonal."""
    rows = [[f"force along {'xyz'[k]}", *(number(value, 5) for value in row)]
            for k, row in enumerate(found["tensor_m2"]) if row is not None]
    if found["settings"]["ends"] != "periodic" or not rows:
        return []
    return [table("Mean flux, m²", ["", "along x", "along y", "along z"], rows, (1, 2, 3))]


def _pictures(folder: Path, found: dict[str, Any]) -> list[Html]:
    figures = []
    for axis in found["axes"]:
        file = folder / f"along-{axis['axis']}.png"
        data = file.read_bytes() if file.is_file() else b""
        if axis["flows"] and data.startswith(b"\x89PNG"):
            figures.append(figure(picture(data, "png", f"Speed of the flow along {axis['axis']}", loading="lazy"),
                                  f"Speed of the flow along {axis['axis']}, {axis['flows'][-1]['refine']} nodes along the "
                                  "edge of a voxel", class_="picture"))
    return [element("div", *figures, class_="pair")] if figures else []


def _grids(found: dict[str, Any]) -> Html:
    rows = [[axis["axis"], str(flow["refine"]), " × ".join(str(n) for n in flow["nodes"]), str(flow["fluid_nodes"]),
             str(flow["steps"]), "yes" if flow["steady"] else "no", number(flow["permeability_m2"], 5),
             number(flow["mflups"], 3)] for axis in found["axes"] for flow in axis["flows"]]
    return table("One flow on each grid; the results are extrapolated from these.",
                 ["axis", "nodes a voxel", "nodes", "fluid nodes", "steps", "steady", "permeability [m²]", "MFLUPS"], rows,
                 (1, 3, 4, 6, 7))


def _settings(image: dict[str, Any], settings: dict[str, Any]) -> Html:
    rows = [[name.replace("_", " "), str(value)] for name, value in image.items() if value is not None]
    rows += [[name.replace("_", " "), str(value)] for name, value in settings.items() if value is not None]
    return pairs(rows)
