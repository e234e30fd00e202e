# SPDX-License-Identifier: Apache-2.0
"""Run by itself, `python renderer.py FOLDER`: draws FOLDER/scene.npz into FOLDER/flow.png and FOLDER/geometry.png without a
display. A process of its own, since graphics libraries that do not fit end it without a word."""
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyvista

SIZE = (1500, 960)
INK = "#7c848c"  # is seen on white and on black


def poly(points: np.ndarray, triangles: np.ndarray) -> pyvista.PolyData:
    return pyvista.PolyData.from_regular_faces(points, triangles)


def lines_of(points: np.ndarray, counts: np.ndarray) -> pyvista.PolyData:
    cells, start = [], 0
    for count in counts:
        cells += [count, *range(start, start + count)]
        start += count
    return pyvista.PolyData(points, lines=np.array(cells))


def bar(title: str, x: float) -> dict[str, Any]:
    return {"title": title, "vertical": False, "position_x": x, "position_y": 0.03, "width": 0.36, "height": 0.07,
            "color": INK, "title_font_size": 26, "label_font_size": 22, "n_labels": 4, "fmt": "%.3g"}


def plotter(data: dict[str, Any], **options: Any) -> pyvista.Plotter:
    page = pyvista.Plotter(**{"window_size": SIZE, **options})
    page.enable_anti_aliasing("ssaa")
    low, high = data["box"]
    page.add_mesh(pyvista.Box(bounds=np.column_stack([low, high]).ravel()), style="wireframe", color=INK, opacity=0.6,
                  line_width=1)
    return page


def look(page: pyvista.Plotter, data: dict[str, Any], from_above: bool = False) -> None:
    if from_above:
        page.view_xy()
        page.enable_parallel_projection()
    else:
        page.camera_position = pyvista.CameraPosition(position=data["eye"], focal_point=data["focus"], viewup=data["up"])
    page.reset_camera()
    page.camera.zoom(1.0 if from_above else 1.25)


def shot(page: pyvista.Plotter, data: dict[str, Any], file: Path) -> None:
    look(page, data)
    page.screenshot(file, transparent_background=True)
    page.close()


def size_of(data: dict[str, Any]) -> float:
    return float(np.linalg.norm(data["box"][1] - data["box"][0]))


def add_flow(page: pyvista.Plotter, data: dict[str, Any], words: dict[str, Any], see_through: bool = False) -> None:
    """The wall, coloured by its field, and streamlines: those within a wall that is not seen through are left out."""
    covered = "points" in data and words["inside"] and not see_through
    if "points" in data:
        mesh = poly(data["points"], data["triangles"])
        through = see_through and words["inside"]
        if "values" in data:
            mesh["value"] = data["values"]
            page.add_mesh(mesh, scalars="value", cmap=words["wall_map"], clim=words["wall_limits"],
                          opacity=0.45 if through else 1.0, smooth_shading=True,
                          scalar_bar_args=bar(words["wall_title"], 0.32 if covered else 0.55))
        else:
            page.add_mesh(mesh, color="#b9c2cc", opacity=0.3 if through else 1.0, smooth_shading=True)
    if "line_points" in data and not covered:
        lines = lines_of(data["line_points"], data["line_counts"])
        lines["speed"] = data["line_speeds"]
        page.add_mesh(lines.tube(radius=size_of(data) * 0.0012, n_sides=8), scalars="speed", cmap="plasma",
                      clim=[0, words["speed_limit"]], scalar_bar_args=bar(words["speed_title"], 0.08))


def add_slice(page: pyvista.Plotter, data: dict[str, Any], words: dict[str, Any]) -> None:
    """A plane of cells coloured by a field, none where there is no fluid."""
    plane = pyvista.ImageData(dimensions=data["slice_dimensions"], spacing=data["slice_spacing"],
                              origin=data["slice_origin"])
    plane.cell_data["value"] = data["slice_values"]
    fluid = plane.extract_cells(np.flatnonzero(np.isfinite(data["slice_values"])))
    low, high = words["slice_limits"]
    place = bar(words["slice_title"], 0.32)
    if "points" in data or "line_points" in data:  # which have theirs below
        place["position_y"] = 0.9
    page.add_mesh(fluid, scalars="value", cmap=words["slice_map"], clim=[low, high], lighting=False,
                  scalar_bar_args=place)


def add_geometry(page: pyvista.Plotter, data: dict[str, Any], words: dict[str, Any]) -> None:
    """The wall and the openings in it."""
    if "points" in data:
        page.add_mesh(poly(data["points"], data["triangles"]), color="#c9b7a4", smooth_shading=True,
                      specular=0.2)
    add_openings(page, data, words)


def add_openings(page: pyvista.Plotter, data: dict[str, Any], words: dict[str, Any]) -> None:
    """An arrow with its name at each opening, inwards or outwards as the flow goes."""
    size = size_of(data)
    places, names = [], []
    for opening in words["openings"]:
        centre, normal = np.array(opening["centre"]), np.array(opening["normal"])
        radius = min(float(np.sqrt(max(opening["area"], 0) / np.pi)), 0.5 * size)
        length = max(0.12 * size, radius)
        inwards = opening["inwards"]
        start = centre + normal * length if inwards else centre
        page.add_mesh(pyvista.Arrow(start=start, direction=-normal if inwards else normal, scale=length, tip_length=0.35,
                                    tip_radius=0.12, shaft_radius=0.045), color="#2f7ed8" if inwards else "#d8672f")
        places.append(centre + normal * length * 1.45)
        names.append(opening["name"])
    if places:
        page.add_point_labels(np.array(places), names, font_size=36, text_color=INK, shape=None, show_points=False,
                              always_visible=True)


def main(folder: Path) -> None:
    data = dict(np.load(folder / "scene.npz"))
    words = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    for add, name in ((add_flow, "flow.png"), (add_geometry, "geometry.png")):
        page = plotter(data, off_screen=True)
        add(page, data, words)
        shot(page, data, folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
