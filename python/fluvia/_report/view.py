# SPDX-License-Identifier: Apache-2.0
"""The interactive view: data of a scene for Plotly, which the page carries along."""
from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex

from .colors import color_range
from .markup import Html
from .rendering import is_inside, view_direction
from .scene import Coloring, Scene


def packed(values: np.ndarray, kind: str) -> dict[str, str]:
    """Numbers as Plotly takes them: their bytes, little-endian."""
    data = np.ascontiguousarray(values, dtype="<" + kind)
    return {"dtype": kind, "bdata": base64.b64encode(data.tobytes()).decode("ascii")}


def color_scale(name: str) -> list[list[Any]]:
    """A colour scale of matplotlib's, so that the view and its picture have the same colours."""
    places = np.linspace(0, 1, 13)
    return [[float(x), to_hex(color)] for x, color in zip(places, colormaps[name](places))]


def bar(title: str, x: float, anchor: str) -> dict[str, Any]:
    return {"title": {"text": title, "side": "right"}, "x": x, "xanchor": anchor, "len": 0.7, "thickness": 14,
            "tickformat": ".3g", "outlinewidth": 0}


def shown_as(coloring: Coloring) -> dict[str, Any]:
    """What a trace of the wall has for one of its colourings; view.js puts another in its place."""
    unit = " " + coloring.unit if coloring.unit else ""
    return {"intensity": packed(coloring.values, "f4"), "cmin": coloring.range.low, "cmax": coloring.range.high,
            "colorscale": color_scale(coloring.range.map), "colorbar": bar(coloring.title, 1.0, "left"),
            "hovertemplate": "%{intensity:.4g}" + unit + "<extra>" + coloring.label + "</extra>"}


def traces(scene: Scene) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    if scene.wall is not None:
        wall = scene.wall
        trace: dict[str, Any] = {"type": "mesh3d", "name": "wall", "flatshading": False, "opacity": 1,
                                 "lighting": {"ambient": 0.55, "diffuse": 0.6, "specular": 0.15, "roughness": 0.7}}
        trace |= {axis: packed(wall.points[:, k], "f4") for k, axis in enumerate("xyz")}
        trace |= {corner: packed(wall.triangles[:, k], "i4") for k, corner in enumerate("ijk")}
        trace |= shown_as(wall.colorings[0]) if wall.colorings else {"color": "#b9c2cc", "hoverinfo": "skip"}
        result.append(trace)
    if scene.lines:
        gap = np.full((1, 3), np.nan)
        points = np.concatenate([part for line in scene.lines for part in (line.points, gap)])
        speeds = np.concatenate([part for line in scene.lines for part in (line.speeds, line.speeds[-1:])])
        line = {"width": 3, "color": packed(speeds, "f4"), "colorscale": color_scale("plasma"), "cmin": 0,
                "cmax": color_range(speeds, 1, from_zero=True).high, "showscale": True,
                "colorbar": bar(f"speed [{scene.speed_unit}]", 0.0, "right")}
        trace = {"type": "scatter3d", "mode": "lines", "name": "streamlines", "line": line, "connectgaps": False,
                 "visible": not is_inside(scene),
                 "customdata": packed(speeds, "f4"),
                 "hovertemplate": "%{customdata:.4g} " + scene.speed_unit + "<extra>speed</extra>"}
        trace |= {axis: packed(points[:, k], "f4") for k, axis in enumerate("xyz")}
        result.append(trace)
    return result


def layout(scene: Scene) -> dict[str, Any]:
    eye, up = view_direction(scene)
    axes = {}
    for k, axis in enumerate("xyz"):
        axes[axis + "axis"] = {"title": {"text": f"{axis} [{'m' if scene.unit == 'm' else 'lattice'}]"},
                               "range": [float(scene.box[0, k]), float(scene.box[1, k])], "showbackground": False,
                               "gridcolor": "rgba(128,128,128,0.3)", "zeroline": False, "showspikes": False,
                               "exponentformat": "power", "nticks": 5}
    # Numbers stand below the box: the view's middle lies below that of the box, so that they are seen whole.
    low = -0.14 * up
    camera = {"eye": dict(zip("xyz", (eye * 2.8 + low).tolist())), "center": dict(zip("xyz", low.tolist())),
              "up": dict(zip("xyz", up.tolist())),
              "projection": {"type": "perspective"}}
    return {"scene": {**axes, "aspectmode": "data", "camera": camera}, "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
            "paper_bgcolor": "rgba(0,0,0,0)", "showlegend": False, "uirevision": "kept"}


def data_script(scene: Scene) -> Html:
    """The view's data, as a script element that does nothing by itself."""
    colorings = [shown_as(coloring) for coloring in scene.wall.colorings] if scene.wall else []
    content = json.dumps({"data": traces(scene), "layout": layout(scene), "colorings": colorings[1:]}, allow_nan=False, separators=(",", ":"))
    return Html(f'<script type="application/json" id="view-data">{content.replace("<", chr(92) + "u003c")}</script>')


def library_script() -> Html:
    """Plotly itself, as its Python package has it."""
    from plotly.offline import get_plotlyjs

    return Html("<script>" + get_plotlyjs().replace("</script", "<\\/script") + "</script>")
